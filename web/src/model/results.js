// The solver's results: rating, streaks and the puzzles done. They stay in this browser.

/** @import { Puzzle, Results } from '../types.js' */

import { rated, UNKNOWN } from './glicko.js';
import { DEVIATION, keyOf, ratingOf } from './puzzle-list.js';

const KEY = 'tak-engine-puzzles';
/** What the file of results says that it is. */
const FORMAT = 'tak-engine puzzle results';

/** The most results of the history. */
const HISTORY = 200;

/** @type {Results} */
export const NONE = {
  ...UNKNOWN,
  /** Rated puzzles solved in a row now, and the most ever. */
  streak: 0,
  longest: 0,
  /** The last day whose puzzle was solved, and the days in a row up to it. */
  day: 0,
  days: 0,
  /** 1 for a puzzle that was solved at the first try, 0 for another one. */
  done: {},
  history: [],
};

/** @type {(value: number, least: number, most: number) => boolean} */
const isBetween = (value, least, most) => Number.isFinite(value) && value >= least && value <= most;

/** Results from a text, or null. Those of version 0.2.0 have no history. @type {(text: string | null) => Results | null} */
export function readResults(text) {
  try {
    const { format, done, history = [], ...numbers } = JSON.parse(text ?? '');
    const { rating, deviation, volatility, streak, longest, day, days } = numbers;
    const isWhole =
      format === FORMAT &&
      isBetween(rating, -5000, 10_000) &&
      isBetween(deviation, 1, 1000) &&
      isBetween(volatility, 0.0001, 1) &&
      [streak, longest, day, days].every((count) => Number.isSafeInteger(count) && count >= 0) &&
      typeof done === 'object' &&
      done !== null &&
      Object.values(done).every((mark) => mark === 0 || mark === 1) &&
      Array.isArray(history) &&
      history.every((each) => Array.isArray(each) && Number.isFinite(each[0]) && (each[1] === 0 || each[1] === 1));
    return isWhole ? { rating, deviation, volatility, streak, longest, day, days, done, history } : null;
  } catch {
    return null;
  }
}

/** @type {(results: Results) => string} */
export const writeResults = (results) => JSON.stringify({ format: FORMAT, ...results });

/**
 * The results after a puzzle. Only the first try at it counts. `day` is the number of today if it is today's puzzle.
 * @param {Results} results
 * @param {Puzzle} puzzle
 * @param {boolean} isSolved
 * @param {number | null} day
 * @returns {Results}
 */
export function after(results, puzzle, isSolved, day = null) {
  const key = keyOf(puzzle);
  let next = results;
  if (!Object.hasOwn(results.done, key)) {
    const game = { rating: ratingOf(puzzle), deviation: DEVIATION, score: Number(isSolved) };
    const streak = isSolved ? results.streak + 1 : 0;
    const longest = Math.max(results.longest, streak);
    const mark = /** @type {0 | 1} */ (Number(isSolved));
    const player = rated(results, [game]);
    const history = [...results.history, /** @type {[number, 0 | 1]} */ ([Math.round(player.rating), mark])].slice(
      -HISTORY,
    );
    next = { ...results, ...player, streak, longest, done: { ...results.done, [key]: mark }, history };
  }
  if (day !== null && isSolved && day > results.day) {
    next = { ...next, day, days: results.day === day - 1 ? results.days + 1 : 1 };
  }
  return next;
}

export function loadResults() {
  try {
    return readResults(localStorage.getItem(KEY)) ?? NONE;
  } catch {
    return NONE;
  }
}

/** Returns whether the browser stores them. @type {(results: Results) => boolean} */
export function saveResults(results) {
  try {
    localStorage.setItem(KEY, writeResults(results));
    return true;
  } catch {
    return false;
  }
}
