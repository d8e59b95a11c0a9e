// New games, files, and the list of keys.

import { toLink } from './state.js';

const $ = (id) => document.getElementById(id);
const SIDES = ['white', 'black'];

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
    $('new-mode').addEventListener('change', () => this.modes());
    $('from-here').addEventListener('change', () => this.modes());
    $('new-form').addEventListener('submit', (event) => {
      event.preventDefault();
      game.do(() => this.start());
    });
    $('files-form').addEventListener('submit', (event) => {
      event.preventDefault();
      game.do(() => this.open($('paste').value));
    });
    $('file').addEventListener('change', () => this.openFile($('file').files[0]));
    $('copy-ptn').addEventListener('click', () => this.copy($('ptn').value, 'PTN'));
    $('copy-tps').addEventListener('click', () => this.copy($('tps').value, 'TPS'));
    $('copy-link').addEventListener('click', () => this.copy(this.link(), 'Link'));
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

  /** What can be chosen depends on the program, which tells so first of all. */
  greet({ sizes, half_komi: [least, most], reserve: [stones, caps] }) {
    this.sizes = new Map(sizes.map(([size, ...reserve]) => [size, reserve]));
    $('new-size').replaceChildren(...sizes.map(([size]) => new Option(`${size} × ${size}`, size)));
    Object.assign($('new-komi'), { min: least / 2, max: most / 2 });
    $('komi-list').replaceChildren(...Array.from({ length: 13 }, (_, index) => new Option((index - 4) / 2)));
    for (const side of SIDES) {
      $(`stones-${side}`).max = stones;
      $(`caps-${side}`).max = caps;
    }
  }

  openNew() {
    const { state, view } = this.game;
    if (!this.sizes) {
      return;
    }
    $('new-problem').textContent = '';
    $('new-size').value = view?.size ?? state.start.size;
    $('new-komi').value = state.start.half_komi / 2;
    $('new-opening').value = state.start.opening;
    $('new-mode').value = state.mode;
    $('new-seconds').value = state.seconds;
    $('from-here').checked = false;
    this.standard();
    state.start.reserves?.forEach(([stones, caps], index) => {
      $(`stones-${SIDES[index]}`).value = stones;
      $(`caps-${SIDES[index]}`).value = caps;
    });
    this.modes();
    $('new-game').showModal();
  }

  /** The pieces that belong to the board. */
  standard() {
    const [stones, caps] = this.sizes.get(Number($('new-size').value));
    for (const side of SIDES) {
      $(`stones-${side}`).value = stones;
      $(`caps-${side}`).value = caps;
    }
  }

  /** Only what matters can be chosen. */
  modes() {
    const mode = $('new-mode').value;
    $('new-color').disabled = mode !== 'engine';
    $('new-seconds').disabled = mode !== 'engine' && mode !== 'self';
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
    const changes = { start, mode, human, seconds: Number($('new-seconds').value) };
    if (mode === 'engine') {
      changes.nextColor = human === 'white' ? 'black' : 'white';
      changes.flipped = human === 'black';
    }
    if (mode === 'analysis') {
      changes.analysing = true;
    }
    try {
      await this.game.begin(changes);
      $('new-game').close();
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
      const { text } = await this.connection.ask({ do: 'write', game: game.record(), names: this.names() });
      $('ptn').value = text.ptn;
      $('tps').value = text.tps;
      if (!document.querySelector('dialog[open]')) {
        $('files').showModal();
      }
    });
  }

  names() {
    const { mode, human, ended } = this.game.state;
    const name = (color) => {
      const isEngine = mode === 'self' || (mode === 'engine' && color !== human);
      return isEngine ? 'tak-engine' : '';
    };
    return { white: name('white'), black: name('black'), result: ended?.result ?? null };
  }

  /** Goes on with a game or a position as text. */
  async open(text) {
    const { game } = this;
    try {
      const { found } = await this.connection.ask({ do: 'read', text, like: game.state.start });
      const { start, moves } = found.game;
      const ended = found.names.result ? { result: found.names.result, says: `Result ${found.names.result}` } : null;
      await game.load({ start, moves, at: moves.length, mode: 'analysis', ended });
      $('files').close();
      $('paste').value = '';
      game.say(`Opened, with ${moves.length} moves. ${found.note ?? ''}`);
    } catch (error) {
      if (!$('files').open) {
        this.openFiles();
      }
      $('paste').value = text;
      $('files-problem').textContent = `Nothing was opened: ${error.message}.`;
    }
  }

  openFile(file, text = '') {
    this.game.do(async () => {
      if (file || text) {
        await this.open(file ? await file.text() : text);
      }
      $('file').value = '';
    });
  }

  link() {
    const address = new URL(location.href);
    address.hash = toLink(this.game.state);
    return address.href;
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
