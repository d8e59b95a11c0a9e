// The pieces in hand, the cursor on the board, and the piece to place.

import { beyond } from './board.js';
import { drop, lift, reach } from './draft.js';

export class Hand {
  constructor(game) {
    this.game = game;
    /** The spread in progress. */
    this.draft = null;
    this.cursor = 'a1';
    this.kind = 'flat';
    /** The number of pieces to lift, if one was chosen. */
    this.count = null;
  }

  /** Adapts to a position. A step puts pieces in hand back, and after a move of the user flats are placed again. */
  settle({ squares, kinds }, { isStep, isOwn }) {
    if (isStep) {
      this.draft = null;
      this.count = null;
    }
    if (isOwn) {
      this.kind = 'flat';
    }
    if (!squares.some(({ name }) => name === this.cursor)) {
      this.cursor = 'a1';
    }
    if (!kinds.some(({ kind }) => kind === this.kind)) {
      this.kind = kinds[0]?.kind ?? 'flat';
    }
  }

  /** Enter, or a click: places, lifts or drops at the cursor. */
  async enter() {
    const barred = this.game.barred();
    if (barred) {
      this.game.refuse(barred);
    } else if (this.draft) {
      await this.drop(false);
    } else if (this.game.square(this.cursor).stack) {
      this.lift(this.cursor, this.count);
    } else {
      const letter = { flat: '', wall: 'S', capstone: 'C' }[this.kind];
      await this.game.play(letter + this.cursor);
    }
  }

  lift(square, count) {
    this.draft = lift(this.game.view, square, count);
    this.count = null;
    this.game.changed();
    this.game.say(`${this.draft.says}.`);
  }

  /** Returns whether the pieces of a square can be dragged. */
  isLoose(square) {
    if (this.draft) {
      return square === this.over;
    }
    return !this.game.barred() && Boolean(this.game.square(square)?.spreads);
  }

  /** The square that the pieces in hand hover over. */
  get over() {
    return this.draft && (this.draft.hovers ?? this.draft.over);
  }

  /** Takes up the pieces of a square to drag them. */
  take(square) {
    if (!this.draft) {
      this.lift(square, square === this.cursor ? this.count : null);
      this.cursor = square;
    }
  }

  /**
   * Drags the pieces in hand to another square, if they can go there. They fall where they are passed, so that the way
   * back is open until then.
   */
  pass(square) {
    const { draft, over } = this;
    if (!draft) {
      return;
    }
    if (square === draft.over || draft.next.includes(square)) {
      this.hover(square);
    } else if (draft.next.includes(over) && over !== draft.over && square === beyond(draft.over, over)) {
      const answer = this.fall(over);
      if (answer.draft?.next.includes(square)) {
        this.draft = answer.draft;
        this.hover(square);
        this.game.say(`${answer.draft.says}.`);
      }
    }
  }

  hover(square) {
    this.draft = { ...this.draft, hovers: square };
    this.cursor = square;
    this.game.changed();
  }

  /** Lets the pieces go that were dragged: all of them fall. On another square they stay in hand. */
  async letGo(square) {
    const { draft } = this;
    if (!draft || square !== this.over) {
      return;
    }
    if (square === draft.draft.from) {
      this.cancel();
      return;
    }
    let answer = { draft };
    while (answer.draft) {
      this.draft = answer.draft;
      answer = this.fall(square);
    }
    await this.game.play(answer.move);
  }

  /** The effect of a drop on a square. */
  fall(square, isFriendly = false) {
    return drop(this.game.view, this.draft.draft, square, isFriendly);
  }

  async drop(friendly) {
    const draft = this.draft.draft;
    if (friendly && draft.from === this.cursor) {
      this.game.refuse('choose a square next to the stack first');
      return;
    }
    const answer = this.fall(this.cursor, friendly);
    if (answer.move) {
      await this.game.play(answer.move);
      return;
    }
    this.draft = answer.draft ?? null;
    this.game.changed();
    this.game.say(answer.draft ? `${answer.draft.says}.` : 'Put back.');
  }

  /** The backtick: drops the friendly pieces at the bottom of the hand. */
  async dropFriendly() {
    if (this.draft) {
      await this.drop(true);
    } else {
      this.game.refuse('nothing is in hand');
    }
  }

  /** Moves the cursor; with pieces in hand only to squares for the next drop. `square` is null beyond the edge. */
  go(square) {
    if (square === null) {
      this.game.refuse('the board ends here');
      return;
    }
    if (this.draft) {
      const { draft, next } = this.draft;
      const isHome = square === draft.from && draft.drops.length === 0;
      if (!isHome && !next.includes(square)) {
        reach(this.game.view, draft, square);
      }
    } else {
      this.count = null;
    }
    this.cursor = square;
    this.game.changed();
  }

  /** A click on a square. */
  async click(square) {
    // An action before this one may have brought a smaller board.
    if (!this.game.square(square)) {
      return;
    }
    if (this.draft) {
      this.go(square);
    } else if (square !== this.cursor) {
      this.cursor = square;
      this.count = null;
      this.game.changed();
    }
    await this.enter();
  }

  /** Sets the number of pieces to lift. */
  number(count) {
    if (this.draft) {
      if (this.draft.draft.drops.length > 0) {
        this.game.refuse('a piece has been dropped already');
        return;
      }
      this.lift(this.draft.draft.from, count);
      return;
    }
    const barred = this.game.barred();
    if (barred) {
      this.game.refuse(barred);
      return;
    }
    // Only checks that this number can be lifted.
    lift(this.game.view, this.cursor, count);
    this.count = count;
    this.game.changed();
    this.game.say(`${count} to lift.`);
  }

  choose(kind) {
    this.kind = kind;
    this.game.changed();
    this.game.say(`${kind[0].toUpperCase()}${kind.slice(1)}.`);
  }

  /** Selects the next kind of piece that is left. */
  cycle() {
    const kinds = this.game.view.kinds.map(({ kind }) => kind);
    if (kinds.length < 2) {
      this.game.refuse(kinds.length === 1 ? `only a ${kinds[0]} can be placed now` : 'nothing can be placed now');
      return;
    }
    this.choose(kinds[(kinds.indexOf(this.kind) + 1) % kinds.length]);
  }

  /** Puts the pieces in hand back. Returns whether there were any. */
  cancel() {
    if (!this.draft) {
      return false;
    }
    this.cursor = this.draft.draft.from;
    this.draft = null;
    this.game.changed();
    this.game.say('The pieces are back on their square.');
    return true;
  }
}
