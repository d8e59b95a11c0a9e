// The engine for pages and programs: positions in, moves and judgements out.

import { filesIn } from './folder.js';
import { ANALYSE, ANNOTATE, GAME, LINE, NAMES, START, USUAL, check, checkText, plain } from './options.js';
import { Closed, Searcher } from './searcher.js';

/** The nodes for every position of a game that is annotated. */
const USUAL_NODES = 100_000;
/** The longest search, in seconds. */
const ENDLESS = 86_400;

/** The game as the program knows it. */
function record({ tps, moves = [], size = USUAL.size, komi = USUAL.komi, opening = USUAL.opening, reserves }) {
  return { start: { size, half_komi: komi * 2, opening, tps, reserves }, moves };
}

/** The files for a worker: in a folder, or weights of some sizes, such as `tak-engine/weights/6` has. */
function filesOf({ files, locate }, weights) {
  if (weights === undefined) {
    return files;
  }
  if (typeof weights === 'string' || 'href' in weights) {
    const folder = locate(weights);
    folder.pathname = folder.pathname.replace(/\/?$/, '/');
    return filesIn(folder);
  }
  return { ...files, weights: Object.assign({}, ...[weights].flat()) };
}

/** A game of a caller as plain data. */
function checked(given) {
  const game = plain(given);
  check('game', game, GAME);
  return game;
}

/** A number in percent, if there is one. */
const percent = (value) => (value === null ? '-' : `${Math.round(value)} %`);

/** What an annotated game comes to, in a sentence or two. */
function summary({ players: { white, black }, decisive }, { start, moves }) {
  const accuracy = `Accuracy: White ${percent(white.accuracy)}, Black ${percent(black.accuracy)}.`;
  if (decisive === null) {
    return accuracy;
  }
  const [, turn = '1', number = '1'] = start.tps?.split(' ') ?? [];
  const ply = 2 * Number(number) + Number(turn) - 3 + decisive;
  return `${accuracy} ${Math.floor(ply / 2) + 1}.${ply % 2 === 0 ? '' : '..'} ${moves[decisive]} decided the game.`;
}

/** The engine reads valid Unicode only, which half of a surrogate pair is not. */
function checkRead(isQuestion) {
  if (!isQuestion) {
    throw new TypeError('a text has half of a surrogate pair');
  }
}

function readLine({ moves, centiflats, score, chances, winner, proven }) {
  return { moves, centiflats, score, chances, winner, proven };
}

function readReport({ depth, nodes, nodes_per_second: nodesPerSecond, milliseconds, lines }) {
  return { depth, nodes, nodesPerSecond, milliseconds, lines: lines.map(readLine) };
}

export class TakEngine {
  /** The differences between browsers and Node, set by the entries of the package. */
  static platform;

  #hash;
  /** Searches. */
  #thinker;
  /** Answers everything else, also during a search, and gives reasons. Started when it is first needed. */
  #clerk = null;
  #startClerk;
  /** The present search. */
  #task = null;

  constructor(platform, module, hash, files) {
    if (platform === undefined) {
      throw new TypeError('an engine is made by TakEngine.start()');
    }
    this.#hash = hash;
    this.#thinker = new Searcher(platform, module, files);
    this.#startClerk = () => new Searcher(platform, module, files);
  }

  static async start(options = {}) {
    check('option', options, START);
    const { hash = USUAL.hash, wasm = this.platform.wasm, weights, worker } = options;
    if (worker && !this.platform.workers) {
      throw new TypeError('invalid worker: it is for browsers, and this platform starts its own');
    }
    const module = wasm instanceof WebAssembly.Module ? wasm : await this.platform.compile(this.platform.locate(wasm));
    const platform = worker ? { ...this.platform, startWorker: this.platform.workers(worker) } : this.platform;
    const engine = new this(platform, module, hash, filesOf(platform, weights));
    try {
      await engine.#thinker.run({ do: 'prepare', hash });
    } catch (error) {
      engine.close();
      throw error;
    }
    return engine;
  }

  close() {
    this.#thinker.close();
    this.#clerk?.close();
  }

  async analyse(given) {
    const options = plain(given);
    check('option', options, ANALYSE);
    const { multipv = USUAL.multipv, level = USUAL.level, elo, seed, movetime, nodes, depth, onInfo, signal } = options;
    const hasLimit = [movetime, nodes, depth].some((limit) => limit !== undefined);
    const seconds = hasLimit ? movetime && movetime / 1000 : ENDLESS;
    const question = { do: 'think', game: record(options), lines: multipv, level, elo, seed, seconds, nodes, depth };
    let last = null;
    let best;
    await this.#think(question, signal, (answer) => {
      if (answer.report) {
        last = readReport(answer.report);
        onInfo?.(last);
      } else if ('best' in answer) {
        ({ best } = answer);
      }
      return last !== null;
    });
    return { best: best === undefined ? (last.lines[0]?.moves[0] ?? null) : best, ...last };
  }

  stop() {
    this.#task?.end();
  }

  async legalMoves(game = {}) {
    const { legal } = await this.#ask({ do: 'moves', game: record(checked(game)) });
    return legal;
  }

  async play(given, move) {
    const game = checked(given);
    checkText(move, 'move');
    const moves = [...(game.moves ?? []), move];
    const { view } = await this.#ask({ do: 'view', game: record({ ...game, moves }) });
    return { ...game, moves: [...moves.slice(0, -1), view.last.text] };
  }

  async result(game) {
    const { view } = await this.#ask({ do: 'view', game: record(checked(game)) });
    return view.outcome;
  }

  async reasons(game, line) {
    check('line', line, LINE);
    const { moves = [], winner, score } = line;
    const { reasons } = await this.#ask({ do: 'why', game: record(checked(game)), line: moves.join(' '), winner, score }, 'explain');
    return reasons;
  }

  async text(game, players = {}) {
    check('name', players, NAMES);
    const names = { white: players.white || undefined, black: players.black || undefined };
    const { text } = await this.#ask({ do: 'write', game: record(checked(game)), names });
    return { ptn: text.ptn, tps: text.tps };
  }

  async parsePtn(text) {
    const { game, names, note = null } = await this.#read(text);
    const { size, half_komi: halfKomi, opening, reserves, tps } = game.start;
    const { white, black, result, tags } = names;
    const start = { size, komi: halfKomi / 2, opening, ...(reserves && { reserves }), ...(tps && { tps }) };
    return { ...start, moves: game.moves, white, black, result, tags, note };
  }

  async annotate(ptn, options = {}) {
    check('option', options, ANNOTATE);
    const { nodes = USUAL_NODES, onProgress, signal } = options;
    const { game } = await this.#read(ptn);
    const total = game.moves.length;
    let found = null;
    // Without moves it may be a TPS, which is not PTN.
    const text = total > 0 ? ptn : undefined;
    await this.#think({ do: 'annotate', game, text, nodes }, signal, (answer) => {
      if (answer.looked !== undefined) {
        onProgress?.({ done: answer.looked, total });
      }
      found ??= answer.annotation;
      return true;
    });
    if (!found) {
      throw new DOMException('the annotation was stopped', 'AbortError');
    }
    const moves = found.moves.map(({ marks, says }) => ({ marks, comments: says }));
    return { ptn: found.ptn + found.variations, chances: found.chances, moves, summary: summary(found, game) };
  }

  async #read(text) {
    checkText(text, 'PTN');
    // Of no size: moves without one are for the smallest board that fits.
    const like = { ...record({}).start, size: 0 };
    const { found } = await this.#ask({ do: 'read', text, like });
    return found;
  }

  /** The answer to a question that needs no search. */
  async #ask(question, job = 'ask') {
    let answer = {};
    const text = JSON.stringify({ id: 1, ...question });
    if (this.#thinker.isClosed) {
      throw new Closed();
    }
    this.#clerk ??= this.#startClerk();
    checkRead(await this.#clerk.run({ do: job, text, hash: 0 }, (message) => {
      answer = JSON.parse(message);
    }));
    if (answer.error) {
      throw new Error(answer.error);
    }
    return answer;
  }

  /**
   * Runs a search or an annotation after the one before it, which is ended. `hear` gets the answers, and returns true
   * if no more of them are needed.
   */
  async #think(question, signal, hear) {
    signal?.throwIfAborted();
    const before = this.#task;
    before?.end();
    const task = { isEnded: false, isRunning: false, isReplaced: false };
    task.end = () => {
      task.isEnded = true;
      if (task.isRunning) {
        this.#thinker.interrupt();
      }
    };
    if (before) {
      before.isReplaced = true;
    }
    this.#task = task;
    signal?.addEventListener('abort', task.end);
    task.over = this.#run(before, task, question, hear);
    try {
      await task.over;
    } finally {
      if (this.#task === task) {
        this.#task = null;
      }
      signal?.removeEventListener('abort', task.end);
    }
    signal?.throwIfAborted();
  }

  async #run(before, task, question, hear) {
    // Whoever asked for the one before hears of its failure.
    if (before) {
      await before.over.catch(() => {});
    }
    if (task.isReplaced) {
      throw new DOMException('another search was asked for before this one began', 'AbortError');
    }
    let failure = null;
    const text = JSON.stringify({ id: 1, ...question });
    const end = this.#thinker.run({ do: 'ask', text, hash: this.#hash }, (message) => {
      const answer = JSON.parse(message);
      failure ??= answer.error;
      return hear(answer);
    });
    task.isRunning = true;
    if (task.isEnded) {
      this.#thinker.interrupt();
    }
    try {
      checkRead(await end);
    } finally {
      task.isRunning = false;
    }
    if (failure) {
      throw new Error(failure);
    }
  }
}

export { Closed };
