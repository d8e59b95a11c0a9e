// Stored games of the page: whole ones come back, others are dropped.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { EMPTY, gameOf, load, toLink } from '../src/state.js';

let kept = null;
globalThis.window = { sessionStorage: { getItem: () => kept }, localStorage: { getItem: () => null } };

const loaded = (state) => {
  kept = typeof state === 'string' ? state : JSON.stringify(state);
  return load();
};

const moves = ['a1', 'e5', 'c3'];
const start = { size: 5, opening: 'swap' };
const said = [{ marks: '', says: [] }, { marks: '?', says: ['e5 loses a flat'] }];
const annotation = { start, moves, said, chances: [50, 52.5, 40], summary: '', ptn: '' };
const plain = { ...EMPTY, start, moves, at: 2, present: 3, tree: [[0, null, ...moves]] };
const whole = {
  ...plain,
  annotation,
  clock: { white: 1000, black: 0 },
  ended: { result: '1-0', says: 'Black resigns' },
  cuts: [{ at: 1, moves, ended: null }],
  former: [gameOf(plain)],
};

test('a whole state comes back', () => {
  assert.deepEqual(loaded(whole), whole);
  // One of an earlier version lacks fields.
  assert.deepEqual(loaded({ moves: ['a1'], at: 1 }), { ...EMPTY, moves: ['a1'], at: 1, present: 1 });
});

test('a state out of range or of another shape is dropped', () => {
  const games = [
    { at: 1e9, present: 1e9 }, { at: -5, present: -1 }, { at: 4 }, { present: 4 }, { at: 1.5 }, { at: '1' },
    { moves: [null, 1, 'a1'] }, { tree: [null] }, { tree: [{}] }, { start: { size: 5.5, opening: 'swap' } },
    { mode: 'chess' }, { human: 'green' }, { level: -1 }, { takebacks: 0.5 }, { seconds: -1 },
    { clock: { white: 'x', black: 0 } }, { ended: {} }, { cuts: [{ at: -1, moves }] }, { uncut: [{ at: 1, moves: [1] }] },
    ...[
      { chances: ['a', 'b', 'c'] }, { chances: [50, 52.5] }, { chances: [50, null, 40] }, { chances: [50, 900, 40] },
      { said: [null, null] }, { said: [{ marks: 1, says: [] }, said[1]] }, { moves: ['a1'] }, { said: {} },
    ].map((wrong) => ({ annotation: { ...annotation, ...wrong } })),
  ];
  for (const wrong of games) {
    assert.deepEqual(loaded({ ...whole, ...wrong }), EMPTY, JSON.stringify(wrong));
    assert.deepEqual(loaded({ ...whole, former: [{ ...gameOf(plain), ...wrong }] }), EMPTY, `former: ${JSON.stringify(wrong)}`);
  }
  const wrong = [{ theme: 'x' }, { lines: 1.5 }, { even: -1 }, { pace: -1 }, { former: [null] }, { names: { white: '', black: '', comments: [1] } }];
  for (const part of wrong) {
    assert.deepEqual(loaded({ ...whole, ...part }), EMPTY, JSON.stringify(part));
  }
  for (const text of ['null', '7', '[]]', '[]', JSON.stringify(whole).replace('"seconds":2', '"seconds":1e999')]) {
    assert.equal(loaded(text).moves.length, 0, text);
  }
});

test('any state that is kept has a link', () => {
  for (const tree of [[], [[]], [[0]], [[7, null, 'a1']], [[0, null, ['a1', null], {}, 3]], [[0, 5, 'a1'], 'text']]) {
    assert.match(toLink(loaded({ ...whole, tree })), /^[\w-]+$/, JSON.stringify(tree));
  }
});
