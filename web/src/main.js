// Connects all parts, and draws the page after every change of the state.

/** @import { Preview, Route, Settings, State, DialogName } from './types.js' */
/** @import { MoveParts } from './protocol.js' */
/** @import { Doc, Review } from './types.js' */
/** @import { Node } from './model/tree.js' */
/** @import { Task } from './tasks/task.js' */

import { html, nothing, render } from '../vendor/lit-html.js';
import { Attempts, DRAWN_MOVES } from './actions/attempt.js';
import { Clock } from './actions/clock.js';
import { Engine, IDLE, reportOn } from './actions/engine.js';
import { Files, NO_TEXTS } from './actions/files.js';
import { Play } from './actions/game.js';
import { Hand, overOf } from './actions/hand.js';
import { NewGame } from './actions/new-game.js';
import { Study } from './actions/study.js';
import { Undo } from './actions/undo.js';
import { Watch } from './actions/watch.js';
import { App } from './app.js';
import { Connection } from './connection.js';
import { lazy } from './lazy.js';
import {
  annotatedNodes,
  blank,
  firstTurn,
  isFinished,
  isOurs,
  isOver,
  nodeOf,
  questionOf,
  remarksOn,
  shown,
  viewOf,
} from './model/doc.js';
import { lifts, squareOf } from './model/draft.js';
import { Lost, Refused, Unloaded } from './model/errors.js';
import { judgementOf, revised, withJudgement } from './model/notes.js';
import { other, partsOf, stackOf, stacksOf, widthOf } from './model/squares.js';
import { Keeper, load, revived, SETTINGS } from './model/stored.js';
import { Store } from './store.js';
import { explain } from './transport.js';
import { Board } from './views/board.js';
import { diagram, squaresOf } from './views/diagram.js';
import { Input, stepOf } from './views/input.js';
import { MoveList } from './views/moves.js';
import { button } from './views/parts.js';
import { playPanel } from './views/play.js';
import { bar, news, rail, tabTitle, troubles } from './views/shell.js';
import { click } from './views/sound.js';
import { farSeat, flats, gauge, hasGauge, nearSeat, pile } from './views/table.js';
import { gapsOf } from './views/titles.js';
import { describe, sentence, words } from './words.js';

/** @type {(id: string) => any} */
const $ = (id) => document.getElementById(id);

/** The views that are loaded when they are opened. @type {Record<string, () => Promise<{create: (page: Page) => Task | Promise<Task>}>>} */
const TASKS = {
  puzzles: lazy(() => import('./tasks/puzzles.js')),
  learn: lazy(() => import('./tasks/lessons.js')),
  explorer: lazy(() => import('./tasks/explorer.js')),
  library: lazy(() => import('./library/shelf.js')),
  editor: lazy(() => import('./tasks/editor.js')),
};
const links = lazy(() => import('./model/link.js'));
const dialogs = lazy(() => import('./views/dialogs.js'));
const seconds = lazy(() => import('./actions/second.js'));
const analysis = lazy(() => import('./views/analysis.js'));
/** Addresses of earlier versions. @type {Record<string, string>} */
const FORMER = { explore: 'explorer' };
const ROUTES = ['play', 'analysis', ...Object.keys(TASKS)];

/** The view that an address names; '' for none, null for the link of a game. @param {string} first its part before any `/` */
const routeOf = (first) => {
  const named = FORMER[first] ?? first;
  return ['', ...ROUTES].includes(named) ? /** @type {Route | ''} */ (named) : null;
};
/** The time between the clicks of a double one, in milliseconds, and how far apart they are, in pixels. */
const DOUBLE_CLICK = 500;
const FINGER = 24;
/** The wait before positions next to this one are asked for. */
const PAUSE = 30;

/** @returns {State} */
function initial() {
  const kept = load();
  const settings = kept?.settings ?? SETTINGS;
  return {
    route: /** @type {Route} */ (kept?.route ?? 'play'),
    base: kept?.route === 'analysis' ? 'analysis' : 'play',
    detail: '',
    docs: {
      game:
        kept?.game ??
        blank('game', { level: settings.level, names: { white: '', black: `tak-engine level ${settings.level}` } }),
      study: kept?.study ?? blank('study', { human: null }),
      puzzle: null,
      lesson: null,
      explorer: null,
      editor: null,
    },
    former: kept?.former ?? [],
    settings,
    hand: { held: null, cursor: 'a1', kind: 'flat', count: null },
    hello: null,
    trouble: '',
    loaded: null,
    engine: IDLE,
    second: { report: null, about: null, trouble: '', failed: null },
    attempt: null,
    preview: null,
    expected: null,
    motion: null,
    dialog: null,
    news: null,
    said: '',
    isStored: true,
    update: null,
    isResigning: false,
    showsTurns: true,
    unfolded: null,
    sign: null,
    form: null,
    texts: NO_TEXTS,
    puzzles: null,
    mistakes: null,
    lessons: null,
    explorer: null,
    library: null,
    editor: null,
    drawn: [],
  };
}

export class Page {
  /** The position that was on the board, to be drawn before the program is there. @type {string | null} */
  #tps = load()?.tps ?? null;
  /** The square under the pointer, or null. @type {string | null} */
  #pointed = null;
  #isDrawn = true;
  #ahead = 0;
  #previewed = 0;
  /** @type {Map<string, Promise<Task>>} */
  #tasks = new Map();
  /** The loaded tasks. @type {Map<string, Task>} */
  #open = new Map();
  /** @type {Map<string, Element>} */
  #samples = new Map();
  /** The contents of a dialog; null until they are loaded. @type {typeof import('./views/dialogs.js')['dialog'] | null} */
  #dialog = null;
  /** The panel of the analysis; null until it is loaded. @type {typeof import('./views/analysis.js')['analysisPanel'] | null} */
  #analysis = null;
  /** The seed of the last game that was kept in the library. */
  #shelved = 0;
  /** @type {import('./actions/second.js').Second | null} */
  #second = null;
  /** The view that could not be loaded, and why. @type {{route: Route, why: string} | null} */
  #missing = null;
  /** The node at which neighbours were asked for. @type {Node | null} */
  #near = null;
  /** Whether the game of a link is still to come. What is stored would be mistaken for it. */
  #isLinked = routeOf(location.hash.slice(1).split('/')[0]) === null;

  constructor() {
    this.store = new Store(initial());
    this.connection = new Connection();
    const app = new App(this.store, this.connection);
    this.app = app;
    this.study = new Study(app);
    this.attempts = new Attempts(app);
    this.undo = new Undo(app);
    this.play = new Play(app, this.study, this.attempts, this.undo);
    this.hand = new Hand(app, this.play);
    this.watch = new Watch(app);
    this.watch.play = this.play;
    // The clocks are updated first, so that no question is sent while the wrong clock runs.
    this.clock = new Clock(app, this.watch, (color) => app.do(() => this.play.runOut(color)));
    this.engine = new Engine(app, this.watch, this.play);
    Object.assign(this.attempts, { play: this.play, engine: this.engine });
    this.newGame = new NewGame(app, this.play, this.engine);
    this.files = new Files(app, this.engine, this.study, () => this.shelf());
    this.board = new Board($('drawing'), $('grid'));
    this.list = new MoveList((node) => app.do(() => this.play.visit(node)));
    this.keeper = new Keeper((isStored) => this.store.update({ isStored }));
    new Input(app, this.play, this.hand, this.board, (square) => this.#point(square));
    this.#listen();
  }

  get state() {
    return this.store.state;
  }

  #listen() {
    const { app, store, connection } = this;
    store.subscribe(() => {
      // Until a copy is changed, the next tab starts with the original game.
      if (app.copied !== this.state.docs.study) {
        this.keeper.keep(this.state);
      }
      this.#schedule();
      this.#lookAhead();
      this.#shelve();
    });
    app.addEventListener('refused', () => this.board.shake());
    app.addEventListener('board', () => {
      this.draw();
      $('frame').scrollIntoView({ block: 'nearest' });
      if (matchMedia('(max-width: 899px)').matches) {
        scrollTo({ top: 0 });
      }
      if (this.state.route === 'analysis' && !this.#analysis) {
        app.do(() => this.loadAnalysis());
      }
    });
    app.addEventListener('grid', () => this.focusBoard());
    app.addEventListener('moved', () => this.state.settings.sounds && click());
    connection.addEventListener('open', () => {
      const { form } = this.state;
      store.update({ hello: connection.hello, trouble: '', news: null, form: form && { ...form, problem: '' } });
      app.do(() => this.begin());
      this.loadDialogs();
      this.loadAnalysis().catch(() => {});
      if (connection.hello?.second) {
        app.do(() => this.#loadSecond());
      }
    });
    connection.addEventListener('progress', (event) =>
      store.update({ loaded: /** @type {CustomEvent} */ (event).detail }),
    );
    connection.addEventListener('lost', (event) => {
      this.engine.forget();
      const { detail } = /** @type {CustomEvent} */ (event);
      store.update({ trouble: explain(detail, connection.refusal !== '') });
    });
    addEventListener('hashchange', () => {
      this.close();
      if (connection.isOpen) {
        app.do(() => this.begin());
      }
    });
    addEventListener('pagehide', () => this.keeper.flush());
    document.addEventListener('visibilitychange', () => this.keeper.flush());
    document.addEventListener('keydown', (event) => this.#key(event));
    addEventListener('dragover', (event) => event.preventDefault());
    addEventListener('drop', (event) => this.#drop(event));
    addEventListener('paste', (event) => this.#paste(event));
    addEventListener('resize', () => this.#schedule());
    // News may lie on what the user scrolls to.
    for (const kind of ['wheel', 'touchmove']) {
      addEventListener(kind, () => this.state.news && !this.state.news.undo && app.hush(), { passive: true });
    }
    // A hint stays, and so may lie on the board of a low window.
    addEventListener('pointerdown', ({ target }) => this.state.news?.why && !$('news').contains(target) && app.hush());
    // The second click of a double one is meant for the news that went with the first, not for the board below it.
    /** @type {MouseEvent | null} */
    let first = null;
    $('news').addEventListener('click', (/** @type {MouseEvent} */ event) => {
      first = event;
    });
    const isSecond = (/** @type {MouseEvent} */ { timeStamp, clientX, clientY }) =>
      first &&
      timeStamp - first.timeStamp < DOUBLE_CLICK &&
      Math.hypot(clientX - first.clientX, clientY - first.clientY) < FINGER;
    for (const kind of ['pointerdown', 'click']) {
      const guard = (/** @type {MouseEvent} */ event) => isSecond(event) && event.stopPropagation();
      $('frame').addEventListener(kind, guard, { capture: true });
    }
    $('skip').addEventListener('click', (/** @type {Event} */ event) => {
      event.preventDefault();
      this.focusBoard();
    });
    const box = /** @type {HTMLDialogElement} */ ($('dialog'));
    // Escape counts at once: the event of closing comes later, perhaps after the next dialog has been opened.
    box.addEventListener('cancel', (event) => {
      event.preventDefault();
      this.close();
    });
    box.addEventListener('close', () => !box.open && store.update({ dialog: null }));
    box.addEventListener('click', ({ target }) => target === box && this.close());
  }

  /** Begins with the view or the game in the address, or else with the stored game. */
  async begin() {
    const { app } = this;
    const hash = location.hash.slice(1);
    const [first, ...rest] = hash.split('/');
    const named = routeOf(first);
    const { copied } = app;
    this.#isLinked = named === null;
    this.#schedule();
    await this.play.refresh();
    if (location.hash.slice(1) !== hash) {
      // The user has gone elsewhere meanwhile.
      return;
    }
    // If the game is that of another tab, its copy is in the place of the game.
    const name = app.copied !== copied && (named === '' || named === 'play') ? 'analysis' : named;
    if (name) {
      await this.show(name, rest.join('/'));
    } else if (hash) {
      history.replaceState(null, '', location.pathname + location.search);
      await this.#openLink(hash);
    } else {
      await this.show(this.state.route === 'analysis' ? 'analysis' : 'play');
      history.replaceState(null, '', `${location.pathname}${location.search}#${this.state.route}`);
    }
    await this.play.retry();
    if (this.state.said === '' && this.state.docs.game.moves.length === 0) {
      app.say(words.toMove(firstTurn(this.state.docs.game), null));
    }
  }

  /** @param {string} hash */
  async #openLink(hash) {
    let linked = null;
    try {
      const { fromLink } = await links();
      linked = await fromLink(hash);
      if (!linked) {
        throw new Refused('');
      }
      await this.files.openLinked(linked);
    } catch (error) {
      if (error instanceof Lost || error instanceof Unloaded) {
        throw error;
      }
      this.app.go('play');
      this.app.tell(linked ? words.linkRefused(error instanceof Error ? error.message : '') : words.linkBroken);
    } finally {
      this.#isLinked = false;
      this.#schedule();
    }
  }

  /**
   * Shows a view; puzzles, lessons and the explorer are loaded first.
   * @param {Route} route
   * @param {string} detail
   */
  async show(route, detail = '') {
    const isSame = this.state.route === route && this.state.detail === detail;
    this.app.go(route, detail);
    this.store.update({ detail });
    if (!(route in TASKS)) {
      return;
    }
    const task = await this.#task(route).catch((error) => this.#miss(route, error));
    this.#missing = null;
    const isFirst = !this.#open.has(route);
    this.#open.set(route, task);
    if (isFirst || !isSame) {
      await task.open(detail);
    } else {
      task.resume?.();
    }
    this.#schedule();
  }

  /** @param {Route} route @param {unknown} error @returns {never} */
  #miss(route, error) {
    this.#missing = { route, why: error instanceof Error ? error.message : '' };
    throw error;
  }

  /** @param {string} route @returns {Promise<Task>} */
  #task(route) {
    let task = this.#tasks.get(route);
    if (!task) {
      task = Promise.all([
        TASKS[route](),
        dress('styles/dialogs.css'),
        dress('styles/task.css'),
        ['library', 'explorer'].includes(route) && dress('styles/library.css'),
      ]).then(([{ create }]) => create(this));
      this.#tasks.set(route, task);
      task.catch(() => this.#tasks.delete(route));
    }
    return task;
  }

  /** The library, without its view. */
  async shelf() {
    return /** @type {import('./library/shelf.js').Shelf} */ (await this.#task('library'));
  }

  /** Keeps a game that has ended in the library. */
  #shelve() {
    const { game } = this.state.docs;
    if (game.seed !== this.#shelved && game.moves.length > 0 && isFinished(game) && this.connection.isOpen) {
      this.#shelved = game.seed;
      // The game can still be restored and saved.
      this.shelf()
        .then((shelf) => shelf.keep(game))
        .catch(({ message }) => this.app.tell(words.notKept(words.thisGame, message)));
    }
  }

  /** The title of a view that is loaded; null for the others. */
  taskTitle() {
    return this.#open.get(this.state.route)?.title?.() ?? null;
  }

  /** Opens a dialog. @param {DialogName} name */
  open(name) {
    const { app } = this;
    if (name === 'new') {
      this.newGame.fill();
    } else if (name === 'share' && viewOf(app.doc)) {
      this.files.set({ isWritten: false });
      app.do(() => this.files.write().catch((error) => this.#abandon(error)));
    } else if (name === 'open') {
      this.files.set({ problem: '', details: '' });
    }
    this.store.update({ dialog: name });
  }

  close() {
    this.store.update({ dialog: null });
  }

  /** Closes a dialog that cannot be filled. @param {unknown} error @returns {never} */
  #abandon(error) {
    this.close();
    throw error;
  }

  focusBoard() {
    this.draw();
    $('grid').focus({ preventScroll: true });
  }

  flip() {
    const { doc } = this.app;
    this.store.updateDoc(doc.name, { flipped: !doc.flipped });
  }

  /** Takes the game into the study, and reviews it there. */
  async review() {
    const { app } = this;
    if (this.study.isOfGame && this.state.docs.study.moves === this.state.docs.game.moves) {
      app.go('analysis');
    } else {
      await this.study.take();
    }
    if (!this.state.docs.study.annotation && this.state.engine.reviewing === null) {
      await this.engine.review();
    }
  }

  /** Opens an earlier game. @param {number} index */
  async openFormer(index) {
    const { former } = this.state;
    const chosen = former[index];
    const name = chosen.mode === 'free' ? 'study' : 'game';
    const doc = revived(name, chosen);
    if (doc) {
      this.store.update({ former: [...former.filter((each) => each !== chosen), chosen] });
      await this.play.back();
      this.close();
    }
  }

  /** Shows the position after some moves of a line, or with null the one on the board. @param {{line: number, moves: string[]} | null} line */
  preview(line) {
    this.#previewed += 1;
    const asked = this.#previewed;
    if (!line) {
      this.store.update({ preview: null });
      return;
    }
    const record = questionOf(this.app.doc);
    if (!this.connection.isOpen) {
      return;
    }
    this.connection.ask({ do: 'view', game: { ...record, moves: [...record.moves, ...line.moves] } }).then(
      ({ view }) => {
        if (asked === this.#previewed) {
          /** @type {Preview} */
          const preview = { line: line.line, count: line.moves.length, tps: view.tps, last: view.last };
          this.store.update({ preview });
        }
      },
      () => {},
    );
  }

  /** Keeps a line as a variation, without a step. @param {string[]} moves */
  async keepLine(moves) {
    await this.study.add(moves, 0);
    this.app.tell(words.kept);
  }

  /** The marks of a move. @param {Node} node */
  marksOf(node) {
    return node.notes?.marks || (remarksOn(this.state.docs.study, node)?.marks ?? '');
  }

  /**
   * Changes the mark or the comment of a move; null leaves it.
   * @param {Node} node
   * @param {string | null} mark
   * @param {string | null} text
   */
  async note(node, mark, text) {
    const { study } = this.state.docs;
    const judgement = mark ?? judgementOf(this.marksOf(node));
    const own =
      text ??
      (node.notes?.comments ?? []).filter((each) => !/^\s*(name:"|cp:|wdl:|score:|[+-]\d)/.test(each)).join('\n');
    node.notes = revised(node.notes ?? {}, judgement, own);
    study.tree.touch();
    const { annotation } = study;
    if (!annotation || annotatedNodes(study)[node.depth] !== node) {
      this.store.updateDoc('study', { path: [...study.path] });
      return;
    }
    // The mark of the review goes with that of the user, before the program has written it.
    const remarks = annotation.said.map((each, index) =>
      index === node.depth - 1 ? { ...each, marks: withJudgement(each.marks, judgement) } : each,
    );
    const marked = { ...annotation, said: remarks };
    this.store.updateDoc('study', { path: [...study.path], annotation: marked });
    const ptn = await this.#rewritten(marked, node.depth - 1, judgement, own);
    if (this.state.docs.study.annotation === marked) {
      this.store.updateDoc('study', { annotation: { ...marked, ptn } });
    }
  }

  /**
   * The text of an annotated game with other notes on a move.
   * @param {Review} annotation
   * @param {number} index
   * @param {string} judgement
   * @param {string} text
   */
  async #rewritten({ ptn, start }, index, judgement, text) {
    const { found } = await this.connection.ask({ do: 'read', text: ptn, like: start });
    const { moves } = found.lines[0];
    const [move, notes = {}] = [moves[index]].flat();
    const changed = revised(notes, judgement, text);
    moves[index] = changed ? [move, changed] : move;
    const written = await this.connection.ask({
      do: 'write',
      game: found.game,
      main: found.game.moves,
      lines: found.lines,
      names: found.names,
    });
    return written.text.ptn;
  }

  /**
   * The list of moves, which is one element.
   * @param {Doc} doc
   * @param {Map<string, number> | null} chances
   */
  moveList(doc, chances) {
    this.list.show(doc, chances);
    return this.list.element;
  }

  /** A small board with pieces, in the colours of a theme. @param {Settings['board']} name */
  sample(name) {
    const drawing = this.#samples.get(name) ?? diagram('1,21,x/x,2C,1/2,x,1S 1 9');
    this.#samples.set(name, drawing);
    return drawing;
  }

  /** @param {string | null} square */
  #point(square) {
    this.#pointed = square;
    this.#hover();
  }

  /** Shows the piece that a click would place, and the stack under the pointer. */
  #hover() {
    const { state } = this;
    const doc = shown(state);
    const view = viewOf(doc);
    const square = this.#pointed && view && squareOf(view, this.#pointed);
    const { held, kind } = state.hand;
    const isFree =
      square &&
      view &&
      !square.stack &&
      !held &&
      !state.expected &&
      !state.preview &&
      !this.play.barred(doc) &&
      view.kinds.length > 0;
    this.board.hover(isFree ? this.#pointed : null, view ? stackOf([view.places], kind) : '');
    render(pile(state, this.#pointed), $('pile'));
    const cell = this.#pointed && this.board.element(this.#pointed);
    if (cell) {
      const isLeft = cell.offsetLeft > $('grid').clientWidth / 2;
      $('pile').className = isLeft ? 'at-left' : 'at-right';
    }
  }

  /** Asks for the positions next to a new one, so that a step to them need not wait. */
  #lookAhead() {
    const node = nodeOf(shown(this.state));
    if (node !== this.#near) {
      this.#near = node;
      clearTimeout(this.#ahead);
      // If the program cannot be reached, the step itself says so.
      this.#ahead = window.setTimeout(
        () => viewOf(this.app.doc) && this.connection.isOpen && this.play.lookAhead().catch(() => {}),
        PAUSE,
      );
    }
  }

  #schedule() {
    if (this.#isDrawn) {
      this.#isDrawn = false;
      // What an action says after it has loaded a position comes one microtask later, and is drawn with it.
      queueMicrotask(() => queueMicrotask(() => this.draw()));
    }
  }

  /** Draws what has changed. */
  draw() {
    this.#isDrawn = true;
    const { state } = this;
    const { settings, route } = state;
    const root = document.documentElement;
    root.dataset.board = settings.board;
    root.dataset.colours = settings.colours;
    document.body.dataset.route = route;
    document.body.classList.toggle('has-gauge', hasGauge(state));
    document.body.classList.toggle('has-held', state.hand.held !== null);
    document.title = tabTitle(state);
    // The board takes no move before the game of the link is there.
    $('grid').inert = this.#isLinked;
    $('grid').setAttribute('aria-busy', String(this.#isLinked || viewOf(shown(state)) === null));
    const focused = document.activeElement;
    const wasAsking = $('confirm') !== null;
    render(rail(state, this), $('rail'));
    render(bar(state, this), $('bar'));
    render(troubles(state, this), $('troubles'));
    render(farSeat(state), $('far'));
    render(gauge(state), $('gauge'));
    render(flats(state), $('flats'));
    render(this.#open.get(route)?.near?.() ?? nearSeat(state, this), $('near'));
    render(this.#panel(state), $('panel'));
    // What is only told is spoken by the status; buttons are for everybody.
    $('news').ariaHidden = state.news?.undo || state.news?.why ? null : 'true';
    render(news(state, this), $('news'));
    this.#drawBoard(state);
    this.#drawDialog(state);
    this.list.settle();
    if (state.said !== $('said').textContent) {
      $('said').textContent = state.said;
    }
    this.#hover();
    const question = $('confirm');
    if (question && !wasAsking) {
      question.querySelector('button').focus({ preventScroll: true });
    } else if (
      // If the pressed button is gone or off now, keys need another focus.
      focused instanceof HTMLElement &&
      focused !== document.body &&
      !state.dialog &&
      // A dialog that closes has given it back.
      ((!focused.isConnected && document.activeElement === document.body) ||
        (focused instanceof HTMLButtonElement && focused.disabled))
    ) {
      // Beside a step at the end of the game stands one that is on, where arrow keys still step.
      const steps = focused.matches('#panel .steps > :nth-child(-n + 4)') ? focused.parentElement : null;
      const step = /** @type {HTMLElement?} */ (steps?.querySelector(':is(:nth-child(2), :nth-child(3)):enabled'));
      (step ?? $('grid')).focus({ preventScroll: true });
    }
  }

  /** @param {State} state */
  #panel(state) {
    const task = this.#open.get(state.route);
    const waiting = html`<div class="card grow"><p class="none">${words.status.connecting[0]}</p></div>`;
    if (this.#isLinked) {
      return waiting;
    }
    if (task) {
      return task.panel(state);
    }
    if (state.route === this.#missing?.route) {
      const again = () => this.app.do(() => this.show(state.route, state.detail));
      return html`<div class="card grow"><p class="none">${sentence(this.#missing.why)}</p>
        <div class="row">${button(words.again, 'undo', again, { isMain: true })}</div></div>`;
    }
    return state.route === 'analysis' && this.#analysis
      ? this.#analysis(state, this)
      : state.route === 'play'
        ? playPanel(state, this)
        : waiting;
  }

  /** Loads the panel of the analysis, which the first board does not need either. */
  async loadAnalysis() {
    const loaded = Promise.all([analysis(), dress('styles/dialogs.css')]);
    const [{ analysisPanel }] = await loaded.catch((error) => this.#miss('analysis', error));
    this.#missing = null;
    this.#analysis = analysisPanel;
    this.#schedule();
  }

  async #loadSecond() {
    const { Second } = await seconds();
    this.#second ??= new Second(this.app);
    this.#schedule();
  }

  /** What is told of the second engine if it gives no move in the game. */
  secondTrouble() {
    if (!this.#second) {
      this.app.do(() => this.#loadSecond());
    }
    return this.#second?.panel() ?? nothing;
  }

  /** Loads the dialogs, which neither the first board nor the engine needs. */
  async loadDialogs() {
    try {
      const [{ dialog, resume }] = await Promise.all([dialogs(), dress('styles/dialogs.css')]);
      this.#dialog = dialog;
      this.#schedule();
      resume(this.files);
    } catch (error) {
      if (this.state.dialog) {
        this.close();
        this.app.complain(error);
      }
    }
  }

  /** @param {State} state */
  #drawDialog({ dialog: name }) {
    const box = /** @type {HTMLDialogElement} */ ($('dialog'));
    if (name && !this.#dialog) {
      this.loadDialogs();
      return;
    }
    if (name || box.dataset.name) {
      box.dataset.name = name ?? '';
      render(name && this.#dialog ? this.#dialog(this.state, this) : nothing, box);
    }
    if (name && !box.open) {
      box.showModal();
    } else if (!name && box.open) {
      box.close();
    }
  }

  /** @param {State} state */
  #drawBoard(state) {
    const doc = shown(state);
    const view = this.#isLinked ? null : viewOf(doc);
    const { settings, hand, expected, preview, sign } = state;
    const size = view?.size ?? doc.start.size;
    const stacks = preview
      ? stacksOf(preview.tps)
      : new Map(view ? view.squares.map(({ name, stack }) => [name, stack]) : this.#early(size));
    const held = expected || preview ? null : hand.held;
    for (const { name, stack } of preview ? [] : (expected ?? held?.squares ?? [])) {
      stacks.set(name, stack);
    }
    const last = preview ? preview.last : (view?.last ?? null);
    const moved = held
      ? []
      : expected && !preview
        ? expected.map(({ name }) => name)
        : last
          ? [...last.drops.map(([name]) => name), ...(last.drops.length > 0 ? [] : [last.from])]
          : [];
    const outcome = preview || expected ? null : (view?.outcome ?? null);
    const callsTak = settings.callsTak && !held && !expected && !preview && doc.name !== 'puzzle';
    const threat = callsTak ? (view?.threat ?? []) : [];
    const squares = squaresOf(size).map((name) => {
      const stack = stacks.get(name) ?? '';
      const label = words.square(name, describe(stack, size), view && !preview ? this.#offer(name, stack) : '');
      return { name, stack, label, isLoose: view !== null && !preview && this.hand.isLoose(name) };
    });
    this.board.show({
      size,
      flipped: doc.flipped,
      squares,
      cursor: hand.cursor,
      motion: state.motion,
      sign,
      marks: {
        won: outcome?.road ?? [],
        last: moved,
        origin: last && last.drops.length > 0 && !expected && !held ? [last.from] : [],
        next: held?.next ?? [],
        lifted: held ? [held.draft.from] : [],
        gap: threat.length > 0 ? gapsOf(state) : [],
        wrong: sign?.kind === 'wrong' ? [sign.square] : [],
        right: sign?.kind === 'right' ? [sign.square] : [],
      },
      road: outcome?.road ?? [],
      threat,
      held: held && { over: overOf(held), hand: held.hand, drops: dropsOf(held) },
      advice: expected || preview || held || !view ? [] : this.#advice(state),
      heat: this.#open.get(state.route)?.heat?.(state) ?? [],
      drawn: state.drawn,
      animates: settings.animates,
      hasNumbers: settings.numbers,
      hasCoordinates: settings.coordinates,
    });
  }

  /** The stacks of the position that was on the board before the page was closed. @param {number} size */
  #early(size) {
    return this.#tps && !this.#isLinked && widthOf(this.#tps) === size ? stacksOf(this.#tps) : new Map();
  }

  /**
   * The moves that are recommended: the best ones of the analysis, a hint, or the better line of a mistake.
   * @param {State} state
   */
  #advice(state) {
    const doc = shown(state);
    const view = viewOf(doc);
    const places = view?.places ?? 'white';
    const task = this.#open.get(state.route);
    const line = task ? (task.advice?.(state) ?? []) : this.attempts.line;
    if (line.length > 0) {
      return line.slice(0, DRAWN_MOVES).flatMap((text, index) => {
        const move = partsOf(text);
        return move
          ? [
              {
                move,
                color: index % 2 ? other(places) : places,
                rank: line.length > 1 ? index + 1 : 0,
                isWeak: index > 0,
              },
            ]
          : [];
      });
    }
    const report = reportOn(state.engine, doc);
    const isHint = state.engine.hinted === nodeOf(doc).id && state.engine.isHintGiven && !isOver(doc);
    const isLive = state.settings.analysing && doc.name === 'study' && !state.attempt;
    const moves =
      (isLive ? report?.lines.slice(0, 3) : isHint ? report?.lines.slice(0, 1) : [])?.flatMap(
        ({ moves: [first] }) => partsOf(first ?? '') ?? [],
      ) ?? [];
    return (
      moves
        .map((move, index) => ({
          move: /** @type {MoveParts} */ (move),
          color: places,
          rank: moves.length > 1 ? index + 1 : 0,
          isWeak: index > 0,
        }))
        // Of pieces on the same square the best one is drawn.
        .filter(
          ({ move: { kind, from } }, index, all) =>
            !kind || all.findIndex(({ move }) => move.kind && move.from === from) === index,
        )
        .reverse()
    );
  }

  /**
   * The effect of Enter on a square, as a sentence; empty if none.
   * @param {string} name
   * @param {string} stack
   */
  #offer(name, stack) {
    const { state } = this;
    const doc = shown(state);
    const view = viewOf(doc);
    const { held, cursor, kind, count } = state.hand;
    if (!view || isOver(doc) || !isOurs(doc) || state.expected) {
      return '';
    }
    const { enter } = words;
    if (held) {
      return held.flattens.includes(name)
        ? enter.flattens
        : held.next.includes(name)
          ? enter.drops
          : name === held.draft.from && held.draft.drops.length === 0
            ? enter.back
            : '';
    }
    const square = squareOf(view, name);
    if (!stack) {
      const what = view.kinds.find((each) => each.kind === kind)?.enter;
      return what ? enter.does(what) : '';
    }
    return square?.spreads ? enter.lifts((name === cursor ? count : null) ?? lifts(square).at(-1)) : '';
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { app, state } = this;
    if (
      state.dialog ||
      !(event.target instanceof Element) ||
      event.target.closest('textarea, input[type=text], input[type=number]')
    ) {
      return;
    }
    const key = event.key.toLowerCase();
    if (key === 'escape') {
      app.hush();
    }
    const isReady = !this.#isLinked && viewOf(app.doc) !== null;
    const to = isReady ? stepOf(event, app.doc.moves.length) : null;
    if ((event.ctrlKey || event.metaKey) && !event.altKey && isReady && (key === 'z' || key === 'y')) {
      event.preventDefault();
      const isRedo = key === 'y' || event.shiftKey;
      app.do(() => this.#undoKey(isRedo));
    } else if (to !== null) {
      event.preventDefault();
      app.do(() => this.play.walk(to(app.doc.at)));
    } else if (event.key === '?') {
      event.preventDefault();
      this.open('keys');
    } else if (event.key === 'Enter' && event.target === document.body) {
      event.preventDefault();
      this.focusBoard();
    }
  }

  /** @param {boolean} isRedo */
  #undoKey(isRedo) {
    const { name } = this.app.doc;
    const task = this.#open.get(this.state.route);
    if (task?.undo) {
      return task.undo(isRedo);
    }
    // The last action was lifting the pieces in hand.
    if (!isRedo && this.hand.cancel()) {
      return undefined;
    }
    if (name === 'game') {
      return this.undo.step(isRedo ? 1 : -1);
    }
    return name === 'study' && !isRedo
      ? this.study.undo()
      : this.app.refuse(isRedo ? words.nothingToRedo : words.nothingToUndo);
  }

  /** Opens what is pasted anywhere but into a field. @param {ClipboardEvent} event */
  #paste({ target, clipboardData }) {
    const isField = target instanceof Element && target.closest('textarea, input');
    const [file] = clipboardData?.files ?? [];
    const text = clipboardData?.getData('text/plain') ?? '';
    if (!isField && !this.state.dialog && (file || text.trim())) {
      this.app.do(() => this.files.openFile(file, text));
    }
  }

  /** Opens what another program gives to the page. @param {{files: () => Promise<File[]>, text: string}} given */
  take({ files, text }) {
    this.app.do(async () => {
      const all = await files();
      return all.length > 1 ? (await this.shelf()).addFiles(all) : this.files.openFile(all[0], text);
    });
  }

  /** @param {DragEvent} event */
  #drop(event) {
    event.preventDefault();
    const files = [...(event.dataTransfer?.files ?? [])];
    const task = this.#open.get(this.state.route);
    if (files.length > 0 && task?.accepts?.test(files[0].name)) {
      task.openFiles?.(files);
    } else {
      const text = event.dataTransfer?.getData('text/plain') ?? '';
      this.app.do(() => this.files.openFile(files[0], text));
    }
  }
}

/** The squares on which pieces have fallen, with their numbers. @type {(held: import('./types.js').Held) => [string, number][]} */
const dropsOf = ({ draft: { drops }, squares }) => drops.map((count, index) => [squares[index + 1].name, count]);

/** Loads further styles. @param {string} href @returns {Promise<void>} */
function dress(href) {
  if (document.querySelector(`link[href="${href}"]`)) {
    return Promise.resolve();
  }
  return new Promise((resolve, reject) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => {
      link.remove();
      reject(new Unloaded(words.unloaded));
    });
    document.head.append(link);
  });
}

const page = new Page();
// For the page without a server, see offline.js and launch.js.
addEventListener('tak-update', (event) => page.store.update({ update: /** @type {CustomEvent} */ (event).detail }));
addEventListener('tak-open', (event) => page.take(/** @type {CustomEvent} */ (event).detail));
page.draw();
page.connection.connect();
