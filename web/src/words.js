// Every text for users that comes from the page. What the program says about moves and results is in src/page/words.rs.

/** @import { Color, Hello, Kind, Outcome } from './protocol.js' */
/** @import { Node } from './model/tree.js' */

import { parseStack } from './model/squares.js';

/** @type {(text: string) => string} */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** A text as a sentence. @type {(text: string) => string} */
export const sentence = (text) => (text ? capital(text) + (/[.!?]$/.test(text) ? '' : '.') : '');

/** 1 game, 2 games. @type {(count: number, one: string, many?: string) => string} */
export const counted = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/** Moves are counted as in the list: two of them, one of each player, have one number. @type {(plies: number) => string} */
export const movesText = (plies) => counted(Math.ceil(plies / 2), 'move');

/** A share as a number of per cent. @type {(share: number) => string} */
export const percent = (share) => `${Math.round(100 * share)} %`;

/** A text in which no sign of per cent begins a line. @type {(text: string) => string} */
export const unbroken = (text) => text.replaceAll(' %', '\u00a0%');

/** A number with the minus sign of print. @type {(value: number) => string} */
export const number = (value) => String(value).replace('-', '−');

/** A short form of a number: 1.2 M. @type {(value: number) => string} */
export function shortNumber(value) {
  for (const [unit, size] of /** @type {[string, number][]} */ ([
    ['G', 1e9],
    ['M', 1e6],
    ['k', 1e3],
  ])) {
    if (value >= size) {
      return `${(value / size).toFixed(value < 10 * size ? 1 : 0)} ${unit}`;
    }
  }
  return String(value);
}

/** 9:05, or 0:07.3 near the end. @type {(left: number) => string} */
export function clockText(left) {
  const isSoon = left < 20000;
  const seconds = isSoon ? Math.floor(left / 100) / 10 : Math.ceil(left / 1000);
  const rest = seconds % 60;
  return `${Math.floor(seconds / 60)}:${rest < 10 ? '0' : ''}${isSoon ? rest.toFixed(1) : rest}`;
}

/** A move with its number, from the position before it: 5. c3, or 5… c3. @type {(before: Node, move: string) => string} */
export const moveText = (before, move) => `${before.number}${before.turn === 'white' ? '.' : '…'} ${move}`;

/** @type {Record<string, string>} */
export const MARKS = {
  '!!': 'Brilliant',
  '!': 'Good',
  '!?': 'Interesting',
  '?!': 'Doubtful',
  '?': 'Mistake',
  '??': 'Blunder',
};
/** @type {(mark: string) => string} */
export const markName = (mark) => MARKS[mark] ?? '';

/** @type {Record<Color, string>} */
const COLORS = { white: 'White', black: 'Black' };
/** @type {Record<Kind, string>} */
const KINDS = { flat: 'Flat', wall: 'Wall', capstone: 'Capstone' };
const RETURN = 'You are viewing an earlier position; » goes to the latest one.';

/** `empty`, `white flat`, `black wall on white, 2 black`. Pieces below the carry limit are only counted: `deeper 2 white`. @type {(stack: string, limit: number) => string} */
export function describe(stack, limit) {
  const { colors, kind } = parseStack(stack);
  if (colors.length === 0) {
    return 'empty';
  }
  const below = colors.slice(0, -1);
  const deep = below.splice(0, Math.max(0, colors.length - limit));
  /** @type {{color: Color, count: number}[]} */
  const parts = [];
  for (const color of below.reverse()) {
    const last = parts.at(-1);
    if (last?.color === color) {
      last.count += 1;
    } else {
      parts.push({ color, count: 1 });
    }
  }
  const texts = parts.map(({ color, count }) => (count === 1 ? color : `${count} ${color}`));
  if (deep.length > 0) {
    const counts = ['white', 'black'].map((color) => ({ color, count: deep.filter((own) => own === color).length }));
    texts.push(
      `deeper ${counts
        .filter(({ count }) => count > 0)
        .map(({ color, count }) => `${count} ${color}`)
        .join(', ')}`,
    );
  }
  return `${colors.at(-1)} ${kind}${texts.length > 0 ? ` on ${texts.join(', ')}` : ''}`;
}

export const words = {
  enter: {
    flattens: ' Enter drops the capstone and flattens the wall.',
    drops: ' Enter drops a piece here.',
    back: ' Enter puts the pieces back.',
    does: (/** @type {string} */ what) => ` Enter ${what}.`,
    lifts: (/** @type {number | undefined} */ count) => ` Enter lifts ${count}.`,
  },
  page: 'Tak',
  colors: COLORS,
  kinds: KINDS,
  views: {
    play: 'Play',
    analysis: 'Analysis',
    puzzles: 'Puzzles',
    learn: 'Learn',
    explorer: 'Explorer',
    library: 'Library',
    editor: 'Set up a position',
  },
  you: 'You',
  opponent: 'opponent',
  waits: 'waits',
  isToMove: ' – to move',
  thinking: 'thinking',
  tak: 'Tak',
  levelName: (/** @type {number} */ level, /** @type {string | null | undefined} */ second = '') =>
    level > 0 ? `Level ${level}` : level === 0 ? 'Full strength' : (second ?? ''),
  engineName: (/** @type {number} */ level) => (level === 0 ? 'tak-engine' : `tak-engine level ${level}`),
  withElo: (/** @type {string} */ side, /** @type {number} */ elo) => `${side} · Elo ${elo}`,
  versus: (/** @type {string} */ white, /** @type {string} */ black) => `${white} – ${black}`,

  // Buttons.
  newGameName: 'New game',
  open: 'Open',
  share: 'Share',
  settings: 'Settings',
  keys: 'Keys',
  more: 'More',
  cancel: 'Cancel',
  undo: 'Undo',
  redo: 'Redo',
  hintName: 'Hint',
  resign: 'Resign',
  reallyResign: (/** @type {Color} */ color) => `Really resign as ${COLORS[color]}?`,
  flip: 'Flip board',
  review: 'Review',
  stopReview: 'Stop review',
  rematch: 'Rematch',
  again: 'Again',
  analyse: 'Analyse',
  comment: 'Comment',
  report: 'Report',
  tryAgain: 'Try again',
  update: 'Update',
  toStart: 'To the start',
  oneBack: 'One move back',
  oneForward: 'One move forward',
  toEnd: 'To the end',
  browse: 'Browse the game',
  toPresent: 'Latest move',
  pause: 'Pause',
  continueName: 'Continue',
  oneMove: 'One move',
  wait: 'Wait',
  watchName: 'Watch the engine',
  stop: 'Stop',
  backToGame: 'Back to the game',
  // The board.
  pieceToPlace: 'Piece to place',
  numberToLift: 'Number of pieces to lift',
  putBackName: 'Put back',
  howMany: 'How many?',
  kindLeft: (/** @type {Kind} */ kind, /** @type {number} */ count) => `${KINDS[kind]}, ${count} left`,
  lift: (/** @type {number} */ count) => `lift ${count}`,
  inHandCount: (/** @type {number} */ count) => `In hand: ${count}`,
  nextDrop: (/** @type {Kind} */ kind, /** @type {Color} */ color) => `Next drop: ${color} ${kind}`,
  left: (/** @type {number} */ flats, /** @type {number} */ caps) =>
    `${counted(flats, 'flat')} and ${counted(caps, 'capstone')} left`,
  square: (/** @type {string} */ name, /** @type {string} */ stack, /** @type {string} */ offer) =>
    `${name}: ${stack}.${offer}`,
  flats: (
    /** @type {number} */ white,
    /** @type {number} */ black,
    /** @type {number} */ komi,
    /** @type {string} */ lead,
  ) => `Flats: White ${white}, Black ${black}${komi ? `, komi ${number(komi)}` : ''}. ${lead}`,
  /** Who leads on flats, or how the game ended. */
  lead(/** @type {number} */ ahead, /** @type {Color | null} */ side, /** @type {Outcome | null} */ outcome) {
    if (outcome?.result.includes('R')) {
      const text = `${COLORS[outcome.winner ?? 'white']}: road`;
      return { long: text, short: text };
    }
    if (ahead === 0) {
      return { long: 'Even', short: 'Even' };
    }
    const leader = ahead > 0 ? 'white' : 'black';
    const by = number(Math.abs(ahead));
    return {
      long: leader === side ? `You lead by ${by}` : `${COLORS[leader]} leads by ${by}`,
      short: `${leader === side ? 'You' : COLORS[leader]} +${by}`,
    };
  },
  komiMeans(/** @type {Hello | null} */ hello, /** @type {number} */ half) {
    const text = hello?.komi_means[Math.round(half) - hello.half_komi[0]];
    return text ? `Komi ${number(half / 2)}: ${text}` : '';
  },

  // What is said.
  toMove: (/** @type {Color} */ color, /** @type {Color | null} */ places) =>
    `${COLORS[color]} to move.${places ? ` In the first turn it places a ${places} flat.` : ''}`,
  announced: (/** @type {string} */ end, /** @type {string} */ move, /** @type {boolean} */ calls) =>
    `${end ? `${end}. ` : ''}${move}.${calls ? ' Tak!' : ''}`,
  position: (/** @type {string} */ move, /** @type {string} */ says, /** @type {boolean} */ isBack) =>
    `${isBack ? `${RETURN} ` : ''}${move ? `After ${move}: ${says}.` : 'The start of the game.'}`,
  newGame: (/** @type {number} */ size, /** @type {string} */ turn) => `New game on ${size} by ${size}. ${turn}`,
  engineMoved: (/** @type {string} */ move, /** @type {boolean} */ isBack) =>
    `The engine has moved: ${move}.${isBack ? ` ${RETURN}` : ''}`,
  undone: (/** @type {boolean} */ isUndo, /** @type {string} */ turn) => `${isUndo ? 'Undone' : 'Redone'}. ${turn}`,
  replaced: (/** @type {number} */ plies) => `${counted(Math.ceil(plies / 2), 'later move')} replaced.`,
  undoneCut: (/** @type {boolean} */ hasMoves, /** @type {string} */ turn) =>
    `Undone; ${hasMoves ? 'the earlier moves are restored' : 'the game continues'}. ${turn}`,
  undoneEdit: {
    add: 'Undone: the move is removed.',
    delete: 'Undone: the variation is back.',
    promote: 'Undone: the main line is the former one.',
  },
  resigned: (/** @type {Color} */ color) => `${COLORS[color]} resigns`,
  timeOut: (/** @type {Color} */ color) => `${COLORS[color]} has run out of time`,
  lost: (/** @type {string} */ says, /** @type {Color} */ winner) => `${says}. ${COLORS[winner]} wins.`,
  resultSays: (/** @type {string} */ result) => `Result ${result}`,
  restored: 'The previous game is restored.',
  opened: (/** @type {string} */ moves) => `Opened, with ${moves}.`,
  openedPosition: 'Position opened.',
  variationShown: (/** @type {boolean} */ isVariation, /** @type {string} */ move, /** @type {string} */ says) =>
    `${isVariation ? 'A variation. ' : ''}After ${move}: ${says}.`,
  promoted: 'This is the main line now.',
  deleted: (/** @type {string} */ move) => `The variation ${move} is deleted.`,
  kept: 'The line is kept as a variation.',
  hint: (/** @type {string} */ move) => `Hint: ${move}.`,
  paused: 'Paused.',
  goesOn: 'The game goes on.',
  inHand(/** @type {string} */ hand, /** @type {number} */ count, /** @type {string[]} */ squares) {
    const bottom = count === 1 ? '' : `, the bottom one ${parseStack(hand).colors[0]}`;
    return `${count === 1 ? describe(hand, 1) : count} in hand${bottom}; next may be ${squares.join(' or ')}`;
  },
  putBack: 'The pieces are back on their square.',
  toLift: (/** @type {number} */ count) => `${count} to lift.`,
  reviewed: 'Reviewed. No mistakes found.',
  reviewedTo: (/** @type {string} */ move) => `Reviewed. This is the first mistake: ${move}.`,
  reportSaved: 'The report is saved.',
  copied: (/** @type {string} */ name) => `${name} copied.`,
  copy: 'This game is being played in another tab, where its clocks run. This tab shows a copy.',

  // What is refused, as part of a sentence.
  over: (/** @type {string} */ says) => `the game is over: ${says}`,
  notNow: 'it is not your turn: go on with the buttons beside the board',
  lookingBack: 'you are viewing an earlier position; » goes to the latest one',
  enginesTurn: 'it is the engine’s turn',
  lastMove: 'this is the last move',
  startReached: 'this is the start',
  variationsLater: 'variations can be viewed in the analysis',
  noPrevious: 'there is no previous game',
  nothingToUndo: 'nothing to undo',
  nothingToRedo: 'nothing to redo',
  incrementSpent: (/** @type {Color} */ color) =>
    `this cannot be undone: ${COLORS[color]} has already used the increment of that move`,
  emptySquare: (/** @type {string} */ name) => `${name} is empty`,
  noStackFirst: 'you cannot move a stack on your first turn',
  notYours: (/** @type {string} */ name, /** @type {Color} */ owner) =>
    `the stack on ${name} belongs to ${COLORS[owner]}`,
  blocked: (/** @type {string} */ name) => `the stack on ${name} cannot move: it is blocked on all sides`,
  atMost: (/** @type {number} */ count, /** @type {string} */ name) =>
    `at most ${counted(count, 'piece')} can be lifted from ${name}`,
  notStraight: (/** @type {string} */ from) => `the stack must move in a straight line from ${from}`,
  noWayBack: 'the stack cannot move backwards',
  dropFirst: (/** @type {string} */ name) => `drop a piece on ${name} first`,
  notAlone: (/** @type {string} */ name) => `only a capstone moving alone can flatten the wall on ${name}`,
  inTheWay: (/** @type {Color} */ color, /** @type {Kind} */ kind, /** @type {string} */ name) =>
    `the ${color} ${kind} on ${name} is in the way`,
  bottomPiece: (/** @type {Color} */ color) => `the bottom piece in hand belongs to ${COLORS[color]}`,
  chooseNext: 'choose a square next to the stack first',
  emptyHand: 'nothing is in hand',
  handFull: 'pieces are in hand',
  edge: 'the board ends here',
  droppedAlready: 'a piece has been dropped already',
  onlyKind: (/** @type {Kind} */ kind) => `only a ${kind} can be placed now`,
  noKind: 'nothing can be placed now',
  noMoves: 'the game has no moves to review',
  otherLine: 'the review is of another line: go back to that, or review the game again',
  tooLarge: 'this is too large (at most 512 KiB)',
  noAnswer: 'the engine gave no answer; try again',
  noGameLink: 'this link has no game; links of this page, of playtak.com (?load=) and of ptn.ninja can be opened',

  // Troubles.
  notConnected: 'tak-engine is not connected',
  connectionLost: 'the connection to tak-engine is lost',
  notPlayed: 'Not done: no connection to tak-engine.',
  broken: 'Something went wrong in this page.',
  engineFailed: (/** @type {string} */ why) => `Analysis failed: ${why}.`,
  notLoaded: (/** @type {string} */ why) => `The saved game could not be loaded: ${why}.`,
  notKept: (/** @type {string} */ name, /** @type {string} */ why) => `${name} is not in the library: ${why}.`,
  thisGame: 'This game',
  notStored: 'The browser does not store this game: save it before you close the page.',
  loading: (/** @type {number | null} */ part) =>
    part === null ? 'Loading the engine.' : `Loading the engine: ${Math.floor(100 * part)} %`,
  unloaded: 'this part of the page could not be loaded; try again',
  unloadable: 'this part of the page could not be loaded; reload the page',
  linkBroken: 'Invalid link: it does not contain a game.',
  linkRefused: (/** @type {string} */ why) => `Invalid game in the link: ${why}.`,
  reconnecting: (/** @type {string} */ reason) =>
    `Not connected${reason ? ` (${reason})` : ''}: reconnecting. Your game is saved.`,
  refusedPage: (/** @type {string} */ reason) =>
    `tak-engine refused this page: ${reason}. Close another tak-engine page to free a session.`,
  noEngine: (/** @type {string} */ reason) => `The engine cannot be started: ${reason}. Your game is saved.`,
  noWebAssembly: 'this browser has no WebAssembly with SIMD, or it is turned off; another browser may do',

  // Play.
  newToTak: 'New to Tak?',
  newToTakText: 'The lessons take five minutes. Or begin at once, on a small board against the weakest level.',
  lessonsName: 'Lessons',
  firstGame: 'First game',
  movesOfGame: 'Moves of the game',
  variation: 'Variation',
  endOfGame: 'End of the game',
  points: (/** @type {number} */ points) => `${Math.floor(points) || (points % 1 ? '' : '0')}${points % 1 ? '½' : ''}`,
  gamesOf: (/** @type {number} */ played, /** @type {number} */ total) => `${played} of ${counted(total, 'game')}`,
  status: {
    connecting: ['Loading.', 'The board can be used when the engine is ready.'],
    begins: (/** @type {Color} */ color, /** @type {Color} */ places) => [
      `${COLORS[color]} begins`,
      `with a ${places} flat.`,
    ],
    yours: ['Your turn.', ''],
    first: (/** @type {Color} */ places) => ['Your turn.', `In the first turn you place a ${places} flat.`],
    turn: (/** @type {Color} */ color) => [`${COLORS[color]} to move.`, ''],
    threat: (/** @type {string} */ who, /** @type {string} */ squares) =>
      `${who} threatens a road${squares ? ` at ${squares}` : ''}.`,
    engine: (/** @type {string} */ name) => [name, 'is thinking.'],
    back: ['An earlier position.', 'The game goes on at its last move.'],
    paused: ['Paused.', ''],
  },
  result: {
    won: (/** @type {string} */ who, /** @type {string} */ how) => `${who} won ${how}`,
    youLost: (/** @type {string} */ how) => `You lost: ${how}`,
    road: 'by a road',
    flats: 'on flats',
    resigned: 'by resignation',
    time: 'on time',
    some: '',
    hasRoad: (/** @type {Color} */ color) => `${COLORS[color]} has a road`,
    hasFlats: (/** @type {Color} */ color) => `${COLORS[color]} has more flats`,
    youResigned: 'You resigned',
    youTimeout: 'You lost on time',
    draw: 'Draw',
    about: (/** @type {string} */ result, /** @type {string} */ moves, /** @type {string} */ flats) =>
      [result, moves, flats].filter(Boolean).join(' · '),
    flatsAre: (/** @type {number} */ white, /** @type {number} */ black) =>
      `flats ${number(white)} to ${number(black)}`,
  },
  gameAbout: (/** @type {number} */ size, /** @type {number} */ komi, /** @type {string} */ clock) =>
    `${size} × ${size} · komi ${number(komi)}${clock ? ` · ${clock}` : ''}`,
  noClockText: 'no clock',
  clockControl: (/** @type {number} */ minutes, /** @type {number} */ seconds) => `${minutes} + ${seconds}`,
  takebacks: (/** @type {number} */ count) => counted(count, 'takeback'),
  yourMove: 'Your move',

  // Analysis.
  live: 'Live',
  bestLines: 'Best lines',
  linesOf: (/** @type {string} */ engine) => `Lines of ${engine}`,
  secondFailed: (/** @type {string} */ engine, /** @type {string} */ why) =>
    `${engine} has failed: ${why}. The next position starts it again.`,
  starting: 'The engine starts.',
  moves: 'Moves',
  emptyStudy: 'No moves yet. Make them on the board, or open a game.',
  inPercent: 'White’s chances in %',
  turningPoints: 'Turning points',
  show: 'Show',
  ofOpponent: 'Of the opponent',
  accuracy: 'Accuracy',
  graph: 'White’s expected score',
  notKnown: 'No evaluation yet',
  startOfGame: 'Start',
  counts: { good: 'Good', mistake: 'Mistakes', blunder: 'Blunders' },
  noMistakes: 'No mistakes found.',
  graphPoint: (/** @type {string} */ move, /** @type {string} */ chance) => `${move}: White ${chance}`,
  whitesScore: (/** @type {string} */ chance) => `White’s expected score: ${chance}`,
  lineTitle: (
    /** @type {string} */ white,
    /** @type {string} */ draw,
    /** @type {string} */ black,
    /** @type {string} */ score,
  ) =>
    `White ${white}, draw ${draw}, Black ${black}; ${number(Number(score)) === 'NaN' ? score : number(Number(score))} flats`,
  winIn: (/** @type {string} */ moves) => `# ${moves}`,
  overHere: (/** @type {string} */ says) => `${says}.`,
  effort: (/** @type {number} */ depth, /** @type {string} */ nodes, /** @type {string} */ speed) =>
    `Depth ${depth} · ${nodes} positions · ${speed} a second`,
  playLine: (/** @type {string} */ move, /** @type {number} */ count) =>
    count === 1 ? `Play ${move}` : `Play up to ${move}`,
  keepLine: (/** @type {number} */ rank) => `Keep line ${rank}`,
  unfoldLine: (/** @type {number} */ rank) => `Show all of line ${rank}`,
  foldLine: (/** @type {number} */ rank) => `Fold line ${rank}`,
  linesCount: (/** @type {number} */ count) => counted(count, 'line'),
  fewerLines: 'Fewer lines',
  moreLines: 'More lines',
  reviewing: (/** @type {number} */ done, /** @type {number} */ all) =>
    `Reviewed ${Math.ceil(done / 2)} of ${movesText(all)}`,
  fromTo: (/** @type {string} */ before, /** @type {string} */ after) => `${before.replace(' %', '')} → ${after}`,
  why: 'Why?',
  whyLine: (/** @type {number} */ line) => `Why line ${line}?`,
  noReason: (/** @type {string} */ move) => `No fact speaks for ${move} alone.`,
  noFault: (/** @type {string} */ move, /** @type {string} */ answer) =>
    `No single fact speaks against ${move}. The answer is ${answer}.`,
  notExplained: 'No single fact is the reason.',
  betterWas: (/** @type {string} */ move) => `Better was ${move}.`,
  tryAgainMove: (/** @type {string} */ move) => `Try again: ${move}`,
  mistakesToTry: (/** @type {number} */ count) => `${counted(count, 'mistake')}: try again`,
  promote: 'Make main line',
  deleteVariation: 'Delete variation',
  attempt: 'A mistake, tried again',
  findBetter: (/** @type {Color} */ color, /** @type {string} */ move) =>
    `${COLORS[color]} played ${move} here. Find a better move.`,
  isRight: (/** @type {string} */ move) => `${move} is right.`,
  goodToo: (/** @type {string} */ move) => `${move} is good too.`,
  theMoveIs: (/** @type {string} */ move) => `The move is ${move}.`,
  wasPlayed: (/** @type {string} */ move) => `${move} is the move that was played`,
  notBest(
    /** @type {string} */ move,
    /** @type {string} */ played,
    /** @type {number} */ now,
    /** @type {number} */ before,
    /** @type {string} */ answer,
    /** @type {boolean} */ isBetter,
  ) {
    const after = answer ? `, after ${answer}` : '';
    return isBetter
      ? `${move} is better than ${played} (White ${Math.round(now)} %${after}, against ${Math.round(before)} %), but not the best`
      : `${move} is not better: White has ${Math.round(now)} %${after}`;
  },
  tryAnother: (/** @type {string} */ text) => `${text}. Try another move.`,
  better: (/** @type {string} */ text, /** @type {string} */ why, /** @type {string[]} */ line) =>
    `${text}${why ? ` ${sentence(why)}` : ''}${line.length > 1 ? ` The line: ${line.join(' ')}.` : ''}`,
  showMove: 'Show',
  nextMistake: 'Next mistake',
  endAttempt: 'End',

  games: 'Games',
  full: 'Full',
  notPlayable: (/** @type {string} */ why) => `This cannot be played: ${why}.`,
  notOpened: (/** @type {string} */ why) => `Could not open this: ${why}.`,
  noGame: 'This is no PTN, TPS or link.',
  link: 'Link',
  notCopied: 'The browser does not let this page copy: the text is selected, to be copied by hand.',
};
