// The games that are kept on this device, in a database of the browser: a head for each game, which are all in memory,
// and its text. Each change is one transaction, so that a crash leaves all of it or nothing.

/** @import { Head } from '../types.js' */
/** @import { ListedGame } from '../protocol.js' */

import { Refused } from '../model/errors.js';
import { isHead, keptText, keyOf } from './search.js';
import { libraryWords as words } from './words.js';

const NAME = 'tak-engine-library';
const VERSION = 1;
/** The most games of a library. */
export const MOST_GAMES = 50_000;

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const answer = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** Resolves when everything of a transaction is stored. @param {IDBTransaction} transaction @returns {Promise<void>} */
const stored = (transaction) =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error('aborted'));
  });

/** @returns {Promise<IDBDatabase>} */
function openDatabase() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      request.result.createObjectStore('games', { keyPath: 'id' });
      request.result.createObjectStore('texts');
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error(words.blocked));
  });
}

/** Why a browser stores nothing, in a sentence. @param {unknown} error */
function reasonOf(error) {
  const name = error instanceof DOMException ? error.name : '';
  return name === 'QuotaExceededError' ? words.full : name === 'VersionError' ? words.later : words.unstored;
}

export class Library extends EventTarget {
  /** By their numbers. @type {readonly Head[]} */
  heads = [];
  /** Why games are kept in this tab only, as a sentence; empty if they are stored. */
  trouble = '';
  /** @type {IDBDatabase | null} */
  #database = null;
  /** The texts, if there is no database. @type {Map<number, string>} */
  #texts = new Map();
  /** Other tabs. @type {BroadcastChannel | null} */
  #others = null;

  static async open() {
    const library = new Library();
    await library.#connect();
    return library;
  }

  async #connect() {
    try {
      const database = await openDatabase();
      this.#database = database;
      // A later version of the page in another tab changes it.
      database.onversionchange = () => database.close();
      this.#others = new BroadcastChannel(NAME);
      this.#others.onmessage = () => this.#read();
      await this.#read();
    } catch (error) {
      this.#database = null;
      this.trouble = reasonOf(error);
    }
  }

  /** @param {readonly Head[]} heads */
  #set(heads) {
    this.heads = heads;
    this.dispatchEvent(new Event('change'));
  }

  async #read() {
    const database = /** @type {IDBDatabase} */ (this.#database);
    const heads = await answer(database.transaction('games').objectStore('games').getAll());
    // What is damaged is not shown, and stays.
    this.#set(heads.filter(isHead));
  }

  /**
   * Adds games, but those that it has. `seed` is that of a game played here, which is known by it.
   * @param {ListedGame[]} games
   * @param {string} source
   * @param {number | null} seed
   */
  async add(games, source, seed = null) {
    const added = Date.now();
    const transaction = this.#database?.transaction(['games', 'texts'], 'readwrite');
    const store = transaction?.objectStore('games');
    // Another tab may have added some.
    const all = store ? await answer(store.getAll()) : [...this.heads];
    const known = new Set(all.flatMap((each) => [each.key, ...(each.seed ? [each.seed] : [])]));
    let id = all.reduce((most, each) => Math.max(most, Number(each.id) || 0), 0);
    const fresh = [];
    for (const { text, ...about } of games) {
      const kept = keptText(text, about.size);
      const key = keyOf(kept);
      if (!known.has(key) && (seed === null || !known.has(seed))) {
        known.add(key);
        id += 1;
        fresh.push({ head: { ...about, id, key, source, added, ...(seed === null ? {} : { seed }) }, text: kept });
      }
    }
    if (all.length + fresh.length > MOST_GAMES) {
      transaction?.abort();
      throw new Refused(words.tooMany(all.length, fresh.length, MOST_GAMES));
    }
    for (const { head, text } of fresh) {
      store?.add(head);
      transaction?.objectStore('texts').add(text, head.id);
    }
    await this.#commit(transaction);
    if (!transaction) {
      for (const { head, text } of fresh) {
        this.#texts.set(head.id, text);
      }
    }
    this.#set([...all.filter(isHead), ...fresh.map(({ head }) => head)]);
    return { added: fresh.length, known: games.length - fresh.length };
  }

  /**
   * Removes games. Returns what brings them back.
   * @param {number[]} ids
   */
  async remove(ids) {
    const gone = new Set(ids);
    const heads = this.heads.filter(({ id }) => gone.has(id));
    const texts = await this.texts(ids);
    const transaction = this.#database?.transaction(['games', 'texts'], 'readwrite');
    for (const id of ids) {
      transaction?.objectStore('games').delete(id);
      transaction?.objectStore('texts').delete(id);
    }
    await this.#commit(transaction);
    this.#set(this.heads.filter(({ id }) => !gone.has(id)));
    return async () => {
      const back = this.#database?.transaction(['games', 'texts'], 'readwrite');
      for (const [index, head] of heads.entries()) {
        back?.objectStore('games').put(head);
        back?.objectStore('texts').put(texts[index], head.id);
      }
      await this.#commit(back);
      this.#set([...this.heads.filter(({ id }) => !gone.has(id)), ...heads].sort((one, other) => one.id - other.id));
    };
  }

  /** @param {IDBTransaction | undefined} transaction */
  async #commit(transaction) {
    if (transaction) {
      try {
        await stored(transaction);
      } catch (error) {
        throw new Refused(reasonOf(error));
      }
      this.#others?.postMessage(null);
    }
  }

  /** The texts of games, in this order. @param {number[]} ids */
  async texts(ids) {
    const database = this.#database;
    if (!database) {
      return ids.map((id) => this.#texts.get(id) ?? '');
    }
    const store = database.transaction('texts').objectStore('texts');
    // One by one, thousands of them take long.
    const [keys, texts] =
      ids.length > 100 ? await Promise.all([answer(store.getAllKeys()), answer(store.getAll())]) : [[], []];
    if (ids.length > 100) {
      const known = new Map(keys.map((key, index) => [key, texts[index]]));
      return ids.map((id) => String(known.get(id) ?? ''));
    }
    return Promise.all(ids.map(async (id) => String((await answer(store.get(id))) ?? '')));
  }
}
