// Puzzles as `tak-engine puzzles` writes them, one JSON object per line: reading, choosing, and links to one.

/** @import { Puzzle, SolutionStep } from '../types.js' */

import { widthOf } from './squares.js';

const MOST_PLIES = 30;
/** The most moves of a solution. */
const MOST_MOVES = 2000;
const MOVE = /^\d?[SCsc]?[a-h][1-8]([-+<>]\d*)?['!?*]*$/;

/** What puzzles are about, as docs/explanations.md defines it. */
export const THEMES = [
  'flatten',
  'long-spread',
  'quiet-start',
  'two-threats',
  'capstone-block',
  'edge-road',
  'centre-road',
  'few-pieces',
];

/** The difficulty is the number of a level. The Elo of the levels, which is a puzzle's rating, is near this line. */
const [LEVEL_0, PER_LEVEL] = [213, 104];
export const DEVIATION = 100;

/** @type {(value: any, most: number) => boolean} */
const isCount = (value, most) => Number.isInteger(value) && value >= 0 && value <= most;
/** @type {(value: any) => boolean} */
const isMove = (value) => typeof value === 'string' && value.length < 20 && MOVE.test(value);
/** @type {(value: any) => boolean} */
const isPair = (value) => Array.isArray(value) && value.length === 2 && value.every((each) => isCount(each, 255));

/** Returns whether this is a solution. @type {(solution: any) => boolean} */
function isSolution(solution) {
  const open = [solution];
  let moves = 0;
  while (open.length > 0) {
    const step = open.pop();
    moves += 1;
    if (!isMove(step?.move) || !Array.isArray(step.answers) || moves > MOST_MOVES) {
      return false;
    }
    open.push(...step.answers);
  }
  return true;
}

/** Returns whether the page can work with a puzzle. The program checks the position. @type {(puzzle: any) => puzzle is Puzzle} */
export function isPuzzle(puzzle) {
  const { kind, tps, size, komi, flats, caps, plies, difficulty, solution, also = [], wrong } = puzzle ?? {};
  return (
    (['defence', 'tinue', 'flats'].includes(kind)
      ? isCount(plies, MOST_PLIES) && plies > 0
      : kind === 'best' && plies === null) &&
    typeof tps === 'string' &&
    tps.length < 2000 &&
    isCount(size, 8) &&
    size >= 3 &&
    Number.isInteger(komi * 2) &&
    Math.abs(komi) < 100 &&
    isPair(flats) &&
    isPair(caps) &&
    isCount(difficulty, 99) &&
    isSolution(solution) &&
    Array.isArray(also) &&
    also.every(isMove) &&
    Array.isArray(wrong) &&
    wrong.every(({ move, answer } = {}) => isMove(move) && Array.isArray(answer) && answer.every(isMove))
  );
}

/**
 * The puzzles of a text, and the number of lines that are none.
 * @param {string} text
 * @returns {{puzzles: Puzzle[], skipped: number}}
 */
export function readLines(text) {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const puzzles = lines.flatMap((line) => {
    try {
      const puzzle = JSON.parse(line);
      return isPuzzle(puzzle) ? [{ ...puzzle, themes: themesOf(puzzle) }] : [];
    } catch {
      return [];
    }
  });
  return { puzzles, skipped: lines.length - puzzles.length };
}

/** The boards of the puzzles that come with the program. */
export const SIZES = [4, 5, 6, 7];
/** @type {Map<number, Puzzle[]>} */
const shipped = new Map();

/**
 * Loads the puzzles that come with the program for a board, or for all of them. Returns all that are loaded, by board.
 * @param {number | null} size
 */
export async function loadShipped(size) {
  const wanted = SIZES.filter((each) => !shipped.has(each) && (size === null || each === size));
  await Promise.all(
    wanted.map(async (each) => {
      const response = await fetch(`puzzles/${each}x${each}.jsonl`).catch(() => null);
      if (response?.ok) {
        shipped.set(each, readLines(await response.text()).puzzles);
      }
    }),
  );
  return SIZES.flatMap((each) => shipped.get(each) ?? []);
}

/** The themes of a puzzle that are known. @type {(puzzle: any) => string[]} */
const themesOf = ({ themes }) => (Array.isArray(themes) ? THEMES.filter((name) => themes.includes(name)) : []);

/** The first moves that are right. @type {(puzzle: Puzzle) => string[]} */
export const rightOf = ({ solution, also = [] }) => [solution.move, ...also];

/** What tells a puzzle from all others. @type {(puzzle: Puzzle) => string} */
export const keyOf = ({ kind, tps, komi }) => `${kind} ${tps} ${komi}`;

/** @type {(puzzle: Puzzle) => number} */
export const ratingOf = ({ difficulty }) => LEVEL_0 + PER_LEVEL * difficulty;

/** The kind as it is filtered: with the plies of a road. @type {(puzzle: Puzzle) => string} */
export const groupOf = ({ kind, plies }) => (kind === 'tinue' ? `tinue ${plies}` : kind);

/** Easy, medium, hard: each about a third of the shipped puzzles. @type {(puzzle: Puzzle) => string} */
export const gradeOf = ({ difficulty }) => (difficulty <= 10 ? 'easy' : difficulty < 15 ? 'medium' : 'hard');

/**
 * The puzzles with these properties; '' is any.
 * @param {Puzzle[]} puzzles
 * @param {{size: string, group: string, grade: string, theme: string}} filter
 */
export function filtered(puzzles, { size, group, grade, theme }) {
  return puzzles.filter(
    (puzzle) =>
      (size === '' || puzzle.size === Number(size)) &&
      (group === '' || groupOf(puzzle) === group) &&
      (grade === '' || gradeOf(puzzle) === grade) &&
      (theme === '' || puzzle.themes?.includes(theme)),
  );
}

/**
 * Returns whether no puzzle has these properties, although those of the board are loaded.
 * @type {(puzzles: Puzzle[], filter: {size: string, group: string, grade: string, theme: string}) => boolean}
 */
export const isNone = (puzzles, filter) =>
  filtered(puzzles, filter).length === 0 &&
  filtered(puzzles, { size: filter.size, group: '', grade: '', theme: '' }).length > 0;

/**
 * The first puzzle whose rating is nearest to this one.
 * @param {Puzzle[]} puzzles
 * @param {number} rating
 */
export function nearest(puzzles, rating) {
  /** @type {(puzzle: Puzzle) => number} */
  const distance = (puzzle) => Math.abs(ratingOf(puzzle) - rating);
  return puzzles.reduce(
    (/** @type {Puzzle | null} */ best, each) => (best && distance(best) <= distance(each) ? best : each),
    null,
  );
}

/** The number of a day, in the time of this place. @type {(date: Date) => number} */
export const dayOf = (date) => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000;

/** A step through the puzzles from day to day. It is prime, so that it comes to all of them before one comes back. */
const STRIDE = 7919;
/** @type {(puzzles: Puzzle[], day: number) => Puzzle | null} */
export const ofDay = (puzzles, day) => puzzles[(day * STRIDE) % puzzles.length] ?? null;

/** The main line of a solution: the longest defence each time. @type {(puzzle: Puzzle) => string[]} */
export function lineOf({ solution }) {
  /** @type {string[]} */
  const line = [];
  for (let step = /** @type {SolutionStep | undefined} */ (solution); step; step = step.answers[0]) {
    line.push(step.move);
  }
  return line;
}

/** @type {(line: string[]) => SolutionStep} */
const inSteps = (line) =>
  line.reduceRight((answers, move) => [{ move, answers }], /** @type {SolutionStep[]} */ ([]))[0];

/** A puzzle as the fragment of a URL, with the main line of its solution. @type {(puzzle: Puzzle) => string} */
export function toFragment(puzzle) {
  const { kind, tps, komi, flats, caps, plies, difficulty, also = [] } = puzzle;
  const line = lineOf(puzzle).join(' ');
  const text = JSON.stringify([kind, tps, komi, ...flats, ...caps, plies, difficulty, line, ...also]);
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The puzzle of such a fragment, or null. @type {(text: string) => Puzzle | null} */
export function fromFragment(text) {
  try {
    const parts = JSON.parse(atob(text.replaceAll('-', '+').replaceAll('_', '/')));
    const [kind, tps, komi, white, black, whites, blacks, plies, difficulty, line, ...also] = parts;
    const size = widthOf(tps);
    const [flats, caps] = [
      [white, black],
      [whites, blacks],
    ];
    const solution = inSteps(line.split(' ').slice(0, MOST_PLIES));
    const puzzle = { kind, tps, size, komi, flats, caps, plies, difficulty, solution, also, wrong: [] };
    return isPuzzle(puzzle) ? puzzle : null;
  } catch {
    return null;
  }
}
