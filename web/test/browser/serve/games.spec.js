// Games over a connection: lost ones, clocks, and the time of an answer.

import { Tak } from '../support/tak.js';
import { expect, test } from '../support/test.js';

test('a server that comes back finds the game, and the pieces in hand', async ({ page, serve, faults }) => {
  const server = await serve();
  const tak = await new Tak(page, server.url).start({ size: 5 });
  await tak.play('a1 e5 c3 d4');
  // A spread is in progress.
  await tak.pick('c3');
  await expect(tak.putBack).toBeVisible();
  await server.stop();
  await tak.said('Not connected');
  await tak.pick('c4');
  await tak.said('Not done');
  await serve([], server.port);
  await tak.connects();
  // The move that could not be made is made now.
  await tak.shows('a1 e5 c3 d4 c3+');
  faults.length = 0;
  await tak.play('b2');
});

test('a level answers at once', async ({ page, serve }) => {
  // As users start it: with a table that would take a while to allocate.
  const { url } = await serve(['--hash', '256']);
  const tak = await new Tak(page, url).open();
  await tak.openNew();
  await tak.choose({ size: 6, mode: 'engine', color: 'black', level: 5 });
  const begun = performance.now();
  await tak.button('Start', tak.newDialog).click();
  await tak.counts(1);
  // 300 ms on an idle machine.
  expect(performance.now() - begun).toBeLessThan(5000);
});

test('clocks run, stand still and run out', async ({ page, serve, faults }) => {
  const server = await serve();
  const tak = new Tak(page, server.url);
  await page.clock.install();
  await tak.open();
  const [white, black] = [tak.clock('white'), tak.clock('black')];
  await tak.newGame({
    ...{ size: 5, komi: 2, mode: 'two', white: 'Ada <b>', black: 'Bob' },
    ...{ time: 'clock', minutes: 0.2, increment: 3 },
  });
  await expect(tak.player('white')).toContainText(/Ada <b>[\s\S]*– to move/);
  await expect(page.getByTitle(/White needs 3 flats more than Black/)).toBeVisible();
  // No clock runs before the first move, which adds its increment.
  await page.clock.fastForward(5000);
  await expect(white).toHaveText('0:12.0');
  await tak.play('a1');
  await expect(white).toHaveText('0:15.0');
  await page.clock.fastForward(1000);
  await expect.poll(() => tak.seconds('black')).toBeLessThan(11);
  await expect(white).toHaveText('0:15.0');
  // It continues after a reload, and stops while the program is away.
  await tak.reload();
  await expect(tak.player('black')).toContainText(/Bob[\s\S]*– to move/);
  expect(await tak.seconds('black')).toBeLessThan(11);
  await page.clock.fastForward(4000);
  await expect.poll(() => tak.seconds('black')).toBeLessThan(7);
  // The dialogs are loaded after the board.
  await tak.dialog('Settings');
  await tak.closeDialog();
  await server.stop();
  await tak.said('Not connected');
  const left = (await black.textContent()) ?? '';
  await page.clock.fastForward(20_000);
  await expect(black).toHaveText(left);
  await serve([], server.port);
  await tak.connects();
  faults.length = 0;
  await expect(black).not.toHaveText(left);
  await page.clock.fastForward(8000);
  await tak.ends('Black has run out of time (1-0)');
  const ptn = await tak.ptn();
  for (const tag of ['[Player1 "Ada <b>"]', '[Player2 "Bob"]', '[Result "1-0"]']) {
    expect(ptn).toContain(tag);
  }
  // Undone, the game continues without clocks; the next one has them again, with colours swapped.
  await tak.button('Undo').click();
  await expect(black).toBeHidden();
  await tak.shows('a1');
  await tak.play('e5');
  await tak.resign();
  await tak.ends('White resigns (0-1)');
  await tak.rematch.click();
  await expect(tak.player('white')).toContainText(/Bob[\s\S]*– to move/);
  await expect(black).toHaveText('0:12.0');
});
