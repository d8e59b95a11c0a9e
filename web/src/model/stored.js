// Storage of the games of this tab, over reloads and restarts. Each tab has its own; a new tab starts with the last ones.
// What version 0.2.0 stored is taken over.

/** @import { Doc, Settings, StoredGame, State } from '../types.js' */

import { blank, SECOND, shown, storedOf } from './doc.js';
import { Tree } from './tree.js';

/** Where the files are that are not in the library yet. The page may be loaded again before they are. */
export const KEEPING = 'tak-engine-files';
const KEY = 'tak-engine';
const VERSION = 2;
/** The maximum number of stored earlier games. */
const MOST_GAMES = 5;

/** @type {Settings} */
export const SETTINGS = {
  board: 'wood',
  colours: 'system',
  callsTak: true,
  coordinates: true,
  numbers: false,
  animates: true,
  sounds: false,
  analysing: false,
  lines: 3,
  pace: 1,
  you: '',
  even: 5,
  judged: 0,
  nextColor: null,
  level: 5,
  seconds: 2,
  timing: { isClock: false, minutes: 10, increment: 5 },
};

/** @type {Record<string, unknown[]>} */
const CHOICES = {
  board: ['wood', 'slate', 'contrast'],
  colours: ['system', 'light', 'dark'],
  nextColor: [null, 'white', 'black'],
};
const GAME = storedOf(blank('game', { level: SETTINGS.level }));
/** Nobody is the user in a game of a file. */
const PATTERN = { ...GAME, human: null };

/** @type {(value: unknown) => value is string} */
const isText = (value) => typeof value === 'string';
/** @type {(value: any) => boolean} */
const isCount = (value) => Number.isSafeInteger(value) && value >= 0;
/** @type {(value: unknown) => value is string[]} */
const areMoves = (value) => Array.isArray(value) && value.every(isText);

/**
 * Returns whether a value has the structure of another one, with finite numbers. Null there matches anything.
 * @param {any} value
 * @param {any} pattern
 * @returns {boolean}
 */
export function isLike(value, pattern) {
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

/** @type {(annotation: any) => boolean} */
function isAnnotation(annotation) {
  if (!isLike(annotation, { start: { size: 6, opening: '' }, moves: [], said: [], chances: [] })) {
    return false;
  }
  const { said, chances } = annotation;
  return (
    areMoves(annotation.moves) &&
    said.length <= annotation.moves.length &&
    chances.length === said.length + 1 &&
    said.every((/** @type {any} */ each) => isLike(each, { marks: '', says: [] }) && each.says.every(isText)) &&
    chances.every((/** @type {any} */ chance) => isLike(chance, 0) && chance >= 0 && chance <= 100)
  );
}

/**
 * Returns whether the page can work with a game. The program checks it by the rules.
 * @param {any} game
 */
function isGame(game) {
  if (!isLike(game, PATTERN)) {
    return false;
  }
  const {
    start,
    moves,
    at,
    present,
    tree,
    clock,
    ended,
    annotation,
    cuts,
    uncut,
    names: { comments = [] },
  } = game;
  const {
    level,
    otherLevel,
    takebacks,
    seconds,
    series,
    timing: { minutes, increment },
  } = game;
  return (
    ['engine', 'two', 'self', 'free'].includes(game.mode) &&
    ['white', 'black', 'both', null].includes(game.human) &&
    areMoves(moves) &&
    [at, present].every((count) => isCount(count) && count <= moves.length) &&
    tree.every(Array.isArray) &&
    [start.size, level - SECOND, otherLevel - SECOND, takebacks].every(isCount) &&
    [seconds, minutes, increment].every((number) => number >= 0) &&
    areMoves(comments) &&
    (clock === null || isLike(clock, { white: 0, black: 0 })) &&
    (ended === null || isLike(ended, { result: '', says: '' })) &&
    (annotation === null || isAnnotation(annotation)) &&
    (series === null || isLike(series, { total: 0, first: 0, second: 0, points: 0, played: 0 })) &&
    [...cuts, ...uncut].every((each) => isLike(each, { at: 0, moves: [] }) && isCount(each.at) && areMoves(each.moves))
  );
}

/** The settings that are valid, and the usual values of the others. @type {(kept: any) => Settings} */
function readSettings(kept) {
  const valid = Object.entries(SETTINGS).filter(
    ([key, usual]) =>
      kept !== null &&
      typeof kept === 'object' &&
      isLike(kept[key], usual) &&
      (CHOICES[key]?.includes(kept[key]) ?? kept[key] !== undefined) &&
      (typeof usual !== 'number' || kept[key] >= 0),
  );
  const settings = { ...SETTINGS, ...Object.fromEntries(valid.map(([key]) => [key, kept[key]])) };
  return { ...settings, lines: Math.max(1, Math.min(5, Math.round(settings.lines))) };
}

/** A game with the usual values of what is missing. @type {(kept: any) => any} */
const completed = (kept) => ({ ...GAME, present: kept?.at, ...kept });

/**
 * What is stored, in the present form.
 * @param {any} kept
 */
function renewed(kept) {
  if (kept?.version === VERSION) {
    return kept;
  }
  // Version 0.2.0 had one game, which an analysis board took the place of, and its settings beside it.
  const { former = [], theme, pace, you, analysing, lines, callsTak, nextColor, even, judged, ...game } = kept ?? {};
  const level = game.level ?? SETTINGS.level;
  const settings = {
    pace,
    you,
    analysing,
    lines,
    callsTak,
    nextColor,
    even,
    judged,
    level,
    seconds: game.seconds,
    timing: game.timing,
  };
  const boards = { contrast: 'contrast' };
  /** @param {any} each */
  const own = (each) => ({
    ...each,
    otherLevel: each.level ?? SETTINGS.level,
    mode: each.mode === 'analysis' ? 'free' : (each.mode ?? 'engine'),
  });
  const isStudy = game.mode === 'analysis';
  return {
    version: VERSION,
    settings: { ...settings, board: boards[/** @type {keyof typeof boards} */ (theme)] ?? 'wood' },
    game: isStudy ? null : own(game),
    study: isStudy ? { ...own(game), clock: null } : null,
    former: Array.isArray(former) ? former.map(own) : null,
    route: isStudy ? 'analysis' : 'play',
  };
}

/**
 * A document as it was stored; null if it is not valid.
 * @param {'game' | 'study'} name
 * @param {any} kept
 * @returns {Doc | null}
 */
export function revived(name, kept) {
  const game = completed(kept);
  if (!kept || !isGame(game)) {
    return null;
  }
  const tree = Tree.read(game.tree);
  return { ...game, name, tree, path: tree.find(game.moves), edits: [] };
}

/**
 * @param {'sessionStorage' | 'localStorage'} storage
 */
function read(storage) {
  try {
    const text = window[storage].getItem(KEY);
    if (text === null) {
      return null;
    }
    const { settings, game, study, former, tps = null, route } = renewed(JSON.parse(text));
    const isWhole =
      [game, study].every((each) => each === null || isGame(completed(each))) &&
      Array.isArray(former) &&
      former.every((each) => isGame(completed(each)));
    return isWhole
      ? {
          settings: readSettings(settings),
          game: revived('game', game),
          study: revived('study', study),
          former: /** @type {StoredGame[]} */ (former.map(completed)),
          tps: isText(tps) ? tps : null,
          route: route === 'analysis' ? 'analysis' : 'play',
        }
      : null;
  } catch {
    return null;
  }
}

/** What this tab, or else the last one, has stored. */
export function load() {
  return read('sessionStorage') ?? read('localStorage');
}

/** The game of this tab before the page was loaded again. */
const seedBefore = read('sessionStorage')?.game?.seed;

/** Returns whether this tab played the game with this seed before the page was loaded again. @type {(seed: number) => boolean} */
export const wasHere = (seed) => seed === seedBefore;

/**
 * The earlier games with another one.
 * @param {StoredGame[]} former
 * @param {Doc} doc
 */
export function withFormer(former, doc) {
  return doc.moves.length > 0 ? [...former, storedOf(doc)].slice(-MOST_GAMES) : former;
}

/** Milliseconds in which another step may follow. */
const STEPS = 200;

/** What is stored of a state. @param {State} state */
function storedState(state) {
  const {
    docs: { game, study },
    former,
    settings,
    route,
  } = state;
  const { path, at } = shown(state);
  return {
    version: VERSION,
    settings,
    game: storedOf(game),
    study: study.moves.length > 0 || study.start.tps ? storedOf(study) : null,
    former,
    tps: path[at]?.tps ?? null,
    route: route === 'analysis' ? 'analysis' : 'play',
  };
}

/** @typedef {ReturnType<typeof storedState>} Stored */

/** Returns whether two games are the same but for their clocks. @type {(one: StoredGame | null, other: StoredGame | null) => boolean} */
const isSameGame = (one, other) =>
  one === other ||
  (one !== null &&
    Object.entries(one).every(
      ([key, value]) => key === 'clock' || other?.[/** @type {keyof StoredGame} */ (key)] === value,
    ));

/** Returns whether two states are the same but for their clocks. @type {(one: Stored, other: Stored) => boolean} */
const isSameState = (one, other) =>
  isSameGame(one.game, other.game) &&
  isSameGame(one.study, other.study) &&
  one.former === other.former &&
  one.settings === other.settings &&
  one.tps === other.tps &&
  one.route === other.route;

/** Stores the state of this tab. A long game takes a while, so that it is not stored with every step through it. */
export class Keeper {
  /** @type {Stored | null} */
  #stored = null;
  /** @type {Stored | null} */
  #state = null;
  #timer = 0;

  /** @param {(isStored: boolean) => void} told is called with whether the last state is stored */
  constructor(told) {
    this.told = told;
  }

  /** @param {State} state */
  keep(state) {
    const before = this.#state;
    const now = storedState(state);
    this.#state = now;
    if (before && isSameState(before, now)) {
      return;
    }
    clearTimeout(this.#timer);
    const isMove =
      before?.game.present !== now.game.present ||
      before.game.moves !== now.game.moves ||
      before.former !== now.former ||
      before.study?.moves !== now.study?.moves ||
      before.settings !== now.settings;
    if (isMove) {
      this.flush();
    } else {
      this.#timer = window.setTimeout(() => this.flush(), STEPS);
    }
  }

  /** Stores what is not stored yet. What other tabs have stored since then stays if there is nothing. */
  flush() {
    clearTimeout(this.#timer);
    const [now, stored] = [this.#state, this.#stored];
    if (now && !(stored && isSameState(stored, now) && stored.game.clock === now.game.clock)) {
      this.#stored = now;
      this.told(save(now));
    }
  }
}

/** Stores a state. Returns whether a closed tab leaves it: full or forbidden storage does not prevent play. @type {(kept: Stored) => boolean} */
function save(kept) {
  // If there is no space for earlier games, the present ones are stored alone.
  return /** @type {const} */ (['sessionStorage', 'localStorage'])
    .map((storage) => put(storage, kept) || put(storage, { ...kept, former: [] }))
    .every((isStored) => isStored);
}

/**
 * @param {'sessionStorage' | 'localStorage'} storage
 * @param {object} kept
 */
function put(storage, kept) {
  try {
    window[storage].setItem(KEY, JSON.stringify(kept));
    return true;
  } catch {
    return false;
  }
}
