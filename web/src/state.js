// Storage of the game of this tab, over reloads and restarts. Each tab has its own game; a new tab starts with the last
// one.

import { Tree } from './tree.js';

const KEY = 'tak-engine';

/** The state of a new tab. */
export const EMPTY = {
  start: { size: 6, opening: 'swap' },
  moves: [],
  /** The number of moves on the board, and the number played in the game while an earlier move is shown. */
  at: 0,
  present: 0,
  /** All lines of the game, see tree.js. */
  tree: [],
  /** Branches cut off by another move, for undo, the latest last: {at, moves, ended}; and those for redo. */
  cuts: [],
  uncut: [],
  /** Earlier games, the latest last. */
  former: [],
  /** engine, two, self or analysis. */
  mode: 'engine',
  /** The colour of the engine's opponent. */
  human: 'white',
  /** The level that this user wins and loses against alike, and the seed of the last game that counted. */
  even: 5,
  judged: 0,
  /** The seconds between two moves of the engine with itself, and whether that game is paused. */
  pace: 1,
  paused: false,
  /** The number of moves taken back in a game against the engine. */
  takebacks: 0,
  /** The engine's level, 0 for full strength, its random seed, and its seconds per move without a clock. */
  level: 5,
  seed: 0,
  seconds: 2,
  /** The clock of new games: on or off, minutes per player, seconds added per move. */
  timing: { isClock: false, minutes: 10, increment: 5 },
  /** Milliseconds left for each player, if there is a clock. */
  clock: null,
  /** The name of the user, and the players of this game; the other tags of a file are in `tags`. */
  you: '',
  names: { white: '', black: 'tak-engine level 5' },
  /** {winner, says, result, isTime} of a game that did not end on the board. */
  ended: null,
  /** The annotation of a game: {start, moves, and the program's answer}. */
  annotation: null,
  analysing: false,
  lines: 3,
  flipped: false,
  callsTak: true,
  /** The colours: plain, wood or contrast. */
  theme: 'plain',
  /** The colour in the next game with a random colour; null for the first. */
  nextColor: null,
};

const CHOICES = { mode: ['engine', 'two', 'self', 'analysis'], human: ['white', 'black'], theme: ['plain', 'wood', 'contrast'] };

const isText = (value) => typeof value === 'string';
const isCount = (value) => Number.isSafeInteger(value) && value >= 0;
const areMoves = (value) => Array.isArray(value) && value.every(isText);

/** Returns whether a value has the structure of another one, with finite numbers. Null there matches anything. */
function isLike(value, pattern) {
  if (pattern === null) {
    return true;
  }
  if (value === null || typeof value !== typeof pattern || Array.isArray(value) !== Array.isArray(pattern)) {
    return false;
  }
  if (typeof value === 'number') {
    return Number.isFinite(value);
  }
  return typeof pattern !== 'object' || Object.entries(pattern).every(([key, part]) => isLike(value[key], part));
}

/** Returns whether the remarks and the chances are those of each move. */
function isAnnotation(annotation) {
  const { start, moves } = EMPTY;
  if (!isLike(annotation, { start, moves, said: [], chances: [] })) {
    return false;
  }
  const { said, chances } = annotation;
  return areMoves(annotation.moves) && said.length <= annotation.moves.length && chances.length === said.length + 1
    && said.every((each) => isLike(each, { marks: '', says: [] }) && each.says.every(isText))
    && chances.every((chance) => isLike(chance, 0) && chance >= 0 && chance <= 100);
}

/** Returns whether the page can work with a state. The program checks it by the rules. */
function isWhole(state) {
  if (!isLike(state, EMPTY)) {
    return false;
  }
  const { start, moves, at, present, tree, clock, ended, annotation, cuts, uncut, former, names: { comments = [] } } = state;
  const { level, even, takebacks, lines, seconds, pace, timing: { minutes, increment } } = state;
  return Object.entries(CHOICES).every(([key, values]) => values.includes(state[key]))
    && areMoves(moves) && [at, present].every((count) => isCount(count) && count <= moves.length)
    && tree.every(Array.isArray)
    && [start.size, level, even, takebacks, lines].every(isCount)
    && [seconds, pace, minutes, increment].every((number) => number >= 0)
    && areMoves(comments)
    && (clock === null || isLike(clock, { white: 0, black: 0 }))
    && (ended === null || isLike(ended, { result: '', says: '' }))
    && (annotation === null || isAnnotation(annotation))
    && [...cuts, ...uncut].every((each) => isLike(each, { at: 0, moves: [] }) && isCount(each.at) && areMoves(each.moves))
    && former.every((each) => isLike(each, { start: {}, moves: [] }) && isWhole(completed(each)));
}

/** A state with the usual values of what is missing. */
const completed = (kept) => ({ ...EMPTY, present: kept.at, ...kept });

function read(storage) {
  try {
    const state = completed(JSON.parse(window[storage].getItem(KEY)));
    return isWhole(state) ? state : null;
  } catch {
    return null;
  }
}

export const load = () => read('sessionStorage') ?? read('localStorage') ?? { ...EMPTY };

/** Returns whether this tab played the game with this seed before the page was loaded again. */
export const wasHere = (seed) => read('sessionStorage')?.seed === seed;

/** Milliseconds in which another step may follow. */
const STEPS = 200;

/** Stores the states of this tab. A long game takes a while, so that it is not stored with every step through it. */
export class Store {
  /** `told` is called with whether the last state is stored. */
  constructor(told) {
    Object.assign(this, { told, stored: null, state: null, timer: 0 });
  }

  keep(state) {
    const { stored } = this;
    const isGame = stored?.tree === state.tree && stored.moves === state.moves;
    this.state = state;
    clearTimeout(this.timer);
    if (isGame && (state.mode === 'analysis' || stored.present === state.present)) {
      this.timer = setTimeout(() => this.flush(), STEPS);
    } else {
      this.flush();
    }
  }

  flush() {
    clearTimeout(this.timer);
    if (this.state !== this.stored) {
      this.stored = this.state;
      this.told(save(this.state));
    }
  }
}

/** Stores a state. Returns whether a closed tab leaves it: full or forbidden storage does not prevent play. */
function save(state) {
  // If there is no space for earlier games, store the game alone.
  return ['sessionStorage', 'localStorage']
    .map((storage) => put(storage, state) || put(storage, { ...state, former: [] }))
    .every((isStored) => isStored);
}

function put(storage, state) {
  try {
    window[storage].setItem(KEY, JSON.stringify(state));
    return true;
  } catch {
    return false;
  }
}

/** The part of the state that belongs to the game, not to the tab. */
export function gameOf({ former, pace, you, analysing, lines, callsTak, theme, nextColor, even, judged, ...game }) {
  return game;
}

/** A game as the fragment of a URL: its moves, or all its lines, and the names of the players. */
export function toLink({ start, moves, tree, ended, names: { white, black } }) {
  const hasNotes = tree.some((line) => line.slice(2).some(Array.isArray));
  const game = tree.length > 1 || ended || hasNotes ? { tree } : { moves };
  const names = white || black ? { names: { white, black } } : {};
  const bytes = new TextEncoder().encode(JSON.stringify({ start, ...game, ...names }));
  return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

const NAMELESS = { white: '', black: '' };
const isPair = (value, isPart) => Array.isArray(value) && value.length === 2 && value.every(isPart);

/** Returns whether a start has all fields that the program needs. */
function isStart({ size, half_komi: komi = 0, opening, reserves = null, tps = null }) {
  return isCount(size) && Number.isSafeInteger(komi) && isText(opening) && (tps === null || isText(tps))
    && (reserves === null || isPair(reserves, (each) => isPair(each, (count) => isCount(count) && count < 256)));
}

/** The game of such a fragment, or null: {start, moves, tree, names, ended}. */
export function fromLink(text) {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
    const { start, moves, tree: lines, names: { white, black } = NAMELESS } = JSON.parse(new TextDecoder().decode(bytes));
    const names = { white, black };
    if (!isStart(start) || !isLike(names, NAMELESS)) {
      return null;
    }
    if (Array.isArray(lines)) {
      const tree = Tree.read(lines);
      const main = tree.lineThrough(tree.root);
      return { start, moves: main, tree: lines, names, ended: tree.find(main).at(-1).ended };
    }
    return Array.isArray(moves) && moves.every(isText) ? { start, moves, tree: [], names, ended: null } : null;
  } catch {
    return null;
  }
}
