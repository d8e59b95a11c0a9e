// The sentences of the editor.

/** @import { Color, Kind } from '../protocol.js' */

import { counted, words } from '../words.js';

/** @type {Record<Kind, string>} */
const KINDS = { flat: 'flat', wall: 'wall', capstone: 'capstone' };

export const editorWords = {
  title: 'Set up a position',
  about: (/** @type {Color} */ turn, /** @type {number} */ number) => `${words.colors[turn]} to move · move ${number}`,
  piece: (/** @type {Color} */ color, /** @type {Kind} */ kind) => `${words.colors[color]} ${KINDS[kind]}`,
  pieces: 'Piece to put',
  leftOf: (/** @type {string} */ name, /** @type {number} */ left) => `${name}, ${left} left`,
  remove: 'Remove',
  chosen: (/** @type {string} */ name) => `${name}.`,
  puts: (/** @type {string} */ name) => `puts a ${name.toLowerCase()} here`,
  removes: 'takes the top piece away',
  now: (/** @type {string} */ square, /** @type {string} */ stack) => `${square}: ${stack}.`,
  isEmpty: (/** @type {string} */ square) => `${square} is empty`,
  size: 'Board',
  turn: 'To move',
  number: 'Move',
  fewer: 'Previous move number',
  more: 'Next move number',
  tps: 'Position (TPS)',
  noTps: 'This is no TPS yet: rows from the top, then the player to move (1 or 2) and the number of the move.',
  unplayable: (/** @type {string} */ why) => `This cannot be played: ${why}.`,
  isOver: (/** @type {string} */ says) => `The game is over here: ${says}.`,
  onBoard: 'On the board',
  stones: 'Flats and walls',
  caps: 'Capstones',
  of: (/** @type {number} */ used, /** @type {number} */ all) => `${used} of ${all}`,
  play: 'Play from here',
  analyse: 'Analyse',
  clear: 'Clear',
  cleared: 'The board is empty.',
  undone: 'Undone.',
  redone: 'Redone.',
  touch: 'Tap a square to put the piece on it. With the bin a tap takes the top piece away.',
  keys: 'Click a square, or press Enter, to put the piece. A right click or Delete takes the top piece away; 1 to 7 choose.',
  resized: (/** @type {number} */ size, /** @type {number} */ count) =>
    `An empty board of ${size} by ${size}.${count > 0 ? ` ${counted(count, 'stack was', 'stacks were')} on the other one; Undo brings it back.` : ''}`,
};
