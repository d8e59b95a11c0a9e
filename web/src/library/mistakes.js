// The mistakes of the user that are kept on this device, in a database beside that of the games. Each change is one
// transaction that reads what it changes, so that two tabs lose nothing of each other.

/** @import { Mistake } from '../types.js' */

import { Refused } from '../model/errors.js';
import { isLearnt, isMistake } from '../model/mistake.js';
import { answer, openDatabase, reasonOf, stored } from './database.js';
import { mistakeWords as words } from './mistake-words.js';

const NAME = 'tak-engine-mistakes';
const VERSION = 1;
const STORE = 'mistakes';
/** The most mistakes that are kept. */
export const MAX_MISTAKES = 5000;

export class KeptMistakes extends EventTarget {
  /** In the order in which they were found. @type {readonly Mistake[]} */
  list = [];
  /** Why some are kept in this tab only, as a sentence; empty if all are stored. */
  trouble = '';
  /** @type {IDBDatabase | null} */
  #database = null;
  /** Those that are in this tab only, by their keys. @type {Map<string, Mistake>} */
  #unstored = new Map();
  /** Other tabs. @type {BroadcastChannel | null} */
  #others = null;

  static async open() {
    const kept = new KeptMistakes();
    try {
      kept.#database = await openDatabase(NAME, VERSION, (database) => {
        database.createObjectStore(STORE, { keyPath: 'key' });
      });
      kept.#others = new BroadcastChannel(NAME);
      kept.#others.onmessage = () => kept.#read().catch((error) => kept.#fail(error));
      await kept.#read();
    } catch (error) {
      kept.#fail(error);
    }
    return kept;
  }

  /** @param {unknown} error */
  #fail(error) {
    this.trouble = reasonOf(error, words);
    this.dispatchEvent(new Event('change'));
  }

  /** @param {Iterable<Mistake>} mistakes */
  #set(mistakes) {
    this.list = [...mistakes].sort((a, b) => a.added - b.added);
    this.dispatchEvent(new Event('change'));
  }

  /** Reads all. What is damaged is not shown, and stays. */
  async #read() {
    const database = /** @type {IDBDatabase} */ (this.#database);
    const records = await answer(database.transaction(STORE).objectStore(STORE).getAll());
    const all = new Map(records.filter(isMistake).map((mistake) => [mistake.key, mistake]));
    this.#set(new Map([...all, ...this.#unstored]).values());
  }

  /**
   * Makes of each of these mistakes what `change` says, with null for none. What cannot be stored stays in this tab, and
   * is tried again with the next change.
   * @param {Iterable<string>} keys
   * @param {(now: Mistake | null, key: string) => Mistake | null} change
   */
  async #change(keys, change) {
    const wanted = new Set(keys);
    const known = new Map(this.list.map((each) => [each.key, each]));
    /** @type {Map<string, Mistake | null>} */
    const changed = new Map();
    try {
      const transaction = this.#database?.transaction(STORE, 'readwrite');
      if (!transaction) {
        throw new Error('no database');
      }
      const store = transaction.objectStore(STORE);
      for (const key of new Set([...wanted, ...this.#unstored.keys()])) {
        const record = await answer(store.get(key));
        const now = this.#unstored.get(key) ?? (isMistake(record) ? record : null);
        const next = wanted.has(key) ? change(now, key) : now;
        changed.set(key, next);
        if (next) {
          store.put(next);
        } else {
          store.delete(key);
        }
      }
      await stored(transaction);
      this.#unstored.clear();
      this.trouble = '';
      this.#others?.postMessage(null);
    } catch (error) {
      for (const key of wanted) {
        const next = change(known.get(key) ?? null, key);
        changed.set(key, next);
        if (next) {
          this.#unstored.set(key, next);
        } else {
          this.#unstored.delete(key);
        }
      }
      this.trouble = this.#database ? reasonOf(error, words) : this.trouble;
    }
    for (const [key, next] of changed) {
      if (next) {
        known.set(key, next);
      } else {
        known.delete(key);
      }
    }
    this.#set(known.values());
  }

  /** Adds mistakes, but those that are there and not learnt yet. Returns how many were added. @param {Mistake[]} mistakes */
  async add(mistakes) {
    if (this.list.length + mistakes.length > MAX_MISTAKES) {
      throw new Refused(words.tooMany(MAX_MISTAKES));
    }
    const fresh = new Map(mistakes.map((each) => [each.key, each]));
    let added = 0;
    await this.#change(fresh.keys(), (now, key) => {
      const isKnown = now !== null && !isLearnt(now);
      added += isKnown ? 0 : 1;
      return isKnown ? now : /** @type {Mistake} */ (fresh.get(key));
    });
    return Math.min(added, mistakes.length);
  }

  /**
   * Notes a try at a mistake, unless it has been deleted.
   * @param {string} key
   * @param {(mistake: Mistake) => Mistake} change
   */
  async update(key, change) {
    await this.#change([key], (now) => now && change(now));
  }

  /** Removes a mistake. Returns what brings it back. @param {Mistake} mistake */
  async remove(mistake) {
    await this.#change([mistake.key], () => null);
    return () => this.#change([mistake.key], (now) => now ?? mistake);
  }
}
