// Games by the rules, without a worker: `init` is awaited once, and every call after it answers at once.

import { GAME, PICTURE, STORED, USUAL, check, checkTags, checkText, plain, shown } from '../js/options.js';
import packed from './tak_engine_rules.deflate';
import load, { Rules } from './tak_engine_rules.js';

const WIDTH = 480;

/** The promise of the module. */
let loading = null;
let isLoaded = false;

async function start() {
  const bytes = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
  await load({ module_or_path: await new Response(bytes).arrayBuffer() });
  isLoaded = true;
}

export function init() {
  loading ??= start();
  return loading;
}

function checkLoaded() {
  if (!isLoaded) {
    throw new Error('the rules are not loaded: await init() before the first game');
  }
}

/** What takes the place of a game that was freed. */
const FREED = new Proxy({}, {
  get() {
    throw new Error('this game was freed');
  },
});

/** A pair of pairs from four numbers. */
const paired = ([stones, caps, others, otherCaps]) => [
  [stones, caps],
  [others, otherCaps],
];

/** The game of a caller, played to its last move. */
function played(game) {
  checkLoaded();
  check('game', game, GAME);
  const { size = USUAL.size, komi = USUAL.komi, opening = USUAL.opening, tps, reserves = [], moves = [] } = game;
  const rules = new Rules(size, komi * 2, opening, tps, Uint8Array.from(reserves.flat()));
  for (const [index, move] of moves.entries()) {
    try {
      rules.play(move);
    } catch (error) {
      rules.free();
      throw new Error(`move ${index + 1}: ${error.message}`);
    }
  }
  return rules;
}

/** A square with the text of its stack in TPS. */
function occupied(square, stack) {
  if (stack === '') {
    return null;
  }
  const types = { S: 'wall', C: 'capstone' };
  const colors = [...stack].filter((each) => !types[each]).map((each) => (each === '1' ? 'white' : 'black'));
  return { square, color: colors.at(-1), type: types[stack.at(-1)] ?? 'flat', stack: colors };
}

export class Game {
  #rules;

  constructor(game = {}) {
    this.#rules = game instanceof Rules ? game : played(plain(game));
    // `{ ...game }` takes this along, and nothing else.
    Object.defineProperty(this, STORED, { enumerable: true, get: this.toJSON });
  }

  static fromPtn(text) {
    checkLoaded();
    checkText(text, 'PTN');
    return new Game(Rules.fromPtn(text));
  }

  copy() {
    return new Game(this.#rules.copy());
  }

  free() {
    this.#rules.free();
    this.#rules = FREED;
  }

  get size() {
    return this.#rules.size();
  }

  get komi() {
    return this.#rules.halfKomi() / 2;
  }

  get opening() {
    return this.#rules.opening();
  }

  get reserves() {
    return paired(this.#rules.reserves());
  }

  get flats() {
    return [...this.#rules.flats()];
  }

  get turn() {
    return this.#rules.turn();
  }

  get ply() {
    return this.#rules.ply();
  }

  get moveNumber() {
    return this.#rules.moveNumber();
  }

  get tps() {
    return this.#rules.tps();
  }

  get occurrences() {
    return this.#rules.occurrences();
  }

  get result() {
    return this.#rules.result();
  }

  get outcome() {
    const { result } = this;
    const rules = this.#rules;
    const [winner, reason, says] = [rules.winner(), rules.reason(), rules.ended()];
    return result && { result, winner, reason, says, road: rules.road() };
  }

  isGameOver() {
    return this.result !== null;
  }

  legalMoves() {
    return this.#rules.legalMoves();
  }

  isLegal(move) {
    checkText(move, 'move');
    return this.#rules.isLegal(move);
  }

  play(move) {
    checkText(move, 'move');
    return this.#rules.play(move);
  }

  undo() {
    return this.#rules.undo();
  }

  history() {
    return this.#rules.history();
  }

  board() {
    const { size } = this;
    const squares = this.#rules.stacks().map((stack, index) => {
      const file = String.fromCharCode(97 + (index % size));
      return occupied(`${file}${size - Math.floor(index / size)}`, stack);
    });
    return Array.from({ length: size }, (_, row) => squares.slice(row * size, (row + 1) * size));
  }

  get(square) {
    const { size } = this;
    const last = `${String.fromCharCode(96 + size)}${size}`;
    checkText(square, 'square');
    const [column, row] = [square.charCodeAt(0) - 97, Number(square[1]) - 1];
    if (!/^[a-h][1-8]$/.test(square) || column >= size || row >= size) {
      throw new RangeError(`invalid square ${shown(square)}: expected a1 to ${last}`);
    }
    return this.board()[size - 1 - row][column];
  }

  get tags() {
    const all = this.#rules.tags();
    return Object.fromEntries(all.flatMap((name, index) => (index % 2 === 0 ? [[name, all[index + 1]]] : [])));
  }

  get note() {
    return this.#rules.note();
  }

  toPtn(tags = {}) {
    checkTags(tags);
    return this.#rules.toPtn(Object.entries(tags).flat());
  }

  toJSON() {
    const { size, komi, opening } = this;
    const reserves = paired(this.#rules.startReserves());
    return { size, komi, opening, reserves, tps: this.#rules.startTps(), moves: this.history() };
  }

  svg(options = {}) {
    check('option', options, PICTURE);
    const { theme = 'light', width = WIDTH, flipped = false, moves = [] } = options;
    return this.#rules.svg(theme, width, flipped, moves);
  }

  ascii() {
    return this.#rules.ascii();
  }

  toString() {
    return this.ascii();
  }

  /** What the console of Node shows. */
  [Symbol.for('nodejs.util.inspect.custom')]() {
    return `Game ${JSON.stringify(this)}`;
  }
}
