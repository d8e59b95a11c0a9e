// What is kept: the game of this tab, over reloads and restarts. Each tab has its own; a new tab begins with the last one.

const KEY = 'tak-engine';

/** A tab in which nothing has happened yet. */
export const EMPTY = {
  start: { size: 6, half_komi: 4, opening: 'swap' },
  moves: [],
  /** How many of them are on the board, and how many are played in the game while somebody looks at earlier ones. */
  at: 0,
  present: 0,
  /** What another move has cut off, to be undone, the last one last: {at, moves, ended}; and what was undone of that. */
  cuts: [],
  uncut: [],
  /** The games before this one, the last one last. */
  former: [],
  /** engine, two, self or analysis. */
  mode: 'engine',
  /** The colour of the person who plays with the engine. */
  human: 'white',
  /** The engine's strength, 0 for all of it, what it does by chance, and its seconds a move without a clock. */
  level: 5,
  seed: 0,
  seconds: 2,
  /** What new games are played with: a clock or none, minutes for each player, seconds more for each move. */
  timing: { isClock: false, minutes: 10, increment: 5 },
  /** Milliseconds left of each player, where there is a clock. */
  clock: null,
  /** What the person at this board is called, and the players of this game; with the other tags of a file in `tags`. */
  you: '',
  names: { white: '', black: 'tak-engine level 5' },
  /** {winner, says, result, isTime} of a game that did not end on the board. */
  ended: null,
  /** What was said of a game: {start, moves, and the answer of the program}. */
  annotation: null,
  analysing: false,
  lines: 3,
  flipped: false,
  callsTak: true,
  /** What the next game by lot gives; null for the first. */
  nextColor: null,
};

/** Whether a value is made like another one. Where that has null, anything may be. */
function isLike(value, pattern) {
  if (pattern === null) {
    return true;
  }
  if (value === null || typeof value !== typeof pattern || Array.isArray(value) !== Array.isArray(pattern)) {
    return false;
  }
  return typeof pattern !== 'object' || Object.entries(pattern).every(([key, part]) => isLike(value[key], part));
}

/** Whether the page can work with a state; what the rules say of it, the program tells. */
function isWhole(state) {
  const { clock, ended, annotation, cuts, uncut, former } = state;
  const { start, moves } = EMPTY;
  return isLike(state, EMPTY)
    && (clock === null || isLike(clock, { white: 0, black: 0 }))
    && (ended === null || isLike(ended, { result: '', says: '' }))
    && (annotation === null || isLike(annotation, { start, moves, said: [], chances: [] }))
    && [...cuts, ...uncut].every((each) => isLike(each, { at: 0, moves }))
    && former.every((each) => isLike(each, { start, moves }));
}

function read(storage) {
  try {
    const kept = JSON.parse(storage.getItem(KEY));
    const state = { ...EMPTY, present: kept.at, ...kept };
    return isWhole(state) ? state : null;
  } catch {
    return null;
  }
}

export const load = () => read(sessionStorage) ?? read(localStorage) ?? { ...EMPTY };

export function save(state) {
  for (const storage of [sessionStorage, localStorage]) {
    // The game itself, where there is no place for those before it. A full or forbidden storage keeps nobody from playing.
    put(storage, state) || put(storage, { ...state, former: [] });
  }
}

function put(storage, state) {
  try {
    storage.setItem(KEY, JSON.stringify(state));
    return true;
  } catch {
    return false;
  }
}

/** What belongs to a game, without what belongs to the tab. */
export function gameOf({ former, you, analysing, lines, callsTak, nextColor, ...game }) {
  return game;
}

/** A game as the part of an address behind #. */
export function toLink({ start, moves }) {
  const bytes = new TextEncoder().encode(JSON.stringify({ start, moves }));
  return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

const isCount = (value) => Number.isSafeInteger(value) && value >= 0;
const isPair = (value, isPart) => Array.isArray(value) && value.length === 2 && value.every(isPart);
const isText = (value) => typeof value === 'string';

/** Whether a start has all that the program needs to understand it. */
function isStart({ size, half_komi: komi, opening, reserves = null, tps = null }) {
  return isCount(size) && Number.isSafeInteger(komi) && isText(opening) && (tps === null || isText(tps))
    && (reserves === null || isPair(reserves, (each) => isPair(each, (count) => isCount(count) && count < 256)));
}

/** The game of such a part, or null. */
export function fromLink(text) {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
    const { start, moves } = JSON.parse(new TextDecoder().decode(bytes));
    return isStart(start) && Array.isArray(moves) && moves.every(isText) ? { start, moves } : null;
  } catch {
    return null;
  }
}
