// Watching the engine play itself: a wait after each move, a pause, single moves, and the next game of a series.

/** @import { App } from '../app.js' */
/** @import { Node } from '../model/tree.js' */
/** @import { Play } from './game.js' */

import { endOf, isFinished } from '../model/doc.js';
import { words } from '../words.js';

/** Milliseconds between two games. */
const PAUSE_MS = 3000;

export class Watch {
  /** The last position of the game, and the time until which it is shown. @type {Node | null} */
  #last = null;
  #until = 0;
  #timer = 0;
  #next = 0;
  /** Whether one move is to be made in a pause. */
  #isStep = false;

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {Play | null} */
    this.play = null;
    app.store.subscribe(() => this.follow());
  }

  get game() {
    return this.app.state.docs.game;
  }

  /** Returns whether the engine does not think on. A game that nobody sees may take hours. */
  get isStill() {
    const { mode, paused } = this.game;
    const isEarly = performance.now() < this.#until;
    const isHidden = document.hidden || this.app.state.route !== 'play';
    return mode === 'self' && (isHidden || (paused ? !this.#isStep : isEarly));
  }

  /** Lets each move be looked at. */
  follow() {
    const { game } = this;
    const last = endOf(game);
    if (game.mode !== 'self' || last === this.#last) {
      return;
    }
    this.#last = last;
    this.#isStep = false;
    clearTimeout(this.#next);
    if (isFinished(game)) {
      this.count();
    } else {
      this.wait(last.depth > 0 ? this.app.state.settings.pace : 0);
    }
  }

  /** Adds the result of a game to its series, and begins the next one. */
  count() {
    const { game, app } = this;
    const { series } = game;
    if (!series || series.played >= series.total) {
      return;
    }
    const winner = endOf(game).view?.outcome?.winner ?? game.ended?.winner ?? null;
    // Colours are swapped after each game. Between equal engines the colours have the points.
    const first = series.first === series.second || series.played % 2 === 0 ? 'white' : 'black';
    const points = series.points + (winner === null ? 0.5 : Number(winner === first));
    const played = series.played + 1;
    queueMicrotask(() => app.store.updateDoc('game', { series: { ...series, points, played } }));
    if (played < series.total) {
      this.#next = window.setTimeout(() => app.do(() => this.isStillAt(game.seed) && this.play?.again()), PAUSE_MS);
    }
  }

  /** @param {number} seed */
  isStillAt(seed) {
    return this.game.seed === seed && this.app.state.route === 'play' && !this.game.paused;
  }

  /** @param {number} seconds */
  wait(seconds) {
    clearTimeout(this.#timer);
    this.#until = performance.now() + 1000 * seconds;
    this.#timer = window.setTimeout(() => this.app.dispatchEvent(new Event('work')), 1000 * seconds + 1);
  }

  /** Sets the seconds between two moves. @param {number} pace */
  setPace(pace) {
    this.app.set({ pace });
    this.wait(0);
  }

  /** Stops the game, or lets it go on. */
  pause() {
    const paused = !this.game.paused;
    this.#isStep = false;
    this.app.store.updateDoc('game', { paused });
    this.app.say(paused ? words.paused : words.goesOn);
  }

  /** Makes one move, and pauses then. */
  async step() {
    const { game } = this;
    if (game.at < game.moves.length) {
      await this.play?.walk(game.moves.length);
    }
    this.#isStep = true;
    this.app.store.updateDoc('game', { paused: true });
    this.app.dispatchEvent(new Event('work'));
  }
}
