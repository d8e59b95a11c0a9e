// Makes a puzzle of a mistake if the moves on one square are clearly best, as far as searches show. The rule is in
// docs/explanations.md.

/** @import { Color, GameRecord, ReportLine, View } from '../protocol.js' */
/** @import { Puzzle, SolutionStep } from '../types.js' */
/** @import { Page } from '../main.js' */
/** @import { Node } from '../model/tree.js' */

import { areTwins, rightMoves, scoreOf } from '../model/mistake.js';
import { recordOf, see } from '../model/positions.js';
import { turnOf } from '../model/squares.js';

/** Nodes of a first search, after which most mistakes are no puzzles, and of the later ones. */
const [FIRST, LATER] = [50_000, 200_000];
/** The moves of a line that are kept. */
const MOST_MOVES = 5;
/** The lines in which each piece on one square and another move fit. */
const MOST_LINES = 4;

/** @typedef {{start: import('../protocol.js').Start, node: Node}} Place a move, and the start of its game */

/**
 * The lines of a search, the best one first.
 * @param {Page} page
 * @param {GameRecord} game
 * @param {number} nodes
 * @param {number} lines
 * @returns {Promise<ReportLine[]>}
 */
async function linesOf(page, game, nodes, lines) {
  const { report } = await page.engine.ask({ do: 'think', game, nodes, lines });
  return report?.lines.filter((/** @type {ReportLine} */ { moves }) => moves.length > 0) ?? [];
}

/**
 * The best line, those of other pieces on its square, and the best one of another move.
 * @param {Page} page
 * @param {GameRecord} game
 * @param {number} nodes
 */
async function bestOf(page, game, nodes) {
  const two = await linesOf(page, game, nodes, 2);
  const isOneSquare = two.length === 2 && areTwins(two[0].moves[0], two[1].moves[0]);
  return isOneSquare ? linesOf(page, game, nodes, MOST_LINES) : two;
}

/**
 * A line judged once more, after its first move: the score of the player, and the moves after it.
 * @param {Page} page
 * @param {GameRecord} game
 * @param {ReportLine} line
 * @param {Color} color
 */
async function judged(page, game, line, color) {
  const score = scoreOf(line, color);
  // What is proven needs no other search, and the game may be over.
  if (line.winner) {
    return { score, rest: line.moves.slice(1) };
  }
  const [after] = await linesOf(page, { ...game, moves: [...game.moves, line.moves[0]] }, LATER, 1);
  return { score: after ? scoreOf(after, color) : score, rest: after?.moves ?? [] };
}

/** @type {(moves: string[]) => SolutionStep[]} */
const inSteps = (moves) =>
  moves.reduceRight((answers, move) => [{ move, answers }], /** @type {SolutionStep[]} */ ([]));

/**
 * The puzzle in the place of a mistake; null if no move is clearly best.
 * @param {Page} page
 * @param {Place} place
 * @returns {Promise<Puzzle | null>}
 */
export async function puzzleOf(page, { start, node }) {
  const before = /** @type {Node} */ (node.parent);
  const game = recordOf(before, start);
  const view = await see(page.connection, game);
  // The first turns are about the opponent's pieces.
  if (view.outcome || view.move_number < 2) {
    return null;
  }
  const color = turnOf(view.tps);
  /** @type {(line: ReportLine) => [string, number]} */
  const scored = (line) => [line.moves[0], scoreOf(line, color)];
  /** @type {(lines: ReportLine[]) => string[]} */
  const goodOf = (lines) => (lines[0]?.moves[0] === node.move ? [] : rightMoves(lines.map(scored)));
  if (goodOf(await bestOf(page, game, FIRST)).length === 0) {
    return null;
  }
  const lines = await bestOf(page, game, LATER);
  const good = goodOf(lines);
  if (good.length === 0) {
    return null;
  }
  const judgements = [];
  for (const line of lines) {
    judgements.push({ move: line.moves[0], ...(await judged(page, game, line, color)) });
  }
  // The smaller difference counts.
  const right = rightMoves(
    judgements.map(({ move, score }, at) => {
      const before = scoreOf(lines[at], color);
      return [move, good.includes(move) ? Math.min(before, score) : Math.max(before, score)];
    }),
  );
  const [best, other] = [judgements[0], judgements.find(({ move }) => !right.includes(move))];
  if (!other || right.length === 0 || right.includes(node.move)) {
    return null;
  }
  const wrong = [{ move: other.move, answer: other.rest.slice(0, MOST_MOVES - 1) }];
  if (node.move !== other.move) {
    wrong.unshift({ move: node.move, answer: await answerTo(page, game, node) });
  }
  const [solution] = inSteps([best.move, ...best.rest].slice(0, MOST_MOVES));
  return {
    kind: 'best',
    ...about(page, start, view),
    plies: null,
    difficulty: 0,
    themes: [],
    solution,
    also: right.slice(1),
    wrong,
  };
}

/**
 * The best answer to the move that was played.
 * @param {Page} page
 * @param {GameRecord} game before it
 * @param {Node} node
 */
async function answerTo(page, game, node) {
  const next = { ...game, moves: [...game.moves, node.move] };
  const { outcome } = await see(page.connection, next);
  const [line] = outcome ? [] : await linesOf(page, next, FIRST, 1);
  return line?.moves.slice(0, MOST_MOVES - 1) ?? [];
}

/**
 * The position of a puzzle, with komi and the pieces at the start.
 * @param {Page} page
 * @param {import('../protocol.js').Start} start
 * @param {View} view
 * @returns {Pick<Puzzle, 'tps' | 'size' | 'komi' | 'flats' | 'caps'>}
 */
function about({ state }, { reserves }, { tps, size, half_komi }) {
  const [, stones = 0, caps = 0] = state.hello?.sizes.find(([each]) => each === size) ?? [];
  const [white, black] = reserves ?? [
    [stones, caps],
    [stones, caps],
  ];
  return { tps, size, komi: half_komi / 2, flats: [white[0], black[0]], caps: [white[1], black[1]] };
}
