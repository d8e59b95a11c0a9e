// Keyboard, mouse and touch input on the board.

/** @import { App } from '../app.js' */
/** @import { Hand } from '../actions/hand.js' */
/** @import { Play } from '../actions/game.js' */
/** @import { Board } from './board.js' */

import { viewOf } from '../model/doc.js';
import { Drag } from './drag.js';

const LONG_PRESS_MS = 450;
/** The pixels of a swipe, and of a turn of the wheel, that are one step. */
const SWIPE = 50;
const NOTCH = 60;
/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export class Input {
  /** Where a finger was put down. @type {[number, number] | null} */
  start = null;
  /** The square on which the right button was pressed. @type {string | null} */
  right = null;
  timer = 0;
  wasLong = false;
  /** A square that was clicked before the program had told the position. @type {string | null} */
  early = null;
  turned = 0;

  /**
   * @param {App} app
   * @param {Play} play
   * @param {Hand} hand
   * @param {Board} board
   * @param {(square: string | null) => void} look is called with the square under the pointer, or null
   */
  constructor(app, play, hand, board, look) {
    this.app = app;
    this.play = play;
    this.hand = hand;
    this.board = board;
    this.look = look;
    const { grid } = board;
    grid.addEventListener('keydown', (event) => this.key(event));
    grid.addEventListener('click', (event) => this.click(event));
    grid.addEventListener('contextmenu', (event) => this.menu(event));
    grid.addEventListener('pointerover', (event) => event.pointerType === 'mouse' && look(squareOf(event)));
    grid.addEventListener('pointerleave', () => look(null));
    grid.addEventListener('pointerdown', (event) => this.press(event));
    for (const end of /** @type {const} */ (['pointerup', 'pointercancel', 'pointermove'])) {
      grid.addEventListener(end, (event) => this.release(event));
    }
    grid.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    this.drag = new Drag(app, hand, grid);
    app.store.subscribe(() => {
      const { early } = this;
      if (early && this.isReady) {
        this.early = null;
        app.do(() => hand.click(early));
      }
    });
  }

  /** Returns whether there is a position on the board. */
  get isReady() {
    return viewOf(this.app.doc) !== null;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.isReady) {
      return;
    }
    const action = this.action(event);
    if (!action) {
      return;
    }
    event.preventDefault();
    // A key held down moves the cursor, but repeats no other action.
    if (!event.repeat || event.key in ARROWS) {
      this.app.do(action);
    }
  }

  /**
   * The action of a key; undefined if none.
   * @param {KeyboardEvent} event
   * @returns {(() => unknown) | undefined}
   */
  action({ key, code }) {
    const { hand, board } = this;
    if (key in ARROWS) {
      const [right, up] = ARROWS[key];
      // The cursor may still move before this runs.
      return () => hand.go(board.beside(hand.state.cursor, right, up));
    }
    if (key === 'Enter' || key === ' ') {
      return () => hand.enter();
    }
    if (/^[1-8]$/.test(key)) {
      return () => hand.number(Number(key));
    }
    if (key === 'c' || key === 'C') {
      return () => hand.cycle();
    }
    // On keyboards on which the backtick is missing or a dead key, f does the same.
    if (key === '`' || key === 'f' || key === 'F' || (key === 'Dead' && code === 'Backquote')) {
      return () => hand.dropFriendly();
    }
    if ((key === 'Delete' || key === 'Backspace') && hand.isSetting) {
      return () => hand.remove();
    }
    if (key === 'Escape') {
      return () => hand.cancel() || board.grid.blur();
    }
    return undefined;
  }

  /** @param {MouseEvent} event */
  click(event) {
    const square = squareOf(event);
    if (this.wasLong || !square) {
      this.wasLong = false;
      return;
    }
    if (!this.isReady) {
      this.early = square;
      return;
    }
    this.board.press(square);
    this.app.do(() => this.hand.click(square));
  }

  /** @param {MouseEvent} event */
  menu(event) {
    // With a mouse the right button draws.
    if (this.wasLong || event.button === 2) {
      event.preventDefault();
    }
  }

  /**
   * The right button puts pieces in hand back, takes one from a position that is set up, or else marks a square or draws
   * an arrow. Another time it takes them away.
   * @param {string} from
   * @param {string} to
   */
  draw(from, to) {
    const { app, hand } = this;
    if (hand.isSetting) {
      app.do(() => hand.remove(to));
    } else if (!hand.cancel()) {
      const { drawn } = app.state;
      const mark = from === to ? to : from + to;
      app.store.update({ drawn: drawn.includes(mark) ? drawn.filter((each) => each !== mark) : [...drawn, mark] });
    }
  }

  /** A long press shows the stack. @param {PointerEvent} event */
  press(event) {
    this.wasLong = false;
    this.drag.press(event, squareOf(event));
    this.right = event.button === 2 && event.pointerType === 'mouse' ? squareOf(event) : null;
    if (event.button === 0 && this.app.state.drawn.length > 0) {
      this.app.store.update({ drawn: [] });
    }
    if (event.pointerType !== 'mouse') {
      this.start = [event.clientX, event.clientY];
      this.timer = window.setTimeout(() => {
        this.wasLong = true;
        this.look(squareOf(event));
      }, LONG_PRESS_MS);
    }
  }

  /** A step for each notch of the wheel. @param {WheelEvent} event */
  wheel(event) {
    if (event.ctrlKey || !this.isReady) {
      return;
    }
    event.preventDefault();
    this.turned += event.deltaMode === 0 ? event.deltaY : event.deltaY * NOTCH;
    const steps = Math.trunc(this.turned / NOTCH);
    this.turned -= steps * NOTCH;
    if (steps !== 0) {
      this.step(Math.sign(steps));
    }
  }

  /** A step to the next or previous position, if there is one. @param {number} by */
  step(by) {
    const { app, play } = this;
    app.do(() => {
      const { at, moves } = app.doc;
      return at + by < 0 || at + by > moves.length ? undefined : play.walk(at + by);
    });
  }

  /** A swipe to the left is a step forward. @param {PointerEvent} event */
  swipe(event) {
    if (!this.start || event.type !== 'pointerup' || event.pointerType === 'mouse') {
      return;
    }
    const [right, down] = [event.clientX - this.start[0], event.clientY - this.start[1]];
    if (Math.abs(right) >= SWIPE && Math.abs(right) > 2 * Math.abs(down)) {
      this.swallow();
      this.step(-Math.sign(right));
    }
  }

  /** The click at the end of a movement is none. */
  swallow() {
    this.wasLong = true;
    setTimeout(() => {
      this.wasLong = false;
    });
  }

  /** @param {PointerEvent} event */
  release(event) {
    if (this.right && event.type === 'pointerup' && event.button === 2) {
      const to = this.drag.squareAt(event.clientX, event.clientY);
      if (to) {
        this.draw(this.right, to);
      }
      this.right = null;
    }
    if (this.drag.follow(event)) {
      clearTimeout(this.timer);
      this.swallow();
      return;
    }
    this.swipe(event);
    const isStill =
      event.type === 'pointermove' &&
      this.start &&
      Math.hypot(event.clientX - this.start[0], event.clientY - this.start[1]) < 10;
    if (!isStill) {
      clearTimeout(this.timer);
    }
  }
}

/** @type {(event: Event) => string | null} */
function squareOf({ target }) {
  const square = target instanceof Element ? target.closest('[data-square]') : null;
  return square instanceof HTMLElement ? (square.dataset.square ?? null) : null;
}

/**
 * The step of a key: a function from the present number of moves to the next; null if none. Inside the board the arrows
 * move the cursor.
 * @param {KeyboardEvent} event
 * @param {number} end the number of moves
 * @returns {((at: number) => number) | null}
 */
export function stepOf(event, end) {
  const isPlain = event.getModifierState('AltGraph') || !(event.ctrlKey || event.metaKey || event.altKey);
  if (!isPlain || !(event.target instanceof Element)) {
    return null;
  }
  /** @type {(at: number) => number} */
  const back = (at) => at - 1;
  /** @type {(at: number) => number} */
  const on = (at) => at + 1;
  const isOutside = !event.target.closest(
    '[role=grid], [role=radiogroup], [role=slider], input:not([type=checkbox]), select, summary',
  );
  const isInList = event.target.closest('.moves') !== null;
  const isOnGraph = event.target.closest('[role=slider]') !== null;
  const arrows = { ArrowLeft: back, ArrowRight: on, Home: () => 0, End: () => end };
  return (
    {
      '[': back,
      ']': on,
      ...((isOutside || isOnGraph) && arrows),
      ...(isInList && { ArrowUp: back, ArrowDown: on }),
    }[event.key] ?? null
  );
}
