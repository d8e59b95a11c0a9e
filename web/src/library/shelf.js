// The library of the page: what it keeps, reads, searches and opens.

/** @import { Listed } from '../protocol.js' */
/** @import { Doc, Head, LibraryQuery, LibraryState, State } from '../types.js' */
/** @import { Page } from '../main.js' */

import { linesOf, positionOf, questionOf, shown, viewOf } from '../model/doc.js';
import { Refused } from '../model/errors.js';
import { revived } from '../model/stored.js';
import { libraryPanel, nameOf } from '../views/library.js';
import { decoded, download } from '../views/parts.js';
import { sentence } from '../words.js';
import { fileOf, search } from './search.js';
import { Library, MOST_GAMES } from './store.js';
import { libraryWords as words } from './words.js';

/** The characters of a file in one message. In JSON a character may take six bytes. */
const PART = 80_000;
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
      const ids = await this.#collect();
      const { found } = await this.page.engine.ask({ do: 'explore', game: questionOf(doc), most: MOST_GAMES });
      this.#having = new Map(found.map((/** @type {[number, number]} */ [index, ply]) => [ids[index], ply]));
      this.#position = position;
    } catch (error) {
      this.#set({ problem: sentence(error instanceof Error ? error.message : '') });
    }
    this.#isBusy = false;
    this.#set({ isLooking: false });
    this.#search({});
  }

  /** Sends all games to the explorer, if it has others. Returns their numbers in its order. */
  async #collect() {
    const { heads } = this.library;
    const { hello } = this.app.connection;
    const { collected } = this.page;
    if (collected?.what === heads && collected.hello === hello) {
      return heads.map(({ id }) => id);
    }
    const ids = heads.map(({ id }) => id);
    const text = await this.whole();
    await this.page.engine.ask({ do: 'collect', bytes: new Blob([text]).size });
    for (const part of partsOf(text)) {
      await this.page.engine.ask({ do: 'collect', text: part });
    }
    const { collected: read } = await this.page.engine.ask({ do: 'collect', end: true });
    if (read.games !== ids.length || read.damaged > 0) {
      throw new Refused(words.unread);
    }
    this.page.collected = { what: heads, hello };
    return ids;
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
    this.app.tell(words.removed(nameOf(head)), () => this.app.do(undo));
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
    for (const file of files) {
      const name = file.name || words.pasted;
      try {
        const listed = await this.#list(file, name);
        faults.push(...listed.faults.map((fault) => (files.length > 1 ? `${name}: ${fault}` : fault)));
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

  /** Adds a file whose game was opened. What cannot be kept is on the board nevertheless. @param {File} file */
  async take(file) {
    try {
      const { games } = await this.#list(file, file.name);
      await this.library.add(games, file.name);
    } catch {}
    this.#set({ reading: null });
  }

  /**
   * The games of a file.
   * @param {File} file
   * @param {string} name
   * @returns {Promise<Listed>}
   */
  async #list(file, name) {
    if (file.size > MOST_BYTES) {
      throw new Refused(words.tooLarge(MOST_BYTES / 1_000_000));
    }
    const text = decoded(new Uint8Array(await file.arrayBuffer()));
    /** @type {Listed} */
    const all = { games: [], faults: [] };
    const take = async (/** @type {Record<string, unknown>} */ part) => {
      const { listed } = await this.page.engine.ask({ do: 'list', ...part });
      all.games.push(...listed.games);
      all.faults.push(...listed.faults);
    };
    await take({ begin: true });
    let read = 0;
    for (const part of partsOf(text)) {
      this.#set({ reading: { name, percent: Math.floor((100 * read) / text.length) } });
      await take({ text: part });
      read += part.length;
    }
    await take({ end: true });
    if (all.games.length === 0) {
      throw new Refused(all.faults[0] ?? words.noGames);
    }
    return all;
  }

  /** Keeps a game that was played here. @param {Doc} doc */
  async keep(doc) {
    const now = new Date();
    const date = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((each) => String(each).padStart(2, '0'));
    await this.#keepGame(doc, [['Date', date.join('.')]]);
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
    const { listed } = await this.page.engine.ask({
      do: 'list',
      begin: true,
      text: text.ptn + text.variations,
      end: true,
    });
    await this.library.add(listed.games, words.played, doc.seed || null);
  }

  /** Takes over the games of earlier versions, once. */
  async #moveFormer() {
    const { former } = this.app.state;
    try {
      if (localStorage.getItem(MOVED) !== null) {
        return;
      }
      for (const game of former) {
        const doc = revived(game.mode === 'free' ? 'study' : 'game', game);
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

/** The parts of a text, which end with a line if lines are short. @param {string} text */
function* partsOf(text) {
  for (let from = 0; from < text.length; ) {
    const line = text.lastIndexOf('\n', from + PART) + 1;
    let to = line > from && from + PART < text.length ? line : Math.min(from + PART, text.length);
    // A letter of two units stays whole.
    to += /[\uD800-\uDBFF]/.test(text[to - 1]) && to < text.length ? 1 : 0;
    yield text.slice(from, to);
    from = to;
  }
}
