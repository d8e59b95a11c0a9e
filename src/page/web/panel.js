// Everything beside the board: players, moves, analysis and tools.

import { timeText } from './clock.js';
import { movesText } from './game.js';
import { icon, parse, svg } from './pieces.js';

const $ = (id) => document.getElementById(id);
const ROWS = 5;

/** An element with these properties and children. */
function make(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

/** Converts chances in thousandths to percentages that add up to 100. */
function percents([white, draw]) {
  const [ours, even] = [white, draw].map((share) => Math.round(share / 10));
  return `White ${ours} %, draw ${even} %, Black ${100 - ours - even} %`;
}

/** A short form of a number: 1.2 M. */
function short(number) {
  for (const [unit, size] of [['G', 1e9], ['M', 1e6], ['k', 1e3]]) {
    if (number >= size) {
      return `${(number / size).toFixed(number < 10 * size ? 1 : 0)} ${unit}`;
    }
  }
  return String(number);
}

export class Panel {
  constructor(game, engine) {
    this.game = game;
    this.engine = engine;
    this.armed = null;
    /** The present content of the list of moves. */
    this.listed = [];
    /** Explains a komi, in the program's words. */
    this.means = () => '';
    this.wire();
  }

  wire() {
    const { game, engine } = this;
    const on = (id, action) => $(id).addEventListener('click', () => game.view && game.do(action));
    on('first', () => game.walk(0));
    on('previous', () => game.walk(game.state.at - 1));
    on('next', () => game.walk(game.state.at + 1));
    on('latest', () => game.walk(game.state.moves.length));
    on('undo', () => game.step(-1));
    on('redo', () => game.step(1));
    on('hint-button', () => engine.hint());
    on('annotate', () => engine.annotate());
    $('graph').addEventListener('click', (event) => {
      const { left, width } = $('graph').getBoundingClientRect();
      const at = Math.round(((event.clientX - left) / width) * game.state.moves.length);
      game.do(() => game.walk(at));
    });
    on('cancel', () => game.cancel());
    on('resign', () => this.resign());
    on('again', () => game.again());
    on('former', () => game.back());
    const keep = (id, property, value) => {
      $(id).addEventListener('change', () => {
        // Actions before this one may show the old value again.
        const chosen = value($(id));
        game.do(() => {
          game.state = { ...game.state, [property]: chosen };
          game.keep(game.state);
          game.changed();
        });
      });
    };
    keep('analysing', 'analysing', (box) => box.checked);
    keep('lines', 'lines', (list) => Number(list.value));
    keep('flip', 'flipped', (box) => box.checked);
    keep('call-tak', 'callsTak', (box) => box.checked);
    $('moves').addEventListener('click', (event) => {
      const at = event.target.closest('[data-at]')?.dataset.at;
      if (at !== undefined) {
        game.do(() => game.walk(Number(at)));
      }
    });
    $('kinds').addEventListener('click', (event) => {
      const kind = event.target.closest('[data-kind]')?.dataset.kind;
      if (kind) {
        game.do(() => game.choose(kind));
      }
    });
    // A phone may be turned, or a window resized.
    new ResizeObserver(() => this.scroll()).observe($('moves'));
    $('counts').addEventListener('click', (event) => {
      const count = event.target.closest('[data-count]')?.dataset.count;
      if (count) {
        game.do(() => game.number(Number(count)));
      }
    });
  }

  /** Resigning takes a second click, against mistakes. */
  async resign() {
    if (this.armed === null) {
      const color = this.game.resigner;
      this.armed = { color, timer: setTimeout(() => this.disarm(), 4000) };
      $('resign').textContent = `Really resign as ${color === 'white' ? 'White' : 'Black'}?`;
      return;
    }
    this.disarm();
    await this.game.resign();
  }

  disarm() {
    clearTimeout(this.armed?.timer);
    this.armed = null;
    $('resign').textContent = 'Resign';
  }

  show() {
    const { state, view, draft } = this.game;
    // A hidden button loses the focus at once.
    const pressed = document.activeElement?.closest('aside button, #cancel');
    for (const [id, value] of [['analysing', state.analysing], ['flip', state.flipped], ['call-tak', state.callsTak]]) {
      $(id).checked = value;
    }
    $('lines').value = state.lines;
    $('open-new').disabled = $('open-files').disabled = !view;
    if (!view) {
      return;
    }
    this.players();
    // Not for each step of the cursor, since games are long.
    if (view !== this.listed[0] || state.annotation !== this.listed[1]) {
      this.listed = [view, state.annotation];
      this.moves();
    }
    this.tools();
    this.analysis();
    $('first').disabled = $('previous').disabled = state.at === 0;
    $('undo').disabled = state.at === 0 && !draft && !this.game.isEndCut;
    $('next').disabled = $('latest').disabled = state.at === state.moves.length;
    $('redo').disabled = state.at === state.moves.length && !this.game.isCutUndone;
    if (this.armed && this.armed.color !== this.game.resigner) {
      this.disarm();
    }
    $('former').hidden = state.former.length === 0;
    $('resign').hidden = this.game.isFinished || state.mode === 'analysis' || state.mode === 'self';
    $('again').hidden = !this.game.isFinished || state.mode === 'analysis' || state.mode === 'self';
    $('hint-button').disabled = this.game.isOver || !this.game.isOurs;
    // If the pressed button is disabled now, keys need another focus.
    if (pressed?.disabled || pressed?.hidden) {
      toBoard();
    }
  }

  name(color) {
    const { mode, human, names } = this.game.state;
    const side = color === 'white' ? 'White' : 'Black';
    const name = names[color] || (mode === 'engine' && color === human ? 'you' : '');
    // Files without names have White and Black.
    return name && name !== side ? `${side}, ${name}` : side;
  }

  players() {
    const { view, state, isOver } = this.game;
    for (const color of ['white', 'black']) {
      const { stones, caps, flats } = view[color];
      const komi = color === 'black' && view.half_komi !== 0
        ? ` ${view.half_komi > 0 ? '+' : '−'}${Math.abs(view.half_komi) / 2}` : '';
      const isNext = view.to_move === color && !isOver;
      const box = $(`player-${color}`);
      box.className = `player ${isNext ? 'turn' : ''}`;
      const left = make('span', { className: 'left' });
      left.append(icon(color, 'flat'), make('span', { textContent: stones }));
      if (caps > 0) {
        left.append(icon(color, 'capstone'), make('span', { textContent: caps }));
      }
      left.setAttribute('role', 'img');
      left.setAttribute('aria-label', `${stones} stones and ${caps} capstones left`);
      const time = make('span', { className: 'clock', hidden: !state.clock });
      time.setAttribute('role', 'timer');
      box.replaceChildren(
        make('span', { className: 'name', textContent: this.name(color) + (isNext ? ' – to move' : '') }),
        time,
        left,
        make('span', { className: 'flats', textContent: `${flats}${komi} ${flats === 1 && !komi ? 'flat' : 'flats'}` }),
      );
    }
    this.clocks();
    // A road wins regardless of the flats.
    $('count').textContent = view.outcome ? '' : view.count;
    $('komi').textContent = view.half_komi === 0 ? '' : this.means(view.half_komi / 2);
    const ended = state.at === state.moves.length ? state.ended : null;
    const tak = view.tak && state.callsTak ? 'Tak!' : '';
    const { says, result } = view.outcome ?? ended ?? {};
    const isIn = says?.includes(result);
    $('result').replaceChildren(!says ? tak : isIn ? '' : `${says} `);
    if (says) {
      $('result').append(make('span', { className: 'whole', textContent: isIn ? says : `(${result})` }));
    }
    $('result').className = says ? 'over' : '';
  }

  /** The remaining time. */
  clocks() {
    const { clock } = this.game.state;
    for (const color of clock ? ['white', 'black'] : []) {
      const time = $(`player-${color}`).querySelector('.clock');
      time.textContent = timeText(clock[color]);
      time.classList.toggle('short', clock[color] < 20000);
    }
  }

  moves() {
    const { view, state } = this.game;
    const rows = new Map();
    view.moves.forEach(({ text, color, number }, index) => {
      if (!rows.has(number)) {
        rows.set(number, make('li', {}, make('span', { className: 'number', textContent: `${number}.` })));
        if (color === 'black') {
          rows.get(number).append(make('span', { className: 'none', textContent: '…' }));
        }
      }
      const button = make('button', { type: 'button', className: color, textContent: text });
      const { marks = '' } = this.game.annotated(index + 1) ?? {};
      if (marks) {
        button.append(make('span', { className: 'marks', textContent: marks }));
      }
      button.dataset.at = index + 1;
      button.tabIndex = -1;
      if (index + 1 === state.at) {
        button.setAttribute('aria-current', 'true');
      } else if (index >= state.at) {
        button.classList.add('later');
      }
      rows.get(number).append(button);
    });
    $('moves').replaceChildren(...rows.values());
    this.scroll();
  }

  /** Scrolls the current move into the middle of the list, without scrolling the page. */
  scroll() {
    const list = $('moves');
    const current = list.querySelector('[aria-current]');
    const row = current?.offsetHeight ?? 1;
    list.scrollTop = current ? Math.round((current.offsetTop - list.clientHeight / 2) / row) * row : 0;
  }

  tools() {
    const { view, draft, kind, count, cursor } = this.game;
    const kinds = ['flat', 'wall', 'capstone'].map((each) => {
      const button = make('button', { type: 'button', title: each }, icon(view.places, each));
      button.dataset.kind = each;
      button.setAttribute('aria-label', each);
      button.setAttribute('aria-pressed', String(each === kind));
      button.disabled = !view.kinds.some((known) => known.kind === each);
      return button;
    });
    keepFocus($('kinds'), kinds, 'kind');
    const from = draft ? draft.draft.from : cursor;
    const lifts = this.game.isOurs ? this.game.square(from).lifts ?? [] : [];
    const chosen = draft ? draft.draft.lifted : count ?? lifts.at(-1);
    const counts = Array.from({ length: view.size }, (_, index) => {
      const button = make('button', { type: 'button', textContent: index + 1 });
      button.dataset.count = index + 1;
      button.setAttribute('aria-label', `lift ${index + 1}`);
      button.setAttribute('aria-pressed', String(index + 1 === chosen));
      button.disabled = !lifts.includes(index + 1) || Boolean(draft && draft.draft.drops.length);
      return button;
    });
    keepFocus($('counts'), counts, 'count');
    $('cancel').disabled = !draft;
  }

  /** The pieces in hand, or else those of a stack, with the carry limit marked. */
  pile(name) {
    const { view: { size }, draft } = this.game;
    if (draft) {
      const { colors, kind } = parse(draft.hand);
      const pieces = colors.map((color, index) => icon(color, index === colors.length - 1 ? kind : 'flat'));
      $('pile').replaceChildren(make('span', { textContent: 'In hand, next drop first:' }), ...pieces);
      return;
    }
    const { colors, kind } = parse(this.game.square(name)?.stack ?? '');
    const pieces = [...colors].reverse().map((color, index) => {
      const picture = icon(color, index === 0 ? kind : 'flat');
      picture.classList.toggle('beyond', index >= size);
      picture.classList.toggle('limit', index === size);
      return picture;
    });
    $('pile').replaceChildren(...(pieces.length > 1 ? [make('span', { textContent: `${name}, from the top:` }), ...pieces] : []));
  }

  analysis() {
    const { engine, game } = this;
    const shown = game.state.analysing || game.state.mode === 'self';
    const report = shown ? engine.known : null;
    for (const id of ['chances', 'verdict', 'best', 'effort']) {
      $(id).hidden = !shown;
    }
    const best = report?.lines[0];
    const [white, draw, black] = best?.chances ?? [0, 0, 0];
    for (const [id, share] of [['chance-white', white], ['chance-draw', draw], ['chance-black', black]]) {
      $(id).style.width = `${share / 10}%`;
    }
    const said = best ? percents(best.chances) : 'No evaluation yet';
    $('chances').setAttribute('aria-label', said);
    $('verdict').textContent = best ? best.proven ?? said : '';
    const rows = Array.from({ length: Math.max(game.state.lines, 1) }, (_, index) => {
      const line = report?.lines[index];
      return make('li', {},
        make('span', { className: 'score', textContent: line ? (line.proven ? `#${line.score}` : line.score) : '' }),
        make('span', { className: 'line', textContent: line ? line.moves.join(' ') : '' }));
    }).slice(0, ROWS);
    $('best').replaceChildren(...rows);
    $('effort').textContent = report
      ? `depth ${report.depth}, ${short(report.nodes)} positions, ${short(report.nodes_per_second)} a second` : '';
    const all = game.state.moves.length + 1;
    $('annotate').textContent = engine.annotating === null
      ? 'Annotate this game' : `Stop annotating (${engine.looked} of ${all})`;
    $('annotate').disabled = all === 1;
    this.remarks();
    this.graph();
  }

  /** The remarks on the last move, or at the start the summary of the players. */
  remarks() {
    const { game } = this;
    const { says } = game.annotated(game.state.at) ?? {};
    $('remarks').hidden = !game.state.annotation;
    $('remarks').textContent = game.state.at === 0
      ? `${game.state.annotation?.summary ?? ''}.`
      : (says ?? []).map((text) => `${text[0].toUpperCase()}${text.slice(1)}.`).join(' ');
  }

  /** The graph of White's chances from move to move, as far as known, with the current move. */
  graph() {
    const { game: { state, view }, engine } = this;
    const last = state.moves.length;
    const points = Array.from({ length: last + 1 }, (_, at) => {
      const known = this.game.annotated(at)?.chance ?? engine.chances.get(this.game.positionAfter(at));
      const winner = at === last ? view.outcome?.winner : undefined;
      return { at, share: winner ? Number(winner === 'white') : known };
    }).filter(({ share }) => typeof share === 'number');
    const [x, y] = [(at) => (last === 0 ? 0 : (at / last) * 100), (share) => 98 - 96 * share];
    const line = points.map(({ at, share }) => `${x(at)},${y(share)}`).join(' ');
    $('graph').replaceChildren(
      svg('line', { class: 'even', x1: 0, y1: 50, x2: 100, y2: 50 }),
      svg('line', { class: 'here', x1: x(state.at), y1: 0, x2: x(state.at), y2: 100 }),
      svg('polyline', { class: 'known', points: line }),
    );
    const said = points.map(({ at, share }) => `after ${movesText(at)} ${Math.round(share * 100)} %`).join(', ');
    $('graph').setAttribute('aria-label', said ? `White’s chances: ${said}` : 'No evaluation yet');
  }
}

/** Replaces buttons; the focus stays on the button with the same meaning. */
function keepFocus(group, buttons, key) {
  const focused = group.contains(document.activeElement) ? document.activeElement.dataset[key] : null;
  group.replaceChildren(...buttons);
  if (focused !== null) {
    const same = buttons.find((button) => button.dataset[key] === focused && !button.disabled);
    if (same) {
      same.focus();
    } else {
      toBoard();
    }
  }
}

function toBoard() {
  $('grid').focus({ preventScroll: true });
}
