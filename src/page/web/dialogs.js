// New games, files, and the list of keys.

import { MOST_BYTES, Refused } from './connection.js';
import { fromLink, toLink } from './state.js';

const $ = (id) => document.getElementById(id);
const SIDES = ['white', 'black'];
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
    $('open-new').addEventListener('click', () => this.openNew());
    $('open-files').addEventListener('click', () => this.openFiles());
    $('open-keys').addEventListener('click', () => this.openKeys());
    $('new-size').addEventListener('change', () => this.standard());
    $('from-here').addEventListener('change', () => this.here());
    for (const id of ['new-mode', 'new-level', 'new-time']) {
      $(id).addEventListener('change', () => this.matter());
    }
    $('new-komi').addEventListener('input', () => this.explain());
    $('annotated').addEventListener('change', () => game.do(() => this.write()));
    $('new-form').addEventListener('submit', (event) => {
      event.preventDefault();
      game.do(() => this.start());
    });
    // The invalid field must be visible for the browser's message.
    $('new-form').addEventListener('invalid', ({ target }) => {
      const details = target.closest('details');
      if (details) {
        details.open = true;
      }
    }, true);
    $('files-form').addEventListener('submit', (event) => {
      event.preventDefault();
      game.do(() => this.open($('paste').value));
    });
    $('file').addEventListener('change', () => this.openFile($('file').files[0]));
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

  openKeys() {
    if (!document.querySelector('dialog[open]')) {
      $('keys').showModal();
    }
  }

  /** The choices depend on the program's greeting. */
  greet({ sizes, half_komi: [least, most], komi_means: means, levels, reserve: [stones, caps] }) {
    this.means = (komi) => {
      const text = means[Math.round(2 * komi) - least];
      return text ? `Komi ${komi}: ${text}` : '';
    };
    const all = levels.map((title, index) => new Option(title, index + 1));
    refill($('new-level'), [...all, new Option('full strength', 0)]);
    this.sizes = new Map(sizes.map(([size, ...reserve]) => [size, reserve]));
    refill($('new-size'), sizes.map(([size]) => new Option(`${size} × ${size}`, size)));
    Object.assign($('new-komi'), { min: least / 2, max: most / 2 });
    $('komi-list').replaceChildren(...Array.from({ length: 13 }, (_, index) => new Option((index - 4) / 2)));
    for (const side of SIDES) {
      $(`stones-${side}`).max = stones;
      $(`caps-${side}`).max = caps;
    }
    // After a reconnect, a failed action can be tried again.
    $('new-problem').textContent = '';
    $('files-problem').textContent = '';
  }

  openNew() {
    const { state } = this.game;
    if (!this.sizes) {
      return;
    }
    $('new-problem').textContent = '';
    $('new-komi').value = state.start.half_komi / 2;
    $('new-mode').value = state.mode;
    const { isClock, minutes, increment } = state.timing;
    for (const [id, value] of [
      ['level', state.level],
      ['time', isClock ? 'clock' : 'free'],
      ['seconds', state.seconds],
      ['minutes', minutes],
      ['increment', increment],
      ['you', state.you],
      ['white', state.mode === 'two' ? state.names.white : ''],
      ['black', state.mode === 'two' ? state.names.black : ''],
    ]) {
      $(`new-${id}`).value = value;
    }
    $('from-here').checked = false;
    this.like();
    this.explain();
    this.matter();
    $('new-game').showModal();
  }

  /** Board size, opening rule and pieces of the current game. */
  like() {
    const { state, view } = this.game;
    $('new-size').value = view?.size ?? state.start.size;
    $('new-opening').value = state.start.opening;
    this.standard();
    state.start.reserves?.forEach(([stones, caps], index) => {
      $(`stones-${SIDES[index]}`).value = stones;
      $(`caps-${SIDES[index]}`).value = caps;
    });
  }

  /** A game from the current position has its size and rules. */
  here() {
    if ($('from-here').checked) {
      this.like();
    }
    this.matter();
  }

  /** The standard pieces of the board size. */
  standard() {
    const [stones, caps] = this.sizes.get(Number($('new-size').value));
    for (const side of SIDES) {
      $(`stones-${side}`).value = stones;
      $(`caps-${side}`).value = caps;
    }
  }

  /** Explains the komi being typed. */
  explain() {
    $('komi-means').textContent = this.means(Number($('new-komi').value));
  }

  /** Shows only the fields that apply. */
  matter() {
    const mode = $('new-mode').value;
    const isFree = $('new-time').value === 'free';
    const plays = mode === 'engine' || mode === 'self';
    for (const [id, matters] of [
      ['new-color', mode === 'engine'],
      ['new-level', plays],
      ['new-time', mode !== 'analysis'],
      // A level answers at once, regardless of the time.
      ['new-seconds', plays && isFree && $('new-level').value === '0'],
      ['new-minutes', mode !== 'analysis' && !isFree],
      ['new-increment', mode !== 'analysis' && !isFree],
      ['new-you', mode === 'engine'],
      ['new-white', mode === 'two'],
      ['new-black', mode === 'two'],
    ]) {
      $(id).closest('label').hidden = !matters;
      $(id).disabled = !matters;
    }
    const isHere = $('from-here').checked;
    for (const id of ['new-size', 'new-opening']) {
      $(id).disabled = isHere;
    }
  }

  async start() {
    const { state, view } = this.game;
    const size = Number($('new-size').value);
    const reserves = SIDES.map((side) => [Number($(`stones-${side}`).value), Number($(`caps-${side}`).value)]);
    const isStandard = reserves.every((reserve) => String(reserve) === String(this.sizes.get(size)));
    const start = {
      size,
      half_komi: Math.round(2 * Number($('new-komi').value)),
      opening: $('new-opening').value,
      ...(isStandard ? {} : { reserves }),
      ...($('from-here').checked ? { tps: view.tps } : {}),
    };
    const mode = $('new-mode').value;
    const chosen = $('new-color').value;
    const lot = state.nextColor ?? SIDES[Math.floor(2 * Math.random())];
    const human = chosen === 'lot' ? lot : chosen;
    const number = (id) => Number($(`new-${id}`).value);
    const text = (id) => $(`new-${id}`).value.trim();
    const changes = {
      start,
      mode,
      human,
      level: number('level'),
      seconds: number('seconds'),
      timing: { isClock: $('new-time').value === 'clock', minutes: number('minutes'), increment: number('increment') },
      you: text('you'),
    };
    const engine = changes.level === 0 ? 'tak-engine' : `tak-engine level ${changes.level}`;
    changes.names = {
      engine: human === 'white' ? { white: changes.you, black: engine } : { white: engine, black: changes.you },
      two: { white: text('white'), black: text('black') },
      self: { white: engine, black: engine },
      analysis: { white: '', black: '' },
    }[mode];
    if (mode === 'engine') {
      changes.nextColor = human === 'white' ? 'black' : 'white';
      changes.flipped = human === 'black';
    }
    if (mode === 'analysis') {
      changes.analysing = true;
    }
    try {
      if (start.tps) {
        const { view: { outcome } } = await this.connection.ask({ do: 'view', game: { start, moves: [] } });
        if (outcome) {
          throw new Refused(`the game is over: ${outcome.says}`);
        }
      }
      await this.game.begin(changes);
      $('new-game').close();
      $('grid').focus({ preventScroll: true });
    } catch (error) {
      $('new-problem').textContent = `This cannot be played: ${error.message}.`;
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

  /** Shows the game as text, with its annotation if there is one. */
  async write() {
    const { game } = this;
    const { names, ended, moves, annotation } = game.state;
    const question = { do: 'write', game: game.record(), names: { ...names, result: ended?.result ?? null } };
    const { text } = await this.connection.ask(question);
    const isAnnotated = moves.length === annotation?.moves.length && game.annotated(moves.length) !== null;
    $('annotated-label').hidden = !isAnnotated;
    $('ptn').value = isAnnotated && $('annotated').checked ? renewed(annotation.ptn, text.ptn) : text.ptn;
    $('tps').value = text.tps;
  }

  /** Opens a game or position from text. */
  async open(text) {
    const { game } = this;
    try {
      const linked = fromLink(text.trim().split('#').at(-1));
      if (linked) {
        await game.open(linked);
        this.closeAll();
        return;
      }
      if (/^(https?:\/\/\S+|\S*#\S+)$/.test(text.trim())) {
        throw new Refused('this is not a valid game link');
      }
      const { found } = await this.connection.ask({ do: 'read', text, like: game.state.start });
      const { result, ...names } = found.names;
      const ended = result ? { result, says: `Result ${result}` } : null;
      await game.open(found.game, { ended, names, note: found.note });
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

  download(text, name) {
    const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
    const link = Object.assign(document.createElement('a'), { href: address, download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }
}

function closeDialogs() {
  for (const dialog of document.querySelectorAll('dialog[open]')) {
    dialog.close();
  }
}

/** Sets the choices of a list; the selected one stays selected if it is among them. */
function refill(list, options) {
  const chosen = options.find(({ value }) => value === list.value);
  list.replaceChildren(...options);
  if (chosen) {
    chosen.selected = true;
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
