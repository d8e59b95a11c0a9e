// Stored games of the page: whole ones come back, also those of version 0.2.0, and others are dropped.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { blank } from '../src/model/doc.js';
import { toLink } from '../src/model/link.js';
import { Keeper, load } from '../src/model/stored.js';
import { NONE, readResults } from '../src/model/results.js';

/** @type {string | null} */
let kept = null;
globalThis.window = {
  setTimeout, sessionStorage: { getItem: () => kept, setItem: (_, text) => { kept = text; } }, localStorage: { getItem: () => null, setItem: () => {} },
};

const loaded = (state) => {
  kept = typeof state === 'string' ? state : JSON.stringify(state);
  return load();
};

const moves = ['a1', 'e5', 'c3'];
const start = { size: 5, opening: 'swap' };
const said = [{ marks: '', says: [] }, { marks: '?', says: ['e5 loses a flat'] }];
const annotation = { start, moves, said, chances: [50, 52.5, 40], summary: '', ptn: '' };

/** The state of version 0.2.0, with every field that it had. */
const game = {
  start, moves, at: 2, present: 3, tree: [[0, null, ...moves]], cuts: [{ at: 1, moves, ended: null }], uncut: [], mode: 'engine', human: 'black', paused: false,
  takebacks: 1, level: 7, seed: 12, seconds: 3, timing: { isClock: true, minutes: 5, increment: 5 }, clock: { white: 1000, black: 2000 },
  names: { white: 'tak-engine level 7', black: 'Ada' }, ended: { winner: 'white', result: '1-0', says: 'Black resigns', isTime: false }, annotation, flipped: true,
};
const former = { ...game, mode: 'two', annotation: null, ended: null, clock: null };
const old = {
  ...game, former: [former], pace: 3, you: 'Ada', analysing: true, lines: 5, callsTak: false, theme: 'contrast', nextColor: 'white', even: 9, judged: 12,
};

test('everything that version 0.2.0 stored is taken over', () => {
  const { game: doc, study, former: earlier, settings, route } = loaded(old);
  for (const key of ['start', 'moves', 'at', 'present', 'cuts', 'mode', 'human', 'takebacks', 'level', 'seed', 'seconds', 'timing', 'clock', 'names', 'ended', 'annotation', 'flipped']) {
    assert.deepEqual(doc[key], game[key], key);
  }
  assert.deepEqual([study, route, doc.tree.find(moves).length], [null, 'play', 4]);
  assert.deepEqual([earlier.length, earlier[0].mode, earlier[0].moves], [1, 'two', moves]);
  const { pace, you, analysing, lines, callsTak, board, nextColor, even, judged, level, seconds, timing } = settings;
  assert.deepEqual([pace, you, analysing, lines, callsTak, board, nextColor, even, judged], [3, 'Ada', true, 5, false, 'contrast', 'white', 9, 12]);
  assert.deepEqual([level, seconds, timing], [7, 3, game.timing]);
  // Of the colours, wood is the first now; plain was that of everyone who had chosen none.
  assert.deepEqual(['plain', 'wood'].map((theme) => loaded({ ...old, theme }).settings.board), ['wood', 'wood']);
});

test('an analysis board of version 0.2.0 becomes the study', () => {
  const { game: doc, study, route } = loaded({ ...old, mode: 'analysis' });
  assert.deepEqual([doc, study.moves, study.mode, study.clock, study.annotation, route], [null, moves, 'free', null, annotation, 'analysis']);
});

test('what is kept comes back', () => {
  const { settings, former: earlier } = loaded(old);
  const tree = blank('game').tree;
  const doc = blank('game', { start, moves, at: 2, present: 3, tree, path: tree.add(moves) });
  new Keeper(() => {}).keep({ docs: { game: doc, study: blank('study') }, settings, former: earlier, route: 'play', hand: null });
  assert.deepEqual([load().settings, load().former, load().game.moves, load().game.at], [settings, earlier, moves, 2]);
  // In a game of a file nobody is the user.
  const opened = blank('study', { start, moves, human: null, path: blank('study').tree.add(moves) });
  new Keeper(() => {}).keep({ docs: { game: doc, study: opened }, settings, former: [], route: 'analysis' });
  assert.deepEqual([load().study.moves, load().study.human, load().route], [moves, null, 'analysis']);
});

test('a page that is left stores its clocks, and nothing over what another one has stored', () => {
  const keeper = new Keeper(() => {});
  const doc = blank('game', { start, clock: { white: 1000, black: 1000 } });
  const state = { docs: { game: doc, study: blank('study') }, settings: {}, former: [], route: 'play' };
  keeper.keep(state);
  kept = null;
  keeper.keep({ ...state, said: 'Lifted.' });
  keeper.flush();
  assert.equal(kept, null);
  keeper.keep({ ...state, docs: { ...state.docs, game: { ...doc, clock: { white: 900, black: 1000 } } } });
  assert.equal(kept, null);
  keeper.flush();
  assert.deepEqual(load().game.clock, { white: 900, black: 1000 });
});

test('a state out of range or of another shape is dropped', () => {
  const games = [
    { at: 1e9, present: 1e9 }, { at: -5, present: -1 }, { at: 4 }, { present: 4 }, { at: 1.5 }, { at: '1' },
    { moves: [null, 1, 'a1'] }, { tree: [null] }, { tree: [{}] }, { start: { size: 5.5, opening: 'swap' } },
    { mode: 'chess' }, { human: 'green' }, { level: -2 }, { takebacks: 0.5 }, { seconds: -1 },
    { clock: { white: 'x', black: 0 } }, { ended: {} }, { cuts: [{ at: -1, moves }] }, { uncut: [{ at: 1, moves: [1] }] },
    ...[
      { chances: ['a', 'b', 'c'] }, { chances: [50, 52.5] }, { chances: [50, null, 40] }, { chances: [50, 900, 40] },
      { said: [null, null] }, { said: [{ marks: 1, says: [] }, said[1]] }, { moves: ['a1'] }, { said: {} },
    ].map((wrong) => ({ annotation: { ...annotation, ...wrong } })),
  ];
  for (const wrong of games) {
    assert.equal(loaded({ ...old, ...wrong }), null, JSON.stringify(wrong));
    assert.equal(loaded({ ...old, former: [{ ...former, ...wrong }] }), null, `former: ${JSON.stringify(wrong)}`);
  }
  for (const text of ['null', '7', '[]]', '[]', '{}', JSON.stringify({ ...old, former: [null] }), JSON.stringify(old).replace('"seconds":3', '"seconds":1e999')]) {
    assert.equal(loaded(text)?.game?.moves.length ?? 0, 0, text);
  }
  // A setting that cannot be is the usual one; the game stays.
  const { settings, game: doc } = loaded({ ...old, lines: 77, even: -1, pace: 'x' });
  assert.deepEqual([settings.lines, settings.even, settings.pace, doc.moves], [5, 5, 1, moves]);
});

test('any state that is kept has a link', async () => {
  for (const tree of [[], [[]], [[0]], [[7, null, 'a1']], [[0, null, ['a1', null], {}, 3]], [[0, 5, 'a1'], 'text']]) {
    const doc = loaded({ ...old, tree })?.game;
    assert.ok(!doc || /^[\w-]+$/.test(await toLink(doc)), JSON.stringify(tree));
  }
});

test('results of version 0.2.0 are read, without a history', () => {
  const { history, ...before } = { ...NONE, rating: 1600, done: { 'tinue x 0': 1 } };
  assert.deepEqual(readResults(JSON.stringify({ format: 'tak-engine puzzle results', ...before })), { ...before, history });
});
