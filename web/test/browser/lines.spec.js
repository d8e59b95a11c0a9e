// Variations, and the ways to walk through a game.

import { expect, test } from './support/test.js';

const SIX = 'a1 e5 c3 c4 d3 d4';

/** Shows all buttons of the first line, which phones have if it is unfolded. @param {import('./support/tak.js').Tak} tak */
async function unfold(tak) {
  if (await tak.button('Keep line 1').isHidden()) {
    await tak.button('Show all of line 1').click();
  }
}

test('moves from earlier positions are variations, which are kept, promoted and deleted', async ({ tak, beside }) => {
  await tak.start({ size: 5 });
  await tak.play(SIX);
  await tak.visit('e5');
  await tak.play('b2 b3');
  await tak.shows(SIX, ['2. b2 b3']);
  // A variation of the variation, and one for Black.
  await tak.step('One move back', 'b2');
  await tak.play('b4');
  await tak.visit('d3');
  await tak.play('d5');
  const all = ['2. b2 b3', '2... b4', '3... d5'];
  await tak.shows(SIX, all);
  // The same move again is no other variation.
  await tak.step('One move back', 'd3');
  await tak.play('d5');
  await tak.shows(SIX, all);
  await tak.reload();
  await tak.at('d5');
  await tak.shows(SIX, all);
  // The board shows any of them.
  await tak.visit('b4');
  await tak.holds('b4', 'black flat');
  await tak.holds('d3', 'empty');
  await tak.button('Make main line').click();
  await tak.shows('a1 e5 b2 b4', ['2. c3 c4 3. d3 d4', '3... d5', '2... b3']);
  await tak.visit('d4');
  await tak.button('Delete variation').click();
  await tak.at('e5');
  await tak.shows('a1 e5 b2 b4', ['2... b3']);
  // Every change of the lines can be undone.
  await tak.press('Control+z');
  await tak.at('d4');
  await tak.shows('a1 e5 b2 b4', ['2. c3 c4 3. d3 d4', '3... d5', '2... b3']);
  await tak.button('Delete variation').click();
  await tak.page.getByText('The variation c3 is deleted.').first().waitFor();
  await tak.reload();
  await tak.at('e5');
  await tak.shows('a1 e5 b2 b4', ['2... b3']);
  const other = await beside(await tak.copyLink());
  await other.shows('a1 e5 b2 b4', ['2... b3']);
});

test('pointing at a move of a best line shows its position, and a click plays the line up to there', async ({
  tak,
  page,
}) => {
  await tak.start({ size: 5, tps: 'x5/x3,1,x/x2,2,1,x/x,2,x3/x5 1 4' });
  const before = await tak.position();
  const pieces = async () => (await tak.position()).split(',').filter((text) => !text.endsWith('empty')).length;
  const count = await pieces();
  await tak.live.check();
  await expect(tak.effort).toBeVisible();
  // Where others have numbers, the best one has, too.
  await expect(page.locator('#drawing .rank').filter({ hasText: '1' })).toHaveCount(1);
  const first = page.getByRole('list', { name: 'Best lines' }).getByRole('listitem').first();
  // A folded line has one row, with its buttons side by side.
  expect((await first.boundingBox())?.height).toBeLessThanOrEqual(48);
  await unfold(tak);
  const tops = await Promise.all(
    ['Keep line 1', 'Why line 1?'].map(async (name) => (await tak.button(name).boundingBox())?.y),
  );
  expect(new Set(tops).size).toBe(1);
  await tak.button('Why line 1?').click();
  await expect(tak.page.locator('.news')).toContainText(/[a-e][1-5].*\./);
  const [, second] = [...(await first.getByRole('button', { name: /^Play / }).all())];
  await second.hover();
  await expect.poll(() => tak.position()).not.toBe(before);
  // The reasons are about the position on the board.
  await tak.button('Why line 1?').hover();
  await expect.poll(() => tak.position()).toBe(before);
  await second.hover();
  await expect.poll(() => tak.position()).not.toBe(before);
  await tak.counts(0);
  await tak.title.hover();
  await expect.poll(() => tak.position()).toBe(before);
  // The second click of a double one is on a line of the former position.
  await second.dblclick();
  await tak.counts(2);
  await tak.isQuiet();
  await tak.title.hover();
  await expect.poll(pieces).toBeGreaterThanOrEqual(count);
  await expect(tak.current).toHaveCount(1);
});

test('a line that is played by keyboard is said as a move on the board is', async ({ tak, page }) => {
  await tak.start({ size: 3, tps: 'x3/1,1,x/2,2,x 1 3' });
  await tak.live.check();
  const first = page.getByRole('list', { name: 'Best lines' }).getByRole('button', { name: 'Play c2', exact: true });
  await first.press('Enter');
  await tak.said('White wins by a road. White places a flat on c2.');
});

test('a line that is kept leaves the game on the board', async ({ tak }) => {
  await tak.start({ size: 5, tps: 'x5/x3,1,x/x2,2,1,x/x,2,x3/x5 1 4' });
  await tak.play('Sa5 Sa1');
  await tak.button('To the start').click();
  await tak.live.check();
  await expect(tak.effort).toBeVisible();
  await unfold(tak);
  await tak.button('Keep line 1').click();
  await tak.said('The line is kept as a variation.');
  await tak.shows('Sa5 Sa1');
  await expect(tak.variations).toHaveCount(1);
  await tak.step('One move forward', 'Sa5');
  await tak.step('One move forward', 'Sa1');
  await tak.press('Control+z');
  await expect(tak.variations).toHaveCount(0);
});

test('the moves that another one replaces in a game can be viewed afterwards', async ({ tak, beside }) => {
  await tak.open();
  await tak.newGame({ size: 5, mode: 'two', white: 'Ada' });
  await tak.play('a1 e5 c3');
  await tak.step('Undo', 'e5');
  await tak.play('d3');
  await tak.shows('a1 e5 d3', []);
  await tak.resign();
  await tak.ends('Black resigns (1-0)');
  await tak.analyse();
  await tak.shows('a1 e5 d3', ['2. c3']);
  await tak.visit('c3');
  await tak.holds('c3', 'white flat');
  await tak.visit('d3');
  await tak.ends('Black resigns (1-0)');
  // Names and result are in the link.
  const other = await beside(await tak.copyLink());
  await other.ends('Black resigns (1-0)');
  await expect(other.player('white')).toContainText('Ada');
  await other.shows('a1 e5 d3', ['2. c3']);
});

test.describe(() => {
  test.use({ hasTouch: true });

  test('steps have keys, the wheel and swipes', async ({ tak, page }) => {
    await tak.start({ size: 5 });
    await tak.play(SIX);
    /** @param {string} keys @param {string} move */
    const step = async (keys, move) => {
      await tak.press(keys);
      await tak.at(move);
    };
    // Inside the board the arrows move the cursor.
    await tak.grid.focus();
    await step('[', 'd3');
    await step('ArrowLeft ]', 'd4');
    await tak.grid.blur();
    await step('ArrowLeft', 'd3');
    await step('Home', '');
    await step('ArrowRight', 'a1');
    await step('End', 'd4');
    await tak.list.focus();
    await step('ArrowUp', 'd3');
    await step('ArrowDown', 'd4');
    await tak.square('c3').hover();
    for (const [by, move] of /** @type {const} */ ([
      [-100, 'd3'],
      [100, 'd4'],
    ])) {
      await page.mouse.wheel(0, by);
      await tak.at(move);
    }
    const finger = await tak.finger();
    const { x, y } = await tak.middle('c5');
    for (const [by, move] of /** @type {const} */ ([
      [120, 'd3'],
      [-120, 'd4'],
    ])) {
      await finger('touchStart', x, y);
      for (let part = 1; part <= 4; part += 1) {
        await finger('touchMove', x + (by * part) / 4, y);
      }
      await finger('touchEnd');
      await tak.at(move);
    }
    // Nothing was played or lifted.
    await expect(tak.putBack).toBeHidden();
    await tak.shows(SIX);
  });
});

test('arrow keys go on after a click on the first or the last step', async ({ tak }) => {
  await tak.start({ size: 5 });
  await tak.play(SIX);
  await tak.button('To the start').click();
  await expect(tak.button('One move forward')).toBeFocused();
  await tak.press('ArrowRight');
  await tak.at('a1');
  await tak.button('To the end').click();
  await expect(tak.button('One move back')).toBeFocused();
  await tak.press('ArrowLeft');
  await tak.at('d3');
});

test('analysis continues after a step and a step back', async ({ tak, page }) => {
  await tak.start({ size: 5 });
  await tak.play(SIX);
  await tak.live.check();
  await expect(tak.effort).toBeVisible();
  // Faster than the pause after a step.
  await page.evaluate(async () => {
    const button = (/** @type {string} */ name) =>
      /** @type {HTMLElement} */ (document.querySelector(`[aria-label="${name}"]`));
    button('One move back').click();
    await new Promise((resolve) => setTimeout(resolve, 20));
    button('One move forward').click();
  });
  await tak.at('d4');
  const before = await tak.effort.textContent();
  await expect(tak.effort).not.toHaveText(`${before}`);
});
