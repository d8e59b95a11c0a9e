// The engine's task: a move, a hint, analysis, the annotation of the game, or none.

/** Seconds of analysis per position. After that, the user is probably away. */
const ALONG = 3600;
const HINT = 1.5;
/** Nodes per position of an annotated game. `tak-engine annotate --nodes` with this number gives the same marks. */
export const NODES = 50000;

export class Engine extends EventTarget {
  constructor(game, connection) {
    super();
    this.game = game;
    this.connection = connection;
    this.task = null;
    this.unlisten = () => {};
    /** The last report and its position. */
    this.report = null;
    this.about = null;
    /** The position of the requested hint, and whether it has been given. */
    this.hinted = null;
    this.isHintGiven = false;
    /** White's expected score from each analysed position, 0 to 1. */
    this.chances = new Map();
    /** The game being annotated, and the number of positions done. */
    this.annotating = null;
    this.looked = 0;
  }

  /** The report on the position on the board. */
  get known() {
    return this.about === this.game.position ? this.report : null;
  }

  /** The task for now and its position. It does not change while the task runs. */
  wanted() {
    const { game } = this;
    if (!game.view || !this.connection.isOpen) {
      return null;
    }
    const { seconds, level, lines, moves } = game.state;
    const analysing = game.isAnalysed;
    const { position } = game;
    if (game.isEngines) {
      return { kind: 'move', position: game.positionAfter(moves.length), seconds, level, lines: analysing ? lines : 1 };
    }
    if (this.annotating !== null) {
      if (this.annotating === game.positionAfter(moves.length)) {
        return { kind: 'annotate', position: this.annotating };
      }
      this.annotating = null;
    }
    if (game.view.outcome) {
      return null;
    }
    if (analysing && !document.hidden) {
      return { kind: 'along', position, seconds: ALONG, lines };
    }
    const isAsked = this.hinted === position && !this.isHintGiven;
    return isAsked ? { kind: 'hint', position, seconds: HINT, lines: 1 } : null;
  }

  /** The question to the program for that. */
  question({ kind, seconds, level, lines }) {
    const { game } = this;
    const { state } = game;
    if (kind === 'annotate') {
      const { start, moves, names, ended } = state;
      const { main, lines } = game.lines;
      const own = String(main) === String(moves) ? { lines } : {};
      return { do: 'annotate', game: { start, moves }, ...own, names: { ...names, result: ended?.result ?? null }, nodes: NODES };
    }
    const end = state.moves.length;
    const left = kind === 'move' ? state.clock?.[game.turnAfter(end)] : undefined;
    const time = left === undefined ? { seconds } : { left: left / 1000, increment: state.timing.increment };
    if (kind === 'move') {
      // The game continues at its last move, regardless of the move shown.
      return { do: 'think', game: game.whole({ ...state, at: end }), ...time, lines, level, seed: state.seed };
    }
    return { do: 'think', game: game.record(), ...time, lines };
  }

  /** Starts or cancels the annotation of the game. */
  annotate() {
    const { game } = this;
    if (game.state.moves.length === 0) {
      game.refuse('the game has no moves to annotate');
      return;
    }
    this.annotating = this.annotating === null ? game.positionAfter(game.state.moves.length) : null;
    this.looked = 0;
    this.work();
    this.dispatchEvent(new CustomEvent('report'));
  }

  /** Starts the present task, or stops the engine. */
  work() {
    const wanted = this.wanted();
    const name = wanted && JSON.stringify(wanted);
    if (name === (this.task && this.task.name)) {
      return;
    }
    this.unlisten();
    const was = this.task;
    this.task = wanted && { ...wanted, name };
    if (!wanted) {
      if (was && this.connection.isOpen) {
        this.connection.send({ do: 'stop' });
      }
      return;
    }
    const { task } = this;
    this.unlisten = this.connection.listen(this.question(wanted), (answer) => this.hear(task, answer));
    this.dispatchEvent(new CustomEvent('report'));
  }

  /** The question in progress gets no more answers. */
  forget() {
    this.unlisten();
    this.task = null;
  }

  hint() {
    if (this.game.barred()) {
      this.game.refuse(this.game.barred());
      return;
    }
    this.hinted = this.game.position;
    this.isHintGiven = false;
    // During analysis, the best move is the hint.
    if (this.known && this.task?.kind === 'along') {
      this.tellHint();
    }
    this.work();
  }

  tellHint() {
    this.isHintGiven = true;
    this.game.say(`Hint: ${this.known.lines[0].moves[0]}.`);
    this.dispatchEvent(new CustomEvent('report'));
  }

  hear(task, answer) {
    if (task !== this.task) {
      return;
    }
    if ('error' in answer) {
      this.unlisten();
      this.game.say(`Analysis failed: ${answer.error}.`);
      if (task.kind === 'annotate') {
        this.annotate();
      }
    } else if ('looked' in answer) {
      this.looked = answer.looked;
      this.dispatchEvent(new CustomEvent('report'));
    } else if (answer.annotation) {
      this.unlisten();
      this.annotating = null;
      this.game.do(() => this.keep(task, answer.annotation));
    } else if (answer.report?.lines.length) {
      // A level chooses some moves without a score, so none is shown.
      if (!task.level) {
        this.learn(task, answer.report);
      }
    } else if ('best' in answer) {
      this.unlisten();
      if (task.kind === 'move') {
        this.move(task, answer.best);
      } else if (task.kind === 'hint') {
        this.tellHint();
        this.work();
      }
    }
  }

  learn(task, report) {
    this.report = report;
    this.about = task.position;
    const [white, draw] = report.lines[0].chances;
    this.chances.set(task.position, (white + draw / 2) / 1000);
    this.dispatchEvent(new CustomEvent('report'));
  }

  /** Stores the annotation with the game. */
  keep(task, { moves: said, ...annotation }) {
    const { game } = this;
    const { start, moves } = game.state;
    if (task.position === game.positionAfter(moves.length)) {
      game.state = { ...game.state, annotation: { start, moves, said, ...annotation } };
      game.keep(game.state);
      game.changed();
      game.say('The game is annotated.');
    }
  }

  move(task, best) {
    this.game.do(async () => {
      // The game may have changed since then.
      const { game } = this;
      if (best && game.isEngines && task.position === game.positionAfter(game.state.moves.length)) {
        await game.answer(best);
      }
    });
  }

  /** The move to show on the board, as in the program's report. */
  get advice() {
    const { isAnalysed, position, hand: { draft } } = this.game;
    const isShown = isAnalysed || this.hinted === position;
    const line = isShown && !draft ? this.known?.lines[0] : null;
    return line?.first ?? null;
  }
}
