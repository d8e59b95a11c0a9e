// The library of the page: what it keeps, reads, searches and opens.

/** @import { Listed } from '../protocol.js' */
/** @import { Collection } from './conversations.js' */
/** @import { Doc, Head, LibraryQuery, LibraryState, State } from '../types.js' */
/** @import { Page } from '../main.js' */

import { textsOf } from '../actions/texts.js';
import { linesOf, positionOf, questionOf, shown, viewOf } from '../model/doc.js';
import { Lost, Refused } from '../model/errors.js';
import { revived } from '../model/stored.js';
import { libraryPanel, nameOf } from '../views/library.js';
import { decoded, download } from '../views/parts.js';
import { sentence } from '../words.js';
import { Conversations, partsOf } from './conversations.js';
import { fileOf, search } from './search.js';
import { Library, MOST_GAMES } from './store.js';
import { libraryWords as words } from './words.js';

/** The largest file in bytes. */
const MOST_BYTES = 64_000_000;
/** The games that are listed at first, and with each wish for more. */
const SHOWN = 100;
/** Tells that the games of earlier versions are in the library. */
const MOVED = 'tak-engine-library';

/** @type {LibraryQuery} */
const ANY = { text: '', size: 0, result: '', source: '', isHere: false };

/** @type {(page: Page) => Promise<Shelf>} */
export const create = async (page) => new Shelf(page, await Library.open());

export class Shelf {
  accepts = /\.(ptn|txt)$/i;
  /** The games with the position on the board, and how many moves each has before it. @type {Map<number, number> | null} */
  #having = null;
  /** The position that they are for. */
  #position = '';
  #isBusy = false;

  /**
   * @param {Page} page
   * @param {Library} library
   */
  constructor(page, library) {
    this.page = page;
    this.app = page.app;
    this.library = library;
    this.conversations = new Conversations(page);
    const { heads, trouble } = library;
    const none = { found: [], shown: SHOWN, reading: null, isLooking: false, problem: '', faults: [] };
    this.app.store.update({ library: { ...none, query: ANY, heads, trouble } });
    this.#search({});
    library.addEventListener('change', () => this.#search({}));
    this.app.store.subscribe(() => this.#look());
  }

  /** @returns {LibraryState} */
  get state() {
    return /** @type {LibraryState} */ (this.app.state.library);
  }

  /** @param {Partial<LibraryState>} changes */
  #set(changes) {
    this.app.store.update({ library: { ...this.state, ...changes } });
  }

  async open() {
    await this.#moveFormer();
    this.app.dispatchEvent(new Event('board'));
  }

  title() {
    return { title: words.library, about: words.about(this.state.found.length, this.state.heads.length) };
  }

  /** @param {State} _state */
  panel(_state) {
    return libraryPanel(this.state, this);
  }

  /** Searches with other wishes. @param {Partial<LibraryQuery>} changes */
  #search(changes) {
    const query = { ...this.state.query, ...changes };
    const { heads } = this.library;
    const having = query.isHere ? (this.#having ?? new Map()) : null;
    this.#set({ query, heads, found: search(heads, query, having) });
  }

  /** @param {Partial<LibraryQuery>} changes */
  find(changes) {
    this.#search(changes);
    this.#set({ shown: SHOWN });
  }

  more() {
    this.#set({ shown: this.state.shown + SHOWN });
  }

  /** Looks for games with the position on the board, if they are wanted and not known. */
  #look() {
    const { route } = this.app.state;
    const { query, heads, problem } = this.state;
    const doc = shown(this.app.state);
    const position = `${positionOf(doc)} ${heads.length}`;
    if (
      route === 'library' &&
      query.isHere &&
      viewOf(doc) &&
      !this.#isBusy &&
      !problem &&
      position !== this.#position
    ) {
      this.#isBusy = true;
      queueMicrotask(() => this.#lookUp(doc, position));
    }
  }

  /**
   * @param {Doc} doc
   * @param {string} position
   */
  async #lookUp(doc, position) {
    this.#set({ isLooking: true });
    try {
      const collection = this.#collection();
      const { heads } = this.library;
      const { found, collected } = await this.conversations.explore(collection, questionOf(doc), MOST_GAMES);
      if (collected.games !== heads.length || collected.damaged > 0) {
        throw new Refused(words.unread);
      }
      this.#having = new Map(found.map((/** @type {[number, number]} */ [index, ply]) => [heads[index].id, ply]));
      this.#position = position;
    } catch (error) {
      this.#set({ problem: sentence(error instanceof Error ? error.message : '') });
    }
    this.#isBusy = false;
    this.#set({ isLooking: false });
    this.#search({});
  }

  /** All games, for the explorer. @returns {Collection} */
  #collection() {
    const read = async () => {
      const text = await this.whole();
      return { bytes: new Blob([text]).size, parts: partsOf(text) };
    };
    return { of: this.library.heads, read };
  }

  /**
   * Opens a game, at the position that was looked for or after so many moves.
   * @param {Head} head
   * @param {number | null} ply
   */
  async openGame(head, ply = this.state.query.isHere ? (this.#having?.get(head.id) ?? null) : null) {
    const [text] = await this.library.texts([head.id]);
    await this.page.files.openText(text, ply);
  }

  /** All games as one text, in the order of their heads. */
  async whole() {
    return fileOf(await this.library.texts(this.library.heads.map(({ id }) => id)));
  }

  /** @param {Head} head */
  async remove(head) {
    const back = await this.library.remove([head.id]);
    const undo = async () => {
      await back();
      this.app.tell(words.restored(nameOf(head)));
    };
    this.app.tell(words.removed(nameOf(head)), { undo: () => this.app.do(undo) });
  }

  /** Saves all games as one file, in the order in which they came. */
  async saveAll() {
    download(await this.whole(), 'tak-library.ptn');
  }

  /** @param {File[]} files */
  openFiles(files) {
    this.app.do(() => this.addFiles(files));
  }

  /** Adds all games of files, and shows them; a single game is opened. @param {File[]} files */
  async addFiles(files) {
    await this.page.show('library');
    this.page.close();
    this.#set({ problem: '', faults: [] });
    const sum = { added: 0, known: 0 };
    /** @type {string[]} */
    const faults = [];
    let last = '';
    for (const [index, file] of files.entries()) {
      const name = file.name || words.pasted;
      try {
        const listed = await this.#list(file, name, (part) => (index + part) / files.length);
        faults.push(...listed.faults.map((fault) => (files.length > 1 ? `${name}: ${fault}` : sentence(fault))));
        const { added, known } = await this.library.add(listed.games, name);
        sum.added += added;
        sum.known += known;
        last = added > 0 ? name : last;
      } catch (error) {
        this.#set({ problem: words.notRead(name, error instanceof Error ? error.message : '') });
      }
    }
    // Otherwise the browser may delete what a site stores if space is short.
    navigator.storage?.persist?.().catch(() => {});
    this.#set({ reading: null, faults });
    this.find({ ...ANY, source: files.length === 1 ? last : '' });
    if (sum.added + sum.known > 0) {
      this.app.tell(words.added(sum.added, sum.known, faults.length));
    }
  }

  /** Adds a file whose game was opened. @param {File} file */
  async take(file) {
    try {
      const { games } = await this.#surely(() => this.#list(file, file.name));
      await this.library.add(games, file.name);
    } finally {
      this.#set({ reading: null });
    }
  }

  /**
   * Does something again with the next connection as long as it is lost meanwhile.
   * @template T
   * @param {() => Promise<T>} act
   * @returns {Promise<T>}
   */
  async #surely(act) {
    for (;;) {
      try {
        return await act();
      } catch (error) {
        if (!(error instanceof Lost)) {
          throw error;
        }
        await new Promise((go) => this.app.connection.addEventListener('open', go, { once: true }));
      }
    }
  }

  /**
   * The games of a file.
   * @param {File} file
   * @param {string} name
   * @param {(part: number) => number} ofAll the part of all work, 0 to 1, with this part of the file
   * @returns {Promise<Listed>}
   */
  async #list(file, name, ofAll = (part) => part) {
    if (file.size > MOST_BYTES) {
      throw new Refused(words.tooLarge(MOST_BYTES / 1_000_000));
    }
    const text = decoded(new Uint8Array(await file.arrayBuffer()));
    const all = await this.conversations.list(text, (part) =>
      this.#set({ reading: { name, percent: Math.floor(100 * ofAll(part)) } }),
    );
    if (all.games.length === 0) {
      throw new Refused(all.faults[0] ?? words.noGames);
    }
    return all;
  }

  /** Keeps the game on the board, which was opened here: that of a link has no file. */
  async keepOpened() {
    const { ptn, annotated, variations } = await textsOf(this.app);
    const { games } = await this.conversations.list((annotated ?? ptn) + variations);
    const { added, known } = await this.library.add(games, words.pasted);
    this.app.tell(words.added(added, known, 0));
  }

  /** Keeps a game that was played here. @param {Doc} doc */
  async keep(doc) {
    const now = new Date();
    const date = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((each) => String(each).padStart(2, '0'));
    await this.#surely(() => this.#keepGame(doc, [['Date', date.join('.')]]));
  }

  /**
   * @param {Doc} doc
   * @param {[string, string][]} tags those that it gets if it has none
   */
  async #keepGame(doc, tags) {
    const { start, moves, at, names, human } = doc;
    const { main, lines, ended } = linesOf(doc);
    const { you } = this.app.state.settings;
    const own = names.tags ?? [];
    const all = {
      ...names,
      white: names.white || (human === 'white' ? you : ''),
      black: names.black || (human === 'black' ? you : ''),
      tags: [...tags.filter(([tag]) => own.every(([each]) => each !== tag)), ...own],
      result: ended?.result ?? null,
    };
    const game = { start, moves, at };
    const { text } = await this.app.connection.ask({ do: 'write', game, main, lines, names: all });
    const { games } = await this.conversations.list(text.ptn + text.variations);
    await this.library.add(games, words.played, doc.seed || null);
  }

  /** Takes over the games that were played before there was a library, once. An opened game came from elsewhere. */
  async #moveFormer() {
    const { former } = this.app.state;
    try {
      if (localStorage.getItem(MOVED) !== null) {
        return;
      }
      for (const game of former) {
        const doc = game.mode === 'free' ? null : revived('game', game);
        if (doc) {
          await this.#keepGame(doc, []);
        }
      }
      localStorage.setItem(MOVED, 'moved');
    } catch {
      // They stay where they are, and are tried again the next time.
    }
  }
}
