// The state of the page. Trees and nodes may grow, everything else is replaced by `Store.update`.

import type { Collection } from './library/conversations.js';
import type { Piece, Setup } from './model/setup.js';
import type { Node, Tree } from './model/tree.js';
import type {
  Annotation,
  Color,
  Explored,
  Hello,
  Kind,
  LastMove,
  ListedGame,
  PlayerSummary,
  Reason,
  Report,
  Start,
} from './protocol.js';

export type Route = 'play' | 'analysis' | 'puzzles' | 'learn' | 'explorer' | 'library' | 'editor';
export type DocName = 'game' | 'study' | 'puzzle' | 'lesson' | 'explorer' | 'editor';
/** Who plays: the user and an engine, two people, two engines, anyone, or the solver of a task. */
export type Mode = 'engine' | 'two' | 'self' | 'free' | 'task';

/** The end of a game without a move. */
export interface End {
  result: string;
  says: string;
  winner?: Color;
  isTime?: boolean;
}

export interface Timing {
  isClock: boolean;
  minutes: number;
  increment: number;
}

/** A continuation that was cut off. */
export interface Cut {
  at: number;
  moves: string[];
  ended: End | null;
  /** Absent in games of earlier versions. */
  present?: number;
  to?: number;
}

/** Several games between two engines: `first` is the level that was White in the first game. */
export interface Series {
  total: number;
  first: number;
  second: number;
  /** Points of the first level, or of White if the levels are equal, and games played. */
  points: number;
  played: number;
}

/** A step in a study that can be undone. */
export interface Edit {
  kind: 'add' | 'delete' | 'promote';
  node: Node;
  /** The parents' children before it. */
  before: [Node, Node[]][];
  at: Node;
}

/** An annotated game: the answer of the program for this start and these moves. */
export interface Review {
  start: Start;
  moves: string[];
  said: Annotation['moves'];
  chances: number[];
  players?: { white: PlayerSummary; black: PlayerSummary };
  decisive?: number | null;
  ptn: string;
  looks?: unknown[];
  /** Whether it is that of a file. */
  isRead?: boolean;
  /** Why each move is a mistake; empty for those that are none. Absent until it is asked for. */
  reasons?: Reason[][];
  /** Whose mistakes were kept as puzzles: how many of all. */
  kept?: { sides: Color[]; found: number; all: number };
}

/** What is on a board: a game, a study, a puzzle, a lesson, a position of the explorer or one that is set up. */
export interface Doc {
  name: DocName;
  mode: Mode;
  start: Start;
  tree: Tree;
  /** The line on the board: its nodes, its moves, how many of these are on the board, and how many were played. */
  path: Node[];
  moves: string[];
  at: number;
  present: number;
  /** The colour of the user, or who solves a task; null if nobody may move. */
  human: Color | 'both' | null;
  level: number;
  /** Black's level if two engines play; White's is `level`. */
  otherLevel: number;
  seed: number;
  seconds: number;
  timing: Timing;
  clock: { white: number; black: number } | null;
  names: { white: string; black: string; tags?: [string, string][]; comments?: string[] };
  ended: End | null;
  annotation: Review | null;
  cuts: Cut[];
  uncut: Cut[];
  takebacks: number;
  paused: boolean;
  flipped: boolean;
  series: Series | null;
  edits: Edit[];
}

/** A game as it is stored. */
export type StoredGame = Omit<Doc, 'name' | 'tree' | 'path' | 'edits'> & { tree: unknown[] };

export interface Settings {
  board: 'wood' | 'slate' | 'contrast';
  colours: 'system' | 'light' | 'dark';
  callsTak: boolean;
  coordinates: boolean;
  numbers: boolean;
  animates: boolean;
  sounds: boolean;
  analysing: boolean;
  lines: number;
  pace: number;
  you: string;
  even: number;
  judged: number;
  nextColor: Color | null;
  /** The choices of the last game. */
  level: number;
  seconds: number;
  timing: Timing;
}

/** A spread that begins with these drops. */
export interface Draft {
  from: string;
  lifted: number;
  way: string | null;
  drops: number[];
}

export interface Spread {
  text: string;
  from: string;
  lifted: number;
  way: string;
  drops: number[];
}

export interface Pile {
  name: string;
  stack: string;
}

/** A spread in progress. */
export interface Held {
  draft: Draft;
  squares: Pile[];
  over: string;
  hand: string;
  next: string[];
  flattens: string[];
  says: string;
  count: number;
  hovers: string | null;
}

export interface Effect {
  from: string;
  drops: [string, number][];
  squares: Pile[];
}

export interface Hand {
  held: Held | null;
  cursor: string;
  kind: Kind;
  /** The number of pieces to lift, if one was chosen. */
  count: number | null;
}

/** A move to animate. `isBack` if it was taken back. */
export interface Motion {
  from: string;
  drops: [string, number][];
  isBack: boolean;
}

/** The engine's task. */
export interface Job {
  kind: 'move' | 'review' | 'along' | 'hint';
  doc: DocName;
  position: string;
  seconds: number;
  level: number;
  lines: number;
}

export interface EngineState {
  job: Job | null;
  report: Report | null;
  /** The position of the report. */
  about: string | null;
  /** White's expected score by position, 0 to 1. It grows; `known` counts the changes. */
  chances: Map<string, number>;
  known: number;
  hinted: string | null;
  isHintGiven: boolean;
  /** The end of the line that is reviewed, and the positions done. */
  reviewing: string | null;
  looked: number;
  /** The number of questions of tasks that the engine works on. */
  asked: number;
}

/** What the second engine says in the analysis; `trouble` is why it says nothing more. */
export interface SecondState {
  report: Report | null;
  /** The position of the report. */
  about: string | null;
  trouble: string;
  /** The position of a game in which it gave no move, and why. */
  failed: { position: string; why: string } | null;
}

/** A mistake that is tried again. */
export interface Attempt {
  node: Node;
  tries: number;
  isDone: boolean;
  /** What became of the last try, and what is told of it. */
  kind: Verdict['kind'];
  text: string;
}

/** The position after some moves of a line of analysis, for a look. */
export interface Preview {
  line: number;
  count: number;
  tps: string;
  last: LastMove | null;
}

export interface News {
  text: string;
  undo?: () => void;
  why?: () => void;
  /** Whether it is about the position on the board, and goes with it. */
  isHere?: boolean;
}

export type PuzzleKind = 'tinue' | 'flats' | 'defence' | 'best';
export interface SolutionStep {
  move: string;
  answers: SolutionStep[];
}

export interface Puzzle {
  kind: PuzzleKind;
  tps: string;
  size: number;
  komi: number;
  flats: [number, number];
  caps: [number, number];
  plies: number | null;
  difficulty: number;
  themes?: string[];
  solution: SolutionStep;
  /** Other right first moves. */
  also?: string[];
  wrong: { move: string; answer: string[] }[];
}

export interface Results {
  rating: number;
  deviation: number;
  volatility: number;
  streak: number;
  longest: number;
  day: number;
  days: number;
  done: Record<string, 0 | 1>;
  /** The rating after each of the last puzzles, and whether it was solved. */
  history: [number, 0 | 1][];
}

export interface Verdict {
  kind: '' | 'right' | 'wrong';
  title: string;
  text: string;
  /** Says why. */
  explain?: (() => unknown) | null;
}

export interface PuzzlesState {
  shipped: Puzzle[];
  opened: { puzzles: Puzzle[]; skipped: number; name: string } | null;
  isLoaded: boolean;
  filter: { size: string; group: string; grade: string; theme: string };
  puzzle: Puzzle | null;
  origin: Start | null;
  /** Whether mistakes of the user are chosen, and the one on the board. */
  isOwn: boolean;
  mistake: Mistake | null;
  status: 'open' | 'wrong' | 'solved' | 'shown';
  isMissed: boolean;
  /** The best answer to the last wrong move. */
  refutation: string[];
  day: number | null;
  verdict: Verdict;
  results: Results;
  isKept: boolean;
  seen: Set<string>;
}

/** A mistake of the user as a puzzle. `due` is the day from which on it is shown, as a number. */
export interface Mistake {
  /** Tells it from all others. */
  key: string;
  puzzle: Puzzle;
  /** The move that was played. */
  played: string;
  game: { white: string; black: string; tags: [string, string][] };
  /** When it was found, in milliseconds since 1970. */
  added: number;
  shown: number;
  solved: number;
  due: number;
}

export interface MistakesState {
  list: readonly Mistake[];
  /** Why some are kept in this tab only. */
  trouble: string;
  /** The search in a reviewed game, which `said` tells from others; `problem` is why it ended early. */
  search: {
    said: Annotation['moves'];
    side: Color;
    done: number;
    all: number;
    problem: string;
    isRunning: boolean;
  } | null;
}

export interface LessonStep {
  tps: string;
  komi?: number;
  reserves?: [[number, number], [number, number]];
  task: string;
  accept: string | string[];
  shows?: string;
  right: string;
  wrong: string;
  hints?: { if: string | string[]; say: string }[];
}

export interface Lesson {
  name: string;
  title: string;
  intro: string;
  steps: LessonStep[];
}

export interface LessonsState {
  lessons: Lesson[];
  isLoaded: boolean;
  lesson: number;
  step: number;
  status: 'open' | 'wrong' | 'right';
  verdict: Verdict;
  done: Record<string, number>;
}

export interface ExploredPosition {
  moves: Explored[];
  ended: number;
  says: string;
  leftOut: string;
  /** Games with the position, by their numbers in the collection, with the moves before it. */
  found: [number, number][];
}

export interface ExplorerState {
  held: {
    collection: Collection;
    files: File[];
    /** The games, if they are those of the library. */
    heads: readonly Head[] | null;
    /** The games, if they are those of files that were listed. */
    listed: readonly FileGame[] | null;
    games: number;
    damaged: number;
    faults: string[];
    sizes: [number, number][];
  } | null;
  reading: { name: string; percent: number } | null;
  error: string;
  known: Map<string, ExploredPosition>;
  shown: ExploredPosition | null;
  opening: KnownPosition | null;
}

/** What the table of openings has of a position; without words it does not go so far. */
export interface KnownPosition {
  position: string;
  says: string;
  moves: KnownMove[];
}

/** What is known of a game of the library without its text; `seed` of one that was played here. */
export interface Head extends Omit<ListedGame, 'text'> {
  id: number;
  /** Tells a text from others. */
  key: string;
  /** The name of the file. */
  source: string;
  /** When it was added, in milliseconds since 1970. */
  added: number;
  seed?: number;
}

/** A game of a file that is not kept. */
export interface FileGame extends ListedGame {
  source: string;
}

/** What is searched for in the library: all words; a size of 0 and empty texts mean any. */
export interface LibraryQuery {
  text: string;
  size: number;
  result: '' | 'white' | 'black' | 'draw' | 'none';
  source: string;
  /** Only games with the position on the board. */
  isHere: boolean;
}

export interface LibraryState {
  query: LibraryQuery;
  heads: readonly Head[];
  found: Head[];
  /** The number of games that are listed. */
  shown: number;
  reading: { name: string; percent: number } | null;
  /** Whether games with the position are looked for. */
  isLooking: boolean;
  problem: string;
  /** What is wrong with the damaged games of the last file. */
  faults: string[];
  /** Why games are kept in this tab only. */
  trouble: string;
}

/** The board editor: `text` is its TPS as it was typed, `problem` why the position cannot be played. */
export interface EditorState {
  setup: Setup;
  /** Those of the game that it began with. */
  rules: Start;
  /** The piece to put; null removes. */
  chosen: Piece | null;
  text: string;
  problem: string;
  isOver: boolean;
  past: Setup[];
  future: Setup[];
}

export type DialogName = 'new' | 'open' | 'share' | 'settings' | 'keys' | 'comment' | 'more';

export interface State {
  route: Route;
  /** The rest of the address. */
  detail: string;
  /** Where the game is that puzzles and the explorer lead back to. */
  base: 'play' | 'analysis';
  docs: { game: Doc; study: Doc; puzzle: Doc | null; lesson: Doc | null; explorer: Doc | null; editor: Doc | null };
  former: StoredGame[];
  settings: Settings;
  hand: Hand;
  hello: Hello | null;
  /** Why there is no program: nothing while it is loaded. */
  trouble: string;
  /** The loaded part of the engine, 0 to 1; null if that is not known. */
  loaded: number | null;
  engine: EngineState;
  second: SecondState;
  attempt: Attempt | null;
  preview: Preview | null;
  /** The squares changed by a move that the program has not confirmed. */
  expected: Pile[] | null;
  motion: Motion | null;
  dialog: DialogName | null;
  news: News | null;
  said: string;
  isStored: boolean;
  update: (() => void) | null;
  isResigning: boolean;
  showsTurns: boolean;
  unfolded: number | null;
  /** A square that is shown as wrong or right. */
  sign: { square: string; kind: 'wrong' | 'right' } | null;
  puzzles: PuzzlesState | null;
  mistakes: MistakesState | null;
  lessons: LessonsState | null;
  explorer: ExplorerState | null;
  library: LibraryState | null;
  editor: EditorState | null;
  /** What the user has drawn on the board: squares such as `a1`, and arrows such as `a1c3`. */
  drawn: string[];
  form: Form | null;
  texts: Texts;
}

/** The choices in the dialog for new games. */
export interface Form {
  mode: 'engine' | 'two' | 'self' | 'free';
  level: number;
  otherLevel: number;
  games: number;
  size: number;
  color: 'either' | 'random' | Color;
  komi: string;
  time: string;
  minutes: string;
  increment: string;
  seconds: string;
  you: string;
  white: string;
  black: string;
  opening: string;
  /** Flats and capstones of White, then of Black. */
  pieces: [string, string, string, string];
  fromHere: boolean;
  isMore: boolean;
  problem: string;
}

/** The texts of the dialogs to open and to share. */
export interface Texts {
  paste: string;
  problem: string;
  details: string;
  ptn: string;
  annotated: string | null;
  variations: string;
  tps: string;
  link: string;
  /** Whether the link leaves out comments and tags. */
  isShort: boolean;
  withAnnotation: boolean;
  /** Whether these are the texts of the position on the board. */
  isWritten: boolean;
  copied: string;
  /** The text that the browser did not copy. */
  refused: string;
}
