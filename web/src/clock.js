// The clocks of both players. They run in this page. While it is closed or the program is not reachable, no move is
// possible, and they stop.

/** Milliseconds between two updates. */
const TICK = 200;
/** After a longer gap the computer was asleep, and the time is not counted. A hidden page is updated once a minute. */
const ASLEEP = 90000;
const SOON = 20000;

export class Clock extends EventTarget {
  constructor(game, connection) {
    super();
    this.game = game;
    this.connection = connection;
    /** The player whose clock runs, the game, and the time of the last update. */
    this.side = null;
    this.seed = null;
    this.since = 0;
    game.addEventListener('change', () => this.settle());
    connection.addEventListener('lost', () => this.settle());
    document.addEventListener('visibilitychange', () => this.settle());
    addEventListener('pagehide', () => this.settle(true));
    setInterval(() => this.settle(), TICK);
  }

  /** The player whose clock should run, or null. The first move starts the clocks. */
  get running() {
    const { state, view } = this.game;
    if (!state.clock || !view || this.game.isFinished || state.moves.length === 0 || !this.connection.isOpen) {
      return null;
    }
    // The engine's game with itself may be paused, or a move be undone.
    if (state.mode === 'self' && !this.game.isEngines) {
      return null;
    }
    // The player to move is that of the game, not of an earlier move shown.
    return this.game.turnAfter(state.present);
  }

  /** Subtracts the time since the last update from the clock that ran. */
  settle(isLast = false) {
    const now = Date.now();
    const elapsed = now - this.since;
    const { state } = this.game;
    // Time of another game does not count.
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

  /** With `isKept` the state is also stored: when the page is left. Each move stores it anyway. */
  set(changes, isKept) {
    const { game } = this;
    game.state = { ...game.state, clock: { ...game.state.clock, ...changes } };
    if (isKept) {
      game.keep(game.state);
    }
    this.dispatchEvent(new CustomEvent('tick'));
  }
}

/** The clocks at the start of a game. */
export function clocks({ isClock, minutes }) {
  const left = minutes * 60000;
  return isClock ? { white: left, black: left } : null;
}

/** 9:05, or 0:07.3 near the end. */
export function timeText(left) {
  const isSoon = left < SOON;
  const seconds = isSoon ? Math.floor(left / 100) / 10 : Math.ceil(left / 1000);
  const rest = seconds % 60;
  return `${Math.floor(seconds / 60)}:${rest < 10 ? '0' : ''}${isSoon ? rest.toFixed(1) : rest}`;
}
