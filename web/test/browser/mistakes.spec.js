// Mistakes of one's own: kept by the review, shown again as puzzles, and lost to nothing.

import { readFile } from 'node:fs/promises';

import { expect, test } from './support/test.js';

/** @typedef {import('./support/tak.js').Tak} Tak */

/** Both players miss a road in this game: White e3, also with the capstone, and then Black e2. */
const GAME = `[Player1 "Ann"]
[Player2 "Bob"]
[Date "2026.11.28"]
[Size "5"]
[Komi "2"]
[TPS "2C,x4/x5/1,1,1,1,x/2,2,2,2,x/2S,2,2,2,x 1 12"]

12. a4 a1+
`;
const DAY = 86_400_000;

/** Reviews the game. @param {Tak} tak */
async function review(tak) {
  await tak.open();
  await tak.paste(GAME);
  await tak.annotate();
}

/** What keeps the mistakes of a player. @param {Tak} tak @param {string} name */
const keeper = (tak, name) => tak.button(`Keep ${name}’s mistakes as puzzles`);

/** Goes to the mistakes from the review, or from another view. @param {Tak} tak */
const mistakes = (tak) => tak.page.getByRole('link', { name: 'My mistakes' }).click();

/** @param {Tak} tak */
const place = (tak) => tak.task.getByRole('radiogroup', { name: 'Puzzles from' });

test('without mistakes the view says how one is kept, and its board is empty', async ({ tak, page }) => {
  await tak.start({ size: 3 });
  await tak.play('a1 c3');
  // Nothing can be kept of a game without mistakes.
  await tak.annotate();
  await expect(page.getByRole('button', { name: /^Keep / })).toHaveCount(0);
  await page.goto(`${tak.home}#puzzles/mistakes`);
  await tak.tells('Review a game: your mistakes');
  await expect(page.locator('.bar .title b')).toHaveText('Puzzles');
  await expect(tak.grid.getByRole('gridcell', { name: /^..: empty/ })).toHaveCount(25);
  await page.setViewportSize({ width: 375, height: 667 });
  await expect(page.locator('.bar').getByText('Review a game: your mistakes')).toBeInViewport({ ratio: 1 });
  await expect(tak.backToGame).toBeInViewport({ ratio: 1 });
  await tak.fits();
});

test('a mistake of a reviewed game comes again until it is solved twice', async ({ tak, page }) => {
  const today = new Date(2026, 10, 29, 12).getTime();
  await page.clock.setFixedTime(today);
  await review(tak);
  await keeper(tak, 'Ann').click();
  await tak.tells('1 mistake is in Puzzles, from tomorrow on.');
  await mistakes(tak);
  await tak.tells('White played a4 here. White to move. Find a good move');
  await expect(tak.task).toContainText('Ann – Bob, reviewed on 29 November');
  await tak.tells('0 due, 1 later, 0 solved twice');
  await tak.tells('It is due on 30 November; a try before that does not count.');
  await tak.pick('e3');
  await tak.tells('It comes again tomorrow.');
  // The next day one wrong move makes it a miss.
  await page.clock.setFixedTime(today + DAY);
  await tak.reload();
  await place(tak).getByRole('radio', { name: 'My mistakes: 1 due' }).click();
  await tak.pick('e4');
  await tak.tells('e4 is not the move.');
  await tak.task.getByRole('button', { name: 'Why?' }).click();
  await tak.said('After e4 Black completes a road with ');
  await tak.holds('e4', 'empty');
  await tak.pick('e3');
  await tak.tells('It comes again in 3 days.');
  for (const [day, says] of /** @type {const} */ ([
    [4, 'It comes again in 10 days.'],
    [14, 'Solved twice: it does not come again.'],
  ])) {
    await page.clock.setFixedTime(today + day * DAY);
    await tak.reload();
    await place(tak).getByRole('radio', { name: 'My mistakes: 1 due' }).click();
    // A flat is right, and so is the capstone.
    await tak.make(day === 14 ? 'Ce3' : 'e3');
    await tak.tells(says);
  }
  await tak.tells('0 due, 0 later, 1 solved twice');
  // Mistakes are not rated.
  await place(tak).getByRole('radio', { name: 'All puzzles' }).click();
  await expect(tak.task).toContainText('Your rating–');
});

test('mistakes are found once, saved as PTN, deleted and restored', async ({ tak, page, beside }) => {
  await review(tak);
  await keeper(tak, 'Ann').click();
  await tak.tells('1 mistake is in Puzzles, from tomorrow on.');
  await expect(keeper(tak, 'Ann')).toHaveCount(0);
  await keeper(tak, 'Bob').click();
  await expect(keeper(tak, 'Bob')).toHaveCount(0);
  await tak.tells(' in Puzzles, from tomorrow on.');
  // The same game once more has nothing new.
  await tak.paste(GAME);
  await tak.annotate();
  await keeper(tak, 'Ann').click();
  await tak.tells('1 mistake is in Puzzles');
  await mistakes(tak);
  const count = /(\d) later/.exec((await tak.task.getByText(/ later, /).textContent()) ?? '')?.[1];
  const download = page.waitForEvent('download');
  await tak.button('Save as PTN').click();
  const ptn = await readFile(await (await download).path(), 'utf8');
  expect(ptn).toContain('[Player1 "Ann"]');
  expect(ptn).toContain('[Date "2026.11.28"]');
  expect(ptn).toContain('{*best. White has good moves on one square. White played a4.}');
  expect(ptn).toMatch(/12\. e3'?"?!/);
  expect(ptn).toMatch(/12\. Ce3'?"?!/);
  expect(ptn).toMatch(/\{12w_a4\}\n12\. a4\?/);
  // Another tab has them too, and what it deletes is gone here.
  const other = await beside(`${tak.home}#puzzles/mistakes`);
  await expect(other.task.getByText(`0 due, ${count} later`)).toBeVisible();
  await other.button('Delete this mistake').click();
  await expect(tak.task.getByText(`0 due, ${count} later`)).toBeHidden();
  await other.page.locator('.news button').click();
  await tak.tells(`0 due, ${count} later`);
  await tak.fits();
});

test('the user’s own mistakes are kept without a question, and without a database until the tab is closed', async ({
  tak,
  page,
}) => {
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('no', 'SecurityError');
    };
  });
  await tak.open();
  await tak.newGame({ size: 3, you: 'Ann' });
  await tak.paste(GAME);
  await tak.annotate();
  await tak.tells('1 mistake is in Puzzles, from tomorrow on.');
  await expect(tak.problem('This browser does not store them. Save your mistakes as PTN')).toBeVisible();
  await mistakes(tak);
  await tak.tells('White played a4 here.');
  await expect(tak.problem('This browser does not store them.')).toBeVisible();
});

test('what does not fit is told, and stays in the tab', async ({ tak, page }) => {
  await review(tak);
  await page.evaluate(() => {
    const { put } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = function (...all) {
      const request = put.apply(this, all);
      Object.defineProperty(this.transaction, 'error', { value: new DOMException('', 'QuotaExceededError') });
      this.transaction.abort();
      return request;
    };
  });
  await keeper(tak, 'Ann').click();
  await expect(tak.problem('This browser has no more space. Save your mistakes as PTN')).toBeVisible();
  await mistakes(tak);
  await tak.tells('0 due, 1 later');
});
