// The clocks of both players. They run in this page: where it is closed, or the program away, nobody can move, and they
// stand still.

/** How often they are looked at, in milliseconds. */
const TICK = 200;
/** After so long without a look the computer slept, and nobody is charged for it. A hidden page is woken once a minute. */
const ASLEEP = 90000;
const SOON = 20000;

export class Clock extends EventTarget {
  constructor(game, connection) {
    super();
    this.game = game;
    this.connection = connection;
    /** Whose clock has been running in which game, and since when. */
    this.side = null;
    this.seed = null;
    this.since = 0;
    game.addEventListener('change', () => this.settle());
    connection.addEventListener('lost', () => this.settle());
    document.addEventListener('visibilitychange', () => this.settle());
    addEventListener('pagehide', () => this.settle(true));
    setInterval(() => this.settle(), TICK);
  }

  /** Whose clock should run; null for nobody's. It begins with the first move. */
  get running() {
    const { state, view } = this.game;
    if (!state.clock || !view || this.game.isFinished || state.moves.length === 0 || !this.connection.isOpen) {
      return null;
    }
    // The engine's game with itself goes on only where nothing of it is taken back, and while somebody looks.
    if (state.mode === 'self' && (document.hidden || !this.game.isEngines)) {
      return null;
    }
    // Looks at earlier moves change nothing in whose turn it is.
    return this.game.turnAfter(state.present);
  }

  /** Charges the time since the last look to the one whose turn it was. */
  settle(isLast = false) {
    const now = Date.now();
    const elapsed = now - this.since;
    const { state } = this.game;
    // What was going on in another game does not matter.
    const side = this.seed === state.seed ? this.side : null;
    this.side = this.running;
    this.seed = state.seed;
    this.since = now;
    if (side === null || !state.clock || elapsed <= 0 || elapsed > ASLEEP) {
      return;
    }
    const left = Math.max(0, state.clock[side] - elapsed);
    this.set({ [side]: left }, isLast);
    if (left === 0 && this.side === side) {
      this.side = null;
      this.game.do(() => this.game.runOut(side));
    }
  }

  /** `isKept` where it is written down: when the page is left. With each move the game is, and this with it. */
  set(changes, isKept) {
    const { game } = this;
    game.state = { ...game.state, clock: { ...game.state.clock, ...changes } };
    if (isKept) {
      game.keep(game.state);
    }
    this.dispatchEvent(new CustomEvent('tick'));
  }
}

/** The clocks that a game begins with. */
export function clocks({ isClock, minutes }) {
  const left = minutes * 60000;
  return isClock ? { white: left, black: left } : null;
}

/** 9:05, or 0:07.3 when there is little left. */
export function timeText(left) {
  const isSoon = left < SOON;
  const seconds = isSoon ? Math.floor(left / 100) / 10 : Math.ceil(left / 1000);
  const rest = seconds % 60;
  return `${Math.floor(seconds / 60)}:${rest < 10 ? '0' : ''}${isSoon ? rest.toFixed(1) : rest}`;
}
