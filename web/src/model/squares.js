// Names of squares, colours, and moves in PTN. No rules of the game are here: the program knows those.

/** @import { Color, Kind, MoveParts } from '../protocol.js' */

/** The letters of pieces in PTN and TPS. @type {Record<Kind, string>} */
export const LETTERS = { flat: '', wall: 'S', capstone: 'C' };

/** @type {Color[]} */
export const COLORS = ['white', 'black'];

/** The steps of a spread: columns to the right, rows up. @type {Record<string, [number, number]>} */
const WAYS = { '+': [0, 1], '>': [1, 0], '-': [0, -1], '<': [-1, 0] };

/** The name of a square by column and row, counted from White's left. @type {(column: number, row: number) => string} */
export const nameOf = (column, row) => 'abcdefgh'[column] + (row + 1);
/** @type {(name: string) => number} */
export const columnOf = (name) => name.charCodeAt(0) - 97;
/** @type {(name: string) => number} */
export const rowOf = (name) => Number(name[1]) - 1;

/** The square as far behind `middle` as `from` is before it. @type {(from: string, middle: string) => string} */
export const beyond = (from, middle) => nameOf(2 * columnOf(middle) - columnOf(from), 2 * rowOf(middle) - rowOf(from));

/** The square so many steps from another one. @type {(from: string, way: string, steps: number) => string} */
export const stepFrom = (from, way, steps) =>
  nameOf(columnOf(from) + WAYS[way][0] * steps, rowOf(from) + WAYS[way][1] * steps);

/**
 * The way from a square to another one in the same row or column; undefined if there is none.
 * @param {string} from
 * @param {string} to
 */
export function wayTo(from, to) {
  const [right, up] = [columnOf(to) - columnOf(from), rowOf(to) - rowOf(from)];
  return Object.keys(WAYS).find((way) => Math.sign(right) === WAYS[way][0] && Math.sign(up) === WAYS[way][1]);
}

/** @type {(color: Color) => Color} */
export const other = (color) => (color === 'white' ? 'black' : 'white');

/**
 * Reads a stack as in TPS: colours from the bottom up, and the kind of the top piece.
 * @param {string} code
 * @returns {{colors: Color[], kind: Kind}}
 */
export function parseStack(code) {
  const colors = [...code]
    .filter((each) => each === '1' || each === '2')
    .map((each) => (each === '1' ? 'white' : 'black'));
  return {
    colors: /** @type {Color[]} */ (colors),
    kind: code.endsWith('S') ? 'wall' : code.endsWith('C') ? 'capstone' : 'flat',
  };
}

/** Pieces as in TPS. @type {(colors: Color[], kind: Kind) => string} */
export const stackOf = (colors, kind) =>
  colors.map((color) => (color === 'white' ? '1' : '2')).join('') + LETTERS[kind];

/**
 * A move in parts; null if the text is none.
 * @param {string} text
 * @returns {MoveParts | null}
 */
export function partsOf(text) {
  const [, count, letter, from, way, drops] = /^(\d?)([SC]?)([a-h][1-8])(?:([-+<>])(\d*))?$/.exec(text) ?? [];
  if (!from) {
    return null;
  }
  if (!way) {
    return { text, from, kind: letter === 'S' ? 'wall' : letter === 'C' ? 'capstone' : 'flat', drops: [] };
  }
  const counts = drops ? [...drops].map(Number) : [Number(count || 1)];
  return { text, from, kind: null, drops: counts.map((each, index) => [stepFrom(from, way, index + 1), each]) };
}

/**
 * The stacks of a position in TPS by their squares, to be drawn. Empty squares are left out.
 * @param {string} tps
 * @returns {Map<string, string>}
 */
export function stacksOf(tps) {
  const stacks = new Map();
  const rows = tps.split(' ')[0].split('/');
  rows.forEach((row, down) => {
    let column = 0;
    for (const part of row.split(',')) {
      if (part.startsWith('x')) {
        column += Number(part.slice(1) || 1);
      } else {
        stacks.set(nameOf(column, rows.length - 1 - down), part);
        column += 1;
      }
    }
  });
  return stacks;
}

/** The width of the board of a position in TPS. @type {(tps: string) => number} */
export const widthOf = (tps) => tps.split(' ')[0].split('/').length;

/** The player to move in a position in TPS. @type {(tps: string) => Color} */
export const turnOf = (tps) => (tps.split(' ')[1] === '2' ? 'black' : 'white');
