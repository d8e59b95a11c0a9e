// Ends of games, clocks and pauses.

import { expect, test } from './support/test.js';

test('a resigned game has no undone moves; undo restores them', async ({ tak }) => {
  await tak.open();
  await tak.newGame({ size: 5, mode: 'two' });
  await tak.play('a1 b2');
  await tak.step('Undo', 'a1');
  await tak.resign();
  await tak.ends('Black resigns (1-0)');
  await tak.shows('a1');
  await tak.button('Undo').click();
  await tak.shows('a1 b2');
  await tak.at('a1');
  await tak.goesOn();
  await tak.button('Redo').click();
  await tak.ends('Black resigns (1-0)');
  await tak.shows('a1');
  // The same if no move is left.
  await tak.button('Undo').click();
  await tak.counts(2);
  await tak.step('Undo', '');
  await tak.resign();
  await tak.ends('White resigns (0-1)');
  await tak.counts(0);
  await tak.button('Undo').click();
  await tak.shows('a1 b2');
  await tak.at('');
});

test('a hint goes with the end of the game', async ({ tak, page }) => {
  const drawn = page.locator('#drawing .advised');
  await tak.open();
  await tak.newGame({ size: 4, mode: 'two' });
  await tak.play('a1 b2');
  await tak.button('Hint').filter({ visible: true }).click();
  await expect(drawn).toHaveCount(1);
  await tak.resign();
  await expect(drawn).toHaveCount(0);
});

test('undo takes a resignation back, and no move', async ({ tak }) => {
  await tak.open();
  await tak.newGame({ size: 5, mode: 'two' });
  await tak.play('a1 e5 c3');
  await tak.resign();
  await tak.ends('Black resigns (1-0)');
  await tak.button('Undo').click();
  await tak.goesOn();
  await tak.at('c3');
  await tak.button('Redo').click();
  await tak.ends('Black resigns (1-0)');
  await tak.button('Undo').click();
  await tak.goesOn();
  await tak.play('c4');
  await tak.shows('a1 e5 c3 c4');
  // After that it undoes moves.
  await tak.step('Undo', 'c3');
  await tak.step('Undo', 'e5');
  // The engine continues to play, whether it was to move or not.
  await tak.newGame({ size: 4, mode: 'engine', color: 'white', level: 1 });
  await tak.pick('a1');
  await tak.counts(2);
  await tak.resign();
  await tak.ends('White resigns (0-1)');
  await tak.button('Undo').click();
  await tak.goesOn();
  await tak.counts(2);
  await tak.free.click();
  await tak.counts(4);
});

test('a game lost on time has no undone moves', async ({ tak, page }) => {
  await page.clock.install();
  await tak.open();
  await tak.newGame({ size: 5, mode: 'two', time: 'clock', minutes: 1, increment: 0 });
  await tak.play('a1 b2');
  await tak.step('Undo', 'a1');
  await page.clock.fastForward(59_000);
  await expect(tak.clock('black')).toHaveText(/^0:0/);
  await page.clock.fastForward(2000);
  await tak.ends('Black has run out of time (1-0)');
  await tak.shows('a1');
});

test('a move that is undone gains no time, and undo loses no game', async ({ tak, page }) => {
  await page.clock.install();
  await tak.open();
  await tak.newGame({ size: 5, mode: 'two', time: 'clock', minutes: 2, increment: 30 });
  await tak.play('a1');
  await expect(tak.clock('white')).toHaveText('2:30');
  await tak.step('Undo', '');
  expect(await tak.seconds('white')).toBeLessThanOrEqual(120);
  await tak.step('Redo', 'a1');
  expect(await tak.seconds('white')).toBeGreaterThan(135);
  await tak.play('e5');
  await page.clock.fastForward(80_000);
  await page.clock.fastForward(45_000);
  await expect.poll(() => tak.seconds('white')).toBeLessThan(30);
  await tak.step('Undo', 'a1');
  await tak.button('Undo').click();
  await tak.said('White has already used the increment of that move');
  await tak.at('a1');
  await tak.goesOn();
});

test('a hidden page pauses the game of the engine with itself', async ({ tak, page }) => {
  await page.clock.install();
  await tak.open();
  await tak.newGame({ size: 8, mode: 'self', level: 3, time: 'free' });
  await tak.counts(1);
  /** @param {boolean} isHidden */
  const hide = (isHidden) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'hidden', { value, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, isHidden);
  await hide(true);
  for (let wait = 0; wait < 3; wait += 1) {
    await page.clock.fastForward(10_000);
    // The engine would answer sooner.
    await page.waitForTimeout(100);
  }
  await tak.counts(1);
  await hide(false);
  await expect.poll(() => tak.moves.count()).toBeGreaterThan(1);
});

test('keys lead on to the board from a button that goes', async ({ tak }) => {
  await tak.open();
  await tak.newGame({ size: 5, mode: 'two' });
  await tak.play('a1');
  await tak.button('Undo').press('Enter');
  await tak.at('');
  await expect(tak.grid).toBeFocused();
  await (await tak.seldom('Resign')).press('Enter');
  await expect(tak.button('Really resign as White?')).toBeFocused();
  await tak.press('Enter');
  await tak.ends('White resigns (0-1)');
  await expect(tak.grid).toBeFocused();
  await tak.rematch.press('Enter');
  await expect(tak.rematch).toBeHidden();
  await expect(tak.grid).toBeFocused();
});

test('a stored game that is corrupt, or of another program, leaves a board', async ({ tak, page }) => {
  /** Opens the page with this state in the place of its own, which it stores when it is left. */
  const open = async (/** @type {object} */ game) => {
    await page.goto(new URL('how-to-play.html', tak.home).href);
    await page.evaluate((text) => {
      for (const storage of [sessionStorage, localStorage]) {
        storage.setItem('tak-engine', text);
      }
    }, JSON.stringify(game));
    await tak.open();
  };
  for (const part of ['start', 'timing', 'names', 'cuts', 'uncut', 'former', 'seed']) {
    await open({ moves: ['a1'], at: 1, [part]: null });
    await tak.counts(0);
  }
  await open({ moves: ['a1'], at: 1, mode: 'two' });
  await tak.shows('a1');
});
