// Dragging a stack with mouse or finger. One piece falls on each square that is passed, the rest where it is let go.

/** The pixels between two points that are looked at when the pointer is fast. */
const STEP_PIXELS = 8;

/** @import { App } from '../app.js' */
/** @import { Hand } from '../actions/hand.js' */

export class Drag {
  /** The pointer that is down. @type {{id: number, square: string, x: number, y: number} | null} */
  pressed = null;
  isOn = false;

  /**
   * @param {App} app
   * @param {Hand} hand
   * @param {HTMLElement} grid
   */
  constructor(app, hand, grid) {
    this.app = app;
    this.hand = hand;
    this.grid = grid;
  }

  /**
   * @param {PointerEvent} event
   * @param {string | null} square
   */
  press(event, square) {
    const isMain = event.isPrimary && event.button === 0;
    this.isOn = false;
    this.pressed = isMain && square ? { id: event.pointerId, square, x: event.clientX, y: event.clientY } : null;
  }

  /** Follows the pointer. Returns whether it drags pieces. @param {PointerEvent} event */
  follow(event) {
    if (event.pointerId !== this.pressed?.id) {
      return false;
    }
    if (event.type === 'pointermove') {
      this.move(event.clientX, event.clientY);
    } else {
      this.end(event);
    }
    return this.isOn;
  }

  /**
   * @param {number} toX
   * @param {number} toY
   */
  move(toX, toY) {
    const { pressed, hand } = this;
    if (!pressed) {
      return;
    }
    const { x, y } = pressed;
    const count = Math.ceil(Math.hypot(toX - x, toY - y) / STEP_PIXELS);
    for (let step = 1; step <= count; step += 1) {
      const square = this.squareAt(x + ((toX - x) * step) / count, y + ((toY - y) * step) / count);
      if (square && square !== pressed.square) {
        if (!this.isOn && !this.begin(pressed.square, pressed.id)) {
          this.pressed = null;
          return;
        }
        pressed.square = square;
        this.app.do(() => hand.pass(square));
      }
    }
    Object.assign(pressed, { x: toX, y: toY });
  }

  /**
   * Takes up the pieces of a square, if that is possible.
   * @param {string} square
   * @param {number} pointer
   */
  begin(square, pointer) {
    const { app, grid, hand } = this;
    this.isOn = hand.isLoose(square);
    if (this.isOn) {
      grid.setPointerCapture(pointer);
      app.do(() => hand.take(square));
    }
    return this.isOn;
  }

  /** @param {PointerEvent} event */
  end({ type, clientX, clientY }) {
    const { app, hand, isOn } = this;
    const square = type === 'pointerup' ? this.squareAt(clientX, clientY) : null;
    this.pressed = null;
    if (isOn) {
      app.do(() => (square ? hand.letGo(square) : hand.cancel()));
    }
  }

  /**
   * The square at a point of the window; null beside the board.
   * @param {number} x
   * @param {number} y
   */
  squareAt(x, y) {
    const target = document.elementFromPoint(x, y);
    const square = target && this.grid.contains(target) ? target.closest('[data-square]') : null;
    return square instanceof HTMLElement ? (square.dataset.square ?? null) : null;
  }
}
