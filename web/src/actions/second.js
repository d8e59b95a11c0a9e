// The second engine, of `tak-engine serve --engine`. It analyses what ours analyses live; every other question to ours
// ends its work.

/** @import { App } from '../app.js' */
/** @import { Job } from '../types.js' */

import { questionOf } from '../model/doc.js';

export class Second {
  /** @type {Job | null} */
  #job = null;
  #unlisten = () => {};

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    app.store.subscribe(() => this.#follow());
    this.#follow();
  }

  #follow() {
    const { connection, state, store } = this.app;
    const { job } = state.engine;
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
      this.app.store.update({ second: { report, about: job.position, trouble: '' } });
    } else if (job === this.#job && error) {
      this.app.store.update({ second: { ...this.app.state.second, trouble: error } });
    }
  }
}
