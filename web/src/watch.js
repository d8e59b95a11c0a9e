// Watching the engine play itself: a wait after each move, a pause, and single moves.

export class Watch {
  constructor(game) {
    this.game = game;
    /** The last position of the game, and the time until which it is shown. */
    this.last = null;
    this.until = 0;
    /** Whether one move is to be made in a pause. */
    this.isStep = false;
    game.addEventListener('change', () => this.follow());
  }

  /** Returns whether the engine does not think on. A game that nobody sees may take hours. */
  get isStill() {
    const { mode, paused } = this.game.state;
    const isEarly = performance.now() < this.until;
    return mode === 'self' && (document.hidden || (paused ? !this.isStep : isEarly));
  }

  /** Lets each move be looked at. */
  follow() {
    const { path, state: { mode, pace } } = this.game;
    const last = path.at(-1);
    if (mode === 'self' && last !== this.last) {
      this.last = last;
      this.isStep = false;
      this.wait(last.depth > 0 ? pace : 0);
    }
  }

  wait(seconds) {
    clearTimeout(this.timer);
    this.until = performance.now() + 1000 * seconds;
    this.timer = setTimeout(() => this.game.changed(), 1000 * seconds + 1);
  }

  /** Sets the seconds between two moves. */
  setPace(pace) {
    this.keep({ pace });
    this.wait(0);
  }

  /** Stops the game, or lets it go on. */
  pause() {
    const paused = !this.game.state.paused;
    this.isStep = false;
    this.keep({ paused });
    this.game.say(paused ? 'Paused.' : 'The game goes on.');
  }

  /** Makes one move, and pauses then. */
  async step() {
    const { game } = this;
    if (game.state.at < game.state.moves.length) {
      await game.walk(game.state.moves.length);
    }
    this.isStep = true;
    this.keep({ paused: true });
  }

  keep(changes) {
    const { game } = this;
    game.state = { ...game.state, ...changes };
    game.keep(game.state);
    game.changed();
  }
}
