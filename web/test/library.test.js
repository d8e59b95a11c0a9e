// The search in a library, and its files.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { endOf, fileOf, isHead, keptText, keyOf, search } from '../src/library/search.js';

const head = (id, changes = {}) => ({
  id, key: String(id), white: 'Ann', black: 'Bob', size: 6, half_komi: 4, date: '2024.05.06', result: 'R-0', plies: 40, tags: 'Cup PlayTak.com', source: 'a.ptn', added: 1, ...changes,
});
const ANY = { text: '', size: 0, result: '', source: '', isHere: false };
const heads = [
  head(1), head(2, { white: 'Ångström', size: 5, result: '0-F' }), head(3, { black: 'Cid', date: '2025.01.02', result: '1/2-1/2' }), head(4, { source: 'b.ptn', result: '', added: 2 }),
];
const found = (query, having = null) => search(heads, { ...ANY, ...query }, having).map(({ id }) => id).join('');

test('games are found by all words, size, result, file and position', () => {
  assert.equal(found({}), '4123');
  for (const [query, ids] of [
    [{ text: 'ann  BOB' }, '41'], [{ text: 'angstrom' }, '2'], [{ text: 'ÅNG' }, '2'], [{ text: 'cup 2025' }, '3'], [{ text: '2024-05' }, '412'], [{ text: 'b.ptn' }, '4'], [{ text: '.*' }, ''],
    [{ size: 5 }, '2'], [{ result: 'white' }, '1'], [{ result: 'black' }, '2'], [{ result: 'draw' }, '3'], [{ result: 'none' }, '4'], [{ source: 'a.ptn', size: 6 }, '13'],
  ]) {
    assert.equal(found(query), ids, JSON.stringify(query));
  }
  assert.equal(found({}, new Map([[3, 1], [1, 0]])), '13');
  assert.deepEqual(['R-0', '0-1', '1/2-1/2', '*', ''].map(endOf), ['white', 'black', 'draw', 'none', 'none']);
});

test('a hundred thousand games are searched', () => {
  const many = Array.from({ length: 100_000 }, (_, id) => head(id, { white: `Player ${id % 5000}`, black: `Other ${id % 777}` }));
  search(many, { ...ANY, text: 'x' });
  assert.equal(search(many, { ...ANY, text: 'player 4999 cup' }).length, 20);
});

test('texts are kept as they are, and begin a game in any file', () => {
  assert.equal(keptText('\n[Size "5"]\n\n1. a1 {x } e5\n\n\n', 5), '[Size "5"]\n\n1. a1 {x } e5\n');
  assert.equal(keptText('1. a1 e5', 5), '[Size "5"]\n1. a1 e5\n');
  assert.equal(fileOf(['[Size "5"]\n1. a1\n', '[Size "6"]\n1. a1\n']), '[Size "5"]\n1. a1\n\n[Size "6"]\n1. a1\n');
  const keys = new Set(Array.from({ length: 20_000 }, (_, index) => keyOf(`[Size "5"]\n1. a1 ${index}`)));
  assert.equal(keys.size, 20_000);
});

test('damaged heads are no games', () => {
  assert.ok(isHead(head(1)));
  for (const damaged of [null, 7, {}, { ...head(1), id: '1' }, { ...head(1), white: null }, { ...head(1), plies: Number.NaN }, { ...head(1), tags: [] }]) {
    assert.ok(!isHead(damaged));
  }
});
