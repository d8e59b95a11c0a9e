// New games: those that one click starts, and those of the dialog.

/** @import { App } from '../app.js' */
/** @import { Color, Start } from '../protocol.js' */
/** @import { Doc, Form, Timing } from '../types.js' */
/** @import { Engine } from './engine.js' */
/** @import { Play } from './game.js' */

import { SECOND, viewOf } from '../model/doc.js';
import { COLORS, other } from '../model/squares.js';
import { words } from '../words.js';

/** Time controls: minutes per player, and seconds added per move. @type {[number, number][]} */
export const TIMES = [
  [3, 2],
  [5, 5],
  [10, 5],
  [15, 10],
  [30, 20],
];

/** @typedef {'first' | 'even' | 'hard' | 'full'} Preset */

/** @type {() => Color} */
const anyColor = () => COLORS[Math.floor(2 * Math.random())];

export class NewGame {
  /**
   * @param {App} app
   * @param {Play} play
   * @param {Engine} engine
   */
  constructor(app, play, engine) {
    this.app = app;
    this.play = play;
    this.engine = engine;
  }

  /** The games against the engine that one click starts. Level 0 is full strength. @param {Preset} name */
  preset(name) {
    const {
      settings: { even },
      docs: {
        game: { start },
      },
      hello,
    } = this.app.state;
    const most = hello?.levels.length ?? 30;
    return {
      first: { size: 5, level: 1 },
      even: { size: start.size, level: Math.min(most, even) },
      hard: { size: start.size, level: Math.min(most, even + 4) },
      full: { size: start.size, level: 0 },
    }[name];
  }

  /** @param {Preset} name */
  async startPreset(name) {
    const { settings } = this.app.state;
    const { size, level } = this.preset(name);
    const isClock = settings.timing.isClock && name !== 'first';
    await this.#start(
      {
        start: { size, opening: 'swap' },
        mode: 'engine',
        level,
        human: name === 'first' ? 'white' : this.#lot(),
        seconds: settings.seconds,
        timing: { ...settings.timing, isClock },
      },
      settings.you,
    );
  }

  /** A random colour in the first game, then the other one. */
  #lot() {
    return this.app.state.settings.nextColor ?? anyColor();
  }

  /** The choices like the present game, or like the position on the board unless that is one of a puzzle or a lesson. */
  fill() {
    const {
      docs: { game },
      hello,
      settings,
    } = this.app.state;
    const shown = this.app.doc;
    const doc = ['puzzle', 'lesson'].includes(shown.name) ? game : shown;
    const present = (/** @type {number} */ level) => (level === SECOND && !hello?.second ? settings.level : level);
    const { start } = doc;
    const komi = viewOf(doc)?.half_komi ?? start.half_komi;
    /** @type {Form} */
    const form = {
      mode: doc.mode === 'task' ? 'engine' : doc.mode,
      level: game.level === SECOND ? present(SECOND) : settings.level,
      otherLevel: present(game.otherLevel),
      games: game.series?.total ?? 1,
      size: start.size,
      color: 'either',
      komi: komi === undefined ? '2' : String(komi / 2),
      time: timeOf(settings.timing),
      minutes: String(settings.timing.minutes),
      increment: String(settings.timing.increment),
      seconds: String(settings.seconds),
      you: settings.you,
      white: game.mode === 'two' ? game.names.white : '',
      black: game.mode === 'two' ? game.names.black : '',
      opening: start.opening,
      pieces: this.standard(start.size, start.reserves ?? null),
      fromHere: false,
      isMore: false,
      problem: '',
    };
    this.app.store.update({ form });
  }

  /**
   * The pieces of a board size.
   * @param {number} size
   * @param {Start['reserves']} own
   * @returns {Form['pieces']}
   */
  standard(size, own = null) {
    const [, flats = 30, caps = 1] = this.app.state.hello?.sizes.find(([each]) => each === size) ?? [];
    const [white, black] = own ?? [
      [flats, caps],
      [flats, caps],
    ];
    return [String(white[0]), String(white[1]), String(black[0]), String(black[1])];
  }

  /** @param {Partial<Form>} changes */
  set(changes) {
    const { form } = this.app.state;
    if (form) {
      const pieces = changes.size && changes.size !== form.size ? { pieces: this.standard(changes.size) } : {};
      this.app.store.update({ form: { ...form, problem: '', ...pieces, ...changes } });
    }
  }

  /** Starts the game of the dialog. */
  async start() {
    const { form } = this.app.state;
    if (!form) {
      return;
    }
    const view = viewOf(this.app.doc);
    const [stones, caps, blackStones, blackCaps] = form.pieces.map(Number);
    const isStandard = String(form.pieces) === String(this.standard(form.size));
    const here = form.fromHere && view ? view : null;
    const size = here ? here.size : form.size;
    /** @type {Start} */
    const start = {
      size,
      half_komi: Math.round(2 * Number(form.komi)),
      opening: here ? this.app.doc.start.opening : form.opening,
      ...(isStandard
        ? {}
        : {
            reserves: [
              [stones, caps],
              [blackStones, blackCaps],
            ],
          }),
      ...(here ? { tps: here.tps } : {}),
    };
    const timing = timingOf(form);
    const human = form.color === 'either' ? this.#lot() : form.color === 'random' ? anyColor() : form.color;
    const series =
      form.mode === 'self' && form.games > 1
        ? { total: form.games, first: form.level, second: form.otherLevel, points: 0, played: 0 }
        : null;
    try {
      if (start.tps) {
        await this.play.check(start);
      }
      const isSecond =
        (['engine', 'self'].includes(form.mode) && form.level === SECOND) ||
        (form.mode === 'self' && form.otherLevel === SECOND);
      if (isSecond) {
        await this.engine.ask({ do: 'consult', game: { start, moves: [] }, check: true }).catch(({ message }) => {
          throw new Error(`${this.app.state.hello?.second}: ${message}`);
        });
      }
      await this.#start(
        {
          start,
          mode: form.mode,
          level: form.level,
          otherLevel: form.otherLevel,
          human,
          seconds: Number(form.seconds),
          timing,
          series,
          names: { white: form.white.trim(), black: form.black.trim() },
        },
        form.you.trim(),
      );
      this.app.store.update({ dialog: null });
      this.app.dispatchEvent(new Event('grid'));
    } catch (error) {
      this.set({
        problem: words.notPlayable(error instanceof Error ? error.message : ''),
        isMore: form.isMore || Boolean(start.tps),
      });
    }
  }

  /**
   * @param {Partial<Doc>} game
   * @param {string} you
   */
  async #start(game, you) {
    const { mode, human, level = 0, otherLevel = 0, seconds = 2, timing } = game;
    const engine = (/** @type {number} */ own) =>
      own === SECOND ? (this.app.state.hello?.second ?? '') : words.engineName(own);
    const own = { white: human === 'white' ? you : engine(level), black: human === 'white' ? engine(level) : you };
    const names = {
      engine: own,
      two: game.names,
      self: { white: engine(level), black: engine(otherLevel) },
      free: { white: '', black: '' },
    };
    await this.play.begin(
      {
        ...game,
        names: names[/** @type {keyof typeof names} */ (mode ?? 'engine')],
        series: game.series ?? null,
        ...(mode === 'engine' ? { flipped: human === 'black' } : { flipped: false }),
      },
      {
        you,
        ...(level === SECOND ? {} : { level }),
        seconds,
        ...(timing ? { timing } : {}),
        ...(mode === 'engine' ? { nextColor: other(/** @type {Color} */ (human)) } : {}),
      },
    );
  }
}

/** The choice among the time controls. @type {(timing: Timing) => string} */
function timeOf({ isClock, minutes, increment }) {
  const isListed = TIMES.some((time) => String(time) === String([minutes, increment]));
  return isClock ? (isListed ? `${minutes}+${increment}` : 'clock') : 'free';
}

/** The time control of the choices; those that are not listed have fields. @type {(form: Form) => Timing} */
function timingOf({ time, minutes, increment }) {
  const [own, added] = TIMES.find((each) => each.join('+') === time) ?? [Number(minutes), Number(increment)];
  return { isClock: time !== 'free', minutes: own, increment: added };
}
