// Links in a text: those of this page, of playtak.com and of ptn.ninja, with whatever a chat puts around them.

/** @import { Linked } from './link.js' */

import { fromLink } from './link.js';
import { unpacked } from './lz.js';

/** The most characters of a game in a link. */
const MAX_LETTERS = 1 << 19;
/** What ends an address in a text, and what may stand behind it in a sentence, in brackets or in Markdown. */
const ADDRESS = /https?:\/\/[^\s<>"`|\\^]+/gi;
/** Behind the ply of ptn.ninja a `!` belongs to it. */
const PLY = /&ply=\d+$/;
const AFTER = /[)\]}>*~_,.;:!?'’”»]+$/;

/** @typedef {{game: Linked} | {ptn: string, ply: number | null} | {isUnknown: true}} Found */

/** Returns whether a text is a game in PTN, whose comments and tags may have links. @type {(text: string) => boolean} */
const isPtn = (text) => /^\s*(\[\w+\s+["“]|1\s*\.)/.test(text);

/** A text in per cent form, or null. @type {(text: string) => string | null} */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** The number of moves before a position of ptn.ninja: that before a move, or with `!` after it. @type {(text: string | null) => number | null} */
function plyOf(text) {
  const [, number, isDone] = /^(\d{1,4})(!?)$/.exec(text ?? '') ?? [];
  return number === undefined ? null : Number(number) + (isDone ? 1 : 0);
}

/** A link to playtak.com has the game in PTN. @type {(address: string) => Found} */
function fromPlaytak(address) {
  const ptn = decoded(/[?&]load=([^&#]*)/i.exec(address)?.[1] ?? '');
  return ptn && ptn.length <= MAX_LETTERS ? { ptn, ply: null } : { isUnknown: true };
}

/** A link to ptn.ninja has the game in PTN, compressed or not. @type {(path: string) => Found} */
function fromNinja(path) {
  const [game, ...choices] = path.replace(/^\/(#\/)?/, '').split('&');
  const isPacked = /^[A-Za-z0-9$+-]+$/.test(game);
  const ptn = isPacked ? unpacked(game, MAX_LETTERS) : decoded(game.replaceAll('+', '%20'));
  const ply = choices.find((each) => each.startsWith('ply='))?.slice('ply='.length) ?? null;
  return ptn && ptn.length <= MAX_LETTERS ? { ptn, ply: plyOf(decoded(ply ?? '')) } : { isUnknown: true };
}

/** The game of a fragment, also if a sign of Markdown that could be a part of it is behind. @param {string} text @returns {Promise<Linked | null>} */
async function ofFragment(text) {
  const [fragment] = /^[\w+/=-]*/.exec(text) ?? [''];
  return (await fromLink(fragment)) ?? (fragment.endsWith('_') ? fromLink(fragment.replace(/_+$/, '')) : null);
}

/** @param {string} address @returns {Promise<Found>} */
async function read(address) {
  const [, host = '', path = ''] = /^https?:\/\/(?:[^/?#@]*@)?([^/?#:]*)(?::\d+)?(.*)$/is.exec(address) ?? [];
  if (/(^|\.)playtak\.com$/i.test(host)) {
    return fromPlaytak(path);
  }
  if (/(^|\.)ptn\.ninja$/i.test(host)) {
    return fromNinja(path);
  }
  const game = path.includes('#') ? await ofFragment(path.slice(path.indexOf('#') + 1)) : null;
  return game ? { game } : { isUnknown: true };
}

/**
 * What a text links to. Null if it is no link but a game or a position.
 * @param {string} text
 * @returns {Promise<Found | null>}
 */
export async function findLink(text) {
  if (isPtn(text)) {
    return null;
  }
  const bare = text.trim();
  const addresses = bare.match(ADDRESS) ?? [];
  for (const address of addresses) {
    const found = await read(
      address.replace(AFTER, (end, at) => (end[0] === '!' && PLY.test(address.slice(0, at)) ? '!' : '')),
    );
    if (!('isUnknown' in found)) {
      return found;
    }
    // What looks like the end of a sentence may be the end of the game.
    const whole = await read(address);
    if (!('isUnknown' in whole)) {
      return whole;
    }
  }
  if (addresses.length > 0) {
    return { isUnknown: true };
  }
  // A link without its site, or without all but the fragment.
  const [, fragment = ''] = /^(?:[^\s#]*#)?([\w+/=-]{8,})[^\w+/=-]*$/.exec(bare) ?? [];
  const game = fragment ? await ofFragment(fragment) : null;
  return game ? { game } : /^\S*#\S+$/.test(bare) ? { isUnknown: true } : null;
}

/** A link to a game in PTN at ptn.ninja, after so many moves. @type {(ptn: string, at: number) => string} */
export function toNinja(ptn, at) {
  const game = encodeURIComponent(ptn).replace(/[()'!*]/g, (each) => `%${each.charCodeAt(0).toString(16)}`);
  return `https://ptn.ninja/${game}${at > 0 ? `&ply=${at - 1}!` : ''}`;
}
