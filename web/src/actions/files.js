// Games and positions as text, files and links.

/** @import { App } from '../app.js' */
/** @import { End, Texts } from '../types.js' */
/** @import { Shelf } from '../library/shelf.js' */
/** @import { Linked } from '../model/link.js' */
/** @import { Found } from '../protocol.js' */
/** @import { Engine } from './engine.js' */
/** @import { Study } from './study.js' */

import { MOST_BYTES } from '../connection.js';
import { lazy } from '../lazy.js';
import { annotatedNodes, linesOf, winnerOf } from '../model/doc.js';
import { Lost, Refused } from '../model/errors.js';
import { KEEPING } from '../model/stored.js';
import { Tree } from '../model/tree.js';
import { decoded, download } from '../views/parts.js';
import { words } from '../words.js';
import { NODES } from './engine.js';

/** The longest fragment of a link in characters. Some programs cut off the rest. */
const LONGEST_LINK = 8000;
/** Milliseconds that a button says that it has copied. */
const COPIED = 2000;

const links = lazy(() => import('../model/link.js'));
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
};

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

  /** The game as text: with variations, the annotated main line if there is one, and the position. */
  async #texts() {
    const { doc } = this.app;
    const { start, moves, at, names, annotation } = doc;
    const { main, lines, ended } = linesOf(doc);
    const question = {
      do: 'write',
      game: { start, moves, at },
      main,
      lines,
      names: { ...names, result: ended?.result ?? null },
    };
    const { text } = await this.app.connection.ask(question);
    const isAnnotated =
      annotation !== null &&
      moves.length === annotation.moves.length &&
      annotatedNodes(doc).length === moves.length + 1;
    return {
      ...text,
      annotated: isAnnotated && String(main) === String(moves) ? renewed(annotation.ptn, text.ptn) : null,
    };
  }

  /** Writes the game for the dialog. */
  async write() {
    this.set({ isWritten: false });
    const { doc } = this.app;
    const { toLink } = await links();
    const whole = await toLink(doc);
    const isShort = whole.length > LONGEST_LINK;
    const link = isShort ? await toLink(doc, { isShort }) : whole;
    const address = new URL(location.href);
    // The token is not part of a link.
    address.search = '';
    address.hash = link;
    const texts = await this.#texts();
    this.set({ ...texts, link: link.length > LONGEST_LINK ? '' : address.href, isShort, isWritten: true, copied: '' });
  }

  /**
   * Opens the game of a link. A link has comments alone, in which the program finds chances and lines of an engine.
   * @param {Linked} linked
   */
  async openLinked(linked) {
    const { start, moves, at, ended, names } = linked;
    const lines = linked.tree.map(([parent, end, ...rest]) => ({ parent, result: end?.result ?? null, moves: rest }));
    let tree = linked.tree;
    if (lines.some((line) => line.moves.some(Array.isArray))) {
      const game = { start, moves };
      const read = Tree.read(tree);
      const main = read.lineThrough(read.root);
      const { text } = await this.app.connection.ask({
        do: 'write',
        game,
        main,
        lines,
        names: { ...names, result: ended?.result ?? null },
      });
      const { found } = await this.app.connection.ask({ do: 'read', text: text.ptn + text.variations, like: start });
      tree = treeOf(found);
    }
    await this.study.open({ start, moves, at, tree }, { ended, names });
  }

  /**
   * Opens a game in PTN, or a position, as the program reads it.
   * @param {string} text
   * @param {number | null} ply the number of moves on the board; all if null
   */
  async openText(text, ply) {
    const { app } = this;
    const { found } = await app.connection.ask({ do: 'read', text, like: app.doc.start });
    const { result, ...names } = found.names;
    const { moves: said, ...about } = found.annotation ?? {};
    const annotation = said ? { ...found.game, said, ...about, isRead: true } : null;
    const at = Math.min(ply ?? Number.POSITIVE_INFINITY, found.game.moves.length);
    await this.study.open(
      { ...found.game, at, tree: treeOf(found) },
      { ended: endOf(result), names, note: found.note, others: { annotation } },
    );
  }

  /** The PTN of the dialog. */
  get ptn() {
    const { ptn, annotated, variations, withAnnotation } = this.app.state.texts;
    return (annotated && withAnnotation ? annotated : ptn) + variations;
  }

  /** Saves the page about the annotated game. */
  async report() {
    const { annotated } = await this.#texts();
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
        await this.openText(link ? link.ptn : text, link ? link.ply : null);
        // The library has games, not positions.
        if (name && (app.doc.moves.length > 0 || /^\s*\[/m.test(text))) {
          try {
            sessionStorage.setItem(KEEPING, JSON.stringify([name, text]));
          } catch {
            // The file is kept unless the page is loaded again before that.
          }
          this.keep(name, text);
        }
      }
      app.store.update({ dialog: null, texts: { ...app.state.texts, paste: '', problem: '', details: '' } });
    } catch (error) {
      if (error instanceof Lost) {
        throw error;
      }
      this.#refuse(error instanceof Error ? error.message : '', text);
    }
  }

  /** Keeps a file in the library, whose game is on the board already. @param {string} name @param {string} text */
  async keep(name, text) {
    try {
      await (await this.shelf()).take(new File([text], name));
    } catch (error) {
      this.app.tell(words.notKept(name, error instanceof Error ? error.message : ''));
    }
    sessionStorage.removeItem(KEEPING);
  }

  /**
   * Shows why nothing was opened; the text can be corrected.
   * @param {string} why
   * @param {string} paste
   */
  #refuse(why, paste) {
    const isText = !/^(https?:|\S*#)/.test(paste.trim());
    this.set({
      paste,
      problem: isText && /expected/.test(why) ? words.noGame : words.notOpened(why),
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
      await navigator.clipboard.writeText(text);
      clearTimeout(this.#timer);
      this.#timer = window.setTimeout(() => this.set({ copied: '' }), COPIED);
      this.set({ copied: name });
      this.app.say(words.copied(name));
    } catch {
      if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) {
        field.select();
      }
      this.app.tell(words.notCopied);
    }
  }
}

/** Returns whether a text probably has several games: a board is told more than once. @type {(text: string) => boolean} */
const hasGames = (text) => (text.match(/^\uFEFF?[ \t]*\[\s*size\s+["“]/gim) ?? []).length > 1;

/** The lines of a game that was read, as a tree stores them. @type {(found: Found) => any[]} */
const treeOf = ({ lines }) => lines.map(({ parent, result, moves }) => [parent, endOf(result), ...moves]);

/** The end of a game with this result in a file. @type {(result: string | null) => End | null} */
function endOf(result) {
  const winner = result ? winnerOf(result) : null;
  return result ? { result, says: words.resultSays(result), ...(winner ? { winner } : {}) } : null;
}

/**
 * An annotated game with the present names and result, which are those of the game as written now.
 * @param {string} annotated
 * @param {string} written
 */
function renewed(annotated, written) {
  const tags = new Map(
    written
      .split('\n')
      .filter((line) => line.startsWith('['))
      .map((line) => [line.split(' ')[0], line]),
  );
  const result = written.trimEnd().split(/\s/).at(-1) ?? '*';
  const end = annotated.indexOf('\n\n');
  const head = annotated
    .slice(0, end)
    .split('\n')
    .map((line) => tags.get(line.split(' ')[0]) ?? line)
    .join('\n');
  return `${head}${annotated.slice(end).replace(/\S+\s*$/, result)}\n`;
}
