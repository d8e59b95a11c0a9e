// Reads and writes games as text and as links. Loaded when a game is opened or shared.

/** @import { App } from '../app.js' */
/** @import { Doc, End, Review } from '../types.js' */
/** @import { Linked } from '../model/link.js' */
/** @import { Found } from '../protocol.js' */
/** @import { Files } from './files.js' */

import { annotatedNodes, linesOf, winnerOf } from '../model/doc.js';
import { toLink } from '../model/link.js';
import { Tree } from '../model/tree.js';
import { words } from '../words.js';

/** The result at the end of a game. */
const ENDING = /\s+(?:\*|[01RF]-[01RF]|1\/2-1\/2)$/;
/** The longest fragment of a link in characters. Some programs cut off the rest. */
const LONGEST_LINK = 8000;

/** The game on the board as text: with variations, the annotated main line if there is one, and the position. @param {App} app */
export async function textsOf({ doc, connection }) {
  const { start, moves, at, names, annotation } = doc;
  const { main, lines, ended } = linesOf(doc);
  const question = {
    do: 'write',
    game: { start, moves, at },
    main,
    lines,
    names: { ...names, result: ended?.result ?? null },
  };
  const { text } = await connection.ask(question);
  const isAnnotated = annotation && String(main) === String(annotation.moves) && annotatedNodes(doc).length > 0;
  return { ...text, annotated: isAnnotated ? renewed(annotation.ptn, text.ptn) : null };
}

/** Writes the game for the dialog. @param {Files} files */
export async function write(files) {
  const { app } = files;
  const { doc } = app;
  const texts = await textsOf(app);
  // A file has no review apart from its own comments.
  const withAnnotation = app.state.texts.withAnnotation || Boolean(doc.annotation?.isRead);
  const shared = texts.annotated && withAnnotation ? await reviewed(app, texts.annotated + texts.variations) : doc;
  const whole = await toLink(shared);
  const isShort = whole.length > LONGEST_LINK;
  const link = isShort ? await toLink(doc, { isShort }) : whole;
  const address = new URL(location.href);
  // The token is not part of a link.
  address.search = '';
  address.hash = link;
  files.set({
    ...texts,
    link: link.length > LONGEST_LINK ? '' : address.href,
    isShort,
    withAnnotation,
    isWritten: true,
    copied: '',
    refused: '',
  });
}

/** The game on the board with its review in comments. @param {App} app @param {string} ptn @returns {Promise<Doc>} */
async function reviewed({ doc, connection }, ptn) {
  const { found } = await connection.ask({ do: 'read', text: ptn, like: doc.start });
  const lines = treeOf(found);
  // The result of a game is one of its names.
  lines[0][1] = linesOf(doc).ended;
  return { ...doc, tree: Tree.read(lines), names: { ...doc.names, comments: found.names.comments } };
}

/**
 * Opens the game of a link. A link has comments alone, in which the program finds chances and lines of an engine.
 * @param {Files} files
 * @param {Linked} linked
 */
export async function openLinked({ app, study }, linked) {
  const { start, moves, at, ended, names } = linked;
  const lines = linked.tree.map(([parent, end, ...rest]) => ({ parent, result: end?.result ?? null, moves: rest }));
  let tree = linked.tree;
  let annotation = null;
  if (lines.some((line) => line.moves.some(Array.isArray))) {
    const game = { start, moves };
    const read = Tree.read(tree);
    const main = read.lineThrough(read.root);
    const { text } = await app.connection.ask({
      do: 'write',
      game,
      main,
      lines,
      names: { ...names, result: ended?.result ?? null },
    });
    const { found } = await app.connection.ask({ do: 'read', text: text.ptn + text.variations, like: start });
    tree = treeOf(found);
    annotation = reviewOf(found);
  }
  await study.open({ start, moves, at, tree }, { ended, names, others: { annotation } });
}

/**
 * Opens a game in PTN, or a position, as the program reads it.
 * @param {Files} files
 * @param {string} text
 * @param {number | null} ply the number of moves on the board; all if null
 */
export async function openText({ app, study }, text, ply) {
  const { found } = await app.connection.ask({ do: 'read', text, like: app.doc.start });
  const { result, ...names } = found.names;
  const at = Math.min(ply ?? Number.POSITIVE_INFINITY, found.game.moves.length);
  await study.open(
    { ...found.game, at, tree: treeOf(found) },
    { ended: endOf(result), names, note: found.note, others: { annotation: reviewOf(found) } },
  );
}

/** The review of a game that was read, from its comments; null if there is none. @param {Found} found @returns {Review | null} */
function reviewOf({ game, annotation }) {
  const { moves: said, ...about } = annotation ?? {};
  return said ? /** @type {any} */ ({ ...game, said, ...about, isRead: true }) : null;
}

/** The lines of a game that was read, as a tree stores them. @type {(found: Found) => any[]} */
const treeOf = ({ lines }) => lines.map(({ parent, result, moves }) => [parent, endOf(result), ...moves]);

/** The end of a game with this result in a file. @type {(result: string | null) => End | null} */
function endOf(result) {
  const winner = result ? winnerOf(result) : null;
  return result ? { result, says: words.resultSays(result), ...(winner ? { winner } : {}) } : null;
}

/**
 * An annotated game with the present names and result, which are those of the game as written now.
 * @param {string} annotated
 * @param {string} written
 */
function renewed(annotated, written) {
  const tags = new Map(
    written
      .split('\n')
      .filter((line) => line.startsWith('['))
      .map((line) => [line.split(' ')[0], line]),
  );
  const result = written.trimEnd().split(/\s/).at(-1) ?? '*';
  const end = annotated.indexOf('\n\n');
  const head = annotated
    .slice(0, end)
    .split('\n')
    .map((line) => tags.get(line.split(' ')[0]) ?? line)
    .join('\n');
  // A file need not end with a result.
  const moves = annotated.slice(end).trimEnd().replace(ENDING, '');
  return `${head}${moves} ${result}\n`;
}
