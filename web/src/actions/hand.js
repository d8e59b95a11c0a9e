// The pieces in hand, the cursor on the board, and the piece to place.

/** @import { App } from '../app.js' */
/** @import { Kind } from '../protocol.js' */
/** @import { Hand as HandState, Held } from '../types.js' */
/** @import { Play } from './game.js' */

import { viewOf } from '../model/doc.js';
import { drop, lift, reach, squareOf } from '../model/draft.js';
import { beyond, LETTERS } from '../model/squares.js';
import { words } from '../words.js';

export class Hand {
  /**
   * @param {App} app
   * @param {Play} play
   */
  constructor(app, play) {
    this.app = app;
    this.play = play;
    /** What clicks and keys do instead in the editor. @type {{put: (square: string) => void, remove: (square: string) => void, choose: (number?: number | null) => void} | null} */
    this.setter = null;
  }

  /** Returns whether a position is being set up. */
  get isSetting() {
    return this.setter !== null && this.app.doc.name === 'editor';
  }

  get state() {
    return this.app.state.hand;
  }

  /** @param {Partial<HandState>} changes */
  #set(changes) {
    this.app.store.update({ hand: { ...this.state, ...changes } });
  }

  /** Returns whether a move is barred; says why. */
  #isBarred() {
    const barred = this.play.barred();
    if (barred) {
      this.app.refuse(barred);
    }
    return barred !== null;
  }

  /** Enter, or a click: places, lifts or drops at the cursor. */
  async enter() {
    const { held, cursor, count, kind } = this.state;
    if (this.isSetting) {
      this.setter?.put(cursor);
      return;
    }
    if (this.#isBarred()) {
      return;
    }
    if (held) {
      await this.drop(held, false);
    } else if (squareOf(this.app.view, cursor)?.stack) {
      this.lift(cursor, count);
    } else {
      await this.play.play(LETTERS[kind] + cursor);
    }
  }

  /**
   * @param {string} square
   * @param {number | null} count
   */
  lift(square, count) {
    const held = lift(this.app.view, square, count);
    this.#set({ held, count: null });
    this.app.say(`${held.says}.`);
  }

  /** Returns whether the pieces of a square can be dragged. @param {string} square */
  isLoose(square) {
    const { held } = this.state;
    const view = viewOf(this.app.doc);
    return held
      ? square === overOf(held)
      : view !== null && !this.play.barred() && Boolean(squareOf(view, square)?.spreads);
  }

  /** Takes up the pieces of a square to drag them. @param {string} square */
  take(square) {
    const { held, cursor, count } = this.state;
    if (!held) {
      this.lift(square, square === cursor ? count : null);
      this.#set({ cursor: square });
    }
  }

  /**
   * Drags the pieces in hand to another square, if they can go there. They fall where they are passed, so that the way
   * back is open until then.
   * @param {string} square
   */
  pass(square) {
    const { held } = this.state;
    if (!held) {
      return;
    }
    const over = overOf(held);
    if (square === held.over || held.next.includes(square)) {
      this.#hover(held, square);
    } else if (held.next.includes(over) && over !== held.over && square === beyond(held.over, over)) {
      const answer = drop(this.app.view, held.draft, over);
      if (answer.draft?.next.includes(square)) {
        this.#hover(answer.draft, square);
        this.app.say(`${answer.draft.says}.`);
      }
    }
  }

  /**
   * @param {Held} held
   * @param {string} square
   */
  #hover(held, square) {
    this.#set({ held: { ...held, hovers: square }, cursor: square });
  }

  /** Lets the pieces go that were dragged: all of them fall. On another square they stay in hand. @param {string} square */
  async letGo(square) {
    const { held } = this.state;
    if (!held || square !== overOf(held)) {
      return;
    }
    if (square === held.draft.from) {
      this.cancel();
      return;
    }
    /** @type {{move?: string, draft?: Held}} */
    let answer = { draft: held };
    while (answer.draft) {
      answer = drop(this.app.view, answer.draft.draft, square);
    }
    if (answer.move) {
      // The last piece has fallen.
      await this.play.play(answer.move);
    }
  }

  /**
   * @param {Held} held
   * @param {boolean} isFriendly
   */
  async drop(held, isFriendly) {
    const { cursor } = this.state;
    if (isFriendly && held.draft.from === cursor) {
      this.app.refuse(words.chooseNext);
      return;
    }
    const answer = drop(this.app.view, held.draft, cursor, isFriendly);
    if (answer.move) {
      // The last piece has fallen.
      await this.play.play(answer.move);
      return;
    }
    this.#set({ held: answer.draft ?? null });
    this.app.say(answer.draft ? `${answer.draft.says}.` : words.putBack);
  }

  /** The backtick: drops the friendly pieces at the bottom of the hand. */
  async dropFriendly() {
    const { held } = this.state;
    if (held) {
      await this.drop(held, true);
    } else {
      this.app.refuse(words.emptyHand);
    }
  }

  /** Moves the cursor; with pieces in hand only to squares for the next drop. @param {string | null} square null beyond the edge */
  go(square) {
    if (square === null) {
      this.app.refuse(words.edge);
      return;
    }
    const { held } = this.state;
    if (held) {
      const isHome = square === held.draft.from && held.draft.drops.length === 0;
      if (!isHome && !held.next.includes(square)) {
        reach(this.app.view, held.draft, square);
      }
      this.#set({ cursor: square });
    } else {
      this.#set({ cursor: square, count: null });
    }
  }

  /** A click on a square. @param {string} square */
  async click(square) {
    // An action before this one may have brought a smaller board.
    if (!squareOf(this.app.view, square)) {
      return;
    }
    if (this.state.held) {
      this.go(square);
    } else if (square !== this.state.cursor) {
      this.#set({ cursor: square, count: null });
    }
    await this.enter();
  }

  /** Sets the number of pieces to lift. @param {number} count */
  number(count) {
    const { held, cursor } = this.state;
    if (this.isSetting) {
      this.setter?.choose(count);
      return;
    }
    if (held) {
      if (held.draft.drops.length > 0) {
        this.app.refuse(words.droppedAlready);
        return;
      }
      this.lift(held.draft.from, count);
      return;
    }
    if (!this.#isBarred()) {
      // Only checks that this number can be lifted.
      lift(this.app.view, cursor, count);
      this.#set({ count });
      this.app.say(words.toLift(count));
    }
  }

  /** @param {Kind} kind */
  choose(kind) {
    this.#set({ kind });
    this.app.say(`${words.kinds[kind]}.`);
  }

  /** Selects the next kind of piece that is left. */
  cycle() {
    const { held, kind } = this.state;
    if (this.isSetting) {
      this.setter?.choose();
      return;
    }
    const kinds = this.app.view.kinds.map((each) => each.kind);
    if (held || kinds.length < 2) {
      this.app.refuse(held ? words.handFull : kinds.length === 1 ? words.onlyKind(kinds[0]) : words.noKind);
      return;
    }
    this.choose(kinds[(kinds.indexOf(kind) + 1) % kinds.length]);
  }

  /** Takes the top piece away, if a position is being set up. */
  remove(square = this.state.cursor) {
    this.#set({ cursor: square });
    this.setter?.remove(square);
  }

  /** Puts the pieces in hand back. Returns whether there were any. */
  cancel() {
    const { held } = this.state;
    if (held) {
      this.#set({ held: null, cursor: held.draft.from });
      this.app.say(words.putBack);
    }
    return held !== null;
  }
}

/** The square that the pieces in hand hover over. @type {(held: Held) => string} */
export const overOf = (held) => held.hovers ?? held.over;
