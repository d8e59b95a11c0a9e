// The engine's job: a move, a hint, analysis, the review of a game, or an answer for a task.

/** @import { App } from '../app.js' */
/** @import { Color, Reason, Report, ReportLine } from '../protocol.js' */
/** @import { Doc, EngineState, Job } from '../types.js' */
/** @import { Play } from './game.js' */
/** @import { Watch } from './watch.js' */

import {
  endOf,
  isAnnotated,
  isEngines,
  levelOf,
  linesOf,
  mistakes,
  nodeOf,
  positionOf,
  questionOf,
  SECOND,
  shown,
  turnAfter,
  viewOf,
} from '../model/doc.js';
import { words } from '../words.js';

/** Seconds of analysis per position. After that, the user is probably away. */
const ANALYSIS_SECONDS = 3600;
const HINT = 1.5;
/** Nodes per position of a reviewed game. `tak-engine annotate --nodes` with this number gives the same marks. */
export const NODES = 50000;
/** Milliseconds after a step before analysis goes on: another step may follow. */
const PAUSE = 150;

/** @type {EngineState} */
export const IDLE = {
  job: null,
  report: null,
  about: null,
  chances: new Map(),
  known: 0,
  hinted: null,
  isHintGiven: false,
  reviewing: null,
  looked: 0,
  asked: 0,
};

export class Engine {
  #unlisten = () => {};
  #timer = 0;
  /** The job that waits. @type {string | null} */
  #pending = null;
  /** Whether the program was told to stop the present job. */
  #isStopped = false;
  /** Called at the end of the present move. @type {(() => void)[]} */
  #afterMove = [];

  /**
   * @param {App} app
   * @param {Watch} watch
   * @param {Play} play
   */
  constructor(app, watch, play) {
    this.app = app;
    this.watch = watch;
    this.play = play;
    app.store.subscribe(() => this.work());
    app.addEventListener('work', () => this.work());
    document.addEventListener('visibilitychange', () => this.work());
  }

  get state() {
    return this.app.state.engine;
  }

  /** @param {Partial<EngineState>} changes */
  #set(changes) {
    this.app.store.update({ engine: { ...this.state, ...changes } });
  }

  /** The job for now. It does not change while it runs. @returns {Job | null} */
  wanted() {
    const { state } = this.app;
    const {
      docs: { game, study },
      settings,
      attempt,
      route,
    } = state;
    const { reviewing, hinted, isHintGiven, asked } = this.state;
    if (!this.app.connection.isOpen || asked > 0) {
      return null;
    }
    if (isEngines(game) && game.path[0].tps !== null && !this.watch.isStill) {
      const level = levelOf(game);
      const lines = game.mode === 'self' && level !== SECOND ? settings.lines : 1;
      return {
        kind: 'move',
        doc: 'game',
        position: endOf(game).id,
        seconds: game.seconds,
        level,
        lines,
      };
    }
    if (reviewing !== null && reviewing === endOf(study).id) {
      return { kind: 'review', doc: 'study', position: reviewing, seconds: 0, level: 0, lines: 1 };
    }
    const doc = shown(state);
    const view = viewOf(doc);
    const position = positionOf(doc);
    if (!view || view.outcome) {
      return null;
    }
    if (hinted === position && !isHintGiven) {
      return { kind: 'hint', doc: doc.name, position, seconds: HINT, level: 0, lines: 1 };
    }
    if (settings.analysing && route === 'analysis' && !attempt && !document.hidden) {
      return { kind: 'along', doc: 'study', position, seconds: ANALYSIS_SECONDS, level: 0, lines: settings.lines };
    }
    return null;
  }

  /**
   * The question to the program for a job.
   * @param {Job} job
   */
  #question({ kind, doc: name, seconds, level, lines }) {
    const doc = /** @type {Doc} */ (this.app.state.docs[name]);
    const { start, moves, clock, timing, seed } = doc;
    if (kind === 'review') {
      const { main, lines: all, ended } = linesOf(doc);
      const own = String(main) === String(moves) ? { lines: all } : {};
      return {
        do: 'annotate',
        game: { start, moves },
        ...own,
        names: { ...doc.names, result: ended?.result ?? null },
        nodes: NODES,
      };
    }
    if (kind === 'move') {
      // The game continues at its last move, regardless of the move shown.
      const left = clock?.[turnAfter(doc, moves.length)];
      const time = left === undefined ? { seconds } : { left: left / 1000, increment: timing.increment };
      const question = { game: { start, moves }, ...time };
      return level === SECOND ? { do: 'consult', ...question } : { do: 'think', ...question, lines, level, seed };
    }
    return { do: 'think', game: questionOf(doc), seconds, lines };
  }

  /**
   * Starts the present job, or stops the engine. A step is drawn first; analysis of the position before is stopped even
   * before that, since on few cores it would take the time of drawing.
   */
  work() {
    const wanted = this.wanted();
    const { job, asked } = this.state;
    const name = JSON.stringify(wanted);
    if (asked > 0 || (name === JSON.stringify(job) && !this.#isStopped)) {
      this.#wait(null);
      return;
    }
    const isAlong = (wanted === null || wanted.kind === 'along') && (job === null || job.kind === 'along');
    if (isAlong && this.app.connection.isOpen) {
      if (job && !this.#isStopped) {
        this.#stop();
      }
      this.#wait(name);
    } else {
      this.#wait(null);
      this.#start(wanted);
    }
  }

  /** Starts the job of this name after a pause, in which nothing else is wanted. @param {string | null} name */
  #wait(name) {
    if (name !== this.#pending) {
      clearTimeout(this.#timer);
      this.#pending = name;
      if (name !== null) {
        this.#timer = window.setTimeout(() => {
          this.#pending = null;
          this.#start(this.wanted());
        }, PAUSE);
      }
    }
  }

  /** Ends the question in progress. */
  #stop() {
    this.#done();
    this.#isStopped = true;
    if (this.app.connection.isOpen) {
      this.app.connection.send({ do: 'stop' });
    }
  }

  /** @param {Job | null} wanted */
  #start(wanted) {
    const { job } = this.state;
    if (JSON.stringify(wanted) === JSON.stringify(job) && !this.#isStopped) {
      return;
    }
    this.#done();
    if (wanted) {
      this.#unlisten = this.app.connection.listen(this.#question(wanted), (answer) => this.#hear(wanted, answer));
    } else if (!this.#isStopped) {
      this.#stop();
    }
    this.#isStopped = false;
    this.#set({ job: wanted });
    if (job?.kind === 'move' && wanted?.kind !== 'move') {
      this.#release();
    }
  }

  /** The question in progress gets no more answers. */
  forget() {
    this.#done();
    this.#isStopped = false;
    this.#set({ job: null, asked: 0 });
    this.#release();
  }

  /** Those who waited for the end of a move go on. */
  #release() {
    for (const go of this.#afterMove.splice(0)) {
      go();
    }
  }

  /** The present job gets no more answers. */
  #done() {
    this.#unlisten();
    this.#unlisten = () => {};
  }

  /** Asks for a hint. */
  hint() {
    const barred = this.play.barred();
    if (barred) {
      this.app.refuse(barred);
      return;
    }
    const { about, report, job } = this.state;
    const position = positionOf(this.app.doc);
    // During analysis, the best move is the hint.
    const isKnown = about === position && report !== null && job?.kind === 'along';
    this.#set({ hinted: position, isHintGiven: isKnown });
    if (isKnown) {
      this.#tellHint(report);
    }
  }

  /** @param {Report | null} report */
  #tellHint(report) {
    const line = report?.lines[0];
    if (line?.moves[0]) {
      const { doc } = this.app;
      this.app.tell(words.hint(line.moves[0]), { why: () => this.app.do(() => this.why(doc, line)), isHere: true });
    }
  }

  /**
   * Tells the reasons for the first move of a line.
   * @param {Doc} doc
   * @param {ReportLine} line
   */
  async why(doc, { moves, winner, score }) {
    const line = moves.join(' ');
    await this.#tellWhy({ do: 'why', game: questionOf(doc), line, winner, score }, words.noReason(moves[0]));
  }

  /**
   * Tells what is wrong with a move.
   * @param {ReturnType<typeof questionOf>} game before it
   * @param {string} move
   * @param {string[]} answer the moves that show it
   * @param {Color} reader whose moves are "yours"
   */
  async whyWrong(game, move, answer, reader) {
    const line = [move, ...answer].join(' ');
    await this.#tellWhy({ do: 'why', game, line, wrong: true, reader }, words.noFault(move, answer[0]));
  }

  /**
   * Tells reasons, or else this sentence, if the position is still on the board then.
   * @param {Parameters<Engine['ask']>[0]} question
   * @param {string} none
   */
  async #tellWhy(question, none) {
    const { app } = this;
    const node = nodeOf(app.doc);
    const { reasons } = await this.ask(question);
    if (nodeOf(app.doc) === node) {
      app.tell(reasons.map((/** @type {Reason} */ { text }) => text).join(' ') || none, { isHere: true });
    }
  }

  /** Starts or stops the review of the study: of its game, also if a variation is on the board. */
  async review() {
    const { app } = this;
    const { study } = app.state.docs;
    if (study.moves.length === 0) {
      app.refuse(words.noMoves);
      return;
    }
    if (this.state.reviewing !== null) {
      this.#set({ reviewing: null });
      return;
    }
    const game = study.tree.mainLine();
    if (!game.has(endOf(study))) {
      const at = study.path.slice(0, study.at + 1).filter((node) => game.has(node)).length - 1;
      const moves = study.tree.lineThrough(study.tree.root);
      await app.load('study', { moves, at, present: at });
    }
    if (isAnnotated(app.state.docs.study)) {
      app.store.update({ showsTurns: true });
    } else {
      this.#set({ reviewing: endOf(app.state.docs.study).id, looked: 0 });
    }
  }

  /**
   * @param {Job} job
   * @param {any} answer
   */
  #hear(job, answer) {
    if (this.state.job !== job) {
      return;
    }
    if ('error' in answer && job.level === SECOND) {
      this.#done();
      const { store, state } = this.app;
      store.update({ second: { ...state.second, failed: { position: job.position, why: answer.error } } });
    } else if ('error' in answer) {
      this.#done();
      this.app.tell(words.engineFailed(answer.error));
      if (job.kind === 'review') {
        this.#set({ reviewing: null });
      }
    } else if ('looked' in answer) {
      this.#set({ looked: answer.looked });
    } else if (answer.annotation) {
      this.#done();
      this.app.do(() => this.#keep(job, answer.annotation));
    } else if (answer.report?.lines.length) {
      // A level chooses some moves without a score, so none is shown.
      if (job.level <= 0) {
        this.#learn(job, answer.report);
      }
    } else if ('best' in answer || 'consulted' in answer) {
      this.#done();
      if (job.kind === 'move') {
        this.#move(job, answer.best ?? answer.consulted);
      } else if (job.kind === 'hint') {
        this.#set({ isHintGiven: true });
        this.#tellHint(this.state.about === job.position ? this.state.report : null);
      }
    }
  }

  /**
   * @param {Job} job
   * @param {Report} report
   */
  #learn(job, report) {
    const { chances, known } = this.state;
    chances.set(job.position, shareOf(report.lines[0]));
    this.#set({ report, about: job.position, known: known + 1 });
  }

  /** Asks why the mistakes of the reviewed game are mistakes, and says it of the move on the board. */
  async explain() {
    const { app } = this;
    const { annotation, human } = app.state.docs.study;
    if (!annotation?.looks) {
      return;
    }
    const { ptn, looks } = annotation;
    const reader = human === 'white' || human === 'black' ? human : null;
    const { reasons } = await this.ask({ do: 'reasons', ptn, looks, reader });
    const now = app.state.docs.study.annotation;
    if (now?.said === annotation.said) {
      app.store.updateDoc('study', { annotation: { ...now, reasons } });
      const here = (reasons[app.state.docs.study.at - 1] ?? []).map((/** @type {Reason} */ { text }) => text);
      app.say(here.join(' ') || words.notExplained);
    }
  }

  /**
   * Stores the annotation with the study, and goes to the first mistake of the user.
   * @param {Job} job
   * @param {any} annotation
   */
  async #keep(job, { moves: said, ...annotation }) {
    const { app } = this;
    const { study } = app.state.docs;
    this.#set({ reviewing: null });
    if (job.position !== endOf(study).id) {
      return;
    }
    const { start, moves } = study;
    app.store.updateDoc('study', { annotation: { start, moves, said, ...annotation } }, { showsTurns: true });
    const [first] = mistakes(app.state.docs.study, app.state.settings.you);
    if (first && app.state.route === 'analysis') {
      await this.play.walk(first.depth);
    }
    app.tell(first ? words.reviewedTo(first.move) : words.reviewed);
    app.dispatchEvent(new Event('board'));
  }

  /**
   * @param {Job} job
   * @param {string | null} best
   */
  #move(job, best) {
    // What waits for it may be an action, and so come before it.
    this.#release();
    this.app.do(async () => {
      // The game may have changed since then.
      const { game } = this.app.state.docs;
      if (best && isEngines(game) && job.position === endOf(game).id) {
        await this.play.answer(best);
      }
    });
  }

  /**
   * The last answer to a question of a task, with the last report. A move in a game comes before a search of our engine;
   * the second engine is interrupted and asked again.
   * @param {{do: string, [field: string]: unknown}} question
   * @returns {Promise<any>}
   */
  async ask(question) {
    const { connection } = this.app;
    const worker = connection.hello?.questions[question.do].worker;
    if (worker === 'engine' && this.state.job?.kind === 'move') {
      await new Promise((go) => {
        this.#afterMove.push(() => go(undefined));
      });
    }
    const isSearch = worker === 'engine' || worker === 'second';
    if (isSearch) {
      this.#done();
      this.#set({ job: null, asked: this.state.asked + 1 });
    }
    try {
      return await connection.listenToEnd(question);
    } finally {
      if (isSearch) {
        this.#set({ asked: Math.max(0, this.state.asked - 1) });
      }
    }
  }
}

/** White's expected score by a line, 0 to 1. @type {(line: ReportLine) => number} */
export const shareOf = ({ chances: [white, draw] }) => (white + draw / 2) / 1000;

/** The report on the position on the board. @type {(engine: Pick<EngineState, 'report' | 'about'>, doc: Doc) => Report | null} */
export const reportOn = ({ report, about }, doc) => (about === positionOf(doc) ? report : null);
