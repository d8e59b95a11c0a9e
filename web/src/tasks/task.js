// What the views have in common that are loaded when they are opened: a document of their own on the board, and a panel.

/** @import { DocName, State } from '../types.js' */
/** @import { Page } from '../main.js' */
/** @import { Doc, Verdict } from '../types.js' */

import { blank } from '../model/doc.js';
import { partsOf } from '../model/squares.js';

/** Milliseconds that a wrong move is seen, and each answer to it that is drawn. */
const SEEN_MS = 900;

/**
 * @typedef {object} TaskTitle
 * @property {string} title
 * @property {unknown} about
 * @property {string} [look] `told` of a text that stands below the bar, with the kind of an answer
 * @property {unknown} [held] the task, whose place an answer keeps
 */

/**
 * The title of a view with a task, or with the answer to a move.
 * @param {string} title
 * @param {unknown} task
 * @param {Verdict} verdict
 * @returns {TaskTitle}
 */
export const titled = (title, task, { kind, title: answer, text }) =>
  answer
    ? { title, about: `${answer} ${text}`, look: `told ${kind}`, held: task }
    : { title, about: task, look: 'told' };

/**
 * @typedef {object} Task
 * @property {(detail: string) => Promise<void>} open begins with what the rest of the address says
 * @property {() => void} [resume] the connection is back
 * @property {(state: State) => unknown} panel
 * @property {() => TaskTitle | null} [title] for the bar of phones
 * @property {RegExp} [accepts] names of files that may be dropped on the page
 * @property {(files: File[]) => void} [openFiles]
 * @property {() => unknown} [near] what is at the foot of the board instead of a player
 * @property {(isRedo: boolean) => void} [undo]
 * @property {(state: State) => [string, number][]} [heat] shares of games on squares
 * @property {(state: State) => string[]} [advice] moves to draw
 */

/**
 * Sets a position on the board of a view.
 * @param {Page} page
 * @param {DocName} name
 * @param {Partial<Doc>} changes
 */
export async function place(page, name, changes) {
  const { flipped = false } = page.state.docs[name] ?? {};
  const { moves = [] } = changes;
  await page.app.load(
    name,
    blank(name, { names: { white: '', black: '' }, at: moves.length, present: moves.length, flipped, ...changes }),
  );
  page.app.dispatchEvent(new Event('board'));
}

/**
 * Takes back all moves after this many.
 * @param {Page} page
 * @param {DocName} name
 * @param {number} at
 * @param {Doc['human']} human
 */
export async function back(page, name, at, human) {
  const moves = page.state.docs[name]?.moves.slice(0, at) ?? [];
  await page.app.load(name, { moves, at, present: at, ended: null, cuts: [], uncut: [], human }, { slides: true });
}

/** The square that a move is about: where it ends. @type {(move: string) => string} */
export const squareOf = (move) => partsOf(move)?.drops.at(-1)?.[0] ?? partsOf(move)?.from ?? 'a1';

/**
 * Shows a move as wrong for a while, and then takes it back, if nothing else has happened.
 * @param {Page} page
 * @param {string} move
 * @param {string[]} answer
 * @param {() => boolean} isStill
 * @param {() => Promise<void>} takeBack
 */
export function showWrong({ app }, move, answer, isStill, takeBack) {
  app.store.update({ sign: { square: squareOf(move), kind: 'wrong' } });
  setTimeout(
    () =>
      app.do(async () => {
        if (isStill()) {
          app.store.update({ sign: null });
          await takeBack();
        }
      }),
    (1 + answer.length) * SEEN_MS,
  );
}
