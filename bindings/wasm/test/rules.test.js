// The rules without a worker, compared with known counts and with the answers of the engine.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import test, { after, before } from 'node:test';
import { inspect } from 'node:util';

import { TakEngine } from '../js/index-node.js';
import { Game, init } from '../js/rules.js';

let engine;
assert.throws(() => new Game(), /the rules are not loaded: await init\(\)/);
before(async () => {
  [engine] = await Promise.all([TakEngine.start({ hash: 1 }), init(), init()]);
});
after(() => engine.close());

/** Numbers from 0 to below 1, the same in every run (xorshift). */
function random(seed) {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** Plays legal moves at random to the end, or until there are so many. */
function playOn(game, next, plies = 300) {
  while (!game.isGameOver() && game.history().length < plies) {
    const moves = game.legalMoves();
    game.play(moves[Math.floor(next() * moves.length)]);
  }
  return game;
}

/** Sequences of moves, by moves played and taken back. */
function perft(game, depth) {
  const moves = game.legalMoves();
  if (depth === 1) {
    return moves.length;
  }
  return moves.reduce((sum, move) => {
    game.play(move);
    const count = perft(game, depth - 1);
    assert.equal(game.undo(), move);
    return sum + count;
  }, 0);
}

test('legal moves are as many as in other programs', () => {
  // Those of core/tests/all/rules/board.rs.
  for (const [size, counts] of [[3, [9, 72, 1200, 17_792]], [4, [16, 240, 7440]], [5, [25, 600, 43_320]], [6, [36, 1260]], [8, [64, 4032]]]) {
    const game = new Game({ size });
    const before = game.tps;
    counts.forEach((count, index) => assert.equal(perft(game, index + 1), count));
    assert.equal(game.tps, before);
  }
});

test('random games are those of the engine, and come back from PTN and JSON', async () => {
  const openings = ['swap', 'no-swap', 'double-black'];
  const ends = new Set();
  for (let seed = 1; seed <= 60; seed += 1) {
    const next = random(seed * 7919);
    const start = { size: 3 + (seed % 6), komi: (seed % 9) / 2 - 2, opening: openings[seed % 3] };
    const game = playOn(new Game(seed % 5 === 0 ? { ...start, reserves: [[8, 1], [9, 0]] } : start), next);
    const stored = game.toJSON();
    const [legal, result, { ptn, tps }] = await Promise.all([engine.legalMoves(stored), engine.result(stored), engine.text(stored)]);
    assert.deepEqual([game.legalMoves(), game.tps], [legal, tps]);
    assert.deepEqual(game.outcome && { ...game.outcome, says: '', reason: '' }, result && { ...result, says: '', reason: '' });
    assert.equal(game.isGameOver(), result !== null);
    ends.add(game.outcome?.reason ?? 'none');
    for (const text of [ptn, game.toPtn({ Site: 'a "quoted" name\nin two lines' })]) {
      const read = Game.fromPtn(text);
      assert.deepEqual([read.toJSON(), read.result], [stored, game.result]);
    }
    const again = new Game(JSON.parse(JSON.stringify(game)));
    assert.deepEqual([again.toJSON(), again.tps, again.reserves, again.flats], [stored, game.tps, game.reserves, game.flats]);
    // Every position on the way back is the one of the way there.
    const back = game.copy();
    for (let plies = game.history().length; plies > 0; plies -= 1) {
      assert.equal(back.undo(), stored.moves[plies - 1]);
      assert.ok(back.isLegal(stored.moves[plies - 1]));
    }
    assert.deepEqual([back.undo(), back.tps, game.history()], [null, stored.tps, stored.moves]);
  }
  assert.deepEqual([...ends].sort(), ['board-full', 'none', 'reserves', 'road']);
});

test('the board is that of its TPS', () => {
  const game = new Game({ tps: 'x3,12S,2/x5/x2,112C,x2/x5/1,x4 1 9', komi: 2.5 });
  assert.equal(game.get('e5').type, 'flat');
  assert.deepEqual(game.get('d5'), { square: 'd5', color: 'black', type: 'wall', stack: ['white', 'black'] });
  assert.deepEqual(game.board()[2][2], { square: 'c3', color: 'black', type: 'capstone', stack: ['white', 'white', 'black'] });
  assert.equal(game.get('a2'), null);
  assert.deepEqual([game.turn, game.moveNumber, game.ply, game.size, game.komi], ['white', 9, 16, 5, 2.5]);
  for (let seed = 1; seed <= 12; seed += 1) {
    const { size } = playOn(game, random(seed), 20);
    const text = (each) => each.stack.map((color) => (color === 'white' ? 1 : 2)).join('') + { flat: '', wall: 'S', capstone: 'C' }[each.type];
    const rows = game.board().map((row, down) => row.map((each, right) => {
      const square = `${'abcdefgh'[right]}${size - down}`;
      assert.deepEqual(game.get(square), each);
      return each ? text(each) : 'x';
    }));
    assert.equal(game.tps.split(' ')[0].replace(/x(\d)/g, (_, count) => Array(Number(count)).fill('x').join(',')), rows.join('/'));
    while (game.undo());
  }
});

test('games end with winner, reason and road', () => {
  const game = Game.fromPtn('[Size "3"]\n1. a1 c3 2. c1 a2 3. b2 b1');
  assert.deepEqual([game.outcome, game.result, game.isGameOver()], [null, null, false]);
  assert.equal(game.play('c2'), 'c2');
  assert.deepEqual([game.outcome.road, game.history().length], [['c3', 'c2', 'c1'], 7]);
  const won = new Game({ tps: 'x3/1,1,x/2,2,x 1 3', moves: ['c2'] });
  assert.deepEqual(won.outcome, { result: 'R-0', winner: 'white', reason: 'road', says: 'White wins by a road', road: ['c2', 'b2', 'a2'] });
  assert.deepEqual(won.legalMoves(), []);
  assert.match(won.svg(), /class="road-line"/);
  const drawn = new Game({ tps: '1,1S,2/2,2S,1/1S,1,2 1 6' });
  assert.deepEqual([drawn.outcome.winner, drawn.outcome.result, drawn.outcome.says], [null, '1/2-1/2', 'a draw on flats, the board is full']);
});

test('a text comes back with tags, comments, marks and variations', () => {
  const text = '[Player1 "Ann"]\n[Size "5"]\n[Komi "2"]\n\n{first}\n1. a1! {good} e5\n2. c3 c4?\n\n{2b_d4}\n2. -- d4 {better}\n3. d3\n';
  const game = Game.fromPtn(text);
  assert.equal(game.toPtn(), text);
  assert.deepEqual([game.tags, game.note, game.komi], [{ Player1: 'Ann' }, null, 2]);
  game.undo();
  assert.match(game.toPtn(), /2\. c3 \*\n\n\{2b_d4\}/);
  game.undo();
  assert.doesNotMatch(game.toPtn(), /d4/);
  assert.match(game.toPtn({ Result: '1-0', Player2: 'Bob' }), /^\[Result "1-0"\]\n\[Player2 "Bob"\]\n\[Player1 "Ann"\][^]* e5 1-0\n$/);
  const resigned = Game.fromPtn('[Size "5"]\n[Result "0-1"]\n1. a1 e5 0-1');
  assert.deepEqual([resigned.tags, resigned.result, resigned.isGameOver()], [{ Result: '0-1' }, null, false]);
  assert.match(resigned.toPtn(), / e5 0-1\n$/);
  resigned.play('c3');
  assert.doesNotMatch(resigned.toPtn(), /0-1/);
});

test('a game without a size is for the smallest board that fits, with a note', async () => {
  const text = '1. a1 d4 2. b2';
  const game = Game.fromPtn(text);
  const { size, moves, note } = await engine.parsePtn(text);
  assert.deepEqual([game.size, game.history(), game.note], [size, moves, note]);
  assert.equal(note, 'Warning: the game has neither a Size nor a TPS tag: read for 4x4, the smallest board that fits its moves.');
  assert.equal((await engine.parsePtn('1. a1 h8')).size, 8);
  assert.match(Game.fromPtn(`${game.toPtn()}\n\n[Size "5"]\n1. a1 e5`).note, /^This is the first of 2 games\.$/);
});

test('a live game is taken as its data, whole or spread', async () => {
  const game = new Game({ size: 5, komi: 2.5, reserves: [[20, 1], [19, 2]], moves: ['a1', 'e5', 'c3'] });
  const stored = game.toJSON();
  const lines = async (options) => (await engine.analyse({ ...options, depth: 2 })).lines;
  const ofStored = await lines(stored);
  for (const given of [game, { ...game }]) {
    assert.deepEqual(new Game(given).toJSON(), stored);
    assert.deepEqual(await engine.play(given, 'd4'), { ...stored, moves: [...stored.moves, 'd4'] });
    assert.deepEqual(await engine.legalMoves(given), game.legalMoves());
    assert.equal((await engine.text(given)).tps, game.tps);
    assert.deepEqual(await lines(given), ofStored);
  }
  assert.deepEqual(new Game({ ...game, moves: [] }).toJSON(), { ...stored, moves: [] });
  game.free();
  for (const use of [() => game.free(), () => game.tps, () => game.copy(), () => new Game({ ...game }), () => game.play('a1')]) {
    assert.throws(use, /^Error: this game was freed$/);
  }
});

test('what cannot be read or played throws the reason, and changes nothing', () => {
  const game = new Game({ size: 5, moves: ['a1', 'e5'] });
  const before = JSON.stringify([game, game.toPtn(), game.tps]);
  for (const [call, reason] of [
    [() => game.play('f1'), 'invalid move "f1": square f1 is not on a 5x5 board'],
    [() => game.play('a1'), 'illegal move a1: square a1 is not empty'],
    [() => game.play('2a1>'), 'illegal move 2a1>: White does not control a1'],
    [() => game.play(), 'invalid move undefined: expected a text'],
    [() => game.get('f1'), 'invalid square "f1": expected a1 to e5'],
    [() => game.svg({ theme: 'pink' }), /^invalid theme "pink": expected one of light, dark, wood/],
    [() => game.svg({ moves: ['a1'] }), 'a1 cannot be played here: square a1 is not empty'],
    [() => game.svg({ size: 1 }), 'unknown option "size": expected theme, width, flipped, moves'],
    [() => game.toPtn({ Size: '6' }), /^invalid tag "Size"/],
    [() => game.toPtn({ Round: 1 }), 'invalid Round 1: expected a text'],
    [() => game.toPtn({ Result: 'won' }), /^invalid result "won"/],
    [() => new Game({ size: 9 }), 'invalid size 9: expected a whole number from 3 to 8'],
    [() => new Game({ Komi: 2 }), 'unknown game key "Komi": expected komi'],
    [() => new Game({ moves: new Array(2) }), 'invalid moves [array]: expected an array of moves as text'],
    [() => game.get('x'.repeat(100)), `invalid square "${'x'.repeat(39)}…: expected a1 to e5`],
    [() => new Game({ komi: 0.25 }), 'invalid komi 0.25: expected whole or half flats from -10 to 10'],
    [() => new Game({ moves: ['a1', 'a1'] }), 'move 2: illegal move a1: square a1 is not empty'],
    [() => new Game({ tps: 'x3/x,12K,x/x3 1 5' }), 'row 2, square b2: invalid stack "12K": only S or C can follow the pieces, found "K"'],
    [() => Game.fromPtn(''), 'there is no game in the text'],
    [() => Game.fromPtn('[Size "5"]\n1. a1 a1'), 'line 2: illegal move 1 of Black, a1: square a1 is not empty'],
    [() => Game.fromPtn('[Size "5"]\n\n1. a1 z9'), /^line 3: invalid move "z9"/],
  ]) {
    assert.throws(call, (error) => error instanceof Error && (reason instanceof RegExp ? reason.test(error.message) : error.message === reason) || assert.fail(`${error}`));
  }
  assert.equal(JSON.stringify([game, game.toPtn(), game.tps]), before);
  for (const [wrong, outside] of [[{ size: '5' }, { size: 9 }], [{ opening: 5 }, { opening: 'late' }], [{ reserves: 5 }, { reserves: [] }]]) {
    assert.throws(() => new Game(wrong), TypeError);
    assert.throws(() => new Game(outside), RangeError);
  }
  const long = 'x'.repeat(1e5);
  for (const call of [() => game.play(long), () => game.svg({ theme: long }), () => game.svg({ moves: [long] }), () => game.toPtn({ [`-${long}`]: '' }), () => game.toPtn({ Result: long }), () => new Game({ tps: long }), () => Game.fromPtn(`1. ${long}`), () => new Game({ [long]: 1 })]) {
    assert.throws(call, ({ message }) => message.length < 300 || assert.fail(`${call}: ${message.length}`));
  }
});

test('a game is seen as text and as a picture', () => {
  const game = new Game({ size: 3, moves: ['a1', 'c3'] });
  assert.deepEqual(`${game}`.split('\n').map((line) => line.trimEnd()), ['3  . . ○', '2  . . .', '1  ● . .', '   a b c   ○ White  ● Black', '']);
  assert.equal(inspect(game), `Game ${JSON.stringify(game)}`);
  const svg = game.svg({ width: 300, moves: ['b2', 'Sb2'], theme: 'print', flipped: true });
  assert.match(svg, /^<svg [^>]*width="300"/);
  assert.deepEqual([...svg.matchAll(/data-move="(\w+)"/g)].map(([, move]) => move), ['b2', 'Sb2']);
});

test('the script runs as a CommonJS program of Node requires it', { skip: !process.features.require_module }, async () => {
  const code = "const { Game, init } = require('./js/rules.js'); init().then(() => console.log(new Game({ size: 4 }).legalMoves().length))";
  const program = spawn(process.execPath, ['--no-warnings', '--input-type=commonjs', '-e', code], { cwd: new URL('..', import.meta.url) });
  let out = '';
  for await (const bytes of program.stdout) {
    out += bytes;
  }
  assert.equal(out, '16\n');
});
