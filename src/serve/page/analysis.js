// What the engine has to do: to move, to give a hint, to think along, or nothing.

/** How long it thinks along, in seconds; then nobody is looking. */
const ALONG = 3600;
const HINT = 1.5;
/** For each position of a game that is judged as a whole. */
const EACH = 0.5;

export class Engine extends EventTarget {
  constructor(game, connection) {
    super();
    this.game = game;
    this.connection = connection;
    this.task = null;
    this.unlisten = () => {};
    /** The last report, and the position that it is about. */
    this.report = null;
    this.about = null;
    /** The position that a hint was asked for, and whether it has been given. */
    this.hinted = null;
    this.isHintGiven = false;
    /** What White scores on average from a position on, 0 to 1, as far as it has been thought about. */
    this.chances = new Map();
    this.isJudging = false;
  }

  /** What is known of the position on the board. */
  get known() {
    return this.about === this.game.position ? this.report : null;
  }

  /** What should be done now. */
  wanted() {
    const { game } = this;
    if (!game.view || !this.connection.isOpen) {
      return null;
    }
    const { seconds, lines, analysing } = game.state;
    if (game.isEngines) {
      return { kind: 'move', seconds, lines: analysing ? lines : 1 };
    }
    if (this.isJudging) {
      return this.nextToJudge();
    }
    if (game.isOver) {
      return null;
    }
    if (analysing && !document.hidden) {
      return { kind: 'along', seconds: ALONG, lines };
    }
    return this.hinted === game.position && !this.isHintGiven ? { kind: 'hint', seconds: HINT, lines: 1 } : null;
  }

  /** The first position of the game that nothing is known of. */
  nextToJudge() {
    const { game } = this;
    for (let at = 0; at <= game.state.moves.length; at += 1) {
      if (!this.chances.has(game.positionAfter(at))) {
        return { kind: 'judge', at, seconds: EACH, lines: 1 };
      }
    }
    this.isJudging = false;
    game.say('Every position of the game is judged.');
    return this.wanted();
  }

  /** Thinks about all positions of the game, or no longer. */
  judge() {
    this.isJudging = !this.isJudging;
    this.work();
    this.dispatchEvent(new CustomEvent('report'));
  }

  /** Sets the engine to work, or to rest. */
  work() {
    const wanted = this.wanted();
    const position = wanted?.kind === 'judge' ? this.game.positionAfter(wanted.at) : this.game.position;
    const name = wanted && JSON.stringify([wanted, position]);
    if (name === (this.task && this.task.name)) {
      return;
    }
    this.unlisten();
    const was = this.task;
    this.task = wanted && { ...wanted, name, position };
    if (!wanted) {
      if (was && this.connection.isOpen) {
        this.connection.send({ do: 'stop' });
      }
      return;
    }
    const { seconds, lines } = wanted;
    const game = { ...this.game.record(), ...(wanted.kind === 'judge' ? { at: wanted.at } : {}) };
    const question = { do: 'think', game, seconds, lines };
    const { task } = this;
    this.unlisten = this.connection.listen(question, (answer) => this.hear(task, answer));
    this.dispatchEvent(new CustomEvent('report'));
  }

  /** Nobody answers what was asked any more. */
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
    // While it thinks along, what it thinks is the hint.
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
    if (answer.report?.lines.length) {
      this.report = answer.report;
      this.about = task.position;
      const [white, draw] = answer.report.lines[0].chances;
      this.chances.set(task.position, (white + draw / 2) / 1000);
      this.dispatchEvent(new CustomEvent('report'));
    } else if ('best' in answer) {
      this.unlisten();
      if (task.kind === 'move') {
        this.move(task, answer.best);
      } else if (task.kind === 'hint') {
        this.tellHint();
        this.work();
      } else if (task.kind === 'judge') {
        this.work();
      }
    } else if ('error' in answer && task.kind === 'judge') {
      // The game is over there; what the result is can be seen.
      this.unlisten();
      this.chances.set(task.position, null);
      this.work();
    } else if ('error' in answer) {
      this.unlisten();
      this.game.say(`The engine cannot think: ${answer.error}.`);
    }
  }

  move(task, best) {
    this.game.do(async () => {
      // Somebody may have gone elsewhere in the meantime.
      if (best && task.position === this.game.position && this.game.isEngines) {
        await this.game.play(best);
      }
    });
  }

  /** The move to point at: {from, to}. */
  get advice() {
    const { state, position, draft } = this.game;
    const isShown = state.analysing || this.hinted === position;
    const line = isShown && !draft ? this.known?.lines[0] : null;
    return line ? { from: line.from, to: line.to } : null;
  }
}
