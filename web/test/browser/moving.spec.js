// Moves made with keys, mouse and finger.

import { expect, test } from './support/test.js';

for (const by of /** @type {const} */ (['mouse', 'touch'])) {
  test.describe(() => {
    test.use({ hasTouch: by === 'touch' });

    test(`stacks are dragged by ${by}: a piece falls on each square that is passed`, async ({ tak }) => {
      await tak.start({ size: 5, tps: 'x5/x5/x,112211,x3/x5/2,x4 1 20' });
      await tak.drag('b3 c3 d3', by);
      await tak.shows('5b3>14');
      await tak.button('Undo').click();
      await tak.at('');
      // Without a drop the way back is open.
      await tak.drag('b3 b4 b3', by);
      await tak.said('The pieces are back on their square.');
      // No square is left out, whatever the speed.
      await tak.drag('b3 e3', by);
      await tak.at('5b3>113');
      await tak.button('Undo').click();
      await tak.at('');
      // A square beside the way takes no piece.
      await tak.drag('b3 b4 c4', by);
      await tak.said('5 in hand');
      await tak.putBack.click();
      await expect(tak.putBack).toBeHidden();
      // What was chosen to be lifted is.
      await tak.cursorTo('b3');
      await tak.press('2');
      await tak.drag('b3 b2', by);
      await tak.at('2b3-');
      await tak.holds('b3', 'black flat on black, 2 white');
      // A stack that cannot be moved stays.
      await tak.drag('b3 b4', by);
      await tak.play('e5');
    });
  });
}

test('a whole game is played by keyboard, from the dialog to the road', async ({ tak, page }) => {
  await tak.open();
  await tak.tabTo(tak.button('New game'));
  await tak.press('Enter');
  await tak.tabTo(tak.choice('mode', 'engine'));
  await tak.press('ArrowRight');
  await tak.tabTo(tak.choice('size', 6));
  await tak.press('ArrowLeft ArrowLeft ArrowLeft');
  await tak.tabTo(tak.button('Start', tak.newDialog));
  await tak.press('Enter');
  await expect(tak.newDialog).toBeHidden();
  await expect(tak.squares).toHaveCount(9);
  // To the board, and into it again with Enter.
  await expect(tak.grid).toBeFocused();
  await tak.grid.blur();
  await tak.press('Enter');
  await expect(tak.grid).toBeFocused();
  await expect(tak.square('a1')).toHaveAccessibleName(/Enter places a black flat/);
  await tak.press('Enter ArrowRight ArrowRight ArrowUp ArrowUp Space');
  await tak.shows('a1 c3');
  await tak.press('ArrowLeft Enter ArrowDown ArrowDown Enter');
  await tak.shows('a1 c3 b3 b1');
  // A single piece moves, then a stack of two is spread.
  await tak.press('ArrowUp ArrowUp ArrowRight Enter ArrowLeft Enter');
  await tak.shows('a1 c3 b3 b1 c3<');
  await tak.press('ArrowLeft ArrowDown Enter');
  await tak.counts(6);
  await tak.press('ArrowUp ArrowRight 2 Enter ArrowDown Enter');
  await tak.said('white flat in hand; next may be b2 or b1');
  await tak.press('ArrowDown Enter');
  await tak.shows('a1 c3 b3 b1 c3< a2 2b3-11');
  await expect(tak.player('white')).toContainText('Tak');
  await tak.press('ArrowLeft ArrowUp ArrowUp Enter');
  await tak.ends('Black wins by a road (0-R)');
  // No more moves after the end.
  await tak.press('ArrowRight Enter');
  await tak.said('The game is over: Black wins by a road.');
  await expect(page.getByRole('dialog')).toBeHidden();
});

test('a game with spreads is played by keyboard', async ({ tak }) => {
  await tak.start({ size: 5 });
  await tak.press('Enter');
  await tak.play('a1 e5 c3 c4 Cd3 Sd4 d3+', 'keys');
  await tak.said('which flattens the wall');
  await tak.holds('d4', 'white capstone on black');
  await tak.play('b4 c3+ b4> e3 3c4<12 e4 c1 e2 d1 e1', 'keys');
  await tak.shows('a1 e5 c3 c4 Cd3 Sd4 d3+ b4 c3+ b4> e3 3c4<12 e4 c1 e2 d1 e1');
  await tak.ends('White wins by a road (R-0)');
});

test('keys do what they can in every state, and say why not', async ({ tak, page }) => {
  // White: a stack of four on b2 (from the bottom white, white, black, white), a capstone on d4. Black: walls on d5, b5.
  await tak.start({ size: 5, tps: 'x,2S,x,2S,x/x3,1C,x/x5/x,1121,x3/x4,2 1 20' });
  await tak.press('Enter');
  /** @param {string} keys @param {string} text */
  const says = async (keys, text) => {
    await tak.press(keys);
    await tak.said(text);
  };
  // The remaining kinds, in turn; the capstone is on the board.
  await says('c', 'Wall.');
  await says('c', 'Flat.');
  await says('ArrowDown', 'The board ends here.');
  await says('`', 'Nothing is in hand.');
  // A number that is too large shows the limit; a valid one is lifted.
  await says('ArrowRight ArrowUp 5', 'At most 4 pieces can be lifted from b2.');
  await says('3', '3 to lift.');
  await expect(tak.square('b2')).toHaveAccessibleName(/Enter lifts 3\.$/);
  await says('Enter', '3 in hand, the bottom one white');
  await expect(tak.square('b2')).toHaveAccessibleName('b2: white flat. Enter puts the pieces back.');
  // The number can still be changed. The cursor moves only to squares for the next drop.
  await says('4', '4 in hand');
  await says('ArrowRight ArrowUp', 'The stack must move in a straight line from b2.');
  // Both friendly pieces are dropped, then the black one is at the bottom.
  await says('f', '2 in hand, the bottom one black');
  await tak.holds('c2', 'white flat on white');
  await says('f', 'The bottom piece in hand belongs to Black.');
  // Squares beyond the next one cannot be reached before a piece is dropped there.
  await says('ArrowRight ArrowRight', 'Drop a piece on d2 first.');
  // Tab leaves the board; the pieces stay in hand.
  await tak.press('Tab');
  await expect(tak.grid).not.toBeFocused();
  await tak.press('Shift+Tab');
  await expect(tak.grid).toBeFocused();
  await expect(tak.putBack).toBeVisible();
  await says('Escape', 'The pieces are back on their square.');
  await tak.holds('b2', 'white flat on black, 2 white');
  // Only the capstone flattens the wall, as announced before.
  await tak.press('ArrowUp ArrowUp ArrowRight ArrowRight Enter ArrowUp');
  await expect(tak.square('d5')).toHaveAccessibleName(/flattens the wall/);
  await says('Enter', 'White moves 1 piece from d4: 1 to d5, which flattens the wall.');
  await tak.shows('d4+');
  // The list of keys takes the focus, and returns it.
  await tak.press('?');
  await expect(tak.keysDialog).toBeVisible();
  await tak.press('Escape');
  await expect(tak.keysDialog).toBeHidden();
  await expect(tak.grid).toBeFocused();
  await tak.press('Escape');
  await expect.poll(() => page.evaluate(() => document.activeElement === document.body)).toBe(true);
});

test('a whole game is played by mouse, with undo and reload', async ({ tak }) => {
  await tak.open();
  await tak.newGame({ size: 3, mode: 'two' });
  // A wall, since it was chosen.
  await tak.play('a1 c3 Sb2');
  await tak.shows('a1 c3 Sb2');
  await tak.button('Undo').click();
  await tak.holds('b2', 'empty');
  await tak.button('Redo').click();
  await tak.holds('b2', 'white wall');
  await tak.button('Undo').click();
  await tak.at('c3');
  await tak.kind('flat').click();
  await tak.pick('b3 b1 c3');
  // Lifted, seen, and put back by the other button; lifted again and moved.
  await expect(tak.grid.getByRole('gridcell', { name: /Enter drops a piece here/ })).toHaveCount(2);
  await tak.square('c2').click({ button: 'right' });
  await expect(tak.putBack).toBeHidden();
  await tak.pick('c3 b3 a2');
  await tak.shows('a1 c3 b3 b1 c3< a2');
  // The page is reloaded in the middle of the game, and of a spread.
  await tak.pick('b3 b2');
  await expect(tak.putBack).toBeVisible();
  await tak.reload();
  await tak.shows('a1 c3 b3 b1 c3< a2');
  await tak.holds('b3', 'white flat on white');
  await tak.pick('b3 b2 b1');
  await tak.shows('a1 c3 b3 b1 c3< a2 2b3-11');
  await tak.pick('a3');
  await tak.ends('Black wins by a road (0-R)');
});

test.describe(() => {
  test.use({ hasTouch: true });

  test('a whole game is played by touch', async ({ tak }) => {
    await tak.start({ size: 3 });
    for (const square of 'a1 c3 b3 b1 c3 b3 a2 b3 b2 b1'.split(' ')) {
      await tak.square(square).tap();
    }
    await tak.shows('a1 c3 b3 b1 c3< a2 2b3-11');
    await tak.square('a3').tap();
    await tak.ends('Black wins by a road (0-R)');
  });
});

test('the double black stack and two capstones are playable', async ({ tak }) => {
  await tak.open();
  await tak.newGame({ size: 5, mode: 'two', opening: 'double-black' });
  await expect(tak.square('a1')).toHaveAccessibleName(/places two black flats/);
  await tak.pick('a1');
  await tak.at('2a1');
  await tak.holds('a1', 'black flat on black');
  await expect(tak.square('b1')).toHaveAccessibleName(/places a white flat/);
  await tak.play('b1 c3');
  await tak.play('2a1+11', 'keys');
  await tak.shows('2a1 b1 c3 2a1+11');

  await tak.newGame({ size: 7, mode: 'two', opening: 'swap' });
  await tak.play('a1 g7 Cd4 Cc3 Ce5 Cf6');
  await expect(tak.kind('capstone')).toBeDisabled();
  await tak.play('Sb2');
});

for (const [reducedMotion, animates, isMoving] of /** @type {const} */ ([
  ['no-preference', true, true],
  ['no-preference', false, false],
  ['reduce', true, false],
])) {
  test(`pieces ${isMoving ? 'slide' : 'stand still'}: ${reducedMotion}, setting ${animates ? 'on' : 'off'}`, async ({
    tak,
    page,
  }) => {
    await page.emulateMedia({ reducedMotion });
    await tak.start({ size: 4 });
    await tak.set('Animate moves', animates);
    await page.evaluate(() => {
      const { animate } = SVGElement.prototype;
      SVGElement.prototype.animate = function (...how) {
        document.body.dataset.motions = `${Number(document.body.dataset.motions ?? 0) + 1}`;
        return animate.apply(this, how);
      };
    });
    await tak.play('a1 d4');
    await tak.press('[');
    await tak.at('a1');
    await expect(tak.page.locator('body[data-motions]')).toHaveCount(isMoving ? 1 : 0);
  });
}

test('the kind of piece returns to flat after each move', async ({ tak }) => {
  await tak.start({ size: 5 });
  await tak.play('a1 e5 Sc3 c4');
  await tak.shows('a1 e5 Sc3 c4');
});

test('the chosen piece is shown under the mouse, and the pieces in hand over their square', async ({ tak }) => {
  await tak.start({ size: 5, tps: 'x5/x5/x2,121,x2/x5/2,x4 1 9' });
  const look = (/** @type {string} */ square) => tak.picture(tak.square(square));
  const pictures = [await look('b2')];
  for (const kind of ['wall', 'flat']) {
    await tak.kind(kind).click();
    await tak.square('b2').hover();
    pictures.push(await tak.changed(tak.square('b2'), ...pictures));
    // None where a stack is.
    await tak.square('c3').hover();
    await expect.poll(() => look('b2')).toBe(pictures[0]);
  }
  const [onto, away] = [await look('c4'), await look('c3')];
  await tak.pick('c3');
  const lifted = await tak.changed(tak.square('c3'), away);
  await tak.pick('c4');
  await tak.changed(tak.square('c3'), away, lifted);
  await tak.changed(tak.square('c4'), onto);
  await tak.putBack.click();
  await expect(tak.putBack).toBeHidden();
  await expect.poll(() => look('c4')).toBe(onto);
});
