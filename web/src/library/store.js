// The games that are kept on this device, in a database of the browser: a head for each game, which are all in memory,
// and its text. Games that are added together are stored in blocks, since each record takes time. Each change is one
// transaction, so that a crash leaves all of it or nothing.

/** @import { Head } from '../types.js' */
/** @import { ListedGame } from '../protocol.js' */

import { Refused } from '../model/errors.js';
import { answer, openDatabase, reasonOf, stored } from './database.js';
import { isHead, keptText, keyOf } from './search.js';
import { libraryWords as words } from './words.js';

const NAME = 'tak-engine-library';
const VERSION = 2;
/** The games of a block. */
const BLOCK = 100;
/** The most games of a library. */
export const MOST_GAMES = 50_000;

/** A record of games: a block, whose number is that of its first game, or a single head. @typedef {Head | {id: number, heads: Head[]}} Kept */
/** A record of texts with the numbers of their games, or the text of a single one. @typedef {[number, string][] | string} Texts */

/** @type {(record: any) => any[]} */
const headsOf = (record) => (Array.isArray(record?.heads) ? record.heads : [record]);

/** @type {(key: unknown, record: unknown) => [number, string][]} */
const textsOf = (key, record) => (Array.isArray(record) ? record : [[Number(key), String(record ?? '')]]);

export class Library extends EventTarget {
  /** By their numbers. @type {readonly Head[]} */
  heads = [];
  /** Why games are kept in this tab only, as a sentence; empty if they are stored. */
  trouble = '';
  /** @type {IDBDatabase | null} */
  #database = null;
  /** The numbers of the records of games in blocks. @type {Map<number, number>} */
  #blocks = new Map();
  /** The greatest number that was given to a game here. */
  #last = 0;
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
      this.#database = await openDatabase(NAME, VERSION, (database, oldVersion) => {
        // The first version had no blocks, and is read as it is.
        if (oldVersion === 0) {
          database.createObjectStore('games', { keyPath: 'id' });
          database.createObjectStore('texts');
        }
      });
      this.#others = new BroadcastChannel(NAME);
      this.#others.onmessage = () => this.#read();
      await this.#read();
    } catch (error) {
      this.#database = null;
      this.trouble = reasonOf(error, words);
    }
  }

  /** @param {readonly Head[]} heads */
  #set(heads) {
    this.heads = heads;
    this.dispatchEvent(new Event('change'));
  }

  async #read() {
    const database = /** @type {IDBDatabase} */ (this.#database);
    const records = await answer(database.transaction('games').objectStore('games').getAll());
    this.#set(this.#headsIn(records));
  }

  /** The heads of records. What is damaged is not shown, and stays. @param {any[]} records */
  #headsIn(records) {
    this.#blocks = new Map(
      records.flatMap((record) =>
        headsOf(record).map((head) => /** @type {[number, number]} */ ([head?.id, record.id])),
      ),
    );
    return records
      .flatMap(headsOf)
      .filter(isHead)
      .sort((one, other) => one.id - other.id);
  }

  /** The number of the record of a game. @param {number} id */
  #key(id) {
    return this.#blocks.get(id) ?? id;
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
    const records = store ? await answer(store.getAll()) : [];
    const all = store ? this.#headsIn(records) : [...this.heads];
    const known = new Set(all.flatMap((each) => [each.key, ...(each.seed ? [each.seed] : [])]));
    const ids = [...records, ...all].map((each) => Number(each.id) || 0);
    // The number of a game that was removed is not used again, since it may come back.
    let id = ids.reduce((most, each) => Math.max(most, each), this.#last);
    /** @type {{head: Head, text: string}[]} */
    const fresh = [];
    for (const { text, ...about } of games) {
      const kept = keptText(text, about.size);
      const key = keyOf(kept);
      if (!known.has(key) && (seed === null || !known.has(seed))) {
        known.add(key);
        id += 1;
        this.#last = id;
        fresh.push({ head: { ...about, id, key, source, added, ...(seed === null ? {} : { seed }) }, text: kept });
      }
    }
    if (all.length + fresh.length > MOST_GAMES) {
      transaction?.abort();
      throw new Refused(words.tooMany(all.length, fresh.length, MOST_GAMES));
    }
    for (let from = 0; store && from < fresh.length; from += BLOCK) {
      const block = fresh.slice(from, from + BLOCK);
      const [{ head, text }] = block;
      const isSingle = block.length === 1;
      store.add(isSingle ? head : { id: head.id, heads: block.map((each) => each.head) });
      const texts = isSingle ? text : block.map((each) => [each.head.id, each.text]);
      transaction?.objectStore('texts').add(texts, head.id);
      for (const each of block) {
        this.#blocks.set(each.head.id, head.id);
      }
    }
    await this.#commit(transaction);
    if (!transaction) {
      for (const { head, text } of fresh) {
        this.#texts.set(head.id, text);
      }
    }
    this.#set([...all, ...fresh.map(({ head }) => head)]);
    return { added: fresh.length, known: games.length - fresh.length };
  }

  /**
   * Removes games. Returns what brings them back.
   * @param {number[]} ids
   */
  async remove(ids) {
    const gone = new Set(ids);
    const heads = this.heads.filter(({ id }) => gone.has(id));
    const texts = await this.texts(heads.map(({ id }) => id));
    const keys = heads.map(({ id }) => this.#key(id));
    const transaction = this.#database?.transaction(['games', 'texts'], 'readwrite');
    for (const key of transaction ? new Set(ids.map((id) => this.#key(id))) : []) {
      await this.#shrink(/** @type {IDBTransaction} */ (transaction), key, gone);
    }
    await this.#commit(transaction);
    this.#set(this.heads.filter(({ id }) => !gone.has(id)));
    return async () => {
      const back = this.#database?.transaction(['games', 'texts'], 'readwrite');
      for (const [index, head] of heads.entries()) {
        await this.#grow(back, keys[index], head, texts[index]);
      }
      await this.#commit(back);
      this.#set([...this.heads.filter(({ id }) => !gone.has(id)), ...heads].sort((one, other) => one.id - other.id));
    };
  }

  /**
   * Puts a game back into its record, which may be gone.
   * @param {IDBTransaction | undefined} transaction
   * @param {number} key
   * @param {Head} head
   * @param {string} text
   */
  async #grow(transaction, key, head, text) {
    if (!transaction) {
      this.#texts.set(head.id, text);
      return;
    }
    const [games, texts] = ['games', 'texts'].map((name) => transaction.objectStore(name));
    const record = await answer(games.get(key));
    games.put({ id: key, heads: [...(record ? headsOf(record) : []), head] });
    texts.put([...(record ? textsOf(key, await answer(texts.get(key))) : []), [head.id, text]], key);
    this.#blocks.set(head.id, key);
  }

  /**
   * Takes games from a record.
   * @param {IDBTransaction} transaction
   * @param {number} key
   * @param {Set<number>} gone
   */
  async #shrink(transaction, key, gone) {
    const [games, texts] = ['games', 'texts'].map((name) => transaction.objectStore(name));
    const record = await answer(games.get(key));
    const heads = headsOf(record).filter((head) => !gone.has(head?.id));
    if (heads.length > 0) {
      games.put({ id: key, heads });
      texts.put(
        textsOf(key, await answer(texts.get(key))).filter(([id]) => !gone.has(id)),
        key,
      );
    } else {
      games.delete(key);
      texts.delete(key);
    }
  }

  /** @param {IDBTransaction | undefined} transaction */
  async #commit(transaction) {
    if (transaction) {
      try {
        await stored(transaction);
      } catch (error) {
        throw new Refused(reasonOf(error, words));
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
    const keys = ids.length > BLOCK ? await answer(store.getAllKeys()) : [...new Set(ids.map((id) => this.#key(id)))];
    const records =
      ids.length > BLOCK ? await answer(store.getAll()) : await Promise.all(keys.map((key) => answer(store.get(key))));
    const known = new Map(records.flatMap((record, index) => textsOf(keys[index], record)));
    return ids.map((id) => String(known.get(id) ?? ''));
  }
}
