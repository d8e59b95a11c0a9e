// Files, links and the list of keys.

import { NODES } from './analysis.js';
import { MOST_BYTES, Refused } from './connection.js';
import { fromLink, toLink } from './state.js';
import { ask } from './task.js';

const $ = (id) => document.getElementById(id);
/** The longest fragment of a link in characters. Some programs cut off the rest. */
const LONGEST_LINK = 8000;

// The text of a file: UTF-8, UTF-16 with a byte order mark, or Windows-1252, as older programs write.
function decoded(bytes) {
  const mark = (bytes[0] << 8) | bytes[1];
  if (mark === 0xfffe || mark === 0xfeff) {
    return new TextDecoder(mark === 0xfffe ? 'utf-16le' : 'utf-16be').decode(bytes);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

export class Dialogs {
  constructor(game, connection) {
    this.game = game;
    this.connection = connection;
    for (const button of document.querySelectorAll('dialog .close')) {
      button.addEventListener('click', () => button.closest('dialog').close());
    }
    $('open-files').addEventListener('click', () => this.openFiles());
    $('open-keys').addEventListener('click', () => this.openKeys());
    $('annotated').addEventListener('change', () => game.do(() => this.write()));
    $('files-form').addEventListener('submit', (event) => {
      event.preventDefault();
      game.do(() => this.open($('paste').value));
    });
    $('file').addEventListener('change', () => this.openFile($('file').files[0]));
    $('report').addEventListener('click', () => game.do(() => this.report()));
    $('copy-ptn').addEventListener('click', () => this.copy($('ptn').value, 'PTN'));
    $('copy-tps').addEventListener('click', () => this.copy($('tps').value, 'TPS'));
    $('copy-link').addEventListener('click', () => this.copyLink());
    $('save-ptn').addEventListener('click', () => this.download($('ptn').value, 'game.ptn'));
    $('save-tps').addEventListener('click', () => this.download(`${$('tps').value}\n`, 'position.tps'));
    addEventListener('dragover', (event) => event.preventDefault());
    addEventListener('drop', (event) => {
      event.preventDefault();
      this.openFile(event.dataTransfer.files[0], event.dataTransfer.getData('text/plain'));
    });
  }

  /** After a reconnect, a failed action can be tried again. */
  greet() {
    $('files-problem').textContent = '';
  }

  openKeys() {
    if (!document.querySelector('dialog[open]')) {
      $('keys').showModal();
    }
  }

  openFiles() {
    const { game } = this;
    if (!game.view) {
      return;
    }
    $('files-problem').textContent = '';
    $('copied').textContent = '';
    game.do(async () => {
      await this.write();
      if (!document.querySelector('dialog[open]')) {
        $('files').showModal();
      }
    });
  }

  /** The game as text: with variations, the annotated main line if there is one, and the position. */
  async texts() {
    const { game } = this;
    const { names, moves, annotation } = game.state;
    const { main, lines, ended } = game.lines;
    const question = { do: 'write', game: game.whole(), main, lines, names: { ...names, result: ended?.result ?? null } };
    const { text } = await this.connection.ask(question);
    const isAnnotated = moves.length === annotation?.moves.length && game.annotated(moves.length) !== null;
    return { ...text, annotated: isAnnotated && String(main) === String(moves) ? renewed(annotation.ptn, text.ptn) : null };
  }

  /** Shows the game as text, with its annotation if there is one. */
  async write() {
    const { ptn, annotated, variations, tps } = await this.texts();
    $('annotated-label').hidden = !annotated;
    $('ptn').value = (annotated && $('annotated').checked ? annotated : ptn) + variations;
    $('tps').value = tps;
  }

  /** Saves the page about the annotated game. */
  async report() {
    const { annotated } = await this.texts();
    if (!annotated) {
      throw new Refused('the annotation is of another line: go back to that, or annotate the game again');
    }
    const { looks } = this.game.state.annotation;
    const { page } = await ask(this.connection, { do: 'print', ptn: annotated, looks, nodes: NODES });
    this.download(page, 'tak-review.html', 'text/html');
    this.game.say('The report is saved.');
  }

  /** Opens a game or position from text. */
  async open(text) {
    const { game } = this;
    try {
      const linked = fromLink(text.trim().split('#').at(-1));
      if (linked) {
        await game.open(linked, linked);
        this.closeAll();
        return;
      }
      if (/^(https?:\/\/\S+|\S*#\S+)$/.test(text.trim())) {
        throw new Refused('this is not a valid game link');
      }
      const { found } = await this.connection.ask({ do: 'read', text, like: game.state.start });
      const { result, ...names } = found.names;
      const ended = endOf(result);
      const tree = found.lines.map(({ parent, result: end, moves }) => [parent, endOf(end), ...moves]);
      await game.open({ ...found.game, tree }, { ended, names, note: found.note });
      this.closeAll();
    } catch (error) {
      this.refuse(error, text);
    }
  }

  /** Shows the opened game, regardless of the dialog that a file was dropped on. */
  closeAll() {
    closeDialogs();
    $('paste').value = '';
  }

  /** Shows why nothing was opened; the text can be corrected. */
  refuse(error, text) {
    if (!this.game.view) {
      this.game.say(`Could not open this: ${error.message}.`);
      return;
    }
    if (!$('files').open) {
      // The message would be behind another dialog.
      closeDialogs();
      this.openFiles();
    }
    $('paste').value = text;
    $('files-problem').textContent = `Could not open this: ${error.message}.`;
  }

  openFile(file, text = '') {
    this.game.do(async () => {
      if (file?.size > MOST_BYTES) {
        // Too large for a game: do not even read it.
        this.refuse(new Refused('this is too large (at most 512 KiB)'), '');
      } else if (file || text) {
        await this.open(file ? decoded(new Uint8Array(await file.arrayBuffer())) : text);
      }
      $('file').value = '';
    });
  }

  async copyLink() {
    const fragment = toLink(this.game.state);
    if (fragment.length > LONGEST_LINK) {
      $('copied').textContent = 'This game is too long for a link; “Save PTN” writes it to a file.';
      return;
    }
    const address = new URL(location.href);
    // The token is not part of a link.
    address.search = '';
    address.hash = fragment;
    await this.copy(address.href, 'Link');
  }

  async copy(text, name) {
    try {
      await navigator.clipboard.writeText(text);
      $('copied').textContent = `${name} is copied.`;
    } catch {
      $('copied').textContent = 'The browser does not let this page copy; select the text instead.';
    }
  }

  download(text, name, type = 'text/plain') {
    const address = URL.createObjectURL(new Blob([text], { type }));
    const link = Object.assign(document.createElement('a'), { href: address, download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }
}

/** The end of a game with this result in a file. */
const endOf = (result) => (result ? { result, says: `Result ${result}` } : null);

function closeDialogs() {
  for (const dialog of document.querySelectorAll('dialog[open]')) {
    dialog.close();
  }
}

/** An annotated game with the present names and result, which are those of the game as written now. */
function renewed(annotated, written) {
  const tags = new Map(written.split('\n').filter((line) => line.startsWith('[')).map((line) => [line.split(' ')[0], line]));
  const result = written.trimEnd().split(/\s/).at(-1);
  const end = annotated.indexOf('\n\n');
  const head = annotated.slice(0, end).split('\n').map((line) => tags.get(line.split(' ')[0]) ?? line).join('\n');
  return `${head}${annotated.slice(end).replace(/\S+\s*$/, result)}\n`;
}
