// Dragging a stack with mouse or finger. One piece falls on each square that is passed, the rest where it is let go.

/** The pixels between two points that are looked at when the pointer is fast. */
const NEAR = 8;

export class Drag {
  constructor(game, grid) {
    Object.assign(this, { game, grid });
    /** The pointer that is down: {id, square, x, y}. */
    this.pressed = null;
    this.isOn = false;
  }

  press(event, square) {
    const isMain = event.isPrimary && event.button === 0;
    this.isOn = false;
    this.pressed = isMain && square ? { id: event.pointerId, square, x: event.clientX, y: event.clientY } : null;
  }

  /** Follows the pointer. Returns whether it drags pieces. */
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

  move(toX, toY) {
    const { pressed, game: { hand } } = this;
    const { x, y } = pressed;
    const count = Math.ceil(Math.hypot(toX - x, toY - y) / NEAR);
    for (let step = 1; step <= count; step += 1) {
      const square = this.squareAt(x + ((toX - x) * step) / count, y + ((toY - y) * step) / count);
      if (square && square !== pressed.square) {
        if (!this.isOn && !this.begin(pressed.square)) {
          this.pressed = null;
          return;
        }
        pressed.square = square;
        this.game.do(() => hand.pass(square));
      }
    }
    Object.assign(pressed, { x: toX, y: toY });
  }

  /** Takes up the pieces of a square, if that is possible. */
  begin(square) {
    const { game, grid, pressed } = this;
    this.isOn = game.hand.isLoose(square);
    if (this.isOn) {
      grid.setPointerCapture(pressed.id);
      game.do(() => game.hand.take(square));
    }
    return this.isOn;
  }

  end({ type, clientX, clientY }) {
    const { game, isOn } = this;
    const square = type === 'pointerup' ? this.squareAt(clientX, clientY) : null;
    this.pressed = null;
    if (isOn) {
      game.do(() => (square ? game.hand.letGo(square) : game.hand.cancel()));
    }
  }

  /** The square at a point of the window; null beside the board. */
  squareAt(x, y) {
    const target = document.elementFromPoint(x, y);
    return this.grid.contains(target) ? target.closest('[data-square]')?.dataset.square ?? null : null;
  }
}
