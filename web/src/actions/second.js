// The second engine, of `tak-engine serve --engine`. It analyses what ours analyses live; every other question to ours
// ends its work. If it plays a game and gives no move, it is told why, and the user says how the game goes on.

/** @import { App } from '../app.js' */
/** @import { Job } from '../types.js' */

import { html } from '../../vendor/lit-html.js';
import { isStuck, levelOf, questionOf, turnAfter } from '../model/doc.js';
import { button, picture } from '../views/parts.js';
import { words as pageWords } from '../words.js';

const words = {
  noMove: (/** @type {string} */ engine, /** @type {string} */ why) => `${engine} gives no move: ${why}.`,
  missing: 'this page has no second engine',
  retry: 'Try again',
  goOn: (/** @type {string} */ level) => `Go on with ${level}`,
};

export class Second {
  /** @type {Job | null} */
  #job = null;
  #unlisten = () => {};
  /** The failure that was told. @type {unknown} */
  #told = null;

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    app.store.subscribe(() => this.#follow());
    this.#follow();
  }

  #follow() {
    const { connection, state, store } = this.app;
    const { job } = state.engine;
    this.#tell();
    const own = job?.kind === 'along' && connection.hello?.second ? job : null;
    if (own === this.#job) {
      return;
    }
    this.#job = own;
    this.#unlisten();
    this.#unlisten = () => {};
    if (own) {
      const question = { do: 'consult', game: questionOf(state.docs.study), lines: own.lines };
      this.#unlisten = connection.listen(question, (answer) => this.#hear(own, answer));
      store.update({ second: { ...state.second, trouble: '' } });
    }
  }

  /**
   * @param {Job} job
   * @param {any} answer
   */
  #hear(job, { report, error }) {
    if (job === this.#job && report) {
      this.app.store.update({ second: { ...this.app.state.second, report, about: job.position, trouble: '' } });
    } else if (job === this.#job && error) {
      this.app.store.update({ second: { ...this.app.state.second, trouble: error } });
    }
  }

  /** Why the game does not go on, as a sentence. */
  get #trouble() {
    const { docs, hello, second } = this.app.state;
    const { names, moves } = docs.game;
    const why = hello?.second ? (second.failed?.why ?? '') : words.missing;
    return words.noMove(names[turnAfter(docs.game, moves.length)], why);
  }

  /** Tells a failure once; the game may not be in view. */
  #tell() {
    const { state } = this.app;
    const { failed } = state.second;
    if (failed !== this.#told) {
      this.#told = failed;
      if (isStuck(state)) {
        queueMicrotask(() => this.app.tell(this.#trouble));
      }
    }
  }

  /** What is told of the game that does not go on, and what can be done. */
  panel() {
    const { app } = this;
    const level = pageWords.levelName(app.state.settings.level);
    return html`<div class="problem" role="alert">${picture('x')}<span>${this.#trouble}</span></div>
      <div class="row">${button(words.retry, 'retry', () => this.#retry(), { isMain: true })}
      ${button(words.goOn(level), 'play', () => app.do(() => this.#replace()))}</div>`;
  }

  #retry() {
    const { engine, second } = this.app.state;
    this.app.hush();
    this.app.store.update({ second: { ...second, failed: null }, engine: { ...engine, job: null } });
  }

  /** Lets our engine play on, at the level of the last game. A score of several games ends. */
  #replace() {
    const { app } = this;
    const { game } = app.state.docs;
    if (levelOf(game) < 0) {
      const { level } = app.state.settings;
      const color = turnAfter(game, game.moves.length);
      const names = { ...game.names, [color]: `${game.names[color]}, ${pageWords.engineName(level)}` };
      const own = game.mode === 'self' && color === 'black' ? { otherLevel: level } : { level };
      app.hush();
      app.store.updateDoc('game', { ...own, names, series: null });
    }
  }
}
