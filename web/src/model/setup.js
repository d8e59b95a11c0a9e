// A position that is being set up, and its TPS. Pure functions: whether it can be played is the program's to say.

/** @import { Color, Kind } from '../protocol.js' */

import { COLORS, LETTERS, nameOf, parseStack, stackOf, stacksOf } from './squares.js';

/**
 * @typedef {object} Setup
 * @property {number} size
 * @property {Map<string, string>} stacks as in TPS, by their squares
 * @property {Color} turn
 * @property {number} number that of the next move
 */

/** @typedef {{color: Color, kind: Kind}} Piece */

/** The greatest number of a move that the program reads. */
export const MOST_MOVES = 99_999;

/** @type {(size: number) => Setup} */
export const emptySetup = (size) => ({ size, stacks: new Map(), turn: 'white', number: 1 });

/** The TPS of a position. @param {Setup} setup */
export function writeSetup({ size, stacks, turn, number }) {
  const rows = Array.from({ length: size }, (_, down) => {
    /** @type {string[]} */
    const parts = [];
    let empty = 0;
    for (let column = 0; column <= size; column += 1) {
      const code = column < size ? stacks.get(nameOf(column, size - 1 - down)) : '';
      if (code === undefined) {
        empty += 1;
      } else {
        parts.push(...(empty > 0 ? [empty === 1 ? 'x' : `x${empty}`] : []), ...(code ? [code] : []));
        empty = 0;
      }
    }
    return parts.join(',');
  });
  return `${rows.join('/')} ${1 + COLORS.indexOf(turn)} ${number}`;
}

/**
 * The position of a TPS; null if it is none. The player to move and the number may be missing, as people leave them out.
 * @param {string} text
 * @returns {Setup | null}
 */
export function readSetup(text) {
  const [board = '', turn = '1', number = '1', ...rest] = text
    .trim()
    .replace(/^\[TPS\s+"(.*)"\]$/i, '$1')
    .split(/\s+/);
  const rows = board.toLowerCase().replaceAll('s', 'S').replaceAll('c', 'C').split('/');
  const size = rows.length;
  const width = (/** @type {string} */ row) =>
    row
      .split(',')
      .reduce(
        (sum, part) => sum + (/^x[1-8]?$/.test(part) ? Number(part.slice(1) || 1) : /^[12]+[SC]?$/.test(part) ? 1 : 9),
        0,
      );
  const isWhole =
    size >= 3 &&
    size <= 8 &&
    rows.every((row) => width(row) === size) &&
    /^[12]$/.test(turn) &&
    /^[1-9]\d{0,4}$/.test(number) &&
    rest.length === 0;
  return isWhole
    ? { size, stacks: stacksOf(rows.join('/')), turn: turn === '1' ? 'white' : 'black', number: Number(number) }
    : null;
}

/**
 * Puts a piece on a square, on what lies there; nothing lies on walls and capstones, so that it takes their place. None
 * takes the top piece away.
 * @param {Setup} setup
 * @param {string} square
 * @param {Piece | null} piece
 * @returns {Setup}
 */
export function put(setup, square, piece) {
  const stacks = new Map(setup.stacks);
  const { colors, kind } = parseStack(stacks.get(square) ?? '');
  const below = piece && kind === 'flat' ? colors : colors.slice(0, -1);
  const code = piece ? stackOf([...below, piece.color], piece.kind) : stackOf(below, 'flat');
  if (code) {
    stacks.set(square, code);
  } else {
    stacks.delete(square);
  }
  // From the second move on there may be any pieces.
  return { ...setup, stacks, number: piece ? Math.max(2, setup.number) : setup.number };
}

/**
 * The pieces of a colour on the board: flats and walls, capstones, and the flats that count.
 * @param {Setup} setup
 * @param {Color} color
 */
export function onBoard({ stacks }, color) {
  const sum = { stones: 0, caps: 0, flats: 0 };
  for (const code of stacks.values()) {
    const { colors, kind } = parseStack(code);
    const isTop = colors[colors.length - 1] === color;
    const isCap = isTop && kind === 'capstone';
    sum.stones += colors.filter((each) => each === color).length - Number(isCap);
    sum.caps += Number(isCap);
    sum.flats += Number(isTop && kind === 'flat');
  }
  return sum;
}

/** The pieces that can be put, in the order of the keys. @type {Piece[]} */
export const PIECES = COLORS.flatMap((color) =>
  /** @type {Kind[]} */ (Object.keys(LETTERS)).map((kind) => ({ color, kind })),
);
