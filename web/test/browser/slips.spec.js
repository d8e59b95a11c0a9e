// Recovery from accidental actions.

import { expect, test } from './support/test.js';

const SIX = 'a1 e5 c3 c4 d3 d4';

test('undo restores the continuation that another move replaced, and redo replays that move', async ({ tak, page }) => {
  await tak.open();
  await tak.newGame({ size: 5, mode: 'two' });
  await tak.play(SIX);
  await tak.shows(SIX);
  await tak.step('To the start', '');
  await tak.step('One move forward', 'a1');
  await tak.step('One move forward', 'e5');
  await tak.play('b2');
  await tak.shows('a1 e5 b2');
  // It is said at once, and the way back is beside it until the next move.
  await tak.said('White places a flat on b2. 2 later moves replaced.');
  const back = page.locator('.news').getByRole('button', { name: 'Undo' });
  await back.click();
  await tak.shows(SIX);
  // The later moves are there again, and are replaced again.
  await expect(page.getByText('An earlier position')).toBeVisible();
  await tak.play('b2');
  await tak.said('2 later moves replaced.');
  await tak.step('One move back', 'e5');
  await tak.isQuiet();
  await tak.step('One move forward', 'b2');
  await tak.shows('a1 e5 b2');
  await tak.play('b3');
  await tak.isQuiet();
  await tak.shows('a1 e5 b2 b3');
  // A branch within the branch.
  await tak.step('One move back', 'b2');
  await tak.play('b4');
  await tak.reload();
  await tak.shows('a1 e5 b2 b4');
  await tak.step('Undo', 'b2');
  await tak.shows('a1 e5 b2 b3');
  await tak.step('Undo', 'e5');
  await tak.shows(SIX);
  await tak.step('Redo', 'b2');
  await tak.shows('a1 e5 b2 b3');
  await tak.step('Redo', 'b4');
  await tak.shows('a1 e5 b2 b4');
  await tak.step('Undo', 'b2');
  await tak.step('Undo', 'e5');
  await tak.shows(SIX);
  await tak.step('Undo', 'a1');
  await tak.step('To the end', 'd4');
});

test('the move that the game has there steps to it', async ({ tak, page }) => {
  await tak.open();
  await tak.newGame({ size: 5, mode: 'two' });
  await tak.play(SIX);
  await tak.visit('e5');
  await tak.play('c3');
  await tak.isQuiet();
  await tak.shows(SIX);
  await expect(page.getByText('An earlier position.')).toBeVisible();
  await tak.step('One move forward', 'c4');
  await tak.reload();
  await tak.shows(SIX);
});

test('a double click on the news does not reach the board below', async ({ tak, page }) => {
  await page.setViewportSize({ width: 844, height: 390 });
  await tak.open();
  await tak.newGame({ size: 5, mode: 'two' });
  await tak.play(SIX);
  await tak.visit('e5');
  await tak.play('b2');
  await page.locator('.news').getByRole('button', { name: 'Undo' }).dblclick();
  await tak.shows(SIX);
  await tak.at('e5');
});

test('showing the move on the board again is no error, and going beyond the ends is one', async ({ tak }) => {
  await tak.start({ size: 5 });
  await tak.play('a1 e5 c3 c4');
  await tak.moves.nth(1).click();
  await tak.at('e5');
  await tak.said('After ');
  const said = await tak.saidNow();
  await tak.moves.nth(1).click();
  await tak.press('?');
  await expect(tak.keysDialog).toBeVisible();
  expect(await tak.saidNow()).toBe(said);
  await tak.press('Escape');
  await tak.at('e5');
  // Buttons are pressed faster than the page can disable them.
  /** @param {string} name @param {number} times */
  const press = (name, times) =>
    tak.button(name).evaluate((button, count) => {
      for (let time = 0; time < count; time += 1) {
        /** @type {HTMLElement} */ (button).click();
      }
    }, times);
  await press('One move forward', 3);
  await tak.said('This is the last move.');
  await tak.at('c4');
  await press('To the start', 2);
  await tak.at('');
  await tak.said('The start of the game.');
  await press('One move forward', 1);
  await tak.at('a1');
  await press('One move back', 2);
  await tak.said('This is the start.');
  await tak.at('');
});

test('a setting chosen while the page waits for an answer is kept, also in a new tab', async ({
  tak,
  beside,
  page,
}) => {
  await tak.start({ size: 5 });
  await tak.play('a1 e5');
  const controls = [tak.button('To the start'), tak.live];
  const elements = await Promise.all(controls.map((each) => each.elementHandle()));
  await page.evaluate((all) => {
    for (const element of all) {
      /** @type {HTMLElement} */ (element).click();
    }
  }, elements);
  await tak.at('');
  await expect(tak.live).toBeChecked();
  await tak.reload();
  await expect(tak.live).toBeChecked();
  const other = await beside();
  await page.close();
  await expect(other.live).toBeChecked();
});

test('games that links, files and new games replace can be restored', async ({ tak }) => {
  await tak.open();
  await tak.newGame({ size: 5, mode: 'two', white: 'Ada', time: 'clock', minutes: 10 });
  await tak.play('a1 e5 c3');
  await tak.start({ size: 4 });
  await tak.play('a1');
  await tak.paste('[Size "6"]\n1. a1 f6');
  await tak.shows('a1 f6');
  // What is opened takes the place of the study, and leaves the game alone.
  await tak.newGame({ size: 3, mode: 'two' });
  await tak.counts(0);
  await tak.reload();
  await tak.restore();
  await tak.shows('a1 e5 c3');
  await expect(tak.player('white')).toContainText('Ada');
  await expect(tak.clock('white')).toBeVisible();
  await tak.restore();
  await tak.shows('a1');
  // No game is lost.
  await tak.restore();
  await tak.shows('a1 f6');
});

test('a game that is annotated and then resigned has the names and the result of today', async ({ tak }) => {
  await tak.open();
  await tak.newGame({ size: 3, mode: 'two', white: 'Ada', black: 'Bob [the] builder' });
  await tak.play('a1 c3 b3');
  await tak.button('More').filter({ visible: true }).first().click();
  await tak.analyse();
  await tak.annotate();
  const before = await tak.ptn();
  expect(before).toContain('[Result "*"]');
  expect(before).toMatch(/loss:|\{\*tak-engine/);
  expect(before).toMatch(/ \*\s*$/);
  await tak.page.getByRole('link', { name: 'Play' }).click();
  await tak.resign();
  await tak.ends('Black resigns (1-0)');
  await tak.annotate();
  const withoutTimes = (/** @type {string} */ ptn) => ptn.replaceAll(/\d+ms/g, '');
  // The word about the first review may still stand there when the second begins.
  await expect
    .poll(async () => withoutTimes(await tak.ptn()))
    .toBe(withoutTimes(`${before.replace('[Result "*"]', '[Result "1-0"]').trimEnd().slice(0, -1)}1-0\n`));
});

test('the player to move in the game resigns, whatever is on the board', async ({ tak }) => {
  await tak.open();
  await tak.newGame({ size: 5, mode: 'two' });
  await tak.play('a1 e5 c3');
  await tak.step('One move back', 'e5');
  await (await tak.seldom('Resign')).click();
  await tak.button('Really resign as Black?').click();
  await tak.ends('Black resigns (1-0)');
});

test('a resigned game can be analysed and continued', async ({ tak }) => {
  await tak.open();
  await tak.paste('[Size "5"]\n[Result "1-0"]\n1. a1 e5 2. c3 c4 1-0');
  await tak.counts(4);
  await tak.ends('1-0');
  await tak.live.check();
  await expect(tak.effort).toBeVisible();
  await tak.live.uncheck();
  await tak.play('d3');
  await tak.shows('a1 e5 c3 c4 d3');
  await tak.goesOn();
  // Undoing the move also undoes the loss of the result.
  await tak.step('Undo', 'c4');
  await tak.ends('1-0');
});

test('viewing earlier moves does not delay the game', async ({ tak }) => {
  await tak.open();
  await tak.newGame({ size: 6, mode: 'engine', color: 'white', level: 0, time: 'free', seconds: 3 });
  await tak.pick('a1');
  await tak.step('One move back', '');
  await tak.said('You are viewing an earlier position');
  await tak.counts(2);
  await tak.said('The engine has moved: ');
  await tak.at('');
  await tak.step('One move forward', 'a1');
  // The notice gives the reason why no piece can be placed.
  await tak.pick('c3');
  await tak.said('You are viewing an earlier position; » goes to');
  await tak.counts(2);
  await tak.button('To the end').click();
  await expect(tak.player('white')).toContainText('to move');
  // Positions of undone moves are not searched.
  await tak.step('Undo', '');
  await tak.play('a1');
  await tak.button('Undo').click();
  await tak.counts(2);
  await tak.at('');
});

test('viewing earlier moves does not stop the clock, and stores nothing', async ({ tak, page }) => {
  await tak.open();
  await tak.newGame({ size: 5, mode: 'two', time: 'clock', minutes: 5, increment: 0 });
  await tak.play('a1 e5');
  const stored = () => page.evaluate(() => JSON.stringify({ ...localStorage }));
  const before = await stored();
  await tak.step('One move back', 'a1');
  await expect.poll(stored, 'the step is stored').not.toBe(before);
  const after = await stored();
  const [white, black] = [await tak.seconds('white'), await tak.seconds('black')];
  await expect.poll(() => tak.seconds('white')).toBeLessThan(white - 1);
  expect(await tak.seconds('black')).toBe(black);
  expect(await stored()).toBe(after);
});

test('notices are seen to their end, and the end of a game comes first', async ({ tak, page }) => {
  await page.setViewportSize({ width: 1200, height: 900 });
  await tak.start({ size: 5, tps: 'x5/x5/x5/x5/1,1,1,1,x 1 20' });
  await tak.play('e1');
  await expect(tak.status.filter({ hasText: /^White wins by a road/ }).first()).toBeAttached();
  // The longest thing that is said on the smallest screen.
  await page.setViewportSize({ width: 320, height: 700 });
  await tak.start({ size: 8, tps: `x8/x8/x8/x8/x8/x8/x8/${'12'.repeat(10)},x7 2 30` });
  await tak.pick('a1');
  await tak.said('8 in hand');
  for (const notice of await page.getByText(/^8 in hand/).all()) {
    const isWhole = await notice.evaluate((element) => {
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
      return clientWidth <= 1 || (scrollWidth <= clientWidth && scrollHeight <= clientHeight);
    });
    expect(isWhole).toBe(true);
  }
});

test('on a phone, long texts neither move the board nor make anything wider than the screen', async ({ tak, page }) => {
  await page.setViewportSize({ width: 380, height: 800 });
  await tak.start({ size: 8, tps: 'x8/x8/x8/x8/x8/x8/12121212121212121212121,x7/x8 1 30' });
  const places = async () => {
    return (await tak.grid.boundingBox())?.y;
  };
  const before = await places();
  await tak.square('a2').click({ button: 'right' });
  await tak.holds('a2', 'white flat on black, white, black, white, black, white, black, deeper 8 white, 7 black');
  expect(await places()).toEqual(before);
  await tak.fits();
  await tak.pick('a2');
  await tak.said('8 in hand');
  expect(await places()).toEqual(before);
  await tak.fits();
});

test('undo puts the pieces in hand back first, and then undoes moves', async ({ tak }) => {
  await tak.start({ size: 5 });
  await tak.pick('a1 e5 e5');
  await expect(tak.putBack).toBeVisible();
  await tak.press('Control+z');
  await tak.said('The pieces are back on their square.');
  await expect(tak.putBack).toBeHidden();
  await tak.at('e5');
  await tak.pick('e5');
  await expect(tak.putBack).toBeVisible();
  await tak.button('Undo').click();
  await expect(tak.putBack).toBeHidden();
  await tak.at('e5');
  await tak.press('Control+z');
  await tak.at('a1');
});
