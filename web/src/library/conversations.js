// Conversations with the explorer of the program: several messages that belong together. It remembers one file that it
// lists and one collection that it counts, so each conversation is held after the one before about the same, and over
// one connection.

/** @import { Hello, Listed } from '../protocol.js' */
/** @import { Page } from '../main.js' */

import { Lost } from '../model/errors.js';
import { words } from '../words.js';

/** The characters of a text in one message. In JSON a character may take six bytes. */
const PART = 80_000;

/** @typedef {{text: string, end?: boolean}} Part a part of a file, which may be its last one */
/** @typedef {{games: number, damaged: number, faults: string[], sizes: [number, number][]}} Collected */
/**
 * A collection of games: what tells it from others, and what reads it.
 * @typedef {object} Collection
 * @property {unknown} of
 * @property {() => Promise<{bytes: number, parts: Iterable<Part> | AsyncIterable<Part>}>} read
 */
/** @typedef {(question: {do: string, [field: string]: unknown}) => Promise<any>} Ask */

export class Conversations {
  #queues = { list: Promise.resolve(), collection: Promise.resolve() };
  /** The collection that the explorer has, and the connection. @type {{of: unknown, hello: Hello | null, collected: Collected} | null} */
  #held = null;

  /** @param {Page} page */
  constructor({ connection, engine }) {
    this.connection = connection;
    this.engine = engine;
  }

  /**
   * Lists the games of a text. `tell` gets the part that was sent, from 0 to 1.
   * @param {string} text
   * @param {(part: number) => void} tell
   * @returns {Promise<Listed>}
   */
  list(text, tell = () => {}) {
    return this.#hold('list', async (ask) => {
      /** @type {Listed} */
      const all = { games: [], faults: [] };
      let begin = true;
      let read = 0;
      for (const part of partsOf(text)) {
        tell(read / text.length);
        const { listed } = await ask({ do: 'list', begin, ...part });
        all.games.push(...listed.games);
        all.faults.push(...listed.faults);
        begin = false;
        read += part.text.length;
      }
      return all;
    });
  }

  /** Sends a collection. @param {Collection} collection */
  collect(collection) {
    return this.#hold('collection', (ask) => this.#collect(ask, collection));
  }

  /**
   * Counts the moves that were played from a position of a collection, which is sent first if the explorer has another.
   * @param {Collection} collection
   * @param {unknown} game
   * @param {number} most the games that are named
   */
  explore(collection, game, most) {
    return this.#hold('collection', async (ask) => {
      const held = this.#held;
      const isThere = held && held.of === collection.of && held.hello === this.connection.hello;
      const collected = isThere ? held.collected : await this.#collect(ask, collection);
      return { ...(await ask({ do: 'explore', game, most })), collected };
    });
  }

  /** @param {Ask} ask @param {Collection} collection @returns {Promise<Collected>} */
  async #collect(ask, { of, read }) {
    const { hello } = this.connection;
    this.#held = null;
    const { bytes, parts } = await read();
    let { collected } = await ask({ do: 'collect', bytes });
    for await (const part of parts) {
      ({ collected } = await ask({ do: 'collect', ...part }));
    }
    this.#held = { of, hello, collected };
    return collected;
  }

  /**
   * @template T
   * @param {'list' | 'collection'} about
   * @param {(ask: Ask) => Promise<T>} hold
   * @returns {Promise<T>}
   */
  #hold(about, hold) {
    const { connection, engine } = this;
    const held = this.#queues[about].then(() => {
      const { hello } = connection;
      return hold(async (question) => {
        // The program remembers nothing of another connection.
        if (connection.hello !== hello) {
          throw new Lost(words.connectionLost);
        }
        return engine.ask(question);
      });
    });
    this.#queues[about] = held.then(
      () => {},
      () => {
        // The explorer may have started again.
        this.#held = null;
      },
    );
    return held;
  }
}

/** The parts of a text, which end with a line if lines are short. @param {string} text @returns {Generator<Part>} */
export function* partsOf(text) {
  for (let from = 0; from < text.length; ) {
    const line = text.lastIndexOf('\n', from + PART) + 1;
    let to = line > from && from + PART < text.length ? line : Math.min(from + PART, text.length);
    // A letter of two units stays whole.
    to += /[\uD800-\uDBFF]/.test(text[to - 1]) && to < text.length ? 1 : 0;
    yield { text: text.slice(from, to), end: to === text.length };
    from = to;
  }
}
