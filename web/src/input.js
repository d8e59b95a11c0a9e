// Keyboard, mouse and touch input on the board.

import { Drag } from './drag.js';

const LONG = 450;
/** The pixels of a swipe, and of a turn of the wheel, that are one step. */
const SWIPE = 50;
const NOTCH = 60;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export class Input {
  /** `look` is called with the square under the pointer, or null. */
  constructor(game, board, look) {
    this.game = game;
    this.board = board;
    this.look = look;
    const { grid } = board;
    grid.addEventListener('keydown', (event) => this.key(event));
    grid.addEventListener('click', (event) => this.click(event));
    grid.addEventListener('contextmenu', (event) => this.menu(event));
    grid.addEventListener('pointerover', (event) => event.pointerType === 'mouse' && look(squareOf(event)));
    grid.addEventListener('pointerleave', () => look(null));
    grid.addEventListener('pointerdown', (event) => this.press(event));
    for (const end of ['pointerup', 'pointercancel', 'pointermove']) {
      grid.addEventListener(end, (event) => this.release(event));
    }
    grid.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    this.drag = new Drag(game, grid);
    this.timer = null;
    this.wasLong = false;
    this.turned = 0;
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.game.view) {
      return;
    }
    const action = this.action(event);
    if (!action) {
      return;
    }
    event.preventDefault();
    // A key held down moves the cursor, but repeats no other action.
    if (!event.repeat || event.key in ARROWS) {
      this.game.do(action);
    }
  }

  /** The action of a key; undefined if none. */
  action({ key, code }) {
    const { game, board } = this;
    if (key in ARROWS) {
      const [right, up] = ARROWS[key];
      // The cursor may still move before this runs.
      return () => game.hand.go(board.beside(game.hand.cursor, right, up));
    }
    if (key === 'Enter' || key === ' ') {
      return () => game.hand.enter();
    }
    if (/^[1-8]$/.test(key)) {
      return () => game.hand.number(Number(key));
    }
    if (key === 'c' || key === 'C') {
      return () => game.hand.draft ? game.refuse('pieces are in hand') : game.hand.cycle();
    }
    // On keyboards on which the backtick is missing or a dead key, f does the same.
    if (key === '`' || key === 'f' || key === 'F' || (key === 'Dead' && code === 'Backquote')) {
      return () => game.hand.dropFriendly();
    }
    if (key === 'Escape') {
      return () => game.hand.cancel() || board.grid.blur();
    }
    return undefined;
  }

  click(event) {
    const square = squareOf(event);
    if (this.wasLong || !square || !this.game.view) {
      this.wasLong = false;
      return;
    }
    this.board.press(square);
    this.game.do(() => this.game.hand.click(square));
  }

  menu(event) {
    if (this.game.hand.draft || this.wasLong) {
      event.preventDefault();
    }
    if (!this.wasLong) {
      this.game.do(() => this.game.hand.cancel());
    }
  }

  /** A long press shows the stack. */
  press(event) {
    this.wasLong = false;
    this.drag.press(event, squareOf(event));
    if (event.pointerType !== 'mouse') {
      this.start = [event.clientX, event.clientY];
      this.timer = setTimeout(() => {
        this.wasLong = true;
        this.look(squareOf(event));
      }, LONG);
    }
  }

  /** A step for each notch of the wheel. */
  wheel(event) {
    if (event.ctrlKey || !this.game.view) {
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

  /** A step to the next or previous position, if there is one. */
  step(by) {
    const { game } = this;
    game.do(() => {
      const to = game.state.at + by;
      return to < 0 || to > game.state.moves.length ? undefined : game.walk(to);
    });
  }

  /** A swipe to the left is a step forward. */
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

  release(event) {
    if (this.drag.follow(event)) {
      clearTimeout(this.timer);
      this.swallow();
      return;
    }
    this.swipe(event);
    const isStill = event.type === 'pointermove' && this.start
      && Math.hypot(event.clientX - this.start[0], event.clientY - this.start[1]) < 10;
    if (!isStill) {
      clearTimeout(this.timer);
    }
  }
}

function squareOf(event) {
  return event.target.closest?.('[data-square]')?.dataset.square ?? null;
}

/**
 * The step of a key: a function from the present number of moves to the next; null if none. Inside the board the arrows
 * move the cursor.
 */
export function stepOf(event, game) {
  const isPlain = event.getModifierState('AltGraph') || !(event.ctrlKey || event.metaKey || event.altKey);
  if (!isPlain) {
    return null;
  }
  const [back, on] = [(at) => at - 1, (at) => at + 1];
  const isOutside = !event.target.closest('#grid, input, select, summary');
  const isInList = event.target.closest('#moves') !== null;
  return {
    '[': back,
    ']': on,
    ...(isOutside && { ArrowLeft: back, ArrowRight: on, Home: () => 0, End: () => game.state.moves.length }),
    ...(isInList && { ArrowUp: back, ArrowDown: on }),
  }[event.key] ?? null;
}
