// Games and positions as text, files and links.

/** @import { App } from '../app.js' */
/** @import { Texts } from '../types.js' */
/** @import { Shelf } from '../library/shelf.js' */
/** @import { Linked } from '../model/link.js' */
/** @import { Engine } from './engine.js' */
/** @import { Study } from './study.js' */

import { MOST_BYTES } from '../connection.js';
import { lazy } from '../lazy.js';
import { Lost, Refused } from '../model/errors.js';
import { KEEPING } from '../model/stored.js';
import { decoded, download } from '../views/parts.js';
import { words } from '../words.js';
import { NODES } from './engine.js';

/** Milliseconds that a button says that it has copied. */
const COPIED_MS = 2000;

const texts = lazy(() => import('./texts.js'));
const sites = lazy(() => import('../model/sites.js'));

/** @type {Texts} */
export const NO_TEXTS = {
  paste: '',
  problem: '',
  details: '',
  ptn: '',
  annotated: null,
  variations: '',
  tps: '',
  link: '',
  isShort: false,
  withAnnotation: true,
  isWritten: false,
  copied: '',
  refused: '',
};

/** The files that are not in the library yet. @returns {[name: string, text: string][]} */
export const pending = () => JSON.parse(sessionStorage.getItem(KEEPING) ?? '[]');

/** Changes the list of these files. @param {(files: [string, string][]) => [string, string][]} change */
function rewrite(change) {
  try {
    sessionStorage.setItem(KEEPING, JSON.stringify(change(pending())));
  } catch {
    // There is no room, or storage is forbidden.
  }
}

/** Takes a file from the list. @param {string} name @param {string} text */
const forget = (name, text) => rewrite((files) => files.filter((each) => String(each) !== String([name, text])));

/** Remembers a file, in case the page is loaded again before it is in the library. @param {string} name @param {string} text */
function remember(name, text) {
  forget(name, text);
  rewrite((files) => [...files, [name, text]]);
}

export class Files {
  #timer = 0;

  /**
   * @param {App} app
   * @param {Engine} engine
   * @param {Study} study
   * @param {() => Promise<Shelf>} shelf
   */
  constructor(app, engine, study, shelf) {
    this.shelf = shelf;
    this.app = app;
    this.engine = engine;
    this.study = study;
  }

  /** @param {Partial<Texts>} changes */
  set(changes) {
    this.app.store.update({ texts: { ...this.app.state.texts, ...changes } });
  }

  /** Writes the game for the dialog. */
  async write() {
    await (await texts()).write(this);
  }

  /** Opens the game of a link. @param {Linked} linked */
  async openLinked(linked) {
    await (await texts()).openLinked(this, linked);
  }

  /**
   * Opens a game in PTN, or a position.
   * @param {string} text
   * @param {number | null} ply the number of moves on the board; all if null
   */
  async openText(text, ply) {
    await (await texts()).openText(this, text, ply);
  }

  /** The PTN of the dialog. */
  get ptn() {
    const { ptn, annotated, variations, withAnnotation } = this.app.state.texts;
    return (annotated && withAnnotation ? annotated : ptn) + variations;
  }

  /** Saves the page about the annotated game. */
  async report() {
    const { annotated } = await (await texts()).textsOf(this.app);
    const { annotation } = this.app.doc;
    if (!annotated || !annotation) {
      throw new Refused(words.otherLine);
    }
    const nodes = annotation.isRead ? null : NODES;
    const { page } = await this.engine.ask({ do: 'print', ptn: annotated, looks: annotation.looks, nodes });
    download(page, 'tak-review.html', 'text/html');
    this.app.tell(words.reportSaved);
  }

  /**
   * Opens a game or position from text. Several games are added to the library, to choose one. `name` is that of a file.
   * @param {string} text
   * @param {string} name
   */
  async open(text, name = '') {
    const { app } = this;
    try {
      const { findLink } = await sites();
      const link = await findLink(text);
      if (link && 'isUnknown' in link) {
        throw new Refused(words.noGameLink);
      }
      if (!link && hasGames(text)) {
        await (await this.shelf()).addFiles([new File([text], name)]);
      } else if (link && 'game' in link) {
        await this.openLinked(link.game);
      } else {
        if (name) {
          remember(name, text);
        }
        await this.openText(link ? link.ptn : text, link ? link.ply : null);
        // The library has games, not positions.
        if (name && (app.doc.moves.length > 0 || /^\s*\[/m.test(text))) {
          this.keep(name, text);
        } else if (name) {
          forget(name, text);
        }
      }
      app.store.update({ dialog: null, texts: { ...app.state.texts, paste: '', problem: '', details: '' } });
    } catch (error) {
      if (error instanceof Lost) {
        throw error;
      }
      if (name) {
        forget(name, text);
      }
      this.#refuse(error instanceof Error ? error.message : '', text);
    }
  }

  /** Keeps a file in the library, whose game is on the board already. @param {string} name @param {string} text */
  async keep(name, text) {
    try {
      await (await this.shelf()).take(new File([text], name));
      forget(name, text);
    } catch (error) {
      // It is tried again if the page is loaded again, which may be why it failed.
      if (error instanceof Refused) {
        forget(name, text);
      }
      this.app.tell(words.notKept(name, error instanceof Error ? error.message : ''));
    }
  }

  /**
   * Shows why nothing was opened; the text can be corrected.
   * @param {string} why
   * @param {string} paste
   */
  #refuse(why, paste) {
    const isText = !/^(https?:|\S*#)/.test(paste.trim());
    // Tags, numbers of moves, or the rows of a position.
    const isGame = /^\[\w+ "|\b\d+\.|^[\w,]+\//m.test(paste);
    this.set({
      paste,
      problem: isText && !isGame && /expected/.test(why) ? words.noGame : words.notOpened(why),
      details: isText ? why : '',
    });
    this.app.store.update({ dialog: 'open' });
  }

  /**
   * @param {File | undefined} file
   * @param {string} text
   */
  async openFile(file, text = '') {
    if (file && file.size > MOST_BYTES) {
      await (await this.shelf()).addFiles([file]);
    } else if (file) {
      await this.open(decoded(new Uint8Array(await file.arrayBuffer())), file.name);
    } else if (text) {
      await this.open(text);
    }
  }

  /**
   * Copies a text; the button says so for a while. If the browser forbids it, the text stands in a field and is selected.
   * @param {string} text
   * @param {string} name
   * @param {HTMLElement | null} field
   */
  async copy(text, name, field = null) {
    try {
      this.set({ refused: '' });
      await navigator.clipboard.writeText(text);
      clearTimeout(this.#timer);
      this.#timer = window.setTimeout(() => this.set({ copied: '' }), COPIED_MS);
      this.set({ copied: name });
      this.app.say(words.copied(name));
    } catch {
      if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) {
        field.select();
      }
      // News would lie behind the dialog.
      this.set({ refused: name });
      this.app.say(words.notCopied);
    }
  }
}

/** Returns whether a text probably has several games: a board is told more than once. @type {(text: string) => boolean} */
const hasGames = (text) => (text.match(/^\uFEFF?[ \t]*\[\s*size\s+["“]/gim) ?? []).length > 1;
