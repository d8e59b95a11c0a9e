import type { StoredGame } from './rules.js';

// Types of browsers are described by the part that is used, so that a project needs none of them.

/** An `AbortSignal`. */
export interface Signal {
  readonly aborted: boolean;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** A `URL`. */
export interface Address {
  readonly href: string;
}

/** A `Worker`. */
export interface WorkerLike {
  postMessage(message: unknown): void;
  terminate(): unknown;
  onmessage: unknown;
  onerror: unknown;
}

/**
 * A position: the start, from a size or a TPS, and the moves from there. A live `Game` of `tak-engine/rules` is taken as
 * its `toJSON()`, also in `{ ...game }`.
 */
export interface Game {
  /** The start as TPS; the empty board by default. */
  tps?: string;
  /** The moves in PTN. */
  moves?: readonly string[];
  /** The width of the board, 3 to 8; 6 by default, ignored with `tps`. */
  size?: number;
  /** Points for Black, in flats, from -10 to 10, whole or half; 0 by default. */
  komi?: number;
  /** The first turns; `swap` by default. */
  opening?: 'swap' | 'no-swap' | 'double-black';
  /** Stones and capstones, White's first; those of the size by default. */
  reserves?: [[stones: number, caps: number], [stones: number, caps: number]];
}

/** A line of play. Scores and chances are White's, whoever is to move. */
export interface Line {
  moves: string[];
  /** The score for White in hundredths. */
  centiflats: number;
  /**
   * The score for White as text, or the plies of a proven win. With `≥` or `≤` it is only a bound, as some are when a limit
   * ends a search between two depths; the last report of `onInfo` before that has those of the whole depth.
   */
  score: string;
  /** White wins, draws and Black wins in a thousand games. */
  chances: [white: number, draw: number, black: number];
  /** The winner, if the result is proven. */
  winner: 'white' | 'black' | null;
  /** A sentence on that. */
  proven: string | null;
}

/** A sentence why a move is good. */
export interface Reason {
  text: string;
  /** What it is about, such as `threat` or `capture`. */
  kind: string;
  /** The squares that it is about. */
  squares: string[];
  /** How it is known. */
  basis: 'rules' | 'proof' | 'search';
}

/** The state of a search. */
export interface Report {
  depth: number;
  nodes: number;
  nodesPerSecond: number;
  milliseconds: number;
  /** The best lines, the best one first. */
  lines: Line[];
}

/** The end of a search. */
export interface Analysis extends Report {
  /** The move to play. */
  best: string | null;
}

export interface AnalyseOptions extends Game {
  /** Time in milliseconds. The search ends at the first limit, and without any when it is stopped. */
  movetime?: number;
  /** Positions to visit. */
  nodes?: number;
  /** Plies. */
  depth?: number;
  /** The number of lines, 1 to 64; 1 by default. */
  multipv?: number;
  /** Playing strength from 1 to 30; 0, the default, is full strength. */
  level?: number;
  /** Elo, from 0 to 10000: the level that is nearest to it, in the place of `level`. */
  elo?: number;
  /** Determines the choices of a level in this position, 0 to 2147483647; 0 by default, so that they are always the same. */
  seed?: number;
  /** Called after every depth. */
  onInfo?: (report: Report) => void;
  /** Ends the search: the promise is rejected with the reason. */
  signal?: Signal;
}

export interface AnnotateOptions {
  /** Positions to visit for every position of the game; 100000 by default. */
  nodes?: number;
  onProgress?: (progress: { done: number; total: number }) => void;
  signal?: Signal;
}

export interface Annotation {
  /** The game with its tags, comments, marks and variations, and with the engine's marks and comments. */
  ptn: string;
  /** White's chances in percent: at the start, and after each move. */
  chances: number[];
  /** Marks such as `?` and comments on each move. */
  moves: { marks: string; comments: string[] }[];
  /** The accuracy of the players, and the move that decided the game, if there is one. */
  summary: string;
}

export interface Result {
  /** As in PTN: `R-0`, `0-F`, `1/2-1/2` ... */
  result: string;
  winner: 'white' | 'black' | null;
  /** A sentence on that. */
  says: string;
  /** The squares of the road, if there is one. */
  road: string[];
}

export interface ParsedGame extends Game {
  size: number;
  komi: number;
  opening: 'swap' | 'no-swap' | 'double-black';
  moves: string[];
  white: string;
  black: string;
  result: string | null;
  /** The other tags. */
  tags: [tag: string, value: string][];
  /** A remark on skipped games or on what is not standard. */
  note: string | null;
}

export interface StartOptions {
  /** The size of the table in MiB, 1 to 1024; 16 by default. */
  hash?: number;
  /** Where tak-engine.wasm is, as an address or in Node a path, or the compiled module. */
  wasm?: Address | string | object;
  /**
   * The folder with weights-3.bin to weights-8.bin and tak-engine-explorer.wasm, as an address or in Node a path; or the
   * weights of some sizes, each from `tak-engine/weights/6` and so on. All those of the package by default; none with
   * `tak-engine/core` in browsers.
   */
  weights?: Address | string | Record<number, string> | readonly Record<number, string>[];
  /** Creates a worker of worker.js, for bundlers that do not find it. Browsers only. */
  worker?: (options: { type: 'module'; name: string }) => WorkerLike;
}

/** The engine is closed. */
export class Closed extends Error {}

/** An engine in a worker of its own. */
export class TakEngine {
  private constructor();
  /** Loads the engine. Rejects a size of the table that there is no memory for. */
  static start(options?: StartOptions): Promise<TakEngine>;
  /**
   * Searches a position. A search in progress is ended and resolves to what it has found. One that waits for that to end
   * is never begun if another is asked for: its promise is rejected with an `AbortError`.
   */
  analyse(options: AnalyseOptions): Promise<Analysis>;
  /** Ends the search in progress, which resolves to what it has found. */
  stop(): void;
  /** At most three reasons for the first move of a line of a search, the most important one first. */
  reasons(game: Game, line: Pick<Line, 'moves' | 'score' | 'winner'>): Promise<Reason[]>;
  /** The legal moves in PTN; none if the game is over. */
  legalMoves(game?: Game): Promise<string[]>;
  /** The game with one more move, as plain data. Rejects an illegal one. */
  play(game: { toJSON(): StoredGame }, move: string): Promise<StoredGame>;
  play<G extends Game>(game: G, move: string): Promise<G & { moves: string[] }>;
  /** The result, or null if the game is not over. */
  result(game: Game): Promise<Result | null>;
  /** The game as PTN, with the names that are given, and its last position as TPS. */
  text(game: Game, players?: { white?: string; black?: string }): Promise<{ ptn: string; tps: string }>;
  /** Reads the first game of a PTN file. */
  parsePtn(text: string): Promise<ParsedGame>;
  /** Marks and comments every move of the first game of a PTN file. What the file has is kept. */
  annotate(ptn: string, options?: AnnotateOptions): Promise<Annotation>;
  /** Ends the workers. Everything in progress is rejected. */
  close(): void;
}
