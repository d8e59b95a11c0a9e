// The questions of the page and the program's answers, as JSON. A test compares this file with the answers of the program
// (tests/all/page.rs); it reads interfaces and type aliases only, one field a line.

export type Color = 'white' | 'black';
export type Kind = 'flat' | 'wall' | 'capstone';
export type WorkerName = 'clerk' | 'engine' | 'explorer' | 'second';

/** The start of a game. Komi is counted in half flats; `reserves` are flats and capstones, White's first. */
export interface Start {
  size: number;
  half_komi?: number;
  opening: string;
  reserves?: [[number, number], [number, number]] | null;
  tps?: string | null;
}

/** A game: its start and moves in PTN. `at` is the number of moves before the position meant; all if absent. */
export interface GameRecord {
  start: Start;
  moves: string[];
  at?: number | null;
}

/** A move in parts: `kind` is null for a spread, whose drops are squares with numbers of pieces. */
export interface MoveParts {
  text: string;
  from: string;
  kind: Kind | null;
  drops: [string, number][];
}

/** The last move; `says` is a sentence about it. */
export interface LastMove {
  text: string;
  from: string;
  kind: Kind | null;
  drops: [string, number][];
  says: string;
}

export interface Square {
  name: string;
  stack: string;
  spreads: string[] | null;
}

/** A piece that can be placed, the stack that it makes, and what Enter would do. */
export interface Placeable {
  kind: Kind;
  stack: string;
  enter: string;
}

/** The pieces that a player has left, and the flats on the board. */
export interface PlayerView {
  stones: number;
  caps: number;
  flats: number;
}

export interface Outcome {
  result: string;
  winner: Color | null;
  says: string;
  road: string[];
}

/** A position with its legal moves. `threat` is the road that the last player to move could complete now. */
export interface View {
  size: number;
  opening: string;
  half_komi: number;
  tps: string;
  to_move: Color;
  places: Color;
  move_number: number;
  kinds: Placeable[];
  squares: Square[];
  white: PlayerView;
  black: PlayerView;
  count: string;
  is_over: boolean;
  last: LastMove | null;
  threat: string[];
  outcome: Outcome | null;
}

/** The positions of a game, the start first. */
export interface Line {
  tps: string[];
  is_over: boolean;
}

/**
 * What a file says about a move. `chance` is White's expected score after it, 0 to 1, or else `evaluation` the same by
 * centiflats alone, and `line` an engine's best line.
 */
export interface Notes {
  marks?: string;
  comments?: string[];
  chance?: number;
  evaluation?: number;
  name?: string;
  before?: string[];
  line?: string[];
}

/** Moves from a position of an earlier line on; positions are counted in the order of the lines, with 0 for the start. */
export interface GameLine {
  parent: number;
  result: string | null;
  moves: (string | [string, Notes])[];
}

/** Players, result and the other tags of a game. */
export interface Names {
  white: string;
  black: string;
  result: string | null;
  tags: [string, string][];
  comments: string[];
}

export interface Found {
  game: GameRecord;
  names: Names;
  lines: GameLine[];
  note?: string;
  /** If the game is an annotated one. */
  annotation?: Annotation;
}

/** A game as PTN, its variations, and the position as TPS. */
export interface GameText {
  ptn: string;
  variations: string;
  tps: string;
}

/**
 * A line of analysis. `chances` are those of a White win, a draw and a Black win, in thousandths; `score` is White's
 * lead in flats as a text, or the number of moves to a proven end, which `proven` describes.
 */
export interface ReportLine {
  chances: [number, number, number];
  score: string;
  centiflats: number;
  proven: string | null;
  winner: Color | null;
  moves: string[];
  first: MoveParts | null;
}

/** The progress of a search. */
export interface Report {
  depth: number;
  nodes: number;
  nodes_per_second: number;
  milliseconds: number;
  lines: ReportLine[];
}

/** A better line in the place of a mistake, and why it is better. */
export interface Better {
  line: MoveParts[];
  why: string;
}

/** Remarks on a move; `mark` is the engine's judgement. */
export interface Remarks {
  marks: string;
  mark: string;
  says: string[];
  better?: Better;
}

/** A player's part in an annotated game: accuracy and mean loss in points of 100, and the number of each mark. */
export interface PlayerSummary {
  accuracy: number | null;
  loss: number | null;
  blunders: number;
  mistakes: number;
  good: number;
}

/** An annotated game: White's chances in per cent at the start and after each move; `looks` are for its report. */
export interface Annotation {
  chances: number[];
  moves: Remarks[];
  players: { white: PlayerSummary; black: PlayerSummary };
  decisive: number | null;
  /** The game with its main line alone, and the text of its variations. */
  ptn: string;
  variations: string;
  looks: unknown[];
}

/** A sentence why a move is good or bad, the squares that it is about, and how it is known. */
export interface Reason {
  text: string;
  kind: string;
  squares: string[];
  basis: 'rules' | 'proof' | 'search';
}

/** The best defence in a puzzle; `is_lost` is null if more positions would be needed to know. */
export interface Defence {
  is_lost: boolean | null;
  move?: string;
  plies?: number;
}

/** A collection of games: how many were read, the damaged ones, and the number of games of each board size. */
export interface Collected {
  games: number;
  damaged: number;
  faults: string[];
  sizes: [number, number][];
}

/** A move of the explorer: how many games have it, their results, and the mean rating of its players. */
export interface Explored {
  move: string;
  games: number;
  white: number;
  draw: number;
  black: number;
  unknown: number;
  rated: number;
  rating: number | null;
}

/** A move of the table of openings: White's chance in per cent and score, and the best line after it. */
export interface KnownMove {
  move: string;
  name: string;
  chance: number;
  score: string;
  depth: number;
  line: string[];
}

/** A game of a file: its text as it was read, the result or nothing, and the values of its other tags. */
export interface ListedGame {
  text: string;
  white: string;
  black: string;
  size: number;
  half_komi: number;
  date: string;
  result: string;
  plies: number;
  tags: string;
}

/** The games of a part of a file, and what is wrong with damaged ones. */
export interface Listed {
  games: ListedGame[];
  faults: string[];
}

export interface QuestionKind {
  worker: WorkerName;
  answer: string;
}

/** A level: its Elo, and a word for such a player. */
export interface Level {
  elo: number;
  player: string | null;
}

/** The first message: board sizes with flats and capstones, the range of komi with a sentence on each, and limits. */
export interface Hello {
  version: string;
  sizes: [number, number, number][];
  half_komi: [number, number];
  komi_means: string[];
  levels: Level[];
  reserve: [number, number];
  lines: number;
  questions: { [name: string]: QuestionKind };
  second: string | null;
}
