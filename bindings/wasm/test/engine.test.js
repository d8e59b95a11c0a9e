// The class for pages and programs, with shared memory and without.

import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import test from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { Closed, TakEngine } from '../js/index-node.js';
import * as node from '../js/node.js';
import { Searcher } from '../js/searcher.js';
import five from '../js/weights-5.js';

class Alone extends TakEngine {
  static platform = { ...TakEngine.platform, canShare: () => false };
}

/** Runs a test with both ways to stop a search. */
function both(name, run) {
  for (const kind of [TakEngine, Alone]) {
    test(`${name}, ${kind === Alone ? 'without' : 'with'} shared memory`, async () => {
      const engine = await kind.start({ hash: 4 });
      try {
        await run(engine);
      } finally {
        engine.close();
      }
    });
  }
}

const GAME = { size: 5, komi: 2.5, moves: ['a1', 'e5', 'c3'] };
const WIN = { tps: 'x3/1,1,x/2,2,x 1 3' };

both('a search has lines, a report a depth', async (engine) => {
  const depths = [];
  const found = await engine.analyse({ ...GAME, depth: 4, multipv: 2, onInfo: ({ depth }) => depths.push(depth) });
  assert.deepEqual([...new Set(depths)], [1, 2, 3, 4]);
  assert.equal(found.lines.length, 2);
  assert.equal(found.best, found.lines[0].moves[0]);
  assert.equal(found.lines[0].chances.reduce((sum, chance) => sum + chance), 1000);
  assert.equal((await engine.analyse({ ...GAME, nodes: 5000 })).nodes <= 5000, true);
});

both('a proven win names its winner', async (engine) => {
  const { best, lines } = await engine.analyse({ ...WIN, movetime: 60_000 });
  assert.equal(best, 'c2');
  assert.deepEqual([lines[0].winner, lines[0].score], ['white', '1']);
});

both('stop resolves an endless search to what it found', async (engine) => {
  const search = engine.analyse({ ...GAME, onInfo: () => engine.stop() });
  assert.ok((await engine.legalMoves(GAME)).includes((await search).best));
  const early = engine.analyse(GAME);
  engine.stop();
  assert.ok((await early).best);
});

both('questions are answered during a search', async (engine) => {
  const search = engine.analyse(GAME);
  assert.equal((await engine.legalMoves({ size: 3 })).length, 9);
  engine.stop();
  assert.ok((await search).depth >= 1);
});

both('a signal rejects the search', async (engine) => {
  const abort = new AbortController();
  const search = engine.analyse({ ...GAME, signal: abort.signal, onInfo: () => abort.abort() });
  await assert.rejects(search, { name: 'AbortError' });
  await assert.rejects(engine.analyse({ ...GAME, signal: abort.signal }), { name: 'AbortError' });
  assert.ok((await engine.analyse({ ...GAME, depth: 2 })).best);
});

both('a new search ends the one before', async (engine) => {
  const searches = [engine.analyse(GAME), engine.analyse(GAME), engine.analyse({ ...GAME, depth: 2 })];
  const [first, second, third] = await Promise.allSettled(searches);
  assert.ok(first.value.best);
  assert.equal(second.reason.name, 'AbortError');
  assert.ok(third.value.best);
});

both('a game is played to its end', async (engine) => {
  let game = { size: 3, moves: [] };
  for (const move of ['a1', 'c3', 'b1', 'a2', 'c1', 'b2', 'c2']) {
    assert.equal(await engine.result(game), null);
    game = await engine.play(game, move);
  }
  assert.deepEqual(await engine.legalMoves(game), []);
  const result = await engine.result(game);
  assert.deepEqual([result.result, result.winner], ['R-0', 'white']);
  const { ptn, tps } = await engine.text(game, { white: 'Ann' });
  assert.match(ptn, /\[Player1 "Ann"\][^]*R-0/);
  assert.equal(tps.split(' ')[1], '2');
  await assert.rejects(engine.play({ size: 3, moves: ['a1'] }, 'a1'), /move 2, a1, is not possible/);
  await assert.rejects(engine.analyse(game), /the game is over/);
});

both('a PTN file is read and annotated', async (engine) => {
  assert.doesNotMatch((await engine.text({ size: 5, moves: ['a1'] })).ptn, /Player/);
  const text = '[Player1 "Ann"]\n[Size "5"]\n[Komi "2"]\n\n1. a1 e5 2. c3 c4 3. d3 d4 4. b3 b4 5. a3 a4 6. e3 R-0\n';
  const game = await engine.parsePtn(text);
  assert.deepEqual([game.size, game.komi, game.white, game.result, game.moves.length], [5, 2, 'Ann', 'R-0', 11]);
  const steps = [];
  const found = await engine.annotate(text, { nodes: 500, onProgress: ({ done, total }) => steps.push([done, total]) });
  assert.deepEqual(steps.at(-1), [11, 11]);
  assert.equal(found.chances.length, 12);
  assert.match(found.summary, /^Accuracy: White \d+ %, Black \d+ %\. 5\.\.\. a4 decided the game\.$/);
  assert.equal((await engine.parsePtn(found.ptn)).moves.length, 11);
  const own = await engine.annotate('{first}\n1. a1! {good} e5\n2. c3 c4?\n\n{2b_d4}\n2. -- d4 {better}\n3. d3\n\n[Size "6"]\n1. a1', { nodes: 100 });
  assert.match(own.ptn, /^\[Size "5"\]\n\n\{first\}\n[^]*1\. a1! \{good\} [^]* c4\? [^]*\{2b_d4\}[^]*d4 \{better\}[^]*3\. d3\n$/);
  assert.match((await engine.annotate('x3/x3/1,2,x 1 2', { nodes: 100 })).ptn, /\[TPS "x3\/x3\/1,2,x 1 2"\]/);
  await assert.rejects(engine.parsePtn('[Size "5"]\n1. z9'), /invalid PTN/);
  const abort = new AbortController();
  const stopped = engine.annotate(text, { nodes: 1e7, signal: abort.signal, onProgress: () => abort.abort() });
  setTimeout(() => abort.abort(), 50);
  await assert.rejects(stopped, { name: 'AbortError' });
});

both('a line of a search has reasons', async (engine) => {
  const tps = '1,1,1,x/2,2,2,x/x4/x4 1 5';
  const { lines: [line] } = await engine.analyse({ tps, depth: 3 });
  const [reason] = await engine.reasons({ tps }, line);
  assert.deepEqual(reason, { text: 'd4 completes a road.', kind: 'road', squares: ['d4', 'c4', 'b4', 'a4'], basis: 'rules' });
  const [stop] = await engine.reasons({ tps: tps.replace(' 1 ', ' 2 ') }, { moves: ['d4'] });
  assert.equal(stop.kind, 'stops-road');
  await assert.rejects(engine.reasons({ tps }, { ...line, moves: ['z9'] }), Error);
  await assert.rejects(engine.reasons({ tps }, { ...line, moves: ['\ud800'] }), /half of a surrogate pair/);
  assert.equal((await engine.legalMoves({ size: 3 })).length, 9);
});

both('levels play their moves', async (engine) => {
  const best = async (options) => (await engine.analyse({ ...GAME, nodes: 1000, ...options })).best;
  const ofSeeds = [];
  for (let seed = 0; seed < 8; seed += 1) {
    ofSeeds.push(await best({ level: 1, seed }));
  }
  const legal = await engine.legalMoves(GAME);
  assert.ok(new Set(ofSeeds).size > 1 && ofSeeds.every((move) => legal.includes(move)));
  assert.deepEqual([await best({ level: 1 }), await best({ elo: 0, seed: 3 })], [ofSeeds[0], ofSeeds[3]]);
});

both('invalid questions are rejected with the reason', async (engine) => {
  for (const [options, reason] of [
    [{ moves: ['z9'] }, /move 1/],
    [{ moves: 'a1' }, /invalid moves "a1": expected an array of moves as text/],
    [{ moves: [1] }, /invalid moves \[array\]/],
    [{ moves: ['a1\ud800'] }, /half of a surrogate pair/],
    [{ moves: Array(200_000).fill('a1') }, /move 2, a1, is not possible/],
    [{ tps: 5 }, /invalid tps 5: expected a text/],
    [{ size: '6' }, /invalid size "6": expected a whole number from 3 to 8/],
    [{ size: null }, /invalid size null/],
    [{ komi: NaN }, /invalid komi NaN/],
    [{ komi: 1e9 }, /invalid komi 1000000000: expected whole or half flats from -10 to 10/],
    [{ opening: 'late' }, /invalid opening "late": expected swap, no-swap or double-black/],
    [{ reserves: [[300, 0], [1, 1]] }, /invalid reserves/],
    [{ nodes: -1 }, /invalid nodes -1: expected a whole number from 1/],
    [{ nodes: 'many' }, /invalid nodes "many"/],
    [{ movetime: null }, /invalid movetime null: expected milliseconds/],
    [{ moveTime: 100 }, /unknown option "moveTime": expected movetime/],
    [{ time: 100 }, /unknown option "time": expected tps, moves, /],
    [{ signal: {} }, /invalid signal \[object\]: expected an AbortSignal/],
    [{ tps: 'x3/x3' }, /position cannot be read/],
    [{ size: 9 }, /size/],
    [{ komi: 0.3 }, /invalid komi 0.3/],
    [{ multipv: 65 }, /invalid multipv 65: expected a whole number from 1 to 64/],
    [{ level: 31 }, /invalid level 31: expected a whole number from 0 to 30/],
  ]) {
    await assert.rejects(engine.analyse({ nodes: 100, ...options }), reason);
  }
  for (const text of [undefined, 5, {}, '', '\ud800', 'z9', 'x'.repeat(3_000_000)]) {
    await assert.rejects(engine.parsePtn(text), Error);
    await assert.rejects(engine.annotate(text), Error);
  }
  for (const move of [undefined, 5, '', 'x'.repeat(1_000_000)]) {
    await assert.rejects(engine.play({}, move), Error);
  }
  for (const game of [null, 'a1', [], { sise: 5 }]) {
    for (const call of [engine.legalMoves(game), engine.result(game), engine.play(game, 'a1'), engine.text(game)]) {
      await assert.rejects(call, /(invalid game|unknown game key)/);
    }
  }
  await assert.rejects(engine.analyse(), /invalid option undefined: expected an object/);
  await assert.rejects(engine.annotate('1. a1', { node: 1 }), /unknown option "node": expected nodes, /);
  await assert.rejects(engine.text({}, { White: 'Ann' }), /unknown name key "White": expected white/);
  await assert.rejects(engine.reasons({}, { moves: ['a1'], winner: 'Ann' }), /invalid winner "Ann"/);
  assert.ok((await engine.analyse({ nodes: 100 })).best);
});

both('a search ends at the first of its limits', async (engine) => {
  assert.equal((await engine.analyse({ ...GAME, depth: 2, nodes: 1e9, movetime: 1e6 })).depth, 2);
  assert.ok((await engine.analyse({ ...GAME, depth: 60, nodes: 2_000 })).nodes < 4_000);
  assert.equal((await engine.analyse({ ...GAME, depth: 2, multipv: 64 })).lines.length, 64);
});

both('a game that was read can be analysed', async (engine) => {
  const game = await engine.parsePtn('[Size "5"]\n[Event "club"]\n\n1. a1 e5 2. c3');
  assert.ok((await engine.analyse({ ...game, depth: 1 })).best);
  assert.deepEqual(Object.keys(await engine.text(game)), ['ptn', 'tps']);
});

test('a refused size of the table rejects the start', async () => {
  for (const hash of [0, 1.5, 1025, 'x']) {
    await assert.rejects(TakEngine.start({ hash }), /invalid hash .*: expected whole MiB from 1 to 1024/);
  }
  for (const [name, expected] of [['wasm', 'an address or'], ['weights', 'a folder or'], ['worker', 'a function']]) {
    for (const value of [5, null, {}].slice(0, name === 'weights' ? 2 : 3)) {
      await assert.rejects(TakEngine.start({ [name]: value }), (error) => error instanceof TypeError && error.message.startsWith(`invalid ${name} ${value && typeof value === 'object' ? '[object]' : value}: expected ${expected}`) || assert.fail(`${error}`));
    }
  }
  await assert.rejects(TakEngine.start({ worker: () => {} }), /invalid worker: it is for browsers/);
  assert.throws(() => new TakEngine(), /an engine is made by TakEngine\.start\(\)/);
});

test('after a failure the next search works', async () => {
  const engine = await TakEngine.start({ hash: 1 });
  const failing = engine.analyse({
    ...GAME,
    onInfo() {
      throw new Error('as a page might');
    },
  });
  await assert.rejects(failing, /as a page might/);
  assert.ok((await engine.analyse({ ...GAME, depth: 2 })).best);
  engine.close();
});

test('a worker that fails before its first job is replaced', async () => {
  let started = 0;
  let fail;
  const startWorker = (hear) => {
    started += 1;
    if (started > 1) {
      return node.startWorker(hear);
    }
    fail = hear;
    return { post: () => {}, end: () => {} };
  };
  const searcher = new Searcher({ ...node, startWorker }, await node.compile(node.wasm));
  try {
    fail({ failed: 'its script cannot be loaded' });
    const said = [];
    await searcher.run({ do: 'hello' }, (text) => said.push(text));
    assert.match(said[0], /"hello"/);
    assert.equal(started, 2);
  } finally {
    searcher.close();
  }
});

test('a closed engine rejects everything', async () => {
  const engine = await TakEngine.start({ hash: 1 });
  const search = engine.analyse(GAME);
  engine.close();
  const asked = [search, engine.analyse(GAME), engine.legalMoves(GAME), engine.parsePtn('1. a1')];
  for (const { reason } of await Promise.allSettled(asked)) {
    assert.ok(reason instanceof Closed, reason);
  }
  engine.stop();
  engine.close();
});

test('weights are loaded when their size is searched', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tak-engine-'));
  const copy = (from, to) => cpSync(new URL(`../js/weights-${from}.bin`, import.meta.url), join(folder, `weights-${to}.bin`));
  const engine = await TakEngine.start({ hash: 1, weights: pathToFileURL(`${folder}/`) });
  try {
    const search = () => engine.analyse({ size: 6, depth: 2 });
    await assert.rejects(search(), /weights-6\.bin/);
    copy(5, 6);
    await assert.rejects(search(), /invalid weights: expected those of tak-engine [0-9.]+ for 6x6/);
    copy(6, 6);
    assert.ok((await search()).best);
    copy(5, 5);
    assert.ok((await engine.analyse({ ...GAME, depth: 2 })).best);
  } finally {
    engine.close();
    rmSync(folder, { recursive: true });
  }
});

test('only the weights that are named are loaded', async () => {
  const engine = await TakEngine.start({ hash: 1, weights: [five] });
  assert.ok((await engine.analyse({ ...GAME, depth: 2 })).best);
  await assert.rejects(engine.analyse({ size: 6, depth: 2 }), /no weights for 6x6 are given/);
  engine.close();
  await assert.rejects(TakEngine.start({ hashSize: 1 }), /unknown option "hashSize": expected hash, wasm, weights, worker/);
});

test('files are named by addresses and by paths', async () => {
  const folder = new URL('../js', import.meta.url);
  const path = fileURLToPath(folder);
  for (const weights of [folder, folder.href, `${folder.href}/`, path, `${path}/`, relative('', path)]) {
    const wasm = typeof weights === 'string' ? `${weights}/tak-engine.wasm` : new URL('js/tak-engine.wasm', folder);
    const engine = await TakEngine.start({ hash: 1, wasm, weights });
    assert.ok((await engine.analyse({ size: 3, depth: 1 })).best);
    engine.close();
  }
});

test('a module of something else is refused', async () => {
  const empty = new WebAssembly.Module(readFileSync(new URL('empty.wasm', import.meta.url)));
  await assert.rejects(TakEngine.start({ wasm: empty }), Error);
});
