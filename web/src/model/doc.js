// What can be said about a document: whose turn it is, whether it is over, who may move. Pure functions.

/** @import { Color, GameLine, GameRecord, View } from '../protocol.js' */
/** @import { Doc, DocName, End, Review, State, StoredGame } from '../types.js' */
/** @import { Node } from './tree.js' */

import { recordOf } from './positions.js';
import { other, partsOf, turnOf } from './squares.js';
import { Tree } from './tree.js';

/** @type {Record<Exclude<State['route'], 'library'>, DocName>} */
const SHOWN = {
  play: 'game',
  analysis: 'study',
  puzzles: 'puzzle',
  learn: 'lesson',
  explorer: 'explorer',
  editor: 'editor',
};

/** The document on the board. Views that have none yet show the game; the library lies beside the game or the study. @type {(state: State) => Doc} */
export const shown = ({ docs, route, base }) => docs[SHOWN[route === 'library' ? base : route]] ?? docs.game;

/** The level that stands for the second engine. Level 0 is ours at full strength. */
export const SECOND = -1;

/** @type {() => number} */
export const anySeed = () => Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);

/**
 * A document without moves.
 * @param {DocName} name
 * @param {Partial<Doc>} changes
 * @returns {Doc}
 */
export function blank(name, changes = {}) {
  const tree = new Tree();
  return {
    name,
    mode: name === 'game' ? 'engine' : name === 'puzzle' || name === 'lesson' ? 'task' : 'free',
    start: { size: 6, opening: 'swap' },
    tree,
    path: [tree.root],
    moves: [],
    at: 0,
    present: 0,
    human: 'white',
    level: 5,
    otherLevel: 5,
    seed: 0,
    seconds: 2,
    timing: { isClock: false, minutes: 10, increment: 5 },
    clock: null,
    names: { white: '', black: '' },
    ended: null,
    annotation: null,
    cuts: [],
    uncut: [],
    takebacks: 0,
    paused: false,
    flipped: false,
    series: null,
    edits: [],
    ...changes,
  };
}

/** The node on the board. @type {(doc: Doc) => Node} */
export const nodeOf = ({ path, at }) => path[Math.min(at, path.length - 1)];

/** The program's view of the position on the board; null until it has answered. @type {(doc: Doc) => View | null} */
export const viewOf = (doc) => nodeOf(doc).view;

/** A key of the position on the board. @type {(doc: Doc) => string} */
export const positionOf = (doc) => nodeOf(doc).id;

/** @type {(doc: Doc) => Node} */
export const endOf = ({ path }) => path[path.length - 1];

/** Returns whether one of two engines plays at full strength. Levels answer before anything can be looked at. @type {(doc: Doc) => boolean} */
export const thinksLong = ({ mode, level, otherLevel }) => mode === 'self' && (level <= 0 || otherLevel <= 0);

/** Returns whether anyone may move and variations are kept. @type {(doc: Doc) => boolean} */
export const isFree = ({ mode }) => mode === 'free';

/** Returns whether no move is possible on the board. A resigned game can still be analysed. @type {(doc: Doc) => boolean} */
export const isOver = (doc) =>
  Boolean(viewOf(doc)?.outcome) || (!isFree(doc) && doc.ended !== null && doc.at === doc.moves.length);

/** Returns whether the game has ended, regardless of the move shown. @type {(doc: Doc) => boolean} */
export const isFinished = (doc) => Boolean(endOf(doc).isOver) || doc.ended !== null;

/** The colour of the user in a game against the engine, or of a reviewed game of theirs; null for none. @type {(doc: Doc) => Color | null} */
export const sideOf = ({ mode, human }) => ((mode === 'engine' || mode === 'task') && human !== 'both' ? human : null);

/** The player to move after this many moves. @type {(doc: Doc, count: number) => Color} */
export const turnAfter = ({ path }, count) => path[Math.min(count, path.length - 1)].turn;

/** Returns whether a user of this page is to move. @type {(doc: Doc) => boolean} */
export function isOurs(doc) {
  const { mode, human } = doc;
  return (
    mode === 'two' || mode === 'free' || (mode !== 'self' && (human === 'both' || turnAfter(doc, doc.at) === human))
  );
}

/** Returns whether the engine has the next move of a game, regardless of the move shown. @type {(doc: Doc) => boolean} */
export function isEngines(doc) {
  const { mode, human, moves, present } = doc;
  const isIts = mode === 'self' || (mode === 'engine' && turnAfter(doc, moves.length) !== human);
  return isIts && !isFinished(doc) && present === moves.length;
}

/** Returns whether the second engine has given no move in the game. @type {(state: Pick<State, 'docs' | 'second'>) => boolean} */
export const isStuck = ({ docs: { game }, second: { failed } }) =>
  failed !== null && failed.position === endOf(game).id && isEngines(game) && levelOf(game) === SECOND;

/** Returns whether the board shows an earlier move of a game in progress. @type {(doc: Doc) => boolean} */
export const isLookingBack = (doc) => !isFree(doc) && !isFinished(doc) && doc.at < doc.present;

/** The player who would resign: the engine's opponent, or else the player to move in the game. @type {(doc: Doc) => Color} */
export const resigner = (doc) => sideOf(doc) ?? turnAfter(doc, doc.present);

/** The level of the engine that is to move in the game. @type {(doc: Doc) => number} */
export const levelOf = (doc) =>
  doc.mode === 'self' && turnAfter(doc, doc.moves.length) === 'black' ? doc.otherLevel : doc.level;

/** The position on the board in the form of the program. @type {(doc: Doc) => GameRecord} */
export const questionOf = (doc) => recordOf(nodeOf(doc), doc.start);

/**
 * All lines in the form of the program: the moves of the main one, everything, and the end of the main one.
 * @param {Doc} doc
 * @returns {{main: string[], lines: GameLine[], ended: End | null}}
 */
export function linesOf(doc) {
  // A game ends where it was ended, although undone moves are kept.
  const nodes = isFree(doc) ? [...doc.tree.mainLine()] : doc.path;
  const lines = doc.tree.write().map(([parent, ended, ...moves]) => ({ parent, result: ended?.result ?? null, moves }));
  return { main: nodes.slice(1).map(({ move }) => move), lines, ended: nodes[nodes.length - 1].ended };
}

/** @type {{annotation: Review | null, tree: Tree | null, version: number, nodes: Node[]}} */
let noted = { annotation: null, tree: null, version: -1, nodes: [] };

/**
 * The nodes of the annotated game, as far as the document has them. The list is the same until one of them changes.
 * @param {Doc} doc
 */
export function annotatedNodes({ annotation, start, tree }) {
  if (noted.annotation !== annotation || noted.tree !== tree || noted.version !== tree.version) {
    const isOf = annotation && JSON.stringify(start) === JSON.stringify(annotation.start);
    noted = { annotation, tree, version: tree.version, nodes: isOf ? tree.find(annotation.moves) : [] };
  }
  return noted.nodes;
}

/**
 * The remarks on the move to a node: those of the annotation, or else those of the file.
 * @param {Doc} doc
 * @param {Node} node
 * @returns {{marks: string, chance: number | null, says: string[], better: {line: string[], why: string} | null} | null}
 */
export function remarksOn(doc, node) {
  const { annotation } = doc;
  if (annotation && annotatedNodes(doc)[node.depth] === node && node.depth <= annotation.said.length) {
    const said = annotation.said[node.depth - 1];
    const { marks = '', says = [], better = null } = said ?? {};
    const isLine =
      better &&
      Array.isArray(better.line) &&
      better.line.every((move) => partsOf(move?.text ?? '')) &&
      better.line.length > 0;
    const own = node.notes?.marks ?? '';
    return {
      marks: own && !marks ? own : marks,
      says,
      chance: annotation.chances[node.depth] / 100,
      better: isLine ? { line: better.line.map(({ text }) => text), why: String(better.why) } : null,
    };
  }
  const { marks = '', chance = null } = node.notes ?? {};
  const line = marks.includes('?') ? (node.parent?.notes?.line ?? []) : [];
  const isBetter = line.length > 0 && line[0] !== node.move && line.every(partsOf);
  return node.notes ? { marks, chance, says: [], better: isBetter ? { line, why: '' } : null } : null;
}

/** Returns whether the line on the board is annotated, by this page or by its file. @type {(doc: Doc) => boolean} */
export function isAnnotated(doc) {
  const { path, moves } = doc;
  const last = remarksOn(doc, path[path.length - 1]);
  return (
    moves.length > 0 &&
    (annotatedNodes(doc)[moves.length] === path[moves.length] ||
      (last !== null &&
        typeof last.chance === 'number' &&
        typeof remarksOn(doc, path[Math.ceil(moves.length / 2)])?.chance === 'number'))
  );
}

/**
 * White's expected score at a node, 0 to 1; null if it is not known.
 * @param {Doc} doc
 * @param {Node} node
 * @param {Map<string, number>} chances
 */
export function chanceAt(doc, node, chances) {
  const winner = node.isOver ? node.view?.outcome?.winner : undefined;
  if (winner) {
    return Number(winner === 'white');
  }
  const own =
    node.parent === null && annotatedNodes(doc)[0] === node
      ? (doc.annotation?.chances[0] ?? 0) / 100
      : remarksOn(doc, node)?.chance;
  const isOwn = typeof own === 'number' && Number.isFinite(own);
  return isOwn ? own : (chances.get(node.id) ?? node.notes?.evaluation ?? null);
}

/** @typedef {{node: Node, mark: string} & NonNullable<ReturnType<typeof remarksOn>>} TurningPoint */

/** The turning points of a line, which is the same array until it changes. @type {WeakMap<Node[], {annotation: Review | null, version: number, points: TurningPoint[]}>} */
const turned = new WeakMap();

/**
 * The mistakes of the line on the board, and the moves marked as good, of both players. It is asked for with every step, so
 * it is found once for each change.
 * @param {Doc} doc
 */
export function turningPoints(doc) {
  const { path, annotation, tree } = doc;
  const before = turned.get(path);
  if (before && before.annotation === annotation && before.version === tree.version) {
    return before.points;
  }
  const points = path.slice(1).flatMap((node) => {
    const remarks = remarksOn(doc, node);
    const mark = (remarks?.marks ?? '').replace(/[^!?]/g, '');
    return remarks && mark && node.parent ? [{ node, mark, ...remarks }] : [];
  });
  turned.set(path, { annotation, version: tree.version, points });
  return points;
}

/**
 * The colour of the user in a game: the one played here, or the one with the user's name.
 * @param {Doc} doc
 * @param {string} you
 * @returns {Color | null}
 */
export function readerOf({ human, names }, you) {
  if (human === 'white' || human === 'black') {
    return human;
  }
  const [white, black] = [names.white, names.black].map((name) => you !== '' && name === you);
  return white === black ? null : white ? 'white' : 'black';
}

/** The mistakes that the user can try again: their own, if they were a player. @type {(doc: Doc, you: string) => Node[]} */
export function mistakes(doc, you) {
  const side = readerOf(doc, you);
  return turningPoints(doc)
    .filter(
      ({ node, better, mark }) => better && mark.includes('?') && (side ?? node.parent?.turn) === node.parent?.turn,
    )
    .map(({ node }) => node);
}

/** The part of a document that is stored. @type {(doc: Doc) => StoredGame} */
export function storedOf({ name, path, edits, tree, ...game }) {
  return { ...game, tree: writtenTree(tree, game.ended) };
}

/** @type {WeakMap<Tree, {version: number, ended: End | null, lines: unknown[]}>} */
const written = new WeakMap();

/**
 * A tree as it is stored, written once for each change.
 * @param {Tree} tree
 * @param {End | null} ended
 */
function writtenTree(tree, ended) {
  const before = written.get(tree);
  if (before && before.version === tree.version && before.ended === ended) {
    return before.lines;
  }
  const lines = tree.write();
  written.set(tree, { version: tree.version, ended, lines });
  return lines;
}

/** The winner by name of a result such as `R-0` or `0-1`; null for a draw or none. @type {(result: string) => Color | null} */
export const winnerOf = (result) =>
  /^(R|F|1)-0$/.test(result) ? 'white' : /^0-(R|F|1)$/.test(result) ? 'black' : null;

/** The player to move at the start of a document. @type {(doc: Doc) => Color} */
export const firstTurn = ({ start }) => (start.tps ? turnOf(start.tps) : 'white');

/**
 * The colour in the row at the foot of the board, with the pieces to place, and the one at its head. In a puzzle the row at
 * the foot is the solver's, and the board is White's.
 * @param {Doc} doc
 * @returns {[Color, Color]}
 */
export function seats(doc) {
  const near = doc.name === 'puzzle' ? firstTurn(doc) : doc.flipped ? 'black' : 'white';
  return [near, other(near)];
}
