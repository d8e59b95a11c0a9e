// A game as the fragment of a URL: its moves, or all its lines, and the names of the players.

/** @import { Start } from '../protocol.js' */
/** @import { Doc, End } from '../types.js' */

import { isLike } from './stored.js';
import { Tree } from './tree.js';

/** @type {(text: string) => string} */
export function toBase64(text) {
  const bytes = new TextEncoder().encode(text);
  let whole = '';
  for (const byte of bytes) {
    whole += String.fromCharCode(byte);
  }
  return btoa(whole).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** @type {(text: string) => string} */
export function fromBase64(text) {
  const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0));
  return new TextDecoder().decode(bytes);
}

/** @type {(doc: Doc) => string} */
export function toLink({ start, moves, tree, ended, names: { white, black } }) {
  const lines = tree.write();
  const hasNotes = lines.some((line) => line.slice(2).some(Array.isArray));
  const game = lines.length > 1 || ended || hasNotes ? { tree: lines } : { moves };
  const names = white || black ? { names: { white, black } } : {};
  return toBase64(JSON.stringify({ start, ...game, ...names }));
}

const NAMELESS = { white: '', black: '' };
/** @type {(value: any, isPart: (part: any) => boolean) => boolean} */
const isPair = (value, isPart) => Array.isArray(value) && value.length === 2 && value.every(isPart);
/** @type {(value: any) => boolean} */
const isCount = (value) => Number.isSafeInteger(value) && value >= 0 && value < 256;

/** Returns whether a start has all fields that the program needs. @type {(start: any) => start is Start} */
function isStart(start) {
  const { size, half_komi: komi = 0, opening, reserves = null, tps = null } = start ?? {};
  return (
    isCount(size) &&
    Number.isSafeInteger(komi) &&
    typeof opening === 'string' &&
    (tps === null || typeof tps === 'string') &&
    (reserves === null || isPair(reserves, (each) => isPair(each, isCount)))
  );
}

/**
 * The game of such a fragment, or null.
 * @param {string} text
 * @returns {{start: Start, moves: string[], tree: unknown[], names: {white: string, black: string}, ended: End | null} | null}
 */
export function fromLink(text) {
  try {
    const { start, moves, tree: lines, names: { white, black } = NAMELESS } = JSON.parse(fromBase64(text));
    const names = { white, black };
    if (!isStart(start) || !isLike(names, NAMELESS)) {
      return null;
    }
    if (Array.isArray(lines)) {
      const tree = Tree.read(lines);
      const main = tree.lineThrough(tree.root);
      return { start, moves: main, tree: lines, names, ended: tree.find(main).at(-1)?.ended ?? null };
    }
    return Array.isArray(moves) && moves.every((move) => typeof move === 'string')
      ? { start, moves, tree: [], names, ended: null }
      : null;
  } catch {
    return null;
  }
}
