// Drawings of positions apart from the board of the game.

/** @import { Look } from './board.js' */

import { nameOf, stacksOf, widthOf } from '../model/squares.js';
import { Board } from './board.js';
import { svg } from './pieces.js';

/** A board without anything. @type {Look} */
export const EMPTY_LOOK = {
  size: 3,
  flipped: false,
  squares: [],
  marks: {},
  road: [],
  threat: [],
  cursor: 'a1',
  motion: null,
  held: null,
  advice: [],
  heat: [],
  drawn: [],
  sign: null,
  animates: false,
  hasNumbers: false,
  hasCoordinates: false,
};

/** The squares of a board. @type {(size: number) => string[]} */
export const squaresOf = (size) =>
  Array.from({ length: size ** 2 }, (_, index) => nameOf(index % size, Math.floor(index / size)));

/**
 * Draws a position.
 * @param {string} tps
 * @param {Partial<Look>} look what else is shown
 * @param {Element} drawing
 */
export function diagram(tps, look = {}, drawing = svg('svg', { class: 'board', 'aria-hidden': 'true' })) {
  const size = widthOf(tps);
  const stacks = stacksOf(tps);
  const board = new Board(/** @type {SVGElement} */ (drawing), document.createElement('div'));
  const squares = squaresOf(size).map((name) => ({ name, stack: stacks.get(name) ?? '', label: '', isLoose: false }));
  board.show({ ...EMPTY_LOOK, size, squares, ...look });
  return drawing;
}
