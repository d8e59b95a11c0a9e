// The board editor, and what is drawn on the board.

import { expect, test } from './support/test.js';

test('a position is set up by click, by keys and as TPS, and played or analysed', async ({ tak, page }) => {
  const tps = page.getByRole('textbox', { name: 'Position (TPS)' });
  const [play, analyse] = [tak.button('Play from here'), tak.button('Analyse')];
  const piece = (/** @type {string} */ name) =>
    page.getByRole('radiogroup', { name: 'Piece to put' }).getByRole('radio', { name: new RegExp(`^${name}`) });
  await tak.start({ size: 5 });
  await tak.openFiles();
  await tak.button('Set up a position', tak.openDialog).click();
  await expect(tps).toHaveValue('x5/x5/x5/x5/x5 1 1');
  await tak.fits();
  await tak.pick('c3');
  await piece('Black wall').check();
  await tak.pick('c3');
  await tak.holds('c3', 'black wall on white');
  await expect(tps).toHaveValue('x5/x5/x2,12S,x2/x5/x5 1 2');
  await expect(piece('White flat')).toHaveAccessibleName('White flat, 20 left');
  // Keys: 4 is a black flat, which takes the place of the wall, and Delete takes it away.
  await tak.grid.focus();
  await tak.press('4 Enter');
  await tak.said('c3: black flat on white.');
  await tak.press('Delete ArrowUp');
  await tak.said('c3: white flat.');
  await tak.press('c Enter');
  await tak.holds('c4', 'black wall');
  await tak.press('Control+z Control+z');
  await tak.holds('c3', 'black flat on white');
  await tak.press('Control+y');
  await tak.holds('c3', 'white flat');
  // What is not legal is named, and cannot be played.
  await tps.fill('x5/x5/x2,1C,x2/x,1C,x3/x5 2 7');
  await tak.holds('b2', 'white capstone');
  await tak.tells('This cannot be played: White has 2 capstones, the reserve is 1.');
  await expect(play).toBeDisabled();
  await tps.fill('x5/x5/x2,1C');
  await tak.tells('This is no TPS yet');
  await tak.holds('b2', 'white capstone');
  await tps.fill('1,1,1,1,1/x5/x5/x5/2,2,2,x2 2 7');
  await tak.tells('The game is over here: White wins by a road');
  await expect(play).toBeDisabled();
  await page.getByRole('radiogroup', { name: 'Board' }).getByRole('radio', { name: '4', exact: true }).check();
  await expect(tak.squares).toHaveCount(16);
  await tps.fill('x4/x,1,x2/x,2,x2/x4 2 2');
  await analyse.click();
  await tak.holds('b3', 'white flat');
  await tak.play('c3');
  await tak.shows('c3');
  // It is still there, and a game begins with it.
  await page.goBack();
  await expect(tps).toHaveValue('x4/x,1,x2/x,2,x2/x4 2 2');
  await play.click();
  await expect(tak.fromHere).toBeChecked();
  await tak.choice('mode', 'two').check();
  await tak.newDialog.getByRole('button', { name: 'Start', exact: true }).click();
  await tak.holds('b2', 'black flat');
  await tak.play('d1');
});

test('the right button takes a piece away, marks squares and draws arrows until a click or a move', async ({
  tak,
  page,
}) => {
  const drawn = page.locator('.drawn path:not(.under)');
  await tak.start({ size: 5, tps: 'x5/x5/x2,12,x2/x5/x5 2 7' });
  const draw = async (/** @type {string} */ from, /** @type {string} */ to) => {
    const [{ x, y }, end] = [await tak.middle(from), await tak.middle(to)];
    await page.mouse.move(x, y);
    await page.mouse.down({ button: 'right' });
    await page.mouse.move(end.x, end.y);
    await page.mouse.up({ button: 'right' });
  };
  await draw('a1', 'd3');
  await draw('e2', 'e2');
  await expect(drawn).toHaveCount(2);
  await draw('e2', 'e2');
  await expect(drawn).toHaveCount(1);
  await draw('b1', 'b1');
  await tak.play('a5');
  await expect(drawn).toHaveCount(0);
  await draw('b1', 'b2');
  await expect(drawn).toHaveCount(1);
  await tak.square('e5').click();
  await expect(drawn).toHaveCount(0);
  await tak.shows('a5 e5');
  // Pieces in hand are put back first.
  await tak.pick('c3');
  await expect(tak.putBack).toBeVisible();
  await draw('d3', 'd3');
  await expect(tak.putBack).toBeHidden();
  await expect(drawn).toHaveCount(0);
  await page.goto(`${tak.home}#editor`);
  await tak.holds('c3', 'black flat on white');
  await draw('c3', 'c3');
  await tak.holds('c3', 'white flat');
});
