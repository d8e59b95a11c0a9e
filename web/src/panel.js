// Everything beside the board: players, moves, analysis and tools.

import { timeText } from './clock.js';
import { lifts } from './draft.js';
import { make } from './elements.js';
import { Graph } from './graph.js';
import { MoveList } from './moves.js';
import { icon, parse } from './pieces.js';
import { Notes } from './notes.js';
import { Review } from './review.js';

const $ = (id) => document.getElementById(id);
const ROWS = 5;

/** Converts chances in thousandths to percentages that add up to 100. */
function percents([white, draw]) {
  const [ours, even] = [white, draw].map((share) => Math.round(share / 10));
  return `White ${ours} %, draw ${even} %, Black ${100 - ours - even} %`;
}

/** 1 stone, 2 stones. */
const counted = (count, name) => `${count} ${name}${count === 1 ? '' : 's'}`;

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
  constructor(game, engine, attempt) {
    this.game = game;
    this.notes = new Notes(game, engine.connection);
    this.engine = engine;
    this.armed = null;
    this.moves = new MoveList($('moves'), game);
    this.graph = new Graph($('graph'), $('graph-value'), game, engine);
    this.turns = new Review($('turns'), game, attempt);
    /** The chances that are shown. */
    this.chances = null;
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
    on('undo', () => game.undo.step(-1));
    on('redo', () => game.undo.step(1));
    on('hint-button', () => engine.hint());
    on('annotate', () => engine.annotate());
    on('cancel', () => game.hand.cancel());
    on('resign', () => this.resign());
    on('again', () => game.again());
    on('review', () => this.review());
    on('promote', () => game.variations.promote());
    on('delete', () => game.variations.prune());
    on('former', () => game.back());
    on('pause', () => game.watch.pause());
    on('one-move', () => game.watch.step());
    $('pace').addEventListener('change', () => {
      const pace = Number($('pace').value);
      game.do(() => game.watch.setPace(pace));
    });
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
    keep('theme', 'theme', (list) => list.value);
    $('kinds').addEventListener('click', (event) => {
      const kind = event.target.closest('[data-kind]')?.dataset.kind;
      if (kind) {
        game.do(() => game.hand.choose(kind));
      }
    });
    $('counts').addEventListener('click', (event) => {
      const count = event.target.closest('[data-count]')?.dataset.count;
      if (count) {
        game.do(() => game.hand.number(Number(count)));
      }
    });
  }

  /** Looks at the whole game; the graph and the remarks follow. */
  review() {
    if (!this.game.annotated(this.game.state.moves.length) && this.engine.annotating === null) {
      this.engine.annotate();
    }
    $('analysis').scrollIntoView({ block: 'nearest' });
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
    const { state, view, hand: { draft } } = this.game;
    // A hidden button loses the focus at once.
    const pressed = document.activeElement?.closest('aside button, #cancel');
    for (const [id, value] of [['analysing', state.analysing], ['flip', state.flipped], ['call-tak', state.callsTak]]) {
      $(id).checked = value;
    }
    $('lines').value = state.lines;
    $('theme').value = state.theme;
    document.documentElement.dataset.theme = state.theme;
    $('open-new').disabled = $('open-files').disabled = !view;
    if (!view) {
      return;
    }
    this.players();
    this.moves.show();
    this.tools();
    this.analysis();
    $('first').disabled = $('previous').disabled = state.at === 0;
    $('undo').disabled = state.at === 0 && !draft && !this.game.undo.isEndCut;
    $('next').disabled = $('latest').disabled = state.at === state.moves.length;
    $('redo').disabled = state.at === state.moves.length && !this.game.undo.isCutUndone;
    if (this.armed && this.armed.color !== this.game.resigner) {
      this.disarm();
    }
    $('former').hidden = state.former.length === 0;
    $('resign').hidden = this.game.isFinished || state.mode === 'analysis' || state.mode === 'self';
    $('analysis').hidden = this.game.isContest;
    this.notes.show();
    $('comments').textContent = this.game.comments.join('\n');
    $('comments').hidden = !$('comments').textContent;
    $('watch').hidden = state.mode !== 'self' || this.game.isFinished;
    $('pause').textContent = state.paused ? 'Continue' : 'Pause';
    $('pace').value = state.pace;
    $('variation').hidden = this.game.variations.first === null;
    $('review').hidden = !this.game.isFinished || state.moves.length === 0;
    $('takebacks').textContent = state.takebacks ? counted(state.takebacks, 'takeback') : '';
    $('again').hidden = !this.game.isFinished || state.mode === 'analysis' || state.mode === 'self';
    $('hint-button').disabled = this.game.isOver || !this.game.isOurs || this.game.attempt !== null;
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
    return name && name !== side ? [make('span', { className: 'wide', textContent: `${side}, ` }), name] : [side];
  }

  players() {
    const { view, state, isOver } = this.game;
    for (const color of ['white', 'black']) {
      const { stones, caps, flats } = view[color];
      const komi = color === 'black' && view.half_komi !== 0
        ? ` ${view.half_komi > 0 ? '+' : '−'}${Math.abs(view.half_komi) / 2}` : '';
      const isNext = view.to_move === color && !isOver;
      const box = $(`player-${color}`);
      const isThinking = isNext && this.game.isEngines;
      box.className = `player ${isNext ? 'turn' : ''} ${isThinking ? 'thinking' : ''}`;
      const left = make('span', { className: 'left' });
      left.append(icon(color, 'flat'), make('span', { textContent: stones }));
      if (caps > 0) {
        left.append(icon(color, 'capstone'), make('span', { textContent: caps }));
      }
      left.setAttribute('role', 'img');
      left.setAttribute('aria-label', `${counted(stones, 'stone')} and ${counted(caps, 'capstone')} left.`);
      const unit = make('span', { className: 'wide', textContent: flats === 1 && !komi ? ' flat' : ' flats' });
      const score = make('span', { className: 'flats', textContent: `${flats}${komi}` }, unit);
      const time = make('span', { className: 'clock', hidden: !state.clock });
      time.setAttribute('role', 'timer');
      const name = make('span', { className: 'name' }, ...this.name(color));
      name.append(make('span', { className: 'unseen', textContent: isNext ? ' – to move' : '' }));
      const calls = view.threat.length > 0 && state.callsTak && view.to_move !== color;
      box.replaceChildren(
        make('span', { className: 'mark' }), name,
        ...(calls ? [make('span', { className: 'tak', textContent: 'Tak!' })] : []),
        left, score, time,
      );
    }
    this.clocks();
    // A road wins regardless of the flats.
    $('count').textContent = view.outcome ? `Komi ${view.half_komi / 2}` : view.count;
    $('komi').textContent = this.means(view.half_komi / 2);
    const ended = state.at === state.moves.length ? state.ended : null;
    const { says, result } = view.outcome ?? ended ?? {};
    const isIn = says?.includes(result);
    $('result').replaceChildren(says && !isIn ? `${says} ` : '');
    if (says) {
      $('result').append(make('span', { className: 'whole', textContent: isIn ? says : `(${result})` }));
    }
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

  tools() {
    const { view, hand: { draft, kind, count, cursor } } = this.game;
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
    const possible = this.game.isOurs ? lifts(this.game.square(from)) : [];
    const chosen = draft ? draft.draft.lifted : count ?? possible.at(-1);
    const counts = Array.from({ length: view.size }, (_, index) => {
      const button = make('button', { type: 'button', textContent: index + 1 });
      button.dataset.count = index + 1;
      button.setAttribute('aria-label', `lift ${index + 1}`);
      button.setAttribute('aria-pressed', String(index + 1 === chosen));
      button.disabled = !possible.includes(index + 1) || Boolean(draft && draft.draft.drops.length);
      return button;
    });
    keepFocus($('counts'), counts, 'count');
    $('cancel').disabled = !draft;
  }

  /** The pieces in hand, or else those of a stack from the top, with the carry limit marked. */
  pile(name) {
    const { view: { size }, hand: { draft } } = this.game;
    const code = draft ? draft.hand : this.game.square(name)?.stack ?? '';
    const { colors, kind } = parse(code);
    if (!draft && colors.length < 2) {
      $('pile').replaceChildren();
      return;
    }
    const top = colors.length - 1;
    const pieces = colors.map((color, index) => icon(color, index === top ? kind : 'flat', true)).reverse();
    for (const [index, picture] of pieces.entries()) {
      picture.classList.toggle('beyond', index >= size);
      picture.classList.toggle('limit', index === size);
    }
    $('pile').replaceChildren(make('span', { textContent: draft ? 'hand' : name }), ...pieces);
  }

  /** Shows the progress of the engine. */
  analysis() {
    const { engine, game } = this;
    const shown = game.isAnalysed || game.state.mode === 'self';
    const report = shown ? engine.known : null;
    for (const id of ['chances', 'verdict', 'best', 'effort']) {
      $(id).hidden = !shown;
    }
    // The former chances stay until the next ones are known.
    const isOld = !report && !game.view?.outcome && this.chances !== null;
    this.chances = report?.lines[0]?.chances ?? (isOld && shown ? this.chances : null);
    $('chances').classList.toggle('old', isOld);
    const best = report?.lines[0];
    const [white, draw, black] = this.chances ?? [0, 0, 0];
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
    $('review').textContent = engine.annotating === null ? 'Review this game' : `Reviewed: ${engine.looked} of ${all}`;
    // Annotations of earlier versions have no looks.
    $('report').hidden = !(game.annotated(game.state.moves.length) && game.state.annotation?.looks);
    this.remarks();
    this.graph.show();
    this.turns.show();
  }

  /** The remarks on the last move, and the summary of the players. */
  remarks() {
    const { game } = this;
    const { annotation, at } = game.state;
    const { says } = (at > 0 && game.annotated(at)) || {};
    const isKnown = game.annotatedNodes().length > 0;
    $('summary').hidden = $('remarks').hidden = !isKnown;
    $('summary').textContent = isKnown ? `${annotation.summary}.` : '';
    $('remarks').textContent = (says ?? []).map((text) => `${text[0].toUpperCase()}${text.slice(1)}.`).join(' ');
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
