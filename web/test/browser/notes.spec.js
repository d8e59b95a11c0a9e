// Marks and comments of moves, which are edited on the page.

import { readFile } from 'node:fs/promises';

import { expect, test } from './support/test.js';

const HEAD = '[Player1 "Ada"]\n[Player2 "Bob"]\n[Result "*"]\n[Size "5"]\n[Komi "2"]\n\n';
const MARKUP = "<img src=x onerror='document.title=1'>";

test('marks and comments are edited, stored, and part of files and links', async ({ tak, beside }) => {
  await tak.open();
  await tak.paste(`${HEAD}1. a1 e5 {*corners} {next}\n2. c3!? {wdl:700,0,300 +0.40/9} c4 *\n\n{2b_d4}\n2. -- d4\n`);
  await tak.counts(4);
  await tak.step('To the start', '');
  await expect(tak.button('Comment')).toBeDisabled();
  await tak.visit('e5');
  await tak.openNote();
  await expect(tak.comment).toHaveValue('corners\nnext');
  await tak.note('corners\nand {more}\n+1 for this');
  await tak.closeDialog();
  await expect(tak.comments('corners and (more) +1 for this')).toBeVisible();
  // The next move has numbers of an engine, which stay. Markup is text.
  await tak.step('One move forward', 'c3');
  await tak.openNote();
  await expect(tak.mark.getByRole('radio', { name: '!?', exact: true })).toBeChecked();
  await tak.judge('??');
  await tak.note(MARKUP);
  await tak.closeDialog();
  await tak.shows('a1 e5 c3?? c4');
  // And in a variation.
  await tak.visit('d4');
  await tak.openNote();
  await expect(tak.comment).toHaveValue('');
  await tak.judge('!');
  await tak.closeDialog();
  await tak.shows('a1 e5 c3?? c4', ['2... d4!']);
  const written =
    `${HEAD}1. a1 e5 {*corners} {and (more)} {*+1 for this}\n` +
    `2. c3?? {${MARKUP}} {wdl:700,0,300 +0.40/9} c4 *\n\n{2b_d4}\n2. -- d4!\n`;
  expect(await tak.ptn()).toBe(written);
  await tak.reload();
  await tak.shows('a1 e5 c3?? c4', ['2... d4!']);
  expect(await tak.ptn()).toBe(written);
  const other = await beside(await tak.copyLink());
  await other.shows('a1 e5 c3?? c4', ['2... d4!']);
  await expect(other.comments('corners and (more) +1 for this')).toBeVisible();
});

test('keys in the comment are letters, and what was written is kept', async ({ tak }) => {
  await tak.start({ size: 5 });
  await tak.play('a1 e5');
  await tak.openNote();
  await tak.comment.focus();
  await tak.press('[ ?');
  await expect(tak.keysDialog).toBeHidden();
  await expect(tak.comment).toHaveValue('[?');
  await tak.closeDialog();
  expect(await tak.ptn()).toContain('{[?}');
});

test('the marks and notes of an annotation stay beside those of the user', async ({ tak, page }) => {
  await tak.open();
  await tak.paste('[Size "3"]\n1. a1 c3 2. b3 b1 {before} 3. a2');
  await tak.counts(5);
  await tak.annotate();
  const annotated = await tak.ptn();
  await tak.tab('Moves');
  const marks = await tak.moves.allTextContents();
  expect(marks.join()).toContain('?');
  // The report is a page of its own.
  const [download] = await Promise.all([page.waitForEvent('download'), tak.button('Report').click()]);
  const report = await readFile(await download.path(), 'utf8');
  expect(report).toMatch(/^<!DOCTYPE html>/);
  expect(report).toContain('Turning points');
  await tak.visit('b1');
  await tak.openNote();
  await expect(tak.comment).toHaveValue('before');
  await tak.note('after all');
  await tak.closeDialog();
  await expect(tak.comments('after all')).toBeVisible();
  await expect.poll(() => tak.ptn()).toBe(annotated.replace('{before}', '{after all}'));
  await expect(tak.moves).toHaveText(marks);
  await tak.button('To the end').click();
  await tak.openNote();
  await expect(tak.mark.getByRole('radio', { name: /\?/, checked: true })).toBeChecked();
  await tak.judge('');
  await tak.closeDialog();
  await tak.shows([...marks.slice(0, 4), marks[4].replace(/[?!]/g, '')].join(' '));
  await tak.tab('Turning points');
  await expect(tak.turns.filter({ hasText: 'a2' })).toHaveCount(0);
});
