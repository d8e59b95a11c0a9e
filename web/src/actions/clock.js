// The clocks of both players. They run in this page. While it is closed or the program is not reachable, no move is
// possible, and they stop.

/** @import { App } from '../app.js' */
/** @import { Color } from '../protocol.js' */
/** @import { Timing } from '../types.js' */
/** @import { Watch } from './watch.js' */

import { isEngines, isFinished, isStuck, turnAfter } from '../model/doc.js';

/** Milliseconds between two updates. */
const TICK = 200;
/** After a longer gap the computer was asleep, and the time is not counted. A hidden page is updated once a minute. */
const SLEEP_MS = 90000;

export class Clock {
  /** The player whose clock runs, the game, and the time of the last update. @type {Color | null} */
  #side = null;
  /** @type {number | null} */
  #seed = null;
  #since = 0;

  /**
   * @param {App} app
   * @param {Watch} watch
   * @param {(color: Color) => void} runOut
   */
  constructor(app, watch, runOut) {
    Object.assign(this, { app, watch, runOut });
    this.app = app;
    this.watch = watch;
    this.runOut = runOut;
    app.store.subscribe(() => this.settle());
    document.addEventListener('visibilitychange', () => this.settle());
    addEventListener('pagehide', () => this.settle());
    setInterval(() => this.settle(), TICK);
  }

  /** The player whose clock should run, or null. The first move starts the clocks. */
  get running() {
    const {
      state: {
        docs: { game },
      },
      connection,
    } = this.app;
    if (!game.clock || game.path[0].tps === null || isFinished(game) || game.moves.length === 0 || !connection.isOpen) {
      return null;
    }
    // The engine's game with itself may be paused, or a move be undone.
    if (game.mode === 'self' && (!isEngines(game) || this.watch.isStill)) {
      return null;
    }
    if (isStuck(this.app.state)) {
      return null;
    }
    // The player to move is that of the game, not of an earlier move shown.
    return turnAfter(game, game.present);
  }

  /** Subtracts the time since the last update from the clock that ran. */
  settle() {
    const now = Date.now();
    const elapsed = now - this.#since;
    const { game } = this.app.state.docs;
    // Time of another game does not count.
    const side = this.#seed === game.seed ? this.#side : null;
    const running = this.running;
    if (side === running && elapsed < TICK / 2) {
      return;
    }
    this.#side = running;
    this.#seed = game.seed;
    this.#since = now;
    if (side === null || !game.clock || elapsed <= 0 || elapsed > SLEEP_MS) {
      return;
    }
    const left = Math.max(0, game.clock[side] - elapsed);
    this.app.store.updateDoc('game', { clock: { ...game.clock, [side]: left } });
    if (left === 0 && this.#side === side) {
      this.#side = null;
      this.runOut(side);
    }
  }
}

/** The clocks at the start of a game. @type {(timing: Timing) => {white: number, black: number} | null} */
export function clocks({ isClock, minutes }) {
  const left = minutes * 60000;
  return isClock ? { white: left, black: left } : null;
}
