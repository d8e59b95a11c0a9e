// The explorer: what was played from the position on the board in a collection of games, and how these games ended.

import { make } from './elements.js';
import { button, choice, fileButton, row } from './parts.js';

/** The bytes of a file in one message. In JSON a character may take six times as many. */
const PART = 80_000;
/** Smaller shares have no room for their number. */
const LEAST = 20;

const INTRO = 'Choose a collection of games, as PTN files, or drop it on the page. You see what was played from the '
  + 'position on the board, and how these games ended.';

const counted = (count, one, many) => `${count} ${count === 1 ? one : many}`;

/** The collection, which stays while other views are open: {files, hello, games, damaged, faults, sizes}. */
let held = null;
/** The number of the last attempt to read one, and whether another view ended it. */
let attempts = 0;
let wasStopped = false;

/** Decodes the parts of a file: UTF-16 with a byte order mark, or UTF-8. Moves and tags are ASCII in any case. */
async function decoderOf(file) {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const mark = (first << 8) | second;
  return new TextDecoder({ 0xfffe: 'utf-16le', 0xfeff: 'utf-16be' }[mark] ?? 'utf-8');
}

/** The shares of the results, in percent; null without results. */
function shares({ white, draw, black }) {
  const known = white + draw + black;
  return known === 0 ? null : [white, draw, black].map((count) => (100 * count) / known);
}

/** A bar with these shares. */
function bar(parts) {
  const texts = parts.map((part) => `${part.toFixed(0)} %`);
  const pieces = ['white', 'none', 'black'].map((name, index) => {
    const textContent = parts[index] >= LEAST && name !== 'none' ? texts[index] : '';
    const piece = make('span', { className: `for-${name}`, textContent });
    piece.style.width = `${parts[index]}%`;
    return piece;
  });
  const element = make('div', { className: 'share' }, ...pieces);
  element.setAttribute('role', 'img');
  element.setAttribute('aria-label', `White ${texts[0]}, draw ${texts[1]}, Black ${texts[2]}`);
  return element;
}

export class View {
  constructor(task) {
    this.task = task;
    this.game = task.game;
    /** Names of files that may be dropped on the page. */
    this.accepts = /\.(ptn|txt)$/i;
    /** The answers for positions, by their keys, and the one that is shown. */
    this.known = new Map();
    this.shown = null;
    this.isBusy = false;
    this.build();
    const changed = () => (task.view === this ? this.changed() : this.game.removeEventListener('change', changed));
    this.game.addEventListener('change', changed);
  }

  build() {
    const { game } = this;
    const act = (action) => () => game.do(() => action());
    this.goal = make('p', { id: 'task-goal', textContent: INTRO });
    this.steps = [['«', 'To the start', () => 0], ['‹', 'One move back', (at) => at - 1], ['›', 'One move forward', (at) => at + 1]]
      .map(([text, ariaLabel, to]) => Object.assign(button(text, act(() => game.walk(to(game.state.at)))), { ariaLabel }));
    this.board = choice('Board', act(() => this.empty(Number(this.board.list.value))));
    this.board.offer([3, 4, 5, 6, 7, 8].map((size) => [size, `${size}x${size}`]), 6);
    this.board.list.id = 'explore-board';
    this.summary = make('p', { id: 'explore-summary' });
    this.summary.setAttribute('role', 'status');
    const heads = ['Move', 'Games', 'Results', 'Rating'].map((textContent) => make('th', { scope: 'col', textContent }));
    this.rows = make('tbody');
    this.table = make('table', { id: 'explore-moves', hidden: true }, make('thead', {}, make('tr', {}, ...heads)), this.rows);
    this.left = make('p', { id: 'explore-left', className: 'note' });
    this.faults = make('ul', { id: 'explore-faults' });
    this.damaged = make('details', { hidden: true }, make('summary', { textContent: 'Damaged games' }), this.faults);
  }

  parts() {
    const { task, game } = this;
    return [
      make('h2', { id: 'task-title', tabIndex: -1, textContent: 'Explorer' }),
      this.goal,
      row(fileButton('Choose PTN files', '.ptn,.txt,text/plain', (files) => this.openFiles(files), true), this.board.label),
      task.verdict,
      Object.assign(row(make('span', { className: 'steps' }, ...this.steps), button('Analyse', () => game.do(() => this.analyse()))), { className: 'row walk' }),
      this.summary, this.table, this.left, this.damaged, task.notice,
      row(make('a', { href: '#', textContent: 'Back to the game' })),
    ];
  }

  /** Begins with the position on the board. */
  async open() {
    const { start, moves, at } = this.task.own;
    await this.task.show(start, 'both', { moves: moves.slice(0, at) });
    document.title = 'Explorer – Tak';
    if (wasStopped) {
      this.task.tell('Reading ended when the explorer was left. Choose the files again.', 'wrong');
    }
  }

  /** Moves are the user's own. */
  moved() {}

  async empty(size) {
    await this.task.show({ size, opening: 'swap' }, 'both');
  }

  /** The line on the board as a game to analyse. */
  async analyse() {
    const { start, moves, at } = this.game.state;
    await this.game.open({ start, moves: moves.slice(0, at) });
  }

  changed() {
    const { view, state: { at, moves } } = this.game;
    if (!view) {
      return;
    }
    this.board.list.value = view.size;
    this.steps[0].disabled = this.steps[1].disabled = at === 0;
    this.steps[2].disabled = at === moves.length;
    if (held && held.hello !== this.task.connection.hello) {
      // The program holds a collection for one connection.
      this.openFiles(held.files);
    }
    this.explore();
  }

  /** Reads a collection, in parts. */
  async openFiles(files) {
    attempts += 1;
    const attempt = attempts;
    const isCurrent = () => attempt === attempts && this.task.view === this;
    const before = held;
    held = null;
    wasStopped = false;
    this.known.clear();
    this.show(null);
    const { hello } = this.task.connection;
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    const collect = async (part) => (await this.task.think({ do: 'collect', ...part })).collected;
    try {
      let [collected, read] = [await collect({ bytes }), 0];
      for (const file of files) {
        const decoder = await decoderOf(file);
        for (let from = 0; from < file.size; from += PART) {
          this.task.verdict.textContent = `Reading ${file.name}: ${Math.floor((100 * read) / bytes)} %`;
          const part = await file.slice(from, from + PART).arrayBuffer();
          await collect({ text: decoder.decode(part, { stream: true }) });
          if (!isCurrent()) {
            wasStopped = attempt === attempts;
            return;
          }
          read += part.byteLength;
        }
        collected = await collect({ text: decoder.decode(), end: true });
      }
      if (isCurrent()) {
        held = { files, hello, ...collected };
        this.game.do(() => this.begin());
      }
    } catch (error) {
      if (isCurrent()) {
        // The same files are sent again with the next connection.
        held = before?.files === files ? before : null;
        this.task.tell(`The games could not be read: ${error.message}.`, 'wrong');
      }
    }
  }

  /** Shows what was read: on the board that most games have if nothing is played, or if no game has the present one. */
  async begin() {
    const { games, damaged, sizes } = held;
    const [most] = [...sizes].sort((one, other) => other[1] - one[1]);
    if (!most) {
      this.task.tell(games === 0 ? 'These files contain no game.' : `No game could be read; ${counted(damaged, 'is', 'are')} damaged.`, 'wrong');
    } else {
      this.task.tell('');
      const { state: { moves, start }, view } = this.game;
      const isEmpty = moves.length === 0 && !start.tps && view.size !== most[0];
      if (isEmpty || sizes.every(([size]) => size !== view.size)) {
        await this.empty(most[0]);
      }
    }
    this.explore();
  }

  /** Asks for the position on the board, if it is not known. */
  async explore() {
    this.show(this.known.get(this.game.position) ?? this.shown);
    if (this.isBusy) {
      return;
    }
    this.isBusy = true;
    try {
      while (held && this.task.view === this && !this.known.has(this.game.position)) {
        const [{ position }, collection] = [this.game, held];
        const answer = await this.task.think({ do: 'explore', game: this.game.record() });
        if (collection === held) {
          this.known.set(position, answer);
        }
      }
      this.show(this.known.get(this.game.position) ?? null);
    } catch (error) {
      this.task.tell(`The explorer does not answer: ${error.message}.`, 'wrong');
    }
    this.isBusy = false;
  }

  /** Shows an answer. */
  show(answer) {
    if (held) {
      const names = held.files.map(({ name }) => name);
      const more = names.length > 2 ? ` and ${names.length - 1} other files` : names.length === 2 ? ` and ${names[1]}` : '';
      this.goal.textContent = `${names[0]}${more}: ${counted(held.games, 'game', 'games')}.`;
      this.faults.replaceChildren(...held.faults.map((textContent) => make('li', { textContent })));
      if (held.damaged > held.faults.length) {
        this.faults.append(make('li', { textContent: `and ${counted(held.damaged - held.faults.length, 'other', 'others')}` }));
      }
    }
    this.damaged.hidden = !held?.damaged;
    this.table.setAttribute('aria-busy', String(!this.known.has(this.game.position)));
    if (answer === this.shown) {
      return;
    }
    this.shown = answer;
    const { moves = [], ended = 0 } = answer?.explored ?? {};
    const says = answer ? `${answer.says[0].toUpperCase()}${answer.says.slice(1)}.` : '';
    this.summary.textContent = ended > 0 ? `${says} ${counted(ended, 'game', 'games')} ended here.` : says;
    this.left.textContent = answer?.left_out ? `${answer.left_out[0].toUpperCase()}${answer.left_out.slice(1)}.` : '';
    const hadFocus = this.table.contains(document.activeElement);
    this.rows.replaceChildren(...moves.map((played) => this.row(played, answer)));
    this.table.hidden = moves.length === 0;
    this.table.classList.toggle('unrated', moves.every(({ rating }) => rating === null));
    if (hadFocus) {
      (this.rows.querySelector('button') ?? this.steps[1]).focus();
    }
  }

  row(played, answer) {
    const deeper = () => this.game.do(async () => {
      // The board may have changed before the list does.
      if (this.known.get(this.game.position) === answer) {
        await this.game.play(played.move);
      }
    });
    const parts = shares(played);
    return make('tr', {},
      make('th', { scope: 'row' }, button(played.move, deeper)),
      make('td', { textContent: played.games }),
      make('td', {}, ...(parts ? [bar(parts)] : [])),
      make('td', { textContent: played.rating === null ? '' : Math.round(played.rating) }));
  }
}
