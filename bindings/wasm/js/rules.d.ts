// Games by the rules, without a worker and without the engine.

export type Color = 'white' | 'black';
export type Opening = 'swap' | 'no-swap' | 'double-black';
export type Theme = 'light' | 'dark' | 'wood' | 'wood-dark' | 'contrast' | 'contrast-dark' | 'print';

/** Stones and capstones of both players, White's first. */
export type Reserves = [[stones: number, caps: number], [stones: number, caps: number]];

/** The start of a game and its moves: what `TakEngine` takes too. */
export interface GameOptions {
  /** The width of the board, 3 to 8; 6 by default, ignored with `tps`. */
  size?: number;
  /** Points for Black, in flats, from -10 to 10, whole or half; 0 by default. */
  komi?: number;
  /** The first turns; `swap` by default. */
  opening?: Opening;
  /** The start as TPS; the empty board by default. */
  tps?: string;
  /** Stones and capstones at the start, White's first; those of the size by default. */
  reserves?: Reserves;
  /** The moves from the start, in PTN. */
  moves?: readonly string[];
}

/** A game that can be stored as JSON. `new Game(stored)` is the same game, without tags and comments. */
export interface StoredGame extends GameOptions {
  size: number;
  komi: number;
  opening: Opening;
  tps: string;
  reserves: Reserves;
  moves: string[];
}

/** An occupied square. */
export interface Stack {
  /** Such as `a1`. */
  square: string;
  /** The owner of the stack: the colour of its top piece. */
  color: Color;
  /** The top piece. */
  type: 'flat' | 'wall' | 'capstone';
  /** The colours of all pieces, the bottom one first. */
  stack: Color[];
}

/** The end of a game by the rules. */
export interface Outcome {
  /** As in PTN: `R-0`, `0-F`, `1/2-1/2` ... */
  result: string;
  /** Null for a draw. */
  winner: Color | null;
  /** A road, or flats that were counted on a full board or because a player has no piece left. */
  reason: 'road' | 'board-full' | 'reserves';
  /** A sentence, such as `White wins by a road`. */
  says: string;
  /** The squares of the road from edge to edge; empty without one. */
  road: string[];
}

export interface SvgOptions {
  /** The colours; `light` by default. */
  theme?: Theme;
  /** Pixels, 1 to 10000; 480 by default. */
  width?: number;
  /** True for the board from Black's side. */
  flipped?: boolean;
  /** Legal moves to draw, at most six. */
  moves?: readonly string[];
}

/** Loads the rules, once. Await it before the first game; later calls do nothing. */
export function init(): Promise<void>;

/**
 * A game: a position and the moves that led to it. What cannot be read or played throws an `Error` with the reason and
 * the place, and changes nothing.
 */
export class Game {
  /**
   * The same game as another one if that is given, without tags and comments. Throws a `TypeError` for an unknown name or
   * a wrong kind, a `RangeError` for a number or name out of range, an `Error` for an invalid position or move.
   */
  constructor(game?: GameOptions);
  /**
   * Reads the first game of a PTN file, with its tags, comments, marks and variations. Non-standard forms are accepted;
   * `note` names them. A game without Size and TPS is for the smallest board that fits its moves. Errors have the line.
   */
  static fromPtn(text: string): Game;
  /** A copy that can be changed without changing this one. */
  copy(): Game;
  /** Gives back the memory at once, for loops that make many games. Every later use of the game throws. */
  free(): void;

  /** The width of the board. */
  readonly size: number;
  readonly komi: number;
  readonly opening: Opening;
  /** Stones and capstones that are left, White's first. */
  readonly reserves: Reserves;
  /** The flats on top of stacks, White's first, without komi. */
  readonly flats: [white: number, black: number];
  /** The player to move. */
  readonly turn: Color;
  /** Single moves since move 1 of White. */
  readonly ply: number;
  /** The number of the move to be played, as in PTN. */
  readonly moveNumber: number;
  /** The position as TPS, which contains neither komi nor reserves nor the opening. */
  readonly tps: string;
  /** The number of times that the position has occurred in this game. Repetitions do not end it. */
  readonly occurrences: number;
  /** The result by the rules, as in PTN; null while the game goes on. `tags.Result` may have that of a resignation. */
  readonly result: string | null;
  /** The result with its reason; null while the game goes on. */
  readonly outcome: Outcome | null;
  isGameOver(): boolean;

  /** The legal moves in PTN, always in the same order; none if the game is over. */
  legalMoves(): string[];
  isLegal(move: string): boolean;
  /** Plays a move and returns it as PTN writes it. Throws the reason if it cannot be played. */
  play(move: string): string;
  /** Takes back the last move and returns it; null at the start. */
  undo(): string | null;
  /** The moves since the start. */
  history(): string[];

  /** The board, row by row from the highest to row 1, squares from a on; null for an empty one. */
  board(): (Stack | null)[][];
  /** The stack on a square; null if it is empty. Throws for a square that is not on the board. */
  get(square: string): Stack | null;

  /** The tags of the PTN that it was read from, without those of the start. */
  readonly tags: Record<string, string>;
  /** A remark on the text that it was read from: skipped games, a guessed size, what is not standard. */
  readonly note: string | null;
  /**
   * The game as PTN. The tags come before those that it was read with, which they replace. `Result` is for games that have
   * no result by the rules: if there is one, it is written instead.
   */
  toPtn(tags?: Record<string, string>): string;
  /** The start and the moves, for `JSON.stringify`, `new Game` and the functions of `TakEngine`. */
  toJSON(): StoredGame;

  /**
   * The position as a picture, with its last move and, if there is one, its road. In its units a square is 100 wide, and the
   * upper left corner of the board is at 0, 0. Pieces have `data-square` and `data-level`.
   */
  svg(options?: SvgOptions): string;
  /** The position as text, with `○` for White and `●` for Black. */
  ascii(): string;
  toString(): string;
}
