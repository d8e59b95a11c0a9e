// The sentences of the library.

import { counted } from '../words.js';

/** @type {(number: number) => string} */
const grouped = (number) => number.toLocaleString('en-GB');

/** @type {(count: number) => string} */
const gamesText = (count) => `${grouped(count)} ${count === 1 ? 'game' : 'games'}`;

export const libraryWords = {
  library: 'Library',
  about: (/** @type {number} */ shown, /** @type {number} */ all) =>
    shown === all ? gamesText(all) : `${grouped(shown)} of ${gamesText(all)}`,
  add: 'Add PTN files',
  exportAll: 'Save all as one PTN file',
  search: 'Search for names, event, date or file',
  size: 'Board',
  all: 'All',
  result: 'Result',
  results: { '': 'Any', white: 'White', draw: 'Draw', black: 'Black', none: 'None' },
  withPosition: 'With the position on the board',
  ofFile: (/** @type {string} */ name) => `Only games of ${name}`,
  games: 'Games',
  more: (/** @type {number} */ count) => `Show ${grouped(count)} more`,
  remove: (/** @type {string} */ name) => `Delete ${name}`,
  removed: (/** @type {string} */ name) => `Deleted: ${name}.`,
  restored: (/** @type {string} */ name) => `Restored: ${name}.`,
  none: 'No game is like that.',
  empty: 'Games that you finish here, and those of files that you open, are kept in this browser.',
  drop: 'Drop PTN files here',
  openPaste: 'Open a text or a link',
  back: 'Back to the game',
  reading: (/** @type {string} */ name, /** @type {number} */ percent) => `Reading ${name}: ${percent} %`,
  looking: 'Looking for the position.',
  played: 'played here',
  pasted: 'pasted text',
  added: (/** @type {number} */ added, /** @type {number} */ known, /** @type {number} */ damaged) =>
    [
      `${counted(added, 'game')} added.`,
      known > 0 ? `${counted(known, 'game was', 'games were')} here already.` : '',
      damaged > 0 ? `${counted(damaged, 'game is', 'games are')} damaged and left out.` : '',
    ]
      .filter(Boolean)
      .join(' '),
  faults: 'Damaged games',
  noGames: 'there is no game in it',
  tooLarge: (/** @type {number} */ most) => `a file may have at most ${most} MB`,
  notRead: (/** @type {string} */ name, /** @type {string} */ why) => `${name} was not added: ${why}.`,
  tooMany: (/** @type {number} */ all, /** @type {number} */ more, /** @type {number} */ most) =>
    `the library has ${grouped(all)} games, and with ${grouped(more)} more it would exceed its ${grouped(most)}`,
  full: 'this browser has no more space for games',
  later: 'a later version of this page has stored these games',
  blocked: 'the page is open in another tab in an earlier version',
  unread: 'the program and the library do not agree; reload the page',
  unstored: 'this browser does not store games',
  onlyHere: (/** @type {string} */ why) =>
    `${why[0].toUpperCase()}${why.slice(1)}: close this tab only after you have saved them as a file.`,
  plies: (/** @type {number} */ plies) => counted(Math.ceil(plies / 2), 'move'),
};
