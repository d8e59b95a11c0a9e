// Undo and redo in games: of moves, of ends without a move, and of moves that had replaced others.

/** @import { App } from '../app.js' */
/** @import { Doc } from '../types.js' */

import { turnText } from '../app.js';
import { turnAfter } from '../model/doc.js';
import { words } from '../words.js';
import { cutOf, MOST_CUTS, reopened } from './game.js';

/** Returns whether the board shows an end without a move. Undo reverts only that. @type {(doc: Doc) => boolean} */
const isEndCut = ({ at, moves, cuts, ended }) => ended !== null && at === moves.length && cuts.at(-1)?.at === at;

/** Returns whether redo replays a move that had cut off the later ones here. @type {(doc: Doc) => boolean} */
const isCutUndone = ({ at, uncut }) => uncut.at(-1)?.at === at;

/** @type {(doc: Doc) => boolean} */
export const canUndo = (doc) => doc.at > 0 || isEndCut(doc);

/** @type {(doc: Doc) => boolean} */
export const canRedo = (doc) => doc.at < doc.moves.length || isCutUndone(doc);

export class Undo {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
  }

  /**
   * The nearest position in this direction (-1 or 1) with the user to move.
   * @param {-1 | 1} direction
   */
  async step(direction) {
    const { app } = this;
    const doc = app.state.docs.game;
    const { moves, mode, human, cuts } = doc;
    if (direction > 0 && isCutUndone(doc)) {
      await this.#redoCut(doc);
      return;
    }
    if (direction < 0 && isEndCut(doc)) {
      await this.#undoCut(doc);
      return;
    }
    let at = doc.at + direction;
    while (at >= 0 && at < moves.length && mode === 'engine' && turnAfter(doc, at) !== human) {
      at += direction;
    }
    if (at < 0 || at > moves.length) {
      app.refuse(direction < 0 ? words.nothingToUndo : words.nothingToRedo);
      return;
    }
    const cut = cuts.at(-1);
    if (direction < 0 && cut && at <= cut.at) {
      await this.#undoCut(doc);
      return;
    }
    const takebacks = doc.takebacks + (direction < 0 && mode === 'engine' ? 1 : 0);
    await app.load('game', { at, present: at, takebacks, ...(direction < 0 ? reopened(doc) : {}) }, { slides: true });
    app.say(words.undone(direction < 0, turnText(app.state.docs.game)));
  }

  /**
   * Restores the continuation before another move was played, or before the game ended without a move.
   * @param {Doc} doc
   */
  async #undoCut(doc) {
    const { app } = this;
    const { cuts, uncut } = doc;
    const { at, moves, ended, present = at } = cuts[cuts.length - 1];
    const undone = { ...cutOf(doc), at, to: doc.at };
    await app.load('game', {
      ...reopened(doc),
      moves,
      at,
      ended,
      present,
      cuts: cuts.slice(0, -1),
      uncut: [...uncut, undone],
    });
    app.say(words.undoneCut(moves.length > at, turnText(app.state.docs.game)));
  }

  /**
   * Redoes the other move.
   * @param {Doc} doc
   */
  async #redoCut(doc) {
    const { app } = this;
    const { cuts, uncut } = doc;
    const { to = 0, moves, ended } = uncut[uncut.length - 1];
    await app.load('game', {
      moves,
      at: to,
      ended,
      present: to,
      cuts: [...cuts, cutOf(doc)].slice(-MOST_CUTS),
      uncut: uncut.slice(0, -1),
    });
    app.say(words.undone(false, turnText(app.state.docs.game)));
  }
}
