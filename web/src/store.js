// The only place that holds the state of the page. It is changed by `update` alone.

/** @import { Doc, DocName, State } from './types.js' */

export class Store {
  /** @type {Readonly<State>} */
  #state;
  /** @type {(() => void)[]} */
  #listeners = [];

  /** @param {State} state */
  constructor(state) {
    this.#state = Object.freeze(state);
  }

  get state() {
    return this.#state;
  }

  /**
   * Replaces parts of the state, and tells the listeners in their order.
   * @param {Partial<State>} changes
   */
  update(changes) {
    const isNews = Object.entries(changes).some(
      ([key, value]) => this.#state[/** @type {keyof State} */ (key)] !== value,
    );
    if (isNews) {
      this.#state = Object.freeze({ ...this.#state, ...changes });
      for (const listener of this.#listeners) {
        listener();
      }
    }
  }

  /**
   * Replaces parts of a document.
   * @param {DocName} name
   * @param {Partial<Doc>} changes
   * @param {Partial<State>} others further changes of the state
   */
  updateDoc(name, changes, others = {}) {
    const doc = this.#state.docs[name];
    if (doc) {
      this.update({ ...others, docs: { ...this.#state.docs, [name]: { ...doc, ...changes } } });
    }
  }

  /** @param {() => void} listener */
  subscribe(listener) {
    this.#listeners.push(listener);
  }
}
