// Puzzles and lessons, which are set on the board in the place of the game, and mistakes that are tried again.

import { readFileSync } from 'node:fs';

import { expect, test } from './support/test.js';

/** A road in 3 plies: Cd5, then d1 or e1. */
const TINUE = ['tinue', 'x4,2/x,2,x,1,x/x,2,x,1,x/x,2,x,1,1/x5 1 5', 0, 21, 21, 1, 1, 3, 1, 'Cd5 d1 e1'];
/** The same at another move number, which is none of the program's puzzles. */
const UNKNOWN = ['tinue', 'x4,2/x,2,x,1,x/x,2,x,1,x/x,2,x,1,1/x5 1 6', 0, 21, 21, 1, 1, 3, 1, 'Cd5'];
/** A road in 5 plies. */
const FIVE = ['tinue', 'x2,12,1,1/1,1,1C,12,x/x2,2C,2,2/x5/x5 1 8', 0, 21, 21, 1, 1, 5, 2, 'c4+ d4+ 2c5>'];

/** The puzzles that come with the program. @type {{ kind: string, size: number, themes: string[] }[]} */
const SHIPPED = [4, 5, 6, 7].flatMap((size) =>
  readFileSync(new URL(`../../puzzles/${size}x${size}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line)),
);

/** Returns what lists the questions of a kind to the program, over both ways to it. @param {import('@playwright/test').Page} page */
async function questions(page) {
  await page.addInitScript(() => {
    /** @type {string[]} */
    const sent = [];
    Object.assign(window, { sent });
    for (const [owner, name] of /** @type {[any, string][]} */ ([
      [WebSocket.prototype, 'send'],
      [Worker.prototype, 'postMessage'],
    ])) {
      const send = owner[name];
      owner[name] = function (/** @type {unknown[]} */ ...args) {
        sent.push(String(args[0]));
        return send.apply(this, args);
      };
    }
  });
  return async (/** @type {string} */ kind) => {
    const sent = await page.evaluate(() => /** @type {{ sent: string[] }} */ (/** @type {unknown} */ (window)).sent);
    return sent.filter((text) => text.includes(`"do":"${kind}"`)).map((text) => JSON.parse(text));
  };
}

test('a puzzle is solved by playing', async ({ tak, page }) => {
  await tak.open();
  await tak.openPuzzle(TINUE);
  await expect(tak.task).toContainText('White to move. Force a road in 2 moves, whatever Black answers.');
  await expect(page.getByRole('dialog')).toBeHidden();
  // A move that does not do it gets the best answer, which the engine finds.
  const defence = page.locator('#frame:has([aria-label^="d5: white flat"]) .advised');
  await Promise.all([defence.waitFor(), tak.pick('d5')]);
  await tak.tells('d5 is not the move.');
  await tak.tells('The defence is ');
  // Both moves are seen for a while, and the wrong one is taken back by itself; the reason stays.
  await tak.holds('d5', 'empty');
  await expect(page.locator('#drawing .advised')).toHaveCount(0);
  await tak.tells('The defence is ');
  await tak.task.getByRole('button', { name: 'Why?' }).click();
  await tak.said('After d5 Black can answer ');
  await tak.place('capstone', 'd5');
  await tak.tells('Cd5 is right.');
  await tak.tells('The answer is d1: go on.');
  await tak.holds('d1', 'black flat');
  await tak.pick('e1');
  await tak.tells('Solved.');
  // Only the first try counts.
  await expect(tak.task).toContainText('In a row0');
  await expect(tak.task).toContainText(/Your rating(\d{3}|1[0-4]\d\d)\?/);
  await expect(tak.task).not.toContainText('→');
});

test('without a known line the engine answers, and every win that is as fast counts', async ({ tak }) => {
  await tak.open();
  const solve = async () => {
    await tak.openPuzzle(UNKNOWN);
    await tak.place('capstone', 'd5');
    await tak.tells('The answer is ');
    await tak.pick((await tak.square('d1').getAttribute('aria-label'))?.includes('empty') ? 'd1' : 'e1');
    await tak.tells('Solved.');
  };
  await solve();
  await tak.tells('Rating 1500 → ');
  await expect(tak.task).toContainText('In a row1');
  const standing = tak.task.getByText('Your rating').locator('..');
  const before = await standing.textContent();
  // In this one the third ply of the solution is 2c5>.
  await tak.openPuzzle(FIVE);
  await tak.pick('c4 c5');
  await tak.tells('c4+ is right.');
  await tak.tells('The answer is d4+: go on.');
  await tak.pick('d4 d5');
  await tak.tells('d4+ wins too.');
  // The same puzzle again changes nothing.
  await solve();
  await expect(tak.task).not.toContainText('→');
  await expect(standing).toHaveText(before ?? '');
});

test('if no fact speaks against a move, its answer is named', async ({ tak, page }) => {
  const asked = await questions(page);
  await tak.open();
  await tak.openPuzzle(['defence', '2,x2,1/1,211212,x,2/2,x2,1/1,2,x2 1 11', 0, 15, 15, 0, 0, 6, 11, 'a3>']);
  await tak.pick('c1');
  await tak.tells('The answer is 2b3<');
  await tak.task.getByRole('button', { name: 'Why?' }).click();
  await tak.said('No single fact speaks against c1. The answer is 2b3<.');
  // The reasons say “you” to the player who solves the puzzle.
  expect(await asked('why')).toMatchObject([{ wrong: true, line: 'c1 2b3< d1 b2', reader: 'white' }]);
});

test('puzzles are chosen by kind, board and day', async ({ tak, page }) => {
  /** @type {string[]} */
  const loaded = [];
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname.split('/').at(-1) ?? ''));
  const ofTasks = () => loaded.filter((name) => /jsonl|lesson|task.css|tasks/.test(name));
  await tak.open();
  expect(ofTasks(), 'nothing of the views is loaded with the page').toEqual([]);
  await tak.openView('Puzzles');
  const left = (/** @type {{}[]} */ puzzles) => tak.task.getByText(new RegExp(`^${puzzles.length} puzzles, `));
  // Only those of a board are loaded, until others are wanted.
  const board = tak.task.getByRole('radiogroup', { name: 'Board' });
  await expect(left(SHIPPED.filter(({ size }) => size === 5))).toHaveText(/ 0 tried/);
  expect(ofTasks().filter((name) => name.endsWith('jsonl'))).toEqual(['5x5.jsonl']);
  await board.getByRole('radio', { name: 'All', exact: true }).check();
  await expect(left(SHIPPED)).toHaveText(/ 0 tried/);
  expect(ofTasks().filter((name) => name === '5x5.jsonl' || name === '7x7.jsonl')).toEqual(['5x5.jsonl', '7x7.jsonl']);
  await tak.task.getByRole('combobox', { name: 'Kind' }).selectOption('Only defence');
  const defence = SHIPPED.filter(({ kind }) => kind === 'defence');
  await expect(left(defence)).toBeVisible();
  await expect(tak.title).toContainText('Only defence');
  await board.getByRole('radio', { name: '6' }).check();
  const small = left(defence.filter(({ size }) => size === 6));
  await expect(small).toBeVisible();
  await expect(tak.squares).toHaveCount(36);
  await tak.task.getByRole('combobox', { name: 'Theme' }).selectOption('Block with the capstone');
  await expect(
    left(defence.filter(({ size, themes }) => size === 6 && themes.includes('capstone-block'))),
  ).toBeVisible();
  await tak.task.getByRole('combobox', { name: 'Theme' }).selectOption('All');
  await expect(small).toBeVisible();
  // To see the solution is no success.
  await tak.button('Solution').click();
  const before = await tak.position();
  await tak.tells('The solution');
  await expect(tak.task).toContainText('In a row0');
  await expect(small).toHaveText(/, 1 tried, 0 solved/);
  // It is played on the board.
  await expect.poll(() => tak.position()).not.toBe(before);
  await tak.button('Next puzzle').click();
  await expect(tak.task).not.toContainText('The solution');
  // The next one is another one each time.
  const seen = new Set([await tak.position()]);
  for (let count = 1; count < 6; count += 1) {
    await tak.button('Next puzzle').click();
    await expect.poll(async () => seen.has(await tak.position())).toBe(false);
    seen.add(await tak.position());
  }
  // The puzzle of the day is the same each time.
  await tak.button('Puzzle of the day').click();
  await expect(tak.title).toHaveText('Puzzle of the day');
  const today = await tak.position();
  await tak.button('Next puzzle').click();
  await expect(tak.title).not.toHaveText('Puzzle of the day');
  await tak.button('Puzzle of the day').click();
  await expect.poll(() => tak.position()).toBe(today);
});

test('a choice that no puzzle fits says so, and has no next one', async ({ tak }) => {
  await tak.open();
  await tak.openView('Puzzles');
  const board = tak.task.getByRole('radiogroup', { name: 'Board' });
  const kind = tak.task.getByRole('combobox', { name: 'Kind' });
  await board.getByRole('radio', { name: '7' }).check();
  await expect(tak.squares).toHaveCount(49);
  await kind.selectOption('Road in 4 moves');
  await tak.tells('No puzzle fits this choice.');
  await tak.said('No puzzle fits this choice.');
  await expect(tak.button('Next puzzle')).toBeDisabled();
  await kind.selectOption('Road in 3 moves');
  await expect(tak.title).toHaveText('Road in 3 moves');
  await expect(tak.task).not.toContainText('No puzzle fits this choice.');
  await expect(tak.button('Next puzzle')).toBeEnabled();
  // A puzzle of a link may be on another board than those to choose from.
  await tak.reload();
  await tak.openPuzzle(['defence', '2,x2,1/1,211212,x,2/2,x2,1/1,2,x2 1 11', 0, 15, 15, 0, 0, 6, 11, 'a3>']);
  await expect(tak.task.getByRole('combobox', { name: 'Theme' })).toBeVisible();
  await expect(tak.button('Next puzzle')).toBeEnabled();
});

test('puzzles of a file are opened, also of one that falls on the page', async ({ tak }) => {
  const line = (/** @type {string} */ tps) =>
    JSON.stringify({
      ...{ kind: 'best', tps, size: 3, komi: 0, flats: [10, 10], caps: [0, 0], plies: null, difficulty: 1, wrong: [] },
      solution: { move: 'a1', answers: [] },
    });
  await tak.open();
  await tak.openView('Puzzles');
  await expect(tak.task.getByText(`${SHIPPED.filter(({ size }) => size === 5).length} puzzles`)).toBeAttached();
  const choose = (/** @type {string} */ name, /** @type {string} */ text) =>
    tak.chooseFiles('Open puzzles or results', { [name]: text });
  await choose('bad.jsonl', 'nothing\n');
  await tak.said('This file holds no puzzles');
  await choose('mine.jsonl', `${line('1,x2/x3/x2,2 1 2')}\nnot a puzzle\n`);
  await tak.said('1 puzzle of mine.jsonl; 1 line is no puzzle.');
  await tak.pick('b1');
  await tak.tells('is not the move.');
  // A position that is not legal is named, and the page goes on.
  await choose('illegal.jsonl', line('1,x2/x3/x2,2S2 1 2'));
  await tak.said('cannot be read');
  await tak.drop(tak.grid, { 'again.jsonl': line('1,x2/x3/x2,2 1 3') });
  await tak.said('1 puzzle of again.jsonl.');
  await expect(tak.openDialog).toBeHidden();
});

test('a game stays while puzzles are solved', async ({ tak, page }) => {
  await tak.open();
  await tak.newGame({ size: 5, mode: 'two', white: 'Ada' });
  await tak.play('a1 e5 c3');
  await page.getByRole('link', { name: 'Puzzles' }).click();
  await expect(tak.task).toContainText(' to move. ');
  await page.goBack();
  await tak.shows('a1 e5 c3');
  await expect(tak.player('white')).toContainText('Ada');
  // A reload comes back to the view, and still has the game.
  await tak.openPuzzle(TINUE);
  await tak.reload();
  await expect(tak.task).toContainText('White to move.');
  await tak.backToGame.click();
  await tak.shows('a1 e5 c3');
  await tak.play('d3');
  // A new game or a link ends the view, and keeps the game.
  await tak.openView('Learn');
  await tak.newGame({ size: 4, mode: 'two' });
  await expect(tak.backToGame).toBeHidden();
  await expect(tak.squares).toHaveCount(16);
  await tak.restore();
  await tak.shows('a1 e5 c3 d3');
  await tak.openView('Puzzles');
  await tak.start({ size: 3 });
  await expect(tak.backToGame).toBeHidden();
  // Its clocks run on.
  await tak.newGame({ mode: 'two', time: '3+2' });
  await tak.play('a1');
  const before = await tak.seconds('black');
  await tak.openView('Puzzles');
  await page.waitForTimeout(1500);
  await tak.backToGame.click();
  expect(await tak.seconds('black')).toBeLessThan(before);
});

test('hostile addresses and results are harmless', async ({ tak, page }) => {
  await tak.open();
  await page.evaluate(() => {
    localStorage.setItem('tak-engine-puzzles', '{"format": 7}');
    localStorage.setItem('tak-engine-lessons', '[[');
  });
  const goTo = (/** @type {string} */ hash) =>
    page.evaluate((to) => {
      location.hash = to;
    }, hash);
  for (const detail of ['x', '<b>', '%', 'W10=']) {
    await goTo(`puzzles/${detail}`);
    await tak.tells('This link holds no puzzle.');
    await goTo('learn');
    await expect(tak.title).toHaveText('The road');
  }
  await goTo('learn/nothing');
  await expect(tak.title).toHaveText('The road');
  await goTo('constructor');
  await tak.said('Invalid link');
});

test('a lesson explains wrong moves, by keyboard, and is kept', async ({ tak }) => {
  await tak.open();
  await tak.openView('Learn');
  const step = tak.page.getByRole('list', { name: /^Step/ });
  await expect(step).toHaveAccessibleName('Step 1 of 4');
  // A wall is wrong, and a flat is right.
  await tak.grid.focus();
  await tak.press('c ArrowRight Enter');
  await tak.tells('That piece stands on its edge');
  // It is taken back by itself, and the reason stays.
  await tak.holds('b1', 'white wall');
  await tak.holds('b1', 'empty');
  await tak.tells('That piece stands on its edge');
  await tak.press('Enter');
  await tak.tells('Good. It can be part of your road');
  await expect(tak.button('Next')).toBeFocused();
  await tak.press('Enter');
  await expect(step).toHaveAccessibleName('Step 2 of 4');
  await tak.reload();
  await expect(step).toHaveAccessibleName('Step 2 of 4');
  await tak.pick('d2');
  await tak.tells('A road. The game is over, and you have won.');
});

test('all lessons can be finished: each move shown is the right one', { tag: '@thorough' }, async ({ tak }) => {
  const lessons = tak.page.getByRole('list', { name: 'Lessons' }).getByRole('listitem');
  const puzzles = tak.button('Puzzles');
  const place = tak.page.getByRole('list', { name: /^Step/ });
  const on = tak.page.getByRole('button', { name: /^Next/ }).or(puzzles);
  await tak.open();
  await tak.openView('Learn');
  let steps = 1;
  for (; ; steps += 1) {
    const title = `${await tak.title.textContent()} ${await place.getAttribute('aria-label')}`;
    await tak.button('Show me').click();
    // A wrong move would leave "Try again" instead.
    await expect(on, title).toBeVisible();
    if (await puzzles.isVisible()) {
      break;
    }
    await on.click();
    await expect(async () => {
      expect(`${await tak.title.textContent()} ${await place.getAttribute('aria-label')}`).not.toBe(title);
    }).toPass();
  }
  expect(steps).toBeGreaterThanOrEqual(36);
  await expect(lessons).toHaveCount(12);
  await expect(lessons.filter({ hasText: 'done' })).toHaveCount(12);
  await puzzles.click();
  await expect(tak.task).toContainText(' to move. ');
});

test('a mistake of an annotated game is tried again', async ({ tak, page }) => {
  const attempt = page.getByRole('group', { name: 'A mistake, tried again' });
  await tak.annotated();
  // The list does not tell the better move.
  await expect(tak.turns.last()).not.toContainText('a3');
  await tak.button('Try again: a2').click();
  await expect(attempt).toContainText('White played a2 here. Find a better move.');
  await tak.holds('a2', 'empty');
  await tak.pick('b2');
  await expect(attempt).toContainText('b2 is not better: White has 0 %, after c1. Try another move.');
  await expect(attempt.locator('.feedback.wrong .picture')).toBeAttached();
  await expect(tak.button('Show')).toBeHidden();
  await tak.pick('a2');
  await expect(attempt).toContainText('a2 is the move that was played. Try another move.');
  const before = await tak.picture(tak.square('a3'));
  await tak.button('Show').click();
  await expect(attempt).toContainText('The move is a3. With a3 White has a road in 1 move.');
  const shown = await tak.changed(tak.square('a3'), before);
  // Tries are no variations.
  await tak.counts(5);
  await expect(tak.variations).toHaveCount(0);
  await tak.button('End').click();
  await expect(attempt).toBeHidden();
  await tak.changed(tak.square('a3'), shown);
  await tak.button('Try again: a2').click();
  await expect(attempt).toContainText('Find a better move.');
  await tak.pick('a3');
  await expect(attempt).toContainText('a3 is right. With a3 White has a road in 1 move.');
  await expect(attempt.locator('.feedback.right .picture')).toBeAttached();
  // Another position ends it.
  await tak.press(']');
  await expect(attempt).toBeHidden();
});

test('a mistake is explained when that is asked for', async ({ tak }) => {
  // The review shows the first mistake.
  await tak.annotated();
  await tak.button('Why?').click();
  await tak.tells('a3 completes a road.');
  await tak.tells('White leaves c1 open: Black completes a road there.');
  await expect(tak.button('Why?')).toBeHidden();
});

test('the numbers below the graph are at their moves', async ({ tak, page }) => {
  await tak.annotated();
  const { x = 0, width = 0 } = (await tak.graph.boundingBox()) ?? {};
  const count = Number(await tak.graph.getAttribute('aria-valuemax'));
  const numbers = await page.locator('.axis i').evaluateAll((all) =>
    all.map((each) => {
      const box = each.getBoundingClientRect();
      return { number: Number(each.textContent), middle: box.x + box.width / 2 };
    }),
  );
  expect(numbers.map(({ number }) => number)).toEqual([1, 2, 3]);
  for (const { number, middle } of numbers) {
    expect(Math.abs(middle - (x + (width * (2 * number - 1)) / count)), `${number}`).toBeLessThan(1);
  }
});

test('the graph tells the chances under the pointer', async ({ tak }) => {
  const value = tak.text(/^\d[.…] \w\d\S*: White \d+ %$/);
  await tak.annotated();
  await tak.graph.hover();
  await expect(value).toBeVisible();
  await tak.grid.hover();
  await expect(value).toBeHidden();
});
