// The sentences about mistakes that are kept as puzzles.

/** @import { Color } from '../protocol.js' */
/** @import { Mistake } from '../types.js' */

import { isLearnt } from '../model/mistake.js';
import { counted, sentence } from '../words.js';

/** @type {Record<Color, string>} */
const NAMES = { white: 'White', black: 'Black' };

/** @type {(days: number) => string} */
const inDays = (days) => (days === 1 ? 'tomorrow' : `in ${days} days`);

/** A day by its number. @type {(day: number) => string} */
const dateOf = (day) =>
  new Date(day * 86_400_000).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });

export const mistakeWords = {
  title: 'My mistakes',
  source: 'Puzzles from',
  program: 'All puzzles',
  own: (/** @type {number} */ due) => (due > 0 ? `My mistakes: ${due} due` : 'My mistakes'),

  keep: (/** @type {string} */ player) => `Keep ${player}’s mistakes as puzzles`,
  looking: (/** @type {number} */ done, /** @type {number} */ all) => `Keeping mistakes as puzzles: ${done} of ${all}`,
  kept: (/** @type {number} */ found, /** @type {number} */ all) =>
    all === 0
      ? 'No mistake to keep as a puzzle.'
      : found === 0
        ? `${counted(all, 'mistake')}, none with one clearly best answer.`
        : `${counted(found, 'mistake is', 'mistakes are')} in Puzzles, from tomorrow on.`,
  stopped: (/** @type {string} */ why) => `Not all mistakes were kept as puzzles: ${sentence(why)}`,
  open: 'Open my mistakes',
  tryAgain: 'Try again',

  /** The comment in a file, as `tak-engine puzzles` writes it. */
  task: (/** @type {Color} */ color, /** @type {string} */ move, /** @type {boolean} */ isOne) =>
    `*best. ${NAMES[color]} has ${isOne ? 'one good move' : 'good moves on one square'}. ${NAMES[color]} played ${move}.`,

  one: 'Your mistake',
  about: (/** @type {string} */ players, /** @type {number} */ added) =>
    `${players}, reviewed on ${new Date(added).toLocaleDateString('en-GB', { day: 'numeric', month: 'long' })}`,
  played: (/** @type {Color} */ color, /** @type {string} */ move) => `${NAMES[color]} played ${move} here.`,
  notDue: (/** @type {number} */ due) => `It is due on ${dateOf(due)}; a try before that does not count.`,
  again: (/** @type {Mistake} */ mistake, /** @type {number} */ day) =>
    isLearnt(mistake) ? 'Solved twice: it does not come again.' : `It comes again ${inDays(mistake.due - day)}.`,
  nextOne: 'Next mistake',
  counts: (/** @type {number} */ due, /** @type {number} */ later, /** @type {number} */ learnt) =>
    `${due} due, ${later} later, ${learnt} solved twice`,
  nextOn: (/** @type {number} */ due) => `The next one is due on ${dateOf(due)}.`,
  days: 'Each mistake comes again after 1, 3 and 10 days, until it is solved twice.',
  none: 'Review a game: your mistakes with one clear answer come back here, until solved twice.',
  noOther: 'there is no other mistake',
  save: 'Save as PTN',
  remove: 'Delete this mistake',
  removed: 'Deleted.',
  restored: 'Restored.',

  full: 'this browser has no more space',
  later: 'a later version of this page has stored your mistakes',
  unstored: 'this browser does not store them',
  onlyHere: (/** @type {string} */ why) => `${sentence(why)} Save your mistakes as PTN before you close this tab.`,
  tooMany: (/** @type {number} */ most) => `there are ${most} already; delete some`,
};
