// Positions of a game as the program sees them. A question has the moves since the last placement, not the whole game.

/** @import { GameRecord, Start, View } from '../protocol.js' */
/** @import { Connection } from '../connection.js' */
/** @import { Node, Tree } from './tree.js' */

import { Refused } from './errors.js';

/** The most moves in a question about a position. Repetitions further back hardly matter. */
const MAX_MOVES = 100;

/** @type {(move: string) => boolean} */
const isPlacement = (move) => !/[<>+-]/.test(move);

/**
 * The position of a node for the program: that before the last placement, and the moves since then, up to a limit.
 * Earlier positions cannot come back, so a question is as short at the end of a long game as at its start. The first
 * turns are sent whole.
 * @param {Node} node
 * @param {Start} start
 * @returns {GameRecord}
 */
export function recordOf(node, start) {
  /** @type {string[]} */
  const moves = [];
  let at = node;
  const isEnough = () => moves.length > 0 && (isPlacement(moves[moves.length - 1]) || moves.length >= MAX_MOVES);
  while (at.parent && !(isEnough() && at.tps !== null && at.depth > 1)) {
    moves.push(at.move);
    at = at.parent;
  }
  moves.reverse();
  return at.parent ? { start: { ...start, tps: at.tps }, moves } : { start, moves };
}

/**
 * The view of a position.
 * @param {Connection} connection
 * @param {GameRecord} game
 * @returns {Promise<View>}
 */
export async function see(connection, game) {
  try {
    const { view } = await connection.ask({ do: 'view', game });
    return view;
  } catch (error) {
    // The program counts only the moves that it got.
    throw error instanceof Refused ? new Refused(error.message.replace(/^move \d+, (\w+),/, '$1')) : error;
  }
}

/**
 * The nodes of the line `moves`, with the view of the position after `at` of them; `path` are its nodes if they are
 * known. A step to a position that was seen asks nothing, another one asks for that position, a move asks for the one
 * after it, and only another line asks for all of it: the start alone has none. Nothing is added to the tree if the
 * program refuses.
 * @param {Connection} connection
 * @param {Tree} tree
 * @param {{start: Start, moves: string[], at: number}} line
 * @param {Node[] | null} path
 */
export async function lookUp(connection, tree, { start, moves, at }, path) {
  let nodes = path ?? tree.find(moves);
  const last = nodes[nodes.length - 1];
  if (nodes.length === moves.length && last.tps !== null && at === moves.length) {
    const record = recordOf(last, start);
    const view = await see(connection, { start: record.start, moves: [...record.moves, moves[moves.length - 1]] });
    nodes = tree.add(moves);
    Object.assign(nodes[nodes.length - 1], { view, tps: view.tps, isOver: view.is_over });
  } else if (moves.length === 0 && nodes[0].tps === null) {
    const view = await see(connection, { start, moves });
    Object.assign(nodes[0], { view, tps: view.tps, isOver: view.is_over });
  } else if (nodes.length <= moves.length || last.tps === null || last.isOver === null) {
    const { line } = await connection.ask({ do: 'line', game: { start, moves } });
    nodes = tree.add(moves);
    for (const [index, node] of nodes.entries()) {
      Object.assign(node, { tps: line.tps[index], isOver: false });
    }
    nodes[nodes.length - 1].isOver = line.is_over;
  }
  nodes[at].view ??= await see(connection, recordOf(nodes[at], start));
  return nodes;
}
