// The games of the library that a search means. Pure functions, fast enough to run with every letter.

/** @import { Head, LibraryQuery } from '../types.js' */

import { winnerOf } from '../model/doc.js';

/** @type {WeakMap<Head, string>} */
const texts = new WeakMap();

/** Letters without accents and case, so that `Angstrom` finds `Ångström`. @type {(text: string) => string} */
const plain = (text) =>
  (/[\u0080-\uffff]/.test(text) ? text.normalize('NFD').replace(/\p{M}/gu, '') : text).toLowerCase();

/** What a word of a search is looked for in. @param {Head} head */
function textOf(head) {
  let text = texts.get(head);
  if (text === undefined) {
    const { white, black, date, tags, source } = head;
    text = plain(`${white}\n${black}\n${date}\n${date.replaceAll('.', '-')}\n${tags}\n${source}`);
    texts.set(head, text);
  }
  return text;
}

/** @type {(result: string) => 'white' | 'black' | 'draw' | 'none'} */
export const endOf = (result) => winnerOf(result) ?? (result === '1/2-1/2' ? 'draw' : 'none');

/**
 * The games that a search means, those that were added last first, and those of one file in its order. `having` are the
 * games with a position, or null for all.
 * @param {readonly Head[]} heads by their numbers
 * @param {LibraryQuery} query
 * @param {ReadonlyMap<number, number> | null} having
 */
export function search(heads, { text, size, result, source }, having = null) {
  const wanted = plain(text).split(/\s+/).filter(Boolean);
  const found = heads.filter(
    (head) =>
      (size === 0 || head.size === size) &&
      (source === '' || head.source === source) &&
      (result === '' || endOf(head.result) === result) &&
      (having === null || having.has(head.id)) &&
      wanted.every((word) => textOf(head).includes(word)),
  );
  return found.sort((one, other) => other.added - one.added || one.id - other.id);
}

/** A number for a text. Different texts have the same one only by a chance of 1 in 10^15. @type {(text: string) => string} */
export function keyOf(text) {
  let [one, other] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    one = Math.imul(one ^ code, 2654435761);
    other = Math.imul(other ^ code, 1597334677);
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(other ^ (other >>> 13), 3266489909);
  other = Math.imul(other ^ (other >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909);
  return `${text.length.toString(36)}.${(2 ** 32 * (2097151 & other) + (one >>> 0)).toString(36)}`;
}

/** A game as it is kept: as it was read, but for blank lines behind it. One without tags gets its size, so that it begins a game in any file. @type {(text: string, size: number) => string} */
export function keptText(text, size) {
  const whole = `${text.trim()}\n`;
  return whole.startsWith('[') ? whole : `[Size "${size}"]\n${whole}`;
}

/** All games as one file. @type {(texts: string[]) => string} */
export const fileOf = (games) => games.join('\n');

/** Returns whether a stored value is a game of the library. @type {(value: any) => value is Head} */
export function isHead(value) {
  const { id, added, plies, size, half_komi: komi } = value ?? {};
  const { white, black, date, result, tags, source, key } = value ?? {};
  return (
    [id, added, plies, size, komi].every(Number.isSafeInteger) &&
    [white, black, date, result, tags, source, key].every((each) => typeof each === 'string')
  );
}
