// The puzzles of the page: reading, choosing, links, and the rating of the solver.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { blank, seats } from '../src/model/doc.js';
import { UNKNOWN, rated } from '../src/model/glicko.js';
import * as list from '../src/model/puzzle-list.js';
import { NONE, after, readResults, writeResults } from '../src/model/results.js';

const shipped = ['4x4', '5x5', '6x6', '7x7'].map((size) => readFileSync(new URL(`../puzzles/${size}.jsonl`, import.meta.url), 'utf8'));
const puzzles = shipped.flatMap((text) => list.readLines(text).puzzles);
const COUNT = shipped.join('').trim().split('\n').length;

const near = (value, expected, tolerance) => assert.ok(Math.abs(value - expected) < tolerance, `${value} is not ${expected}`);

test('the example of the paper on Glicko-2', () => {
  const games = [[1400, 30, 1], [1550, 100, 0], [1700, 300, 0]].map(([rating, deviation, score]) => ({ rating, deviation, score }));
  const { rating, deviation, volatility } = rated({ rating: 1500, deviation: 200, volatility: 0.06 }, games);
  near(rating, 1464.06, 0.01);
  near(deviation, 151.52, 0.01);
  near(volatility, 0.05999, 0.00001);
});

test('a rating without games only becomes less certain', () => {
  const { rating, deviation, volatility } = rated({ rating: 1600, deviation: 50, volatility: 0.06 }, []);
  assert.deepEqual([rating, volatility], [1600, 0.06]);
  // The volatility is in units of 173.7178 points.
  near(deviation, Math.sqrt(50 ** 2 + (0.06 * 173.7178) ** 2), 1e-9);
});

test('a rating comes to that of equal opponents, and surprises raise the volatility', () => {
  let player = UNKNOWN;
  for (let game = 0; game < 400; game += 1) {
    player = rated(player, [{ rating: 1900, deviation: 50, score: game % 2 }]);
  }
  near(player.rating, 1900, 40);
  assert.ok(player.deviation < 100);
  const surprised = rated({ rating: 2600, deviation: 40, volatility: 0.06 }, Array(20).fill({ rating: 1500, deviation: 40, score: 0 }));
  assert.ok(surprised.volatility > 0.06 && surprised.rating < 2600);
});

test('all puzzles of the program are read', () => {
  assert.equal(puzzles.length, COUNT);
  assert.deepEqual(shipped.map((text) => list.readLines(text).skipped), [0, 0, 0, 0]);
  assert.equal(new Set(puzzles.map(list.keyOf)).size, COUNT);
});

test('lines that are no puzzles are counted', () => {
  const [line] = shipped[0].split('\n');
  const changed = (changes) => JSON.stringify({ ...JSON.parse(line), ...changes });
  const bad = [
    'no JSON', '7', 'null', '[]', '{}', changed({ kind: 'other' }), changed({ tps: 7 }), changed({ size: 9 }), changed({ komi: 0.3 }),
    changed({ flats: [1] }), changed({ caps: [1, 256] }), changed({ plies: null }), changed({ plies: 31 }), changed({ difficulty: -1 }),
    changed({ solution: null }), changed({ solution: { move: 'a1', answers: [null] } }), changed({ solution: { move: '<b>', answers: [] } }),
    changed({ solution: { move: 'a1', answers: {} } }), changed({ wrong: [{}] }), changed({ wrong: [null] }), changed({ wrong: [{ move: 'a1', answer: [1] }] }),
    changed({ kind: 'best' }), changed({ also: 'a1' }), changed({ also: ['<b>'] }),
  ];
  const { puzzles: read, skipped } = list.readLines(`${line}\r\n\n${bad.join('\n')}\n`);
  assert.deepEqual([read.length, skipped], [1, bad.length]);
});

test('a deeply nested solution is accepted', () => {
  let solution = { move: 'a1', answers: [] };
  for (let depth = 0; depth < 3000; depth += 1) {
    solution = { move: 'a1', answers: [solution] };
  }
  assert.equal(list.isPuzzle({ ...puzzles[0], solution }), false);
});

test('filters leave what they name', () => {
  const any = { size: '', group: '', grade: '', theme: '' };
  assert.equal(list.filtered(puzzles, any).length, COUNT);
  const roads = list.filtered(puzzles, { ...any, size: '6', group: 'tinue 5' });
  assert.ok(roads.length > 0 && roads.every(({ size, kind, plies }) => size === 6 && kind === 'tinue' && plies === 5));
  const counts = ['easy', 'medium', 'hard'].map((grade) => list.filtered(puzzles, { ...any, grade }).length);
  assert.ok(counts.every((count) => count > 0));
  assert.equal(counts.reduce((sum, count) => sum + count), COUNT);
  for (const theme of list.THEMES) {
    const found = list.filtered(puzzles, { ...any, theme });
    assert.ok(found.length > 5 && found.every(({ themes }) => themes.includes(theme)), theme);
  }
  const [stranger] = list.readLines(JSON.stringify({ ...puzzles[0], themes: ['flatten', '__proto__', 7] })).puzzles;
  assert.deepEqual(stranger.themes, ['flatten']);
  for (const rating of [0, 1500, 1700, 3000]) {
    const distances = puzzles.map((puzzle) => Math.abs(list.ratingOf(puzzle) - rating));
    assert.equal(list.nearest(puzzles, rating), puzzles[distances.indexOf(Math.min(...distances))]);
  }
  assert.equal(list.nearest([], 1500), null);
});

test('a puzzle has the Elo of the level of its difficulty', () => {
  const levels = readFileSync(new URL('../../docs/strength.md', import.meta.url), 'utf8').matchAll(/^\| (\d+) \| (\d+) ± /gm);
  const numbers = [...levels].map(([, difficulty, elo]) => {
    const distance = Math.abs(list.ratingOf({ difficulty: Number(difficulty) }) - Number(elo));
    assert.ok(distance <= 60, `level ${difficulty}: ${distance}`);
    return Number(difficulty);
  });
  assert.deepEqual(numbers, Array.from({ length: 30 }, (_, index) => index + 1));
});

test('each day has a puzzle, and all have their turn', () => {
  const days = Array.from({ length: COUNT }, (_, day) => list.ofDay(puzzles, 20_000 + day));
  assert.equal(new Set(days).size, COUNT);
  assert.equal(list.dayOf(new Date(2026, 10, 28)) - list.dayOf(new Date(2026, 10, 27)), 1);
  assert.equal(list.dayOf(new Date(2026, 10, 27, 0, 1)), list.dayOf(new Date(2026, 10, 27, 23, 59)));
  assert.equal(list.ofDay([], 5), null);
});

test('a link holds a puzzle with the main line of its solution', () => {
  for (const puzzle of puzzles) {
    const fragment = list.toFragment(puzzle);
    assert.match(fragment, /^[\w-]+$/);
    const read = list.fromFragment(fragment);
    assert.equal(list.keyOf(read), list.keyOf(puzzle));
    assert.deepEqual(list.lineOf(read), list.lineOf(puzzle));
    for (const part of ['size', 'flats', 'caps', 'plies', 'difficulty']) {
      assert.deepEqual(read[part], puzzle[part]);
    }
  }
  const several = { ...puzzles[0], also: ['Ce3'] };
  assert.deepEqual(list.rightOf(list.fromFragment(list.toFragment(several))), [several.solution.move, 'Ce3']);
  for (const text of ['', 'x', '%', btoa('[]'), btoa('{}'), btoa('["tinue",7]'), btoa('["tinue","x3/x3/x3 1 1",0,9,9,0,0,3,1,"<b>"]')]) {
    assert.equal(list.fromFragment(text), null, text);
  }
});

test('only the first try counts', () => {
  const [first, second, third] = puzzles;
  const solved = after(NONE, first, true);
  assert.ok(solved.rating > 1500 && solved.deviation < 350);
  assert.deepEqual([solved.streak, solved.longest], [1, 1]);
  assert.equal(after(solved, first, false), solved);
  const missed = after(after(solved, second, true), third, false);
  assert.deepEqual([missed.streak, missed.longest, Object.values(missed.done)], [0, 2, [1, 1, 0]]);
  assert.ok(missed.rating < after(solved, second, true).rating);
});

test('days in a row are counted', () => {
  const days = [100, 101, 101, 102, 104];
  const results = days.map((day, index) => [day, puzzles[index]]).reduce((all, [day, puzzle]) => [...all, after(all.at(-1), puzzle, true, day)], [NONE]);
  assert.deepEqual(results.slice(1).map(({ days: count }) => count), [1, 2, 2, 3, 1]);
  assert.equal(after(results[1], puzzles[9], false, 101).days, 1);
  // It was solved before, but not as the puzzle of a day.
  assert.equal(after(after(NONE, puzzles[0], true), puzzles[0], true, 7).days, 1);
});

test('results come back from a file, and nothing else does', () => {
  const results = after(after(NONE, puzzles[0], true, 5), puzzles[1], false);
  assert.deepEqual(readResults(writeResults(results)), results);
  const changed = (changes) => JSON.stringify({ ...JSON.parse(writeResults(results)), ...changes });
  for (const text of [
    '', 'null', '[]', '{}', changed({ format: 'x' }), changed({ rating: 'x' }), changed({ rating: null }), changed({ deviation: 0 }),
    changed({ volatility: -1 }), changed({ streak: 0.5 }), changed({ day: -1 }), changed({ done: null }), changed({ done: { a: 2 } }),
  ]) {
    assert.equal(readResults(text), null, text);
  }
});

test('the solver of a puzzle has the row with the pieces to place', () => {
  const start = (turn) => ({ size: 5, opening: 'swap', tps: `x5/x5/x5/x5/2,x3,1 ${turn} 2` });
  assert.deepEqual(seats(blank('puzzle', { start: start(1) })), ['white', 'black']);
  assert.deepEqual(seats(blank('puzzle', { start: start(2) })), ['black', 'white']);
  assert.deepEqual(seats(blank('study', { start: start(2) })), ['white', 'black']);
});
