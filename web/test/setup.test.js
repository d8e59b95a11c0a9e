// Positions that are set up, and their TPS.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { emptySetup, onBoard, PIECES, put, readSetup, writeSetup } from '../src/model/setup.js';

test('a TPS is read as people write it, and written in the standard form', () => {
  for (const [text, written] of [
    ['x3/x,12S,x/1C,x2 2 7', 'x3/x,12S,x/1C,x2 2 7'],
    [' [TPS "X3/x,x,12s/1c,x2 1 3"] ', 'x3/x2,12S/1C,x2 1 3'],
    ['x3/x3/x3', 'x3/x3/x3 1 1'],
  ]) {
    const setup = readSetup(text);
    assert.ok(setup, text);
    assert.equal(writeSetup(setup), written);
  }
  for (const text of ['', 'x3', 'x3/x3/x2 1 1', 'x3/x3/x3 3 1', 'x3/x3/x3 1 0', 'x3/x3/1S1,x2 1 2', 'x3/x3/x3 1 1 1', 'x2/x2 1 1']) {
    assert.equal(readSetup(text), null, text);
  }
});

test('pieces lie on flats, and take the place of walls and capstones', () => {
  const [flat, wall, cap, black] = PIECES;
  const put1 = (/** @type {ReturnType<typeof emptySetup>} */ setup, /** @type {typeof flat | null} */ piece) =>
    put(setup, 'b2', piece);
  let setup = emptySetup(3);
  const seen = [flat, black, wall, cap, black, null, null, null].map((piece) => {
    setup = put1(setup, piece);
    return setup.stacks.get('b2') ?? '';
  });
  assert.deepEqual(seen, ['1', '12', '121S', '121C', '122', '12', '1', '']);
  assert.deepEqual([setup.number, emptySetup(3).number], [2, 1]);
});

test('the pieces of both players are counted', () => {
  const setup = readSetup('x3/2121C,x,1S/21,2,2S 1 9');
  assert.ok(setup);
  assert.deepEqual(onBoard(setup, 'white'), { stones: 3, caps: 1, flats: 1 });
  assert.deepEqual(onBoard(setup, 'black'), { stones: 5, caps: 0, flats: 1 });
});
