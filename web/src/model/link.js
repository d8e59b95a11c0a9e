// A game as the fragment of a URL: its lines with comments, the position on the board, and the names of the players.
// It is compressed; links of earlier versions are not.

/** @import { Notes, Start } from '../protocol.js' */
/** @import { Doc, End } from '../types.js' */

import { isLike } from './stored.js';
import { Tree } from './tree.js';

/** A compressed link begins with this. Others are JSON, and begin with an `e`. */
const MARK = 'z';
/** The most bytes of the content of a link, and the bytes that are unpacked at a time, so that no bomb fills the memory. */
const [MOST, PORTION] = [1 << 20, 1 << 12];
/** The most characters that are looked at. */
const MOST_LETTERS = 1 << 20;

/** @type {(bytes: Uint8Array) => string} */
export function toBase64(bytes) {
  let whole = '';
  for (const byte of bytes) {
    whole += String.fromCharCode(byte);
  }
  return btoa(whole).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** @type {(text: string) => Uint8Array<ArrayBuffer>} */
export const fromBase64 = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0));

/**
 * Sends bytes through a stream that compresses or unpacks them.
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {CompressionStream | DecompressionStream} stream
 */
async function through(bytes, { writable, readable }) {
  const writer = writable.getWriter();
  const write = async () => {
    for (let at = 0; at < bytes.length; at += PORTION) {
      await writer.write(bytes.slice(at, at + PORTION));
    }
    await writer.close();
  };
  // What is wrong with the bytes is also told by the reader.
  write().catch(() => {});
  const reader = readable.getReader();
  const parts = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    if (size > MOST) {
      reader.cancel().catch(() => {});
      throw new RangeError('too large');
    }
    parts.push(/** @type {Uint8Array<ArrayBuffer>} */ (part.value));
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** What a link leaves out of the comments of engines: the name, the effort, and a second form of the score. */
const EFFORT = /name:"[^"]*" |\bcp:-?\d+ | [+-]\d+\.\d+\/\d+| \d+ nodes| \d+ms/g;

/** @type {(comment: string) => string} */
const shortComment = (comment) => (/^name:"[^"]*" .*wdl:/.test(comment) ? comment.replace(EFFORT, '') : comment);

/** Notes in the form of a link: marks and comments. The program reads the rest from the comments. @type {(move: string, notes: Notes) => unknown[]} */
function shortOf(move, { marks = '', comments = [], name, before = [] }) {
  const others = name !== undefined || before.length > 0 ? [{ name, before }] : [];
  return [move, marks, ...comments.map(shortComment), ...others];
}

/** Moves are joined as far as they have no notes. @type {(moves: any[]) => unknown[]} */
function packed(moves) {
  /** @type {unknown[]} */
  const parts = [];
  for (const move of moves) {
    const last = parts.at(-1);
    if (Array.isArray(move)) {
      parts.push(shortOf(move[0], move[1]));
    } else if (typeof last === 'string') {
      parts[parts.length - 1] = `${last} ${move}`;
    } else {
      parts.push(move);
    }
  }
  return parts;
}

/** The moves of such parts as a tree reads them. @type {(parts: any[]) => any[]} */
function unpacked(parts) {
  return parts.flatMap((part) => {
    if (typeof part === 'string') {
      return /** @type {any[]} */ (part.split(' ').filter(Boolean));
    }
    const [move, marks, ...comments] = part;
    const others = typeof comments.at(-1) === 'object' ? comments.pop() : {};
    return [[move, { ...(marks ? { marks } : {}), ...(comments.length > 0 ? { comments } : {}), ...others }]];
  });
}

/**
 * @param {Doc} doc
 * @param {{isShort?: boolean}} how without comments if it is short
 */
export async function toLink({ start, moves, at, tree, names }, { isShort = false } = {}) {
  const lines = tree.write();
  const main = tree.lineThrough(tree.root);
  const plain = (/** @type {any} */ move) => (isShort && Array.isArray(move) ? move[0] : move);
  const shown = moves.slice(0, at);
  const isMain = shown.every((move, index) => move === main[index]);
  const content = {
    s: start,
    n: [names.white, names.black],
    at,
    // In a variation the position is that after these moves.
    ...(isMain ? {} : { line: shown.join(' ') }),
    ...(names.tags?.length && !isShort ? { tags: names.tags } : {}),
    l: lines.map(([parent, end, ...rest]) => [parent, end, ...packed(rest.map(plain))]),
  };
  const bytes = new TextEncoder().encode(JSON.stringify(content));
  return MARK + toBase64(await through(bytes, new CompressionStream('deflate-raw')));
}

/** @type {(value: any, isPart: (part: any) => boolean) => boolean} */
const isPair = (value, isPart) => Array.isArray(value) && value.length === 2 && value.every(isPart);
/** @type {(value: any) => boolean} */
const isCount = (value) => Number.isSafeInteger(value) && value >= 0 && value < 256;
/** @type {(value: any) => boolean} */
const isText = (value) => typeof value === 'string';

/** Returns whether a start has all fields that the program needs. @type {(start: any) => start is Start} */
function isStart(start) {
  const { size, half_komi: komi = 0, opening, reserves = null, tps = null } = start ?? {};
  return (
    isCount(size) &&
    Number.isSafeInteger(komi) &&
    isText(opening) &&
    (tps === null || isText(tps)) &&
    (reserves === null || isPair(reserves, (each) => isPair(each, isCount)))
  );
}

/**
 * @typedef {object} Linked a game of a link
 * @property {Start} start
 * @property {string[]} moves
 * @property {number} at
 * @property {any[][]} tree
 * @property {{white: string, black: string, tags?: [string, string][]}} names
 * @property {End | null} ended
 */

/** @param {any} content @returns {Linked} */
function compressedGame({ s: start, n: [white, black], at, line, tags = [], l }) {
  const lines = l.map((/** @type {any} */ [parent, end, ...parts]) => [parent, end, ...unpacked(parts)]);
  const tree = Tree.read(lines);
  const main = tree.lineThrough(tree.root);
  const ended = tree.find(main).at(-1)?.ended ?? null;
  const names = { white, black, tags };
  if (isText(line)) {
    const nodes = tree.find(line.split(' '));
    const last = nodes[nodes.length - 1];
    return { start, moves: tree.lineThrough(last), at: last.depth, tree: lines, names, ended };
  }
  return { start, moves: main, at: Math.min(at, main.length), tree: lines, names, ended };
}

const NAMELESS = { white: '', black: '' };

/** @param {any} content @returns {Linked} */
function plainGame({ start, moves, tree: lines, names: { white, black } = NAMELESS }) {
  const names = { white, black };
  if (!Array.isArray(lines)) {
    return { start, moves, at: moves.length, tree: [], names, ended: null };
  }
  const tree = Tree.read(lines);
  const main = tree.lineThrough(tree.root);
  return { start, moves: main, at: main.length, tree: lines, names, ended: tree.find(main).at(-1)?.ended ?? null };
}

/**
 * The game of such a fragment, or null.
 * @param {string} text
 * @returns {Promise<Linked | null>}
 */
export async function fromLink(text) {
  if (text.length > MOST_LETTERS) {
    return null;
  }
  try {
    const isPacked = text.startsWith(MARK);
    const bytes = isPacked
      ? await through(fromBase64(text.slice(MARK.length)), new DecompressionStream('deflate-raw'))
      : fromBase64(text);
    const content = JSON.parse(new TextDecoder().decode(bytes));
    const game = isPacked ? compressedGame(content) : plainGame(content);
    const { start, moves, at, names } = game;
    const areTags = (names.tags ?? []).every((each) => isPair(each, isText));
    return isStart(start) &&
      moves.every(isText) &&
      Number.isSafeInteger(at) &&
      at >= 0 &&
      isLike(names, NAMELESS) &&
      areTags
      ? game
      : null;
  } catch {
    return null;
  }
}
