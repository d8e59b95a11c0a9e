// The explorer: collections of games that are opened in the browser.

import { Explorer, GAMES } from './support/explorer.js';
import { expect, test } from './support/test.js';

test('the files of the explorer and the news are not in the way on a small phone', async ({ tak, page }) => {
  await page.setViewportSize({ width: 375, height: 667 });
  await tak.start({ size: 5 });
  await tak.openView('Explorer');
  await expect(page.getByText('Choose PTN files', { exact: true })).toBeInViewport({ ratio: 1 });
  // The player at the head of the board is not shown.
  await expect(page.locator('.bar').getByText('White to move.')).toBeInViewport({ ratio: 1 });
  await tak.pick('a1');
  await expect(page.locator('.bar').getByText('Black to move.')).toBeInViewport({ ratio: 1 });
  // News leave with a scroll.
  const news = page.locator('#news').getByText('This is the start.');
  await expect(async () => {
    await page.keyboard.press('[');
    await expect(news).toBeVisible({ timeout: 1000 });
  }).toPass();
  await tak.task.hover();
  await page.mouse.wheel(0, 100);
  await expect(news).toHaveCount(0, { timeout: 2000 });
});

test('without games the table of openings is shown, in any orientation', async ({ tak }) => {
  const explorer = new Explorer(tak);
  await tak.start({ size: 4 });
  await tak.openView('Explorer');
  await tak.tells('33 openings, each searched with 10 million nodes by tak-engine');
  await tak.pick('d4');
  await tak.tells('9 openings, each searched');
  const others = Array(7).fill(/; Corner and /);
  await explorer.lists([/^a1; Opposite corners; White \d+ %, Black \d+ %$/, /^d1; Adjacent corners; /, ...others]);
  await expect(explorer.table.getByText(/^Then [a-d]\d [^·]*$/)).toHaveCount(9);
  await explorer.move('d1').click();
  await explorer.lists([/; Adjacent corners; White/]);
  await tak.fits();
  // After the table there is nothing but the way to games.
  await explorer.table.getByRole('button').click();
  await expect(explorer.table).toHaveCount(0);
  await tak.task.getByRole('radiogroup', { name: 'First turns' }).getByRole('radio', { name: 'Double black' }).click();
  await tak.task.getByRole('radiogroup', { name: 'Board' }).getByRole('radio', { name: '8' }).click();
  await tak.tells('This position is not in the table of openings, which has the first two plies on 4x4 with komi 0');
});

test('a collection is explored', async ({ tak, page }) => {
  const explorer = new Explorer(tak);
  await tak.start({ size: 5 });
  await tak.play('a1 b2 c3');
  await tak.openView('Explorer');
  // It begins with the position on the board.
  await tak.holds('c3', 'white flat');
  await explorer.choose({ 'first.ptn': GAMES, 'second.ptn': '[Size "5"]\n\n1. b1 e5 0-1' });
  await tak.tells('first.ptn and second.ptn · 6 games');
  await explorer.sums('No game has this position.');
  await tak.task.getByRole('button', { name: 'To the start' }).click();
  await explorer.sums('4 games: White 25 %, draw 25 %, Black 50 %.');
  // No sign of per cent begins a line.
  expect(await tak.status.filter({ hasText: '4 games' }).textContent()).not.toContain(' %');
  await explorer.lists(['a1; 3; White 33 %, draw 33 %, Black 33 %; 1550', 'b1; 1; White 0 %, draw 0 %, Black 100 %; ']);
  await expect(page.locator('#drawing').getByText(' %')).toHaveText(['75 %', '25 %']);
  await tak.tells('On the board: in how many of these games a flat is placed there next.');
  await tak.fits();
  await tak.tells('Left out of 6 games: 1 on 6x6, 1 damaged.');
  await tak.text('Damaged games').click();
  await expect(tak.text('game 5: line 21: illegal move a1: square a1 is not empty')).toBeVisible();
  // A click goes deeper, and so does a move on the board; the symmetries of the position count as one.
  await explorer.move('a1').click();
  await explorer.sums('3 games: ');
  await tak.pick('e5');
  await expect(explorer.rows).toHaveCount(2);
  await explorer.lists(['c3; 2; White 50 %, draw 0 %, Black 50 %; 1500', /./]);
  await explorer.move('c3').click();
  await explorer.sums('2 games: White 50 %, draw 0 %, Black 50 %. 1 game ended here.');
  // Back by the keys too, which asks nothing again.
  await tak.press('[ [ [');
  await explorer.sums('4 games: ');
  await tak.task.getByRole('radiogroup', { name: 'Board' }).getByRole('radio', { name: '6' }).click();
  await explorer.sums('1 game: White -, draw -, Black -, 1 without a result.');
  await expect(tak.squares).toHaveCount(36);
  // The collection stays while other views are open, and so does the game.
  await tak.openView('Learn');
  await tak.openView('Explorer');
  await explorer.sums('No game has this position.');
  await tak.backToGame.click();
  await tak.shows('a1 b2 c3');
});

test('the games of files are named, open at the position, and can be kept', async ({ tak, page }) => {
  const explorer = new Explorer(tak);
  await tak.start({ size: 5 });
  await tak.openView('Explorer');
  await explorer.choose({ 'first.ptn': GAMES, 'second.ptn': '[Player1 "Eve"]\n[Size "5"]\n\n1. b1 e5 2. c3 0-1' });
  const games = tak.task.getByRole('list', { name: 'Games with this position' }).getByRole('button');
  await expect(games).toHaveCount(4);
  await explorer.move('b1').click();
  await expect(games).toHaveText([/^Eve – Black0-15 × 5 · 2 moves · second\.ptn$/]);
  await games.click();
  await tak.shows('b1 e5 c3');
  await tak.at('b1');
  await tak.openView('Explorer');
  await tak.tells('These games are gone when the page is closed.');
  await tak.button('Keep in the library').click();
  await tak.said('5 games added. 1 game is damaged and left out.');
  await page.reload();
  await tak.openView('Explorer');
  await tak.tells('Library · 5 games');
});

test('hostile collections are harmless', async ({ tak, page }) => {
  const explorer = new Explorer(tak);
  const markup = "<img src=x onerror='document.title=1'>";
  await tak.start({ size: 3 });
  await tak.openView('Explorer');
  await explorer.choose({ 'empty.ptn': '', [markup]: '\ufeff\0\u0001\n\n{ ( [ " 1. ' });
  await tak.tells('No game could be read; 1 is damaged.');
  await explorer.choose({ 'empty.ptn': ' \n\n' });
  await tak.tells('These files contain no game.');
  const game = `[Site "${markup}"]\n[Size "4"]\n[Rating1 "99999999999"]\n\n1. a1 {${markup}} d4 R-0\n\n`;
  await explorer.choose({ [markup]: `${game}[Size "${markup}"]\n\n1. a1` });
  // The board is that of the games.
  await explorer.sums('1 game: White 100 %, draw 0 %, Black 0 %.');
  await tak.tells(`${markup} · 2 games`);
  await explorer.lists(['a1; 1; White 100 %, draw 0 %, Black 0 %']);
  await expect(tak.squares).toHaveCount(16);
  await expect(page.locator('img')).toHaveCount(0);
  // Other encodings, and characters that fall between two parts.
  await explorer.choose({
    'a.ptn': Buffer.from('\ufeff[Size "3"]\n1. b2 {ö} a1', 'utf16le'),
    'b.ptn': Buffer.from('[Size "3"]\n1. b2 {é} a2', 'latin1'),
    'c.ptn': `[Size "3"]\n1. b2 {${'é'.repeat(100_000)}} c1\n`,
  });
  await explorer.sums('3 games: ');
  await explorer.lists(['b2; 3; ']);
});

test('a collection above the limit is refused by name', async ({ tak, page }) => {
  await tak.start({ size: 3 });
  await tak.openView('Explorer');
  // Playwright cannot send so much.
  const dataTransfer = await page.evaluateHandle(() => {
    const data = new DataTransfer();
    data.items.add(new File(Array(300).fill(new Uint8Array(1_000_000)), 'large.ptn'));
    return data;
  });
  await tak.grid.dispatchEvent('drop', { dataTransfer });
  await tak.tells('The games could not be read: the files have 300 MB, and at most ');
  await tak.tells(' MB can be explored here; tak-engine explore reads files of any size.');
});
