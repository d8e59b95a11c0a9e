// Games and positions as text, files and links.

/** @import { App } from '../app.js' */
/** @import { End, Texts } from '../types.js' */
/** @import { Engine } from './engine.js' */
/** @import { Study } from './study.js' */

import { MOST_BYTES } from '../connection.js';
import { annotatedNodes, linesOf, winnerOf } from '../model/doc.js';
import { Lost, Refused } from '../model/errors.js';
import { fromLink, toLink } from '../model/link.js';
import { decoded, download } from '../views/parts.js';
import { words } from '../words.js';
import { NODES } from './engine.js';

/** The longest fragment of a link in characters. Some programs cut off the rest. */
const LONGEST_LINK = 8000;
/** Milliseconds that a button says that it has copied. */
const COPIED = 2000;

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
  withAnnotation: true,
  copied: '',
};

export class Files {
  #timer = 0;

  /**
   * @param {App} app
   * @param {Engine} engine
   * @param {Study} study
   */
  constructor(app, engine, study) {
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
    const link = toLink(this.app.doc);
    const address = new URL(location.href);
    // The token is not part of a link.
    address.search = '';
    address.hash = link;
    this.set({ ...(await this.#texts()), link: link.length > LONGEST_LINK ? '' : address.href, copied: '' });
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
    const { page } = await this.engine.ask({ do: 'print', ptn: annotated, looks: annotation.looks, nodes: NODES });
    download(page, 'tak-review.html', 'text/html');
    this.app.tell(words.reportSaved);
  }

  /** Opens a game or position from text. @param {string} text */
  async open(text) {
    const { app } = this;
    try {
      const linked = fromLink(text.trim().split('#').at(-1) ?? '');
      if (linked) {
        await this.study.open(linked, linked);
      } else if (/^(https?:\/\/\S+|\S*#\S+)$/.test(text.trim())) {
        throw new Refused(words.noGameLink);
      } else {
        const { found } = await app.connection.ask({ do: 'read', text, like: app.doc.start });
        const { result, ...names } = found.names;
        const tree = found.lines.map((/** @type {any} */ { parent, result: end, moves }) => [
          parent,
          endOf(end),
          ...moves,
        ]);
        await this.study.open({ ...found.game, tree }, { ended: endOf(result), names, note: found.note });
      }
      app.store.update({ dialog: null, texts: { ...app.state.texts, paste: '', problem: '', details: '' } });
    } catch (error) {
      if (error instanceof Lost) {
        throw error;
      }
      this.#refuse(error instanceof Error ? error.message : '', text);
    }
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
      // Too large for a game: do not even read it.
      this.#refuse(words.tooLarge, '');
    } else if (file || text) {
      await this.open(file ? decoded(new Uint8Array(await file.arrayBuffer())) : text);
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
