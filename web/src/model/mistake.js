// Mistakes of the user as puzzles: what counts as one clearly best answer, and when each is shown again.

/** @import { Color, ReportLine } from '../protocol.js' */
/** @import { Mistake, Puzzle } from '../types.js' */

import { dayOf, isPuzzle, keyOf } from './puzzle-list.js';

/** Days until the first, the second and each later time. */
const DAYS = [1, 3, 10];
/** The times to solve it. */
const TIMES = 2;
/** Thousandths by which the answer is better than every other move. */
const MARGIN = 300;
/** Thousandths whose loss makes a move a mistake. */
const MISTAKE_THOUSANDTHS = 100;
/** A player with as many thousandths keeps a won game, or a level one. */
const GOAL_THOUSANDTHS = [700, 300];

/** The expected score of a player by a line, in thousandths. @type {(line: ReportLine, color: Color) => number} */
export const scoreOf = ({ chances: [white, draw, black] }, color) => (color === 'white' ? white : black) + draw / 2;

/** @type {(best: number, other: number) => boolean} */
const isClear = (best, other) =>
  best - other >= MARGIN && GOAL_THOUSANDTHS.some((least) => best >= least && other < least);

/** The square of a move that places a piece. @type {(move: string) => string | undefined} */
const placedOn = (move) => /^[SC]?([a-h]\d)$/.exec(move)?.[1];

/** Returns whether two moves are the same or place pieces on one square. @type {(one: string, other: string) => boolean} */
export const areTwins = (one, other) => one === other || (placedOn(one) ?? '') === placedOn(other);

/**
 * The good ones of some moves with the expected scores after them, of which the first is the best: that one, and other
 * pieces on its square that are no mistakes; none if one of them is not clearly better than each of the others. The
 * program has the same rule (src/analysis/puzzles/best.rs).
 * @param {[move: string, score: number][]} moves
 * @returns {string[]}
 */
export function rightMoves(moves) {
  const [best, most] = moves[0] ?? ['', 0];
  const isRight = (/** @type {[string, number]} */ [move, score]) =>
    areTwins(move, best) && most - score < MISTAKE_THOUSANDTHS;
  const scores = (/** @type {boolean} */ right) =>
    moves.filter((each) => isRight(each) === right).map(([, score]) => score);
  const wrong = scores(false);
  const isSure = wrong.length > 0 && isClear(Math.min(...scores(true)), Math.max(...wrong));
  return isSure ? moves.filter(isRight).map(([move]) => move) : [];
}

/** @type {(value: any) => boolean} */
const isCount = (value) => Number.isSafeInteger(value) && value >= 0;
/** @type {(value: any) => boolean} */
const isText = (value) => typeof value === 'string';

/** Returns whether the page can work with a stored mistake. @type {(mistake: any) => mistake is Mistake} */
export function isMistake(mistake) {
  const { key, puzzle, played, game, added, shown, solved, due } = mistake ?? {};
  return (
    isPuzzle(puzzle) &&
    [key, played, game?.white, game?.black].every(isText) &&
    Array.isArray(game.tags) &&
    game.tags.every((/** @type {any} */ tag) => Array.isArray(tag) && tag.length === 2 && tag.every(isText)) &&
    [added, shown, solved, due].every(isCount)
  );
}

/**
 * A mistake that was just found.
 * @param {Puzzle} puzzle
 * @param {string} played
 * @param {Mistake['game']} game
 * @param {Date} now
 * @returns {Mistake}
 */
export const found = (puzzle, played, game, now) => ({
  key: keyOf(puzzle),
  puzzle,
  played,
  game,
  added: now.getTime(),
  shown: 0,
  solved: 0,
  due: dayOf(now) + DAYS[0],
});

/** Returns whether it was solved often enough. @type {(mistake: Mistake) => boolean} */
export const isLearnt = ({ solved }) => solved >= TIMES;

/** Returns whether it is shown on a day. @type {(mistake: Mistake, day: number) => boolean} */
export const isDue = (mistake, day) => !isLearnt(mistake) && mistake.due <= day;

/**
 * A mistake after it was shown on a day. Only the first try counts, and none before it is due.
 * @param {Mistake} mistake
 * @param {boolean} isSolved
 * @param {number} day
 * @returns {Mistake}
 */
export function tried(mistake, isSolved, day) {
  if (!isDue(mistake, day)) {
    return mistake;
  }
  const shown = mistake.shown + 1;
  return {
    ...mistake,
    shown,
    solved: mistake.solved + Number(isSolved),
    due: day + DAYS[Math.min(shown, DAYS.length - 1)],
  };
}

/**
 * The mistakes in the order in which they are shown: those that are due, then those that come later, then the others.
 * @param {readonly Mistake[]} mistakes
 * @param {number} day
 */
export function inOrder(mistakes, day) {
  /** @type {(mistake: Mistake) => number} */
  const rank = (mistake) => (isLearnt(mistake) ? 2 : isDue(mistake, day) ? 0 : 1);
  return [...mistakes].sort((a, b) => rank(a) - rank(b) || a.due - b.due || a.added - b.added);
}
