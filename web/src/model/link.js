// A game as the fragment of a URL: its lines with comments, the position on the board, and the names of the players.
// It is compressed; links of earlier versions are not.

/** @import { Notes, Start } from '../protocol.js' */
/** @import { Doc, End } from '../types.js' */

import { isLike } from './stored.js';
import { Tree } from './tree.js';

/** A compressed link begins with this. Others are JSON, and begin with an `e`. */
const MARK = 'z';
/** The most bytes of the content of a link, and the bytes that are unpacked at a time, so that no bomb fills the memory. */
const [MAX_BYTES, PORTION_BYTES] = [1 << 20, 1 << 12];
/** The most characters that are looked at. */
const MAX_LETTERS = 1 << 20;

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
    for (let at = 0; at < bytes.length; at += PORTION_BYTES) {
      await writer.write(bytes.slice(at, at + PORTION_BYTES));
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
    if (size > MAX_BYTES) {
      reader.cancel().catch(() => {});
      throw new RangeError('too large');
    }
    parts.push(/** @type {Uint8Array<ArrayBuffer>} */ (part.value));
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** What a link leaves out of the comments of engines: the name, the effort, and a second form of the score. */
const EFFORT = /name:"[^"]*" |\bcp:-?\d+ | [+-]\d+\.\d+\/\d+| \d+ nodes| \d+ms/g;

/** @type {(comments: string[]) => string[]} */
const shortComments = (comments) =>
  comments.map((comment) => (/^name:"[^"]*" .*wdl:/.test(comment) ? comment.replace(EFFORT, '') : comment));

/** The start of a comment of a review. */
const OWN = 'name:"tak-engine" ';
/** What a link of a review leaves out: the program finds the chances by the score. */
const REST = /^name:"tak-engine" |\bwdl:\S+ |[+-]\d+\.\d+(?:\/\d+)? |\b\d+ nodes |\b\d+ms /g;
/** The moves of a line that a link of a review keeps where they are the better ones, and elsewhere. */
const [BETTER, OTHER] = [6, 1];

/** Whether a comment is one of a review. @type {(comment: string) => boolean} */
const isOwn = (comment) => /^name:"tak-engine" (?:cp:|wdl:\S+ score:|score:)/.test(comment);

/**
 * The comments of a review on a position, in short. What the program says of the moves it says again.
 * @param {string[]} comments
 * @param {any} next the move after it, if any
 */
function reviewComments(comments, next) {
  const most = next?.[1].marks?.includes('?') ? BETTER : OTHER;
  const cut = (/** @type {string} */ line) => line.split(' ', most + 1).join(' ');
  return comments
    .filter((each) => !each.startsWith('*tak-engine: '))
    .map((each) => (isOwn(each) ? each.replace(REST, '').replace(/pv> .*/, cut) : each));
}

/** @type {(comment: string) => string} */
const wholeComment = (comment) => (/^(?:cp|score):/.test(comment) ? OWN + comment : comment);

/** Whether every position of the main line has a comment of a review. @param {any[]} moves @param {string[]} [start] */
const isReviewed = (moves, start) =>
  Boolean(start?.some(isOwn)) && moves.every((move) => Array.isArray(move) && move[1].comments?.some(isOwn));

/** Notes in the form of a link: marks and comments. The program reads the rest from the comments. @type {(move: string, notes: Notes, short: (comments: string[]) => string[]) => unknown[]} */
function shortOf(move, { marks = '', comments = [], name, before = [] }, short) {
  const others = name !== undefined || before.length > 0 ? [{ name, before }] : [];
  return [move, marks, ...short(comments), ...others];
}

/** Moves are joined as far as they have no notes. @type {(moves: any[], short: (comments: string[], next: any) => string[]) => unknown[]} */
function packed(moves, short) {
  /** @type {unknown[]} */
  const parts = [];
  for (const [index, move] of moves.entries()) {
    const last = parts.at(-1);
    if (Array.isArray(move)) {
      parts.push(shortOf(move[0], move[1], (comments) => short(comments, moves[index + 1])));
    } else if (typeof last === 'string') {
      parts[parts.length - 1] = `${last} ${move}`;
    } else {
      parts.push(move);
    }
  }
  return parts;
}

/** The moves of such parts as a tree reads them. @type {(parts: any[], whole: (comment: string) => string) => any[]} */
function unpacked(parts, whole) {
  return parts.flatMap((part) => {
    if (typeof part === 'string') {
      return /** @type {any[]} */ (part.split(' ').filter(Boolean));
    }
    const [move, marks, ...comments] = part;
    const others = typeof comments.at(-1) === 'object' ? comments.pop() : {};
    return [
      [
        move,
        { ...(marks ? { marks } : {}), ...(comments.length > 0 ? { comments: comments.map(whole) } : {}), ...others },
      ],
    ];
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
  const isWhole = !isShort && lines.length > 0 && isReviewed(lines[0].slice(2), names.comments);
  const isMain = shown.every((move, index) => move === main[index]);
  const content = {
    s: start,
    n: [names.white, names.black],
    at,
    // In a variation the position is that after these moves.
    ...(isMain ? {} : { line: shown.join(' ') }),
    ...(names.tags?.length && !isShort ? { tags: names.tags } : {}),
    ...(isWhole ? { c: reviewComments(names.comments ?? [], lines[0][2]) } : {}),
    l: lines.map(([parent, end, ...rest], index) => [
      parent,
      end,
      ...packed(rest.map(plain), isWhole && index === 0 ? reviewComments : shortComments),
    ]),
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
 * @property {{white: string, black: string, tags?: [string, string][], comments?: string[]}} names
 * @property {End | null} ended
 */

/** @param {any} content @returns {Linked} */
function compressedGame({ s: start, n: [white, black], at, line, tags = [], c: comments = [], l }) {
  const whole = comments.length > 0 ? wholeComment : (/** @type {string} */ text) => text;
  const lines = l.map((/** @type {any} */ [parent, end, ...parts]) => [parent, end, ...unpacked(parts, whole)]);
  const tree = Tree.read(lines);
  const main = tree.lineThrough(tree.root);
  const ended = tree.find(main).at(-1)?.ended ?? null;
  const names = { white, black, tags, ...(comments.length > 0 ? { comments: comments.map(whole) } : {}) };
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
  if (text.length > MAX_LETTERS) {
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
    const areTags = (names.tags ?? []).every((each) => isPair(each, isText)) && (names.comments ?? []).every(isText);
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
