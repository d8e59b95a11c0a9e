// Pieces in hand and the effects of clicks, compared with the legal moves of the engine and the positions after them.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { TakEngine } from '../../bindings/wasm/js/index-node.js';
import { drop, effect, lift, lifts, reach } from '../src/model/draft.js';
import { describe } from '../src/words.js';

let engine;
before(async () => {
  engine = await TakEngine.start({ hash: 1 });
});
after(() => engine.close());

/** Random numbers that are the same each time. */
function dice(seed) {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

/** The stacks of a TPS by square. */
function stacks(tps) {
  const rows = tps.split(' ')[0].split('/').reverse();
  const stackOf = (cell) => (cell[0] === 'x' ? Array(Number(cell[1] ?? 1)).fill('') : [cell]);
  return new Map(rows.flatMap((row, up) => row.split(',').flatMap(stackOf).map((stack, right) => ['abcdefgh'[right] + (up + 1), stack])));
}

/** What the page needs of the view of a position. */
async function viewOf(game) {
  const { tps } = await engine.text(game);
  const legal = await engine.legalMoves(game);
  const player = tps.split(' ')[1];
  const of = (name) => legal.filter((move) => /[-+<>]/.test(move) && move.match(/[a-h][1-8]/)[0] === name);
  const squares = [...stacks(tps)].map(([name, stack]) => ({ name, stack, spreads: of(name).length > 0 ? of(name) : null }));
  const piece = (kind, letter) => (legal.some((move) => letter.test(move)) ? [{ kind, stack: player + { flat: '', wall: 'S', capstone: 'C' }[kind] }] : []);
  const kinds = [...piece('flat', /^[a-h][1-8]$/), ...piece('wall', /^S/), ...piece('capstone', /^C/)];
  const color = player === '1' ? 'white' : 'black';
  return { view: { size: Math.sqrt(squares.length), squares, kinds, to_move: color, places: color }, legal };
}

/** Positions of random games that prefer spreads, so that stacks grow. */
async function* positions(count, seed) {
  const roll = dice(seed);
  for (let index = 0; index < count; index += 1) {
    let game = { size: 3 + (index % 6), moves: [] };
    for (let ply = 10 + roll(60); ply > 0; ply -= 1) {
      const legal = await engine.legalMoves(game);
      const spreads = legal.filter((move) => /[-+<>]/.test(move));
      const choice = spreads.length > 0 && roll(5) < 3 ? spreads : legal;
      if (choice.length === 0) {
        break;
      }
      game = { ...game, moves: [...game.moves, choice[roll(choice.length)]] };
    }
    yield game;
  }
}

const isRefused = (act) => assert.throws(act, (error) => error.message.length > 10 && !error.message.includes('undefined'));

test('every spread can be made drop by drop, no other move can, and its stacks are those after it', async () => {
  let made = 0;
  for await (const game of positions(48, 1)) {
    const { view, legal } = await viewOf(game);
    for (const move of legal) {
      const now = stacks((await engine.text({ ...game, moves: [...game.moves, move] })).tps);
      const before = new Map(view.squares.map(({ name, stack }) => [name, stack]));
      for (const { name, stack } of effect(view, move).squares) {
        before.set(name, stack);
      }
      assert.deepEqual(before, now, `${move} in ${game.moves}`);
      if (!/[-+<>]/.test(move)) {
        continue;
      }
      made += 1;
      const { from, drops } = effect(view, move);
      let step = { draft: lift(view, from, drops.reduce((sum, [, count]) => sum + count, 0)) };
      for (const [name, count] of drops) {
        for (let piece = 0; piece < count && step.draft; piece += 1) {
          step = drop(view, step.draft.draft, name);
        }
      }
      assert.equal(step.move, move);
    }
  }
  assert.ok(made > 500, `only ${made} spreads`);
});

test('random drops end in a legal move, and squares that are not next are refused with a reason', async () => {
  const roll = dice(7);
  let ended = 0;
  for await (const game of positions(60, 2)) {
    const { view, legal } = await viewOf(game);
    for (const { name, spreads } of view.squares) {
      if (!spreads) {
        isRefused(() => lift(view, name));
        continue;
      }
      let step = { draft: lift(view, name) };
      while (step.draft) {
        const { draft, next } = step.draft;
        for (const square of view.squares) {
          if (next.includes(square.name)) {
            reach(view, draft, square.name);
          } else {
            isRefused(() => reach(view, draft, square.name));
          }
        }
        try {
          step = drop(view, draft, next[roll(next.length)], roll(3) === 0);
        } catch (error) {
          assert.match(error.message, /^the bottom piece in hand belongs to/);
        }
      }
      assert.ok(legal.includes(step.move), step.move);
      ended += 1;
    }
  }
  assert.ok(ended > 100, `only ${ended} spreads`);
});

test('friendly pieces drop together', async () => {
  // White's stack on a2, from the bottom: white, white, black, white.
  const { view } = await viewOf({ tps: 'x5/x5/x5/1121,x4/x4,2S 1 20' });
  const whole = lift(view, 'a2');
  assert.deepEqual(lifts(view.squares.find(({ name }) => name === 'a2')), [1, 2, 3, 4]);
  assert.equal(whole.says, '4 in hand, the bottom one white; next may be a3 or b2 or a1');
  const { draft } = drop(view, whole.draft, 'b2', true);
  assert.deepEqual([draft.hand, draft.over, draft.draft.drops], ['21', 'b2', [2]]);
  assert.throws(() => drop(view, draft.draft, 'b2', true), /^Error: the bottom piece in hand belongs to Black$/);
  // Down there is one square only, so all fall at once.
  const three = lift(view, 'a2', 3).draft;
  assert.deepEqual(drop(view, three, 'a1'), { move: '3a2-' });
  assert.deepEqual(drop(view, three, 'a2'), {});
});

test('refusals give the reason', async () => {
  // White's capstone on c3 above a black piece, a white wall on c4, a black capstone on b3, a black wall on e3.
  const { view } = await viewOf({ tps: 'x5/x2,1S,x2/x,2C,21C,x,2S/1,x4/2,x4 1 20' });
  for (const [name, count, why] of [
    ['a5', null, 'a5 is empty'],
    ['a1', null, 'the stack on a1 belongs to Black'],
    ['a2', 2, 'at most 1 piece can be lifted from a2'],
    ['c3', 3, 'at most 2 pieces can be lifted from c3'],
  ]) {
    assert.throws(() => lift(view, name, count), { message: why });
  }
  const { draft } = lift(view, 'c3');
  for (const [name, why] of [
    ['c4', 'only a capstone moving alone can flatten the wall on c4'],
    ['b3', 'the black capstone on b3 is in the way'],
    ['d4', 'the stack must move in a straight line from c3'],
    ['c1', 'drop a piece on c2 first'],
  ]) {
    assert.throws(() => reach(view, draft, name), { message: why });
  }
  const { draft: dropped } = drop(view, draft, 'd3');
  assert.deepEqual(dropped.flattens, ['e3']);
  assert.equal(dropped.says, 'white capstone in hand; next may be d3 or e3');
  assert.throws(() => reach(view, dropped.draft, 'c2'), { message: 'the stack must move in a straight line from c3' });
  assert.deepEqual(drop(view, dropped.draft, 'e3'), { move: '2c3>11' });
  const { view: shut } = await viewOf({ tps: 'x3/2S,x2/1,2S,x 1 9' });
  assert.throws(() => lift(shut, 'a1'), { message: 'the stack on a1 cannot move: it is blocked on all sides' });
  assert.throws(() => lift({ ...shut, places: 'black' }, 'a1'), { message: 'you cannot move a stack on your first turn' });
});

test('a move that the view does not list has no effect', async () => {
  const { view } = await viewOf({ tps: 'x5/x5/x5/1121,x4/x4,2S 1 20' });
  for (const move of ['a2', '5a2>', 'b2>', 'a9', '', '<script>']) {
    assert.equal(effect(view, move), null);
  }
});

test('descriptions of stacks begin at the top', () => {
  const texts = ['', '1', '112S', '2212C', '2212212221'].map((stack) => describe(stack, 5));
  assert.deepEqual(texts, [
    'empty', 'white flat', 'black wall on 2 white', 'black capstone on white, 2 black',
    'white flat on 3 black, white, deeper 1 white, 4 black',
  ]);
});
