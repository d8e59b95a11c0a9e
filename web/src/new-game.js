// The dialog for new games.

import { Refused } from './connection.js';
import { EMPTY } from './state.js';

const $ = (id) => document.getElementById(id);
const SIDES = ['white', 'black'];

/** Games against the engine that one click starts, with `most` as the strongest level. Level 0 is full strength. */
const PRESETS = {
  first: () => ({ size: 5, level: 1, human: 'white' }),
  even: ({ start, even }, most) => ({ size: start.size, level: Math.min(most, even) }),
  hard: ({ start, even }, most) => ({ size: start.size, level: Math.min(most, even + 4) }),
  full: ({ start }) => ({ size: start.size, level: 0 }),
};

/** Time controls: minutes per player, and seconds added per move. */
const TIMES = [[3, 2], [5, 5], [10, 5], [15, 10], [30, 20]];

const anyColor = () => SIDES[Math.floor(2 * Math.random())];

export class NewGame {
  constructor(game, connection) {
    this.game = game;
    this.connection = connection;
    /** Explains a komi, in the program's words. */
    this.means = () => '';
    $('open-new').addEventListener('click', () => this.open());
    $('new-size').addEventListener('change', () => this.standard());
    $('from-here').addEventListener('change', () => this.here());
    for (const id of ['new-mode', 'new-level', 'new-time']) {
      $(id).addEventListener('change', () => this.matter());
    }
    $('new-komi').addEventListener('input', () => this.explain());
    $('presets').addEventListener('click', (event) => {
      const name = event.target.closest('[data-preset]')?.dataset.preset;
      if (name) {
        game.do(() => this.startPreset(name));
      }
    });
    $('new-form').addEventListener('submit', (event) => {
      event.preventDefault();
      game.do(() => this.start());
    });
    // The invalid field must be visible for the browser's message.
    $('new-form').addEventListener('invalid', ({ target }) => {
      for (let details = target.closest('details'); details; details = details.parentElement.closest('details')) {
        details.open = true;
      }
    }, true);
  }

  /** The choices depend on the program's greeting. */
  greet({ sizes, half_komi: [least, most], komi_means: means, levels, elo, reserve: [stones, caps] }) {
    this.means = (komi) => {
      const text = means[Math.round(2 * komi) - least];
      return text ? `Komi ${komi}: ${text}` : '';
    };
    this.elo = elo;
    const all = levels.map((title, index) => new Option(title, index + 1));
    refill($('new-level'), [...all, new Option('full strength', 0)]);
    this.sizes = new Map(sizes.map(([size, ...reserve]) => [size, reserve]));
    refill($('new-time'), [
      new Option('no clock', 'free'),
      ...TIMES.map(([minutes, seconds]) => new Option(`${minutes} min + ${seconds} s a move`, `${minutes}+${seconds}`)),
      new Option('other clocks', 'clock'),
    ]);
    refill($('new-size'), sizes.map(([size]) => new Option(`${size} × ${size}`, size)));
    Object.assign($('new-komi'), { min: least / 2, max: most / 2 });
    $('komi-list').replaceChildren(...Array.from({ length: 13 }, (_, index) => new Option((index - 4) / 2)));
    for (const side of SIDES) {
      $(`stones-${side}`).max = stones;
      $(`caps-${side}`).max = caps;
    }
    // After a reconnect, a failed action can be tried again.
    $('new-problem').textContent = '';
  }

  open() {
    const { state, view } = this.game;
    if (!this.sizes || !view) {
      return;
    }
    $('new-problem').textContent = '';
    $('new-komi').value = view.half_komi / 2;
    $('new-mode').value = state.mode;
    const { minutes, increment } = state.timing;
    for (const [id, value] of [
      ['level', state.level],
      ['time', timeOf(state.timing)],
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
    $('new-more').open = false;
    this.offer();
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
    const time = $('new-time').value;
    const isFree = time === 'free';
    const plays = mode === 'engine' || mode === 'self';
    for (const [id, matters] of [
      ['new-color', mode === 'engine'],
      ['new-level', plays],
      ['new-time', mode !== 'analysis'],
      // A level answers at once, regardless of the time.
      ['new-seconds', plays && isFree && $('new-level').value === '0'],
      ['new-minutes', mode !== 'analysis' && time === 'clock'],
      ['new-increment', mode !== 'analysis' && time === 'clock'],
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

  /** Describes the games that one click starts. */
  offer() {
    for (const [name, preset] of Object.entries(PRESETS)) {
      const { size, level } = preset(this.game.state, this.elo.length);
      const strength = level === 0 ? 'all it can do' : `level ${level}, Elo ${this.elo[level - 1]}`;
      $('presets').querySelector(`[data-preset=${name}] span`).textContent = `${size} × ${size}, ${strength}`;
    }
  }

  /** Starts one of these games. */
  async startPreset(name) {
    const { size, level, human = this.lot() } = PRESETS[name](this.game.state, this.elo.length);
    const { start, timing, seconds, you } = { ...this.game.state, start: EMPTY.start };
    const isClock = timing.isClock && name !== 'first';
    const game = { start: { ...start, size }, level, human, seconds, you, timing: { ...timing, isClock } };
    await this.play({ mode: 'engine', ...game });
  }

  /** A random colour in the first game, then the other one. */
  lot() {
    return this.game.state.nextColor ?? anyColor();
  }

  /** Starts the game of the fields. */
  async start() {
    const { view } = this.game;
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
    const chosen = $('new-color').value;
    const number = (id) => Number($(`new-${id}`).value);
    const text = (id) => $(`new-${id}`).value.trim();
    await this.play({
      start,
      mode: $('new-mode').value,
      human: { lot: this.lot(), random: anyColor() }[chosen] ?? chosen,
      level: number('level'),
      seconds: number('seconds'),
      timing: timingOf($('new-time').value, number('minutes'), number('increment')),
      you: text('you'),
      names: { white: text('white'), black: text('black') },
    });
  }

  /** Starts a game, and goes to the board. */
  async play(game) {
    const { mode, human, level, you, start } = game;
    const engine = level === 0 ? 'tak-engine' : `tak-engine level ${level}`;
    const names = {
      engine: human === 'white' ? { white: you, black: engine } : { white: engine, black: you },
      two: game.names,
      self: { white: engine, black: engine },
      analysis: { white: '', black: '' },
    }[mode];
    const nextColor = human === 'white' ? 'black' : 'white';
    const changes = {
      ...game,
      names,
      ...(mode === 'engine' ? { nextColor, flipped: human === 'black' } : {}),
      ...(mode === 'analysis' ? { analysing: true } : {}),
    };
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
}

/** The choice in the list of time controls. */
function timeOf({ isClock, minutes, increment }) {
  const isListed = TIMES.some((time) => String(time) === String([minutes, increment]));
  return isClock ? isListed ? `${minutes}+${increment}` : 'clock' : 'free';
}

/** The time control of such a choice; those that are not in the list have fields. */
function timingOf(choice, minutes, increment) {
  const listed = TIMES.find((time) => time.join('+') === choice);
  const [own, added] = listed ?? [minutes, increment];
  return { isClock: choice !== 'free', minutes: own, increment: added };
}

/** Sets the choices of a list; the selected one stays selected if it is among them. */
function refill(list, options) {
  const chosen = options.find(({ value }) => value === list.value);
  list.replaceChildren(...options);
  if (chosen) {
    chosen.selected = true;
  }
}
