// Puzzles, lessons and the explorer: a position is set on the same board, in the place of the game, which comes back
// afterwards. The views are loaded when they are opened.

import { Lost, Refused } from './connection.js';
import { make } from './elements.js';
import { gameOf } from './state.js';

const $ = (id) => document.getElementById(id);

const VIEWS = {
  puzzles: () => import('./puzzles.js'),
  learn: () => import('./learn.js'),
  explore: () => import('./explore.js'),
};

const UNLOADED = 'this part of the page could not be loaded; try again';

/** A game of which nothing is stored. */
const BLANK = {
  tree: [], cuts: [], uncut: [], former: [], ended: null, annotation: null, clock: null, analysing: false,
  mode: 'task', names: { white: '', black: '' }, takebacks: 0,
};

export class Task {
  constructor(game, connection) {
    this.game = game;
    this.connection = connection;
    /** The open view, and its address. */
    this.view = null;
    this.address = '';
    /** The moves on the board that the view knows. */
    this.moves = [];
    this.isQuiet = false;
    this.title = document.title;
    this.verdict = make('p', { id: 'task-verdict' });
    this.notice = make('p', { id: 'task-notice', className: 'note' });
    this.notice.setAttribute('aria-hidden', 'true');
    game.addEventListener('change', () => this.look());
    game.addEventListener('say', ({ detail }) => this.hear(detail));
    addEventListener('drop', (event) => this.drop(event), true);
  }

  /** Gives the view files that fall on the page, instead of opening them as games. */
  drop(event) {
    const files = [...event.dataTransfer.files];
    if (this.view?.accepts?.test(files[0]?.name)) {
      event.preventDefault();
      event.stopImmediatePropagation();
      this.view.openFiles(files);
    }
  }

  /** Opens the view of an address such as `puzzles/…`. Returns false if it is none. */
  async route(hash) {
    const [name, detail = ''] = hash.split('/');
    if (!Object.hasOwn(VIEWS, name)) {
      if (this.view && !hash) {
        await this.end();
        return true;
      }
      return false;
    }
    const { game } = this;
    if (game.view === null) {
      await game.refresh();
    }
    // After a lost connection the view is as it was.
    if (game.view && !(this.view && this.address === hash)) {
      await this.open(name, detail);
      this.address = hash;
    } else {
      game.changed();
    }
    return true;
  }

  async open(name, detail) {
    const { game } = this;
    if (game.state.clock && !game.isFinished) {
      this.clear();
      throw new Refused('first finish the game, since its clocks are running');
    }
    let View;
    try {
      ({ View } = await VIEWS[name]());
      await this.dress();
    } catch {
      this.clear();
      throw new Refused(UNLOADED);
    }
    if (!this.view) {
      this.borrow();
    }
    document.body.classList.add('task');
    for (const link of document.querySelectorAll('header a[href^="#"]')) {
      link.setAttribute('aria-current', link.hash === `#${name}` ? 'page' : 'false');
    }
    this.tell('');
    this.view = new View(this);
    $('task').replaceChildren(...this.view.parts());
    $('task').hidden = false;
    try {
      await this.view.open(detail);
    } catch (error) {
      await this.end();
      throw error;
    }
    if (game.state.mode !== 'task') {
      await this.end();
      throw new Refused(UNLOADED);
    }
  }

  /** Loads the styles of the views. */
  dress() {
    if (this.style) {
      return undefined;
    }
    this.style = make('link', { rel: 'stylesheet', href: 'task.css' });
    return new Promise((resolve, reject) => {
      this.style.addEventListener('load', resolve);
      this.style.addEventListener('error', () => {
        this.style.remove();
        this.style = null;
        reject();
      });
      document.head.append(this.style);
    });
  }

  /** Puts the game aside. Settings that change meanwhile are kept. */
  borrow() {
    const { game } = this;
    const { keep, state } = game;
    this.own = state;
    this.keep = keep;
    game.keep = (now) => {
      const { former, analysing } = this.own;
      this.own = { ...now, ...gameOf(this.own), former, analysing };
      keep(this.own);
    };
    game.vacate = () => this.end();
  }

  /** Brings the game back. */
  async end() {
    const { game } = this;
    this.isQuiet = true;
    try {
      await game.load({ ...this.own });
    } finally {
      this.isQuiet = false;
    }
    game.keep = this.keep;
    game.vacate = async () => {};
    this.view = null;
    document.title = this.title;
    document.body.classList.remove('task');
    $('task').hidden = true;
    $('task').replaceChildren();
    for (const link of document.querySelectorAll('header a[aria-current]')) {
      link.removeAttribute('aria-current');
    }
    this.clear();
    game.changed();
    // What was said belongs to the task.
    game.say('');
  }

  /** The address is that of the game. */
  clear() {
    if (Object.hasOwn(VIEWS, location.hash.slice(1).split('/')[0])) {
      history.replaceState(null, '', location.pathname + location.search);
    }
  }

  /** Does something with the board of which the view is not told. */
  async quietly(action) {
    this.isQuiet = true;
    try {
      await action();
    } finally {
      this.isQuiet = false;
      this.moves = this.game.state.moves;
    }
    this.game.changed();
  }

  /** Shows a position; `human` is the player who solves it, or both. */
  async show(start, human, { moves = [], at = moves.length } = {}) {
    this.human = human;
    await this.quietly(() => this.game.load({ ...BLANK, start, human, moves, at, present: at, flipped: human === 'black' }));
    this.reveal();
  }

  /** Plays a move for the other player, or one to show. */
  async reply(move) {
    await this.quietly(() => this.game.play(move));
  }

  /** Takes back all moves after this many. */
  async back(at) {
    const { game } = this;
    const moves = game.state.moves.slice(0, at);
    await this.quietly(() => game.load({ moves, at, present: at, ended: null, cuts: [], uncut: [], human: this.human }));
    this.reveal();
  }

  /** The user makes no more moves here. */
  close() {
    this.game.state = { ...this.game.state, human: null };
    this.game.changed();
  }

  /** Tells the view of a move of the user. */
  look() {
    const { game, view } = this;
    const { moves, at, mode } = game.state;
    if (!view || this.isQuiet || mode !== 'task' || moves === this.moves || at !== moves.length) {
      return;
    }
    this.moves = moves;
    game.do(() => this.view === view && this.pass(moves[at - 1], at - 1));
  }

  /** Gives the view a move, which is taken back if there is no answer to it. */
  async pass(move, at) {
    try {
      await this.view.moved(move, at);
    } catch (error) {
      await this.back(at);
      throw error;
    }
  }

  /** Scrolls to the board, or to the buttons after a move: a phone has no room for both. */
  reveal(element = $('frame')) {
    element.scrollIntoView({ block: 'nearest' });
  }

  /** The texts of a view, which are above the board if there is no room beside it. */
  text(...parts) {
    return make('div', { id: 'task-text' }, ...parts, this.verdict, this.notice);
  }

  /** Shows and speaks a sentence on what the user did; `kind` is right or wrong. */
  tell(text, kind = '') {
    this.verdict.textContent = text;
    this.verdict.className = kind;
    this.announce(text);
  }

  /** Speaks a sentence that is shown elsewhere. */
  announce(text) {
    this.notice.textContent = '';
    this.told = text;
    if (text) {
      this.game.say(text);
    }
  }

  hear(text) {
    this.notice.textContent = this.view && text !== this.told ? text : '';
  }

  /** Asks a question that takes a while. */
  think(question) {
    return ask(this.connection, question);
  }
}

/** The last answer to a question, with the last report of the engine. */
export function ask(connection, question) {
  return new Promise((resolve, reject) => {
    let report = null;
    let unlisten = () => {};
    const lose = () => reject(new Lost('the connection is lost'));
    connection.addEventListener('lost', lose, { once: true });
    const finish = (answer) => {
      unlisten();
      connection.removeEventListener('lost', lose);
      if ('error' in answer) {
        reject(new Refused(answer.error));
      } else {
        resolve({ ...answer, report });
      }
    };
    unlisten = connection.listen(question, (answer) => {
      report = answer.report ?? report;
      if ('error' in answer || connection.hello.questions[question.do].answer in answer) {
        finish(answer);
      }
    });
  });
}
