// Texts of puzzles, lessons and the explorer.

/** @import { Color } from '../protocol.js' */
/** @import { Puzzle } from '../types.js' */

import { counted, sentence } from '../words.js';

/** @type {Record<Color, string>} */
const COLORS = { white: 'White', black: 'Black' };
/** The moves of the solver in so many plies. @type {(plies: number | null) => string} */
const movesIn = (plies) => counted(Math.ceil((plies ?? 1) / 2), 'move');

export const taskWords = {
  loading: 'Loading.',
  any: 'All',
  board: 'Board',
  kind: 'Kind',
  level: 'Level',
  theme: 'Theme',
  choose: 'Choose puzzles',
  next: 'Next',
  nextPuzzle: 'Next puzzle',
  solution: 'Solution',
  analyse: 'Analyse',
  copyLink: 'Copy link',
  puzzleOfDay: 'Puzzle of the day',
  linkCopied: 'The link is copied.',
  linkIs: (/** @type {string} */ link) => `The browser does not let this page copy. The link is ${link}`,
  grades: /** @type {Record<string, string>} */ ({ easy: 'Easy', medium: 'Medium', hard: 'Hard' }),
  groups: /** @type {Record<string, string>} */ ({ flats: 'Win on flats', defence: 'Only defence', best: 'Best move' }),
  themes: /** @type {Record<string, string>} */ ({
    flatten: 'Capstone flattens a wall',
    'long-spread': 'Spread over three squares or more',
    'quiet-start': 'First move without a threat',
    'two-threats': 'Two threats at once',
    'capstone-block': 'Block with the capstone',
    'edge-road': 'Road along an edge',
    'centre-road': 'Road away from the edges',
    'few-pieces': 'Few pieces left',
  }),
  roadIn: (/** @type {number} */ plies) => `Road in ${movesIn(plies)}`,
  about: (/** @type {string} */ grade, /** @type {number} */ rating) => `${grade} (${rating})`,
  task(/** @type {Puzzle} */ { kind, plies, komi, also = [] }, /** @type {Color} */ solver) {
    const [you, they] = solver === 'white' ? ['White', 'Black'] : ['Black', 'White'];
    const counting = komi ? ` Komi is ${komi}.` : '';
    return `${you} to move. ${
      {
        tinue:
          plies === 1
            ? 'Complete a road with one move.'
            : `Force a road in ${movesIn(plies)}, whatever ${they} answers.`,
        flats: `Force a win on flats in ${movesIn(plies)}, whatever ${they} answers.${counting}`,
        defence: `Only one move does not lose: after every other one ${they} wins by force. Find it.`,
        best: `${also.length > 0 ? 'Find a good move: all others are' : 'Find the best move: every other one is'} much worse.${counting}`,
      }[kind]
    }`;
  },
  yourMove: 'Your move.',
  enginesMove: 'The engine looks for a defence.',
  right: (/** @type {string} */ move, /** @type {string} */ answer, /** @type {boolean} */ isKnown) => [
    `${move} ${isKnown ? 'is right' : 'wins too'}.`,
    `The answer is ${answer}: go on.`,
  ],
  solved: (/** @type {string} */ move) => `Solved. ${move} is the move.`,
  goesOn: (/** @type {string[]} */ line) => (line.length > 0 ? `The game may go on with ${line.join(' ')}.` : ''),
  ratingNow: (/** @type {number} */ before, /** @type {number} */ now) => `Rating ${before} → ${now}`,
  wrong: (/** @type {string} */ move) => `${move} is not the move.`,
  wrongDefence: (/** @type {string[]} */ line) => `The defence is ${line.join(' ')}.`,
  wrongAnswer: (/** @type {string[]} */ line) => `The answer is ${line.join(' ')}.`,
  noRoad: 'It completes no road.',
  tooLate: 'The win was one move away.',
  notProven: 'The engine cannot prove that it wins in time.',
  solutionIs: 'The solution:',
  solutionText: (/** @type {string[]} */ line, /** @type {string[]} */ also) =>
    `${line.join(' ')}. ${also.map((move) => `${move} is right too. `).join('')}Step through it with ‹\u00a0and\u00a0›.`,
  noOther: 'there is no other puzzle of this choice',
  noneFits: 'No puzzle fits this choice. The last one stays on the board.',
  allSolved: 'All solved. Choose others.',
  linkBroken: 'This link holds no puzzle.',
  anotherOne: 'Here is another one.',
  missing: 'The puzzles could not be loaded.',
  yourRating: 'Your rating',
  inARow: 'In a row',
  solvedCount: 'Solved',
  ofTried: (/** @type {number} */ count) => `of ${count}`,
  unrated: '–',
  days: 'Days in a row',
  lastTen: 'Last ten puzzles',
  solvedOne: 'solved',
  missedOne: 'missed',
  curve: (/** @type {number[]} */ values) => `Rating over time: ${values.join(', ')}`,
  counts: (/** @type {number} */ all, /** @type {number} */ tried, /** @type {number} */ solved) =>
    `${counted(all, 'puzzle')}, ${tried} tried, ${solved} solved`,
  notKept: 'The browser does not store this: save your results.',
  openFile: 'Open puzzles or results',
  save: 'Save my results',
  ofProgram: 'Puzzles of the program',
  tooLarge: 'this file is too large',
  noPuzzles: 'this file holds no puzzles; “tak-engine puzzles” writes some',
  resultsLoaded: 'Your results are loaded.',
  opened: (/** @type {number} */ count, /** @type {string} */ name, /** @type {number} */ skipped) =>
    `${counted(count, 'puzzle')} of ${name}${skipped > 0 ? `; ${counted(skipped, 'line is', 'lines are')} no puzzle` : ''}.`,
  dayText: (/** @type {Date} */ date, /** @type {number} */ size) =>
    `${date.toLocaleDateString('en-GB', { day: 'numeric', month: 'long' })} · ${size} × ${size}`,
  open: 'Open',

  learnTitle: 'Learn Tak',
  lessonOf: (/** @type {number} */ lesson, /** @type {number} */ all) => `Lesson ${lesson} of ${all}`,
  step: (/** @type {number} */ step, /** @type {number} */ all) => `Step ${step} of ${all}`,
  lessons: 'Lessons',
  doneOf: (/** @type {number} */ done, /** @type {number} */ all) => `${done} of ${all} done`,
  showMe: 'Show me',
  nextLesson: 'Next lesson',
  puzzles: 'Puzzles',
  firstGame: 'First game',
  rules: 'The rules on one page',
  good: 'Right.',
  notYet: 'Not yet.',
  done: 'done',
  allDone: 'All lessons are done.',
  noLessons: 'The lessons could not be loaded.',
  /** On a phone one taps, and the pieces are below the board. */
  forTouch: (/** @type {string} */ text) =>
    text
      .replace(/\bclick\b/g, 'tap')
      .replace(/\bClick\b/g, 'Tap')
      .replaceAll('beside the board', 'below the board'),

  explorer: 'Explorer',
  intro: 'You see what was played from the position on the board, and how these games ended.',
  drop: 'Drop PTN files here',
  stay: 'They stay on this computer.',
  addFiles: 'Choose PTN files',
  myLibrary: 'My library',
  keep: 'Keep in the library',
  notYetKept: 'These games are gone when the page is closed.',
  library: 'Library',
  played: 'Games with this position',
  otherFiles: 'Other files',
  reading: (/** @type {string} */ name, /** @type {number} */ percent) => `Reading ${name}: ${percent} %`,
  files: (/** @type {string[]} */ names, /** @type {number} */ games) =>
    `${names[0]}${names.length > 2 ? ` and ${names.length - 1} other files` : names.length === 2 ? ` and ${names[1]}` : ''} · ${counted(games, 'game')}`,
  path: 'Moves to this position',
  move: 'Move',
  games: 'Games',
  opening: 'Opening',
  chances: 'Chances',
  chancesOf: (/** @type {number} */ white) => `White ${white} %, Black ${100 - white} %`,
  bestLine: (/** @type {string} */ line) => `Then ${line}`,
  komi: 'Komi',
  firstTurns: 'First turns',
  openingRules: { swap: 'Standard', 'double-black': 'Double black' },
  results: 'Results',
  rating: 'Rating',
  shares: (/** @type {string[]} */ [white, draw, black]) => `White ${white}, draw ${draw}, Black ${black}`,
  ended: (/** @type {string} */ says, /** @type {number} */ count) =>
    `${sentence(says)}${count > 0 ? ` ${counted(count, 'game')} ended here.` : ''}`,
  onBoard: 'On the board: in how many of these games a flat is placed there next.',
  noGames: 'No game reached this position.',
  back: 'Back to the game',
  damaged: 'Damaged games',
  others: (/** @type {number} */ count) => `and ${counted(count, 'other')}`,
  stopped: 'Reading ended when the explorer was left. Choose the files again.',
  notRead: (/** @type {string} */ why) => `The games could not be read: ${why}.`,
  noneInFiles: 'These files contain no game.',
  noneRead: (/** @type {number} */ count) => `No game could be read; ${counted(count, 'is', 'are')} damaged.`,
  noAnswer: (/** @type {string} */ why) => `The explorer does not answer: ${why}.`,
  colors: COLORS,
};
