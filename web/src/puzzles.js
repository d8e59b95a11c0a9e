// Puzzles, which are solved by playing: the engine defends as well as it can.

import { make } from './elements.js';
import { button, choice, download, fileButton, row } from './parts.js';
import {
  dayOf, filtered, fromFragment, gradeOf, groupName, groupOf, keyOf, lineOf, nearest, ofDay, ratingOf, readLines, toFragment,
} from './puzzle-list.js';
import { after, loadResults, readResults, saveResults, writeResults } from './results.js';

const FILES = [4, 5, 6, 7].map((size) => `puzzles-${size}x${size}.jsonl`);
const MOST_BYTES = 20_000_000;
/** Nodes of the engine for the answer to a wrong move, if the puzzle has none. */
const NODES = 100_000;
/** The moves of a line that are shown. */
const LONGEST = 5;

const nameOf = (color) => (color === 'white' ? 'White' : 'Black');
const counted = (count, one, many) => `${count} ${count === 1 ? one : many}`;

/** The player to move in a TPS. */
const solverOf = ({ tps }) => (tps.split(' ')[1] === '1' ? 'white' : 'black');

function goalOf(puzzle) {
  const { kind, plies, komi } = puzzle;
  const solver = solverOf(puzzle);
  const [you, they] = [nameOf(solver), nameOf(solver === 'white' ? 'black' : 'white')];
  const yours = counted(Math.ceil(plies / 2), 'move', 'moves');
  const counting = komi ? ` Komi is ${komi}.` : '';
  return {
    tinue: plies === 1 ? `You are ${you}. Complete a road with one move.`
      : `You are ${you}. Force a road in ${plies} plies: ${yours} of yours, whatever ${they} answers.`,
    flats: `You are ${you}. Force a win on flats in ${plies} plies: ${yours} of yours, whatever ${they} answers.${counting}`,
    defence: `You are ${you}. Only one move does not lose: after every other one ${they} wins by force. Find it.`,
    best: `You are ${you}. Find the best move: every other one is much worse.${counting}`,
  }[kind];
}

export class View {
  constructor(task) {
    this.task = task;
    this.game = task.game;
    /** Names of files that may be dropped on the page. */
    this.accepts = /\.jsonl?$/;
    this.results = loadResults();
    /** The puzzles that come with the program, and those of an opened file. */
    this.shipped = [];
    this.opened = null;
    this.filter = { size: '', group: '', grade: '' };
    this.puzzle = null;
    /** The start of the game that the puzzle is. */
    this.origin = null;
    /** open, wrong, solved or shown. */
    this.status = 'shown';
    this.isMissed = false;
    this.day = null;
    this.build();
  }

  build() {
    const { game } = this;
    const act = (action) => () => game.do(() => action());
    this.title = make('h2', { id: 'task-title', tabIndex: -1, textContent: 'Puzzles' });
    this.goal = make('p', { id: 'task-goal', textContent: 'Loading the puzzles.' });
    this.retry = button('Try again', act(() => this.tryAgain()), 'main');
    this.next = button('Next puzzle', act(() => this.choose()), 'main');
    this.next.id = 'task-next';
    this.retry.id = 'task-retry';
    this.solution = button('Solution', act(() => this.showSolution()));
    this.solution.id = 'task-solution';
    this.previous = button('‹', act(() => game.walk(game.state.at - 1)));
    this.previous.ariaLabel = 'One move back';
    this.following = button('›', act(() => game.walk(game.state.at + 1)));
    this.following.ariaLabel = 'One move forward';
    this.analyse = button('Analyse', act(() => this.openBoard()));
    this.today = button('Puzzle of the day', act(() => this.chooseToday()));
    this.today.id = 'task-today';
    this.link = button('Copy link', () => this.copyLink());
    this.standing = make('p', { id: 'task-standing', className: 'note' });
    this.lists = Object.fromEntries([['size', 'Board'], ['group', 'Kind'], ['grade', 'Difficulty']].map(([name, text]) => {
      const list = choice(text, () => {
        this.filter = { ...this.filter, [name]: list.list.value };
        this.game.do(() => this.choose());
      });
      list.list.id = `task-${name}`;
      return [name, list];
    }));
    this.left = make('p', { id: 'task-left', className: 'note' });
    this.former = button('Puzzles of the program', act(() => this.use(null)));
    this.source = row(
      fileButton('Open puzzles or results', '.jsonl,.json,application/jsonl', (files) => this.openFiles(files)),
      button('Save my results', () => download(writeResults(this.results), 'tak-puzzle-results.json')),
      this.former,
    );
  }

  parts() {
    const { task } = this;
    const fields = make('div', { className: 'fields' }, ...Object.values(this.lists).map(({ label }) => label));
    const steps = make('span', { className: 'steps' }, this.previous, this.following);
    return [
      task.text(this.title, this.goal),
      row(this.retry, this.next, this.solution, steps, this.analyse),
      this.standing,
      row(this.today, this.link),
      make('details', { id: 'task-choice' }, make('summary', { textContent: 'Choose puzzles' }), fields, this.left, this.source),
      row(make('a', { href: '#', textContent: 'Back to the game' })),
    ];
  }

  async open(detail) {
    const wanted = detail ? fromFragment(detail) : null;
    if (wanted) {
      await this.start(wanted);
    }
    if (this.shipped.length === 0) {
      const texts = await Promise.all(FILES.map(async (name) => {
        const response = await fetch(name);
        return response.ok ? response.text() : '';
      })).catch(() => []);
      this.shipped = texts.flatMap((text) => readLines(text).puzzles);
    }
    if (wanted) {
      // The whole solution, if it is one of these.
      this.puzzle = this.shipped.find((puzzle) => keyOf(puzzle) === keyOf(wanted)) ?? wanted;
      this.show();
    } else if (this.shipped.length > 0) {
      await this.choose();
      if (detail) {
        this.task.tell('This link holds no puzzle. Here is another one.', 'wrong');
      }
    }
  }

  get puzzles() {
    return this.opened?.puzzles ?? this.shipped;
  }

  /** A puzzle near the solver's rating that was not done yet. */
  async choose() {
    const fitting = filtered(this.puzzles, this.filter).filter((puzzle) => puzzle !== this.puzzle);
    const { done, rating } = this.results;
    const open = fitting.filter((puzzle) => !Object.hasOwn(done, keyOf(puzzle)));
    const missed = fitting.filter((puzzle) => done[keyOf(puzzle)] === 0);
    // Someone without results may be new to the game.
    const isFirst = Object.keys(done).length === 0;
    const first = isFirst ? open.find((puzzle) => groupOf(puzzle) === 'tinue 1' && puzzle.size === 5) : null;
    const choice = first ?? nearest(open, rating) ?? missed[0] ?? fitting[0];
    if (!choice) {
      this.show();
      this.game.refuse('there is no other puzzle of this choice');
      return;
    }
    await this.start(choice);
  }

  async chooseToday() {
    const day = dayOf(new Date());
    const puzzle = ofDay(this.shipped, day);
    if (puzzle) {
      await this.start(puzzle, day);
    }
  }

  async start(puzzle, day = null) {
    const { tps, size, komi, flats, caps } = puzzle;
    const start = { size, half_komi: komi * 2, opening: 'swap', tps, reserves: [0, 1].map((side) => [flats[side], caps[side]]) };
    await this.task.show(start, solverOf(puzzle));
    Object.assign(this, { puzzle, day, origin: start, status: 'open', isMissed: false });
    this.task.tell('');
    this.show();
    this.task.announce(`${this.title.textContent}. ${this.goal.textContent}`);
  }

  /** The answers of the solution after these moves; null if it does not have them. */
  follow(moves) {
    let steps = [this.puzzle.solution];
    for (const move of moves) {
      const step = steps.find((each) => each.move === move);
      if (!step) {
        return null;
      }
      steps = step.answers;
    }
    return steps;
  }

  /** Judges a move of the solver after so many moves. */
  async moved(move, at) {
    if (this.status !== 'open') {
      return;
    }
    const { kind } = this.puzzle;
    const { outcome } = this.game.view;
    if (kind === 'defence' || kind === 'best') {
      const isRight = at === 0 && move === this.puzzle.solution.move;
      await (isRight ? this.solved(this.goOn()) : this.missed(move, await this.answerTo(move)));
    } else if (outcome) {
      const isWon = outcome.winner === solverOf(this.puzzle);
      await (isWon ? this.solved() : this.missed(move, [], outcome.says));
    } else {
      await this.defend(move, at);
    }
    this.show();
    if (this.status !== 'open') {
      this.task.reveal(this.status === 'wrong' ? this.retry : this.next);
    }
  }

  /** The engine's answer in a forced win. */
  async defend(move, at) {
    const { game } = this;
    const left = this.puzzle.plies - at - 1;
    const known = this.follow(game.state.moves);
    if (known?.length > 0) {
      await this.task.reply(known[0].move);
      this.task.tell(`${move} is right. The answer is ${known[0].move}: go on.`, 'right');
      return;
    }
    const told = at === 0 && this.puzzle.wrong.find((each) => each.move === move);
    if (told) {
      await this.missed(move, told.answer);
      return;
    }
    if (left < 2) {
      await this.missed(move, [], this.puzzle.plies === 1 ? 'It completes no road' : 'The win was one move away');
      return;
    }
    game.say('The engine looks for a defence.');
    const { defence } = await this.task.think({ do: 'defend', game: game.record(), plies: left });
    if (defence.is_lost) {
      await this.task.reply(defence.move);
      this.task.tell(`${move} ${known ? 'is right' : 'wins too'}. The answer is ${defence.move}: go on.`, 'right');
    } else if (defence.is_lost === false) {
      await this.missed(move, [defence.move]);
    } else {
      await this.missed(move, [], 'The engine cannot prove that it wins in time');
    }
  }

  /** The best answers to a move that is not the right one. */
  async answerTo(move) {
    const { game } = this;
    const told = this.puzzle.wrong.find((each) => each.move === move);
    if (told || game.view.outcome) {
      return told?.answer ?? [];
    }
    const { report } = await this.task.think({ do: 'think', game: game.record(), nodes: NODES, lines: 1 });
    return report?.lines[0]?.moves ?? [];
  }

  /** What follows the right move. */
  goOn() {
    const line = lineOf(this.puzzle).slice(1, LONGEST);
    return line.length > 0 ? ` The game may go on with ${line.join(' ')}.` : '';
  }

  async solved(more = '') {
    this.status = 'solved';
    this.task.close();
    const was = this.results.rating;
    const isFirst = this.record(!this.isMissed);
    const change = Math.round(this.results.rating) - Math.round(was);
    const rating = isFirst && !this.isMissed ? ` Your rating rises by ${change}.` : '';
    this.task.tell(`Solved!${more}${rating}`, 'right');
    this.show();
    if (document.activeElement === document.getElementById('grid')) {
      this.next.focus({ preventScroll: true });
    }
  }

  /** A wrong move: the board shows the answer to it. */
  async missed(move, line, why = '') {
    this.status = 'wrong';
    this.wrongAt = this.game.state.at - 1;
    this.isMissed = true;
    this.record(false);
    const { kind } = this.puzzle;
    if (line.length > 0) {
      await this.task.reply(line[0]);
    }
    this.task.close();
    const isLost = kind === 'defence' || kind === 'best';
    const shown = line.slice(0, LONGEST).join(' ');
    const answer = isLost ? `the answer is ${shown}` : `the defence is ${shown}`;
    this.task.tell(`${move} is not the move: ${line.length > 0 ? answer : why[0].toLowerCase() + why.slice(1)}.`, 'wrong');
  }

  async tryAgain() {
    await this.task.back(this.wrongAt);
    this.status = 'open';
    this.task.tell('');
    this.show();
    this.task.announce(this.goal.textContent);
    document.getElementById('grid').focus({ preventScroll: true });
  }

  async showSolution() {
    if (this.status === 'open' || this.status === 'wrong') {
      this.isMissed = true;
      this.record(false);
    }
    const line = lineOf(this.puzzle);
    await this.task.show(this.origin, solverOf(this.puzzle), { moves: line, at: 0 });
    this.status = 'shown';
    this.task.close();
    this.task.tell(`The solution is ${line.join(' ')}. Step through it with › or the key ].`);
    this.show();
  }

  /** Records the first try at a puzzle. Returns whether it was that. */
  record(isSolved) {
    const { done } = loadResults();
    const isFirst = !Object.hasOwn(done, keyOf(this.puzzle));
    // Another tab may have changed them.
    this.results = after(loadResults(), this.puzzle, isSolved, this.day);
    this.isKept = saveResults(this.results);
    return isFirst;
  }

  /** The puzzle as a game to analyse. */
  async openBoard() {
    const { moves } = this.game.state;
    await this.game.open({ start: this.origin, moves });
  }

  async openFiles([file]) {
    if (file.size > MOST_BYTES) {
      this.game.refuse('this file is too large');
      return;
    }
    const text = await file.text();
    const results = readResults(text);
    if (results) {
      this.results = results;
      saveResults(results);
      this.show();
      this.game.say('Your results are loaded.');
      return;
    }
    const { puzzles, skipped } = readLines(text);
    if (puzzles.length === 0) {
      this.game.refuse('this file holds no puzzles; “tak-engine puzzles” writes some');
      return;
    }
    this.game.do(() => this.use({ puzzles, skipped, name: file.name }));
  }

  /** Takes the puzzles of a file, or with null those of the program. */
  async use(opened) {
    this.opened = opened;
    this.filter = { size: '', group: '', grade: '' };
    await this.choose();
    if (opened) {
      const lines = opened.skipped > 0 ? `; ${counted(opened.skipped, 'line is', 'lines are')} no puzzle` : '';
      this.task.tell(`${counted(opened.puzzles.length, 'puzzle', 'puzzles')} of ${opened.name}${lines}.`);
    }
  }

  async copyLink() {
    const address = new URL(location.href);
    // The token is not part of a link.
    address.search = '';
    address.hash = `puzzles/${toFragment(this.puzzle)}`;
    try {
      await navigator.clipboard.writeText(address.href);
      this.game.say('The link is copied.');
    } catch {
      this.game.say(`The browser does not let this page copy. The link is ${address.href}`);
    }
  }

  show() {
    const { puzzle, results, status, filter } = this;
    if (!puzzle) {
      return;
    }
    this.title.textContent = this.day === null ? `Puzzle: ${groupName(groupOf(puzzle))}` : 'Puzzle of the day';
    document.title = `${this.title.textContent} – Tak`;
    this.goal.textContent = goalOf(puzzle);
    this.retry.hidden = status !== 'wrong';
    this.next.classList.toggle('main', status === 'solved' || status === 'shown');
    this.solution.hidden = status === 'shown' || status === 'solved';
    this.previous.hidden = this.following.hidden = status !== 'shown';
    this.analyse.hidden = status === 'open' || status === 'wrong';
    const { rating, deviation, streak, longest, days, day } = results;
    const isStanding = dayOf(new Date()) - day <= 1;
    this.standing.textContent = [
      `This puzzle: ${ratingOf(puzzle)}, ${gradeOf(puzzle)}.`,
      Object.keys(results.done).length === 0 ? 'You are not rated yet.'
        : `You: ${Math.round(rating)}, give or take ${Math.round(2 * deviation)}.`,
      `${streak} solved in a row${longest > streak ? `, ${longest} at best` : ''}.`,
      days > 0 && isStanding ? `Puzzle of the day: ${counted(days, 'day', 'days')} in a row.` : '',
      this.isKept === false ? 'The browser does not store this: save your results.' : '',
    ].join(' ');
    this.former.hidden = this.opened === null;
    const all = this.puzzles;
    const values = (of) => [...new Set(all.map(of))].sort((a, b) => String(a).localeCompare(String(b), 'en', { numeric: true }));
    this.lists.size.offer([['', 'any'], ...values(({ size }) => size).map((size) => [String(size), `${size}x${size}`])], filter.size);
    this.lists.group.offer([['', 'any'], ...values(groupOf).map((group) => [group, groupName(group)])], filter.group);
    this.lists.grade.offer([['', 'any'], ['easy', 'easy'], ['medium', 'medium'], ['hard', 'hard']], filter.grade);
    const fitting = filtered(all, filter);
    const solved = fitting.filter((each) => results.done[keyOf(each)] === 1).length;
    const done = fitting.filter((each) => Object.hasOwn(results.done, keyOf(each))).length;
    this.left.textContent = `${counted(fitting.length, 'puzzle', 'puzzles')}, ${done} tried, ${solved} of them solved.`;
  }
}
