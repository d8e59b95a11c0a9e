// The dialogs of the page.

import { expect, test } from './support/test.js';

test('a number that is missing is seen', async ({ tak }) => {
  await tak.open();
  await tak.openNew();
  const stones = tak.field('white stones');
  await stones.fill('');
  await tak.button('Start', tak.newDialog).click();
  await expect(stones).toBeFocused();
  await expect(stones).toBeVisible();
});

test('after the start keys go to the board', async ({ tak }) => {
  await tak.open();
  await tak.newGame({ size: 5, mode: 'two' });
  await expect(tak.grid).toBeFocused();
  await tak.press('Enter');
  await tak.shows('a1');
});

test('a link leaves out comments if they are too long, and a game too long for a link is offered as a file', async ({
  tak,
  beside,
}) => {
  // Letters that cannot be compressed much.
  const noise = Array.from({ length: 16_000 }, (_, index) => ((index * index * 7919) % 10_007).toString(36)).join('');
  await tak.open();
  await tak.paste(`[Size "5"]\n[Player1 "Ann"]\n1. a1 {${noise}} e5 2. c3`);
  await tak.counts(3);
  await tak.dialog('Share');
  await tak.said('The link leaves out comments; “Save PTN” keeps them.');
  await tak.closeDialog();
  const link = await tak.copyLink();
  expect(link.split('#')[1].length).toBeLessThan(200);
  await tak.paste(`[Size "5"]\n[Player1 "${noise}"]\n1. a1 e5`);
  await tak.counts(2);
  await tak.dialog('Share');
  await tak.said('This game is too long for a link; “Save PTN” writes it to a file.');
  await tak.closeDialog();
  await tak.newGame({ size: 3, mode: 'two' });
  const other = await beside(link);
  await other.counts(3);
});

test('a text that is too large is not sent, and such a file is listed in parts', async ({ tak, page }) => {
  await tak.start({ size: 5 });
  await tak.play('a1');
  await tak.paste(`[Size "5"] {${'a'.repeat(600 * 1024)}} 1. a1`);
  const problem = tak.problem('too large (at most 512 KiB)');
  await expect(problem).toBeVisible();
  await tak.pasteHere('nothing');
  await expect(problem).toBeHidden();
  await tak.drop(page.locator('body'), { 'a.ptn': 'x'.repeat(600 * 1024) });
  await expect(tak.problem('a.ptn was not added: ')).toBeVisible();
  await tak.backToGame.click();
  await tak.play('e5');
  await tak.shows('a1 e5');
});

test('the list of keys opens wherever the focus is', async ({ tak }) => {
  await tak.start({ size: 5 });
  for (const part of [tak.live, tak.grid, tak.list, tak.button('New game').first()]) {
    await part.focus();
    await tak.press('?');
    await expect(tak.keysDialog).toBeVisible();
    await tak.press('Escape');
    await expect(tak.keysDialog).toBeHidden();
    await expect(part).toBeFocused();
  }
});

test('a game from the position on the board has its size and pieces', async ({ tak }) => {
  const shows = async () => {
    await expect(tak.field('white stones')).toHaveValue('21');
    await expect(tak.field('black caps')).toHaveValue('1');
  };
  await tak.start({ size: 5, tps: 'x5/x5/x2,12,x2/x5/x5 2 7' });
  await tak.openNew();
  await tak.choose({ size: 7, mode: 'two' });
  await tak.fromHere.check();
  await tak.button('Start', tak.newDialog).click();
  await expect(tak.newDialog).toBeHidden();
  await expect(tak.squares).toHaveCount(25);
  await tak.holds('c3', 'black flat on white');
  // The next one also has that size.
  await tak.openNew();
  await expect(tak.choice('size', 5)).toBeChecked();
  await shows();
});

test('a finished game cannot be a start', async ({ tak }) => {
  await tak.start({ size: 3, tps: 'x3/1,1,1/2,2,x 2 4' });
  await tak.openNew();
  await tak.choose({ mode: 'two' });
  await tak.fromHere.check();
  await tak.button('Start', tak.newDialog).click();
  await expect(tak.problem('This cannot be played: the game is over: White wins by a road.')).toBeVisible();
  await expect(tak.newDialog).toBeVisible();
});

test('a file may fall on any dialog', async ({ tak, page }) => {
  await tak.open();
  const dropOnNewGame = async (/** @type {string} */ text) => {
    await tak.button('New game').first().click();
    await expect(tak.newDialog).toBeVisible();
    await tak.drop(page.locator('body'), { 'a.ptn': text });
    await expect(tak.newDialog).toBeHidden();
  };
  await dropOnNewGame('nonsense');
  await expect(tak.problem('This is no PTN, TPS or link.')).toBeVisible();
  await tak.closeDialog();
  await dropOnNewGame('[Size "5"]\n1. a1');
  await tak.said('Opened, with 1 move.');
  await tak.shows('a1');
});

test('time controls have a list, and the fields are for others', async ({ tak }) => {
  await tak.open();
  await tak.newGame({ size: 5, mode: 'two', time: '3+2' });
  await expect(tak.clock('white')).toHaveText('3:00');
  await tak.play('a1');
  await expect(tak.clock('white')).toHaveText('3:02');
  await tak.openNew();
  await expect(tak.choice('time', '3+2')).toBeChecked();
  await expect(tak.field('minutes')).toBeHidden();
  await tak.choose({ time: 'clock', minutes: 2 });
  await tak.button('Start', tak.newDialog).click();
  await expect(tak.clock('white')).toHaveText('2:00');
  await tak.openNew();
  await expect(tak.choice('time', 'clock')).toBeChecked();
});

test('a link that is corrupt shows an error', async ({ tak, beside, page, home }) => {
  const damaged = 'Invalid link: it does not contain a game.';
  const start = { size: 5, half_komi: 0, opening: 'swap' };
  await tak.open();
  for (const text of [
    'broken',
    { start: { size: 5 }, moves: [] },
    { start: { ...start, half_komi: 0.5 }, moves: [] },
    { start, moves: [1] },
    { start, moves: [], names: { white: 1 } },
  ]) {
    // Something else is said in between.
    await tak.grid.focus();
    await tak.press('ArrowLeft');
    await tak.said('The board ends here.');
    await page.evaluate(
      (hash) => {
        location.hash = hash;
      },
      typeof text === 'string' ? text : btoa(JSON.stringify(text)),
    );
    await tak.said(damaged);
    await expect(page).toHaveURL(`${home}#play`);
  }
  const other = await beside(`${home}#broken`);
  await other.said(damaged);
  await expect(other.page).toHaveURL(`${home}#play`);
  await tak.paste(`${home}#broken`);
  await expect(tak.problem('Could not open this: this link has no game')).toBeVisible();
});

test('without a clipboard the link is shown to be copied by hand', async ({ tak, page }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await tak.start({ size: 5 });
  await tak.dialog('Share');
  await tak.button('Copy Link', tak.shareDialog).click();
  await expect(tak.shareDialog.getByText('the text is selected, to be copied by hand.')).toBeVisible();
  const link = tak.shareDialog.getByLabel('Link', { exact: true });
  const selected = await link.evaluate((/** @type {HTMLInputElement} */ field) =>
    field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0),
  );
  expect(selected).toBe(await link.inputValue());
  await tak.fits();
});
