// Mistakes of one's own: what is clearly best, and when each comes again.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { readerOf } from '../src/model/doc.js';
import * as mistake from '../src/model/mistake.js';
import { dayOf, readLines } from '../src/model/puzzle-list.js';

const { puzzles } = readLines(readFileSync(new URL('../puzzles/5x5.jsonl', import.meta.url), 'utf8'));
const NOON = new Date(2026, 10, 29, 12);
const TODAY = dayOf(NOON);
const GAME = { white: 'Ann', black: '', tags: [['Date', '2026.11.29']] };
const fresh = () => mistake.found(puzzles[0], 'a1', GAME, NOON);

test('right moves are those of the cases for the program', () => {
  const cases = readFileSync(new URL('../../tests/games/right-moves.tsv', import.meta.url), 'utf8');
  for (const [moves, expected] of cases.trimEnd().split('\n').slice(1).map((line) => line.split('\t'))) {
    const scored = moves.split(', ').map((part) => part.split(' ')).map(([move, score]) => [move, Number(score)]);
    assert.equal(mistake.rightMoves(scored).join(' '), expected, moves);
  }
  assert.deepEqual(mistake.rightMoves([]), []);
  const line = { chances: [600, 100, 300] };
  assert.deepEqual([mistake.scoreOf(line, 'white'), mistake.scoreOf(line, 'black')], [650, 350]);
});

test('a mistake comes after 1, 3 and 10 days, until it is solved twice', () => {
  // The days on which it is shown, with whether it is solved, and the days until the next time.
  for (const [tries, waits, isLearnt] of [
    ['11', [3, 10], true], ['01', [3, 10], false], ['011', [3, 10, 10], true], ['0000', [3, 10, 10, 10], false],
  ]) {
    let now = fresh();
    assert.equal(now.due, TODAY + 1);
    const seen = [...tries].map((digit) => {
      assert.ok(mistake.isDue(now, now.due) && !mistake.isDue(now, now.due - 1));
      const day = now.due;
      // Neither an early try nor a second one counts.
      assert.equal(mistake.tried(now, true, day - 1), now);
      now = mistake.tried(now, digit === '1', day);
      assert.equal(mistake.tried(now, true, day), now);
      return now.due - day;
    });
    assert.deepEqual([seen, mistake.isLearnt(now), mistake.isDue(now, now.due + 99)], [waits, isLearnt, !isLearnt], tries);
  }
});

test('mistakes that are due come first, the longest due before others', () => {
  const all = [{ due: 9 }, { due: 3, solved: 2 }, { due: 5 }, { due: 4, added: 2 }, { due: 4, added: 1 }];
  const list = all.map((changes, index) => ({ ...fresh(), ...changes, key: String(index) }));
  assert.equal(mistake.inOrder(list, 5).map(({ key }) => key).join(''), '43201');
});

test('only whole mistakes are read', () => {
  const whole = JSON.parse(JSON.stringify(fresh()));
  assert.ok(mistake.isMistake(whole));
  for (const changes of [
    { key: 7 }, { puzzle: null }, { puzzle: { ...whole.puzzle, tps: 7 } }, { played: null }, { game: null }, { game: { white: 'Ann' } },
    { game: { ...GAME, tags: [['Date']] } }, { added: NaN }, { shown: -1 }, { solved: '2' }, { due: 1.5 },
  ]) {
    assert.ok(!mistake.isMistake({ ...whole, ...changes }), JSON.stringify(changes));
  }
  assert.ok(!mistake.isMistake(null));
});

test('the reader of a game is who played it here, or has the name of a player', () => {
  const names = { white: 'Ann', black: 'Bob' };
  for (const [human, you, reader] of [
    ['white', '', 'white'], ['black', 'Ann', 'black'], [null, 'Ann', 'white'], [null, 'Bob', 'black'], [null, '', null], [null, 'Cid', null],
    ['both', '', null],
  ]) {
    assert.equal(readerOf({ human, names }, you), reader, `${human} ${you}`);
  }
  assert.equal(readerOf({ human: null, names: { white: '', black: '' } }, ''), null);
});
