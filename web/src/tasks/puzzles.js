// Puzzles, which are solved by playing: the engine defends as well as it can. A wrong move is taken back by itself.

/** @import { Puzzle, PuzzlesState, Results, State, Verdict } from '../types.js' */
/** @import { Page } from '../main.js' */

import { html, nothing, svg } from '../../vendor/lit-html.js';
import { questionOf, viewOf } from '../model/doc.js';
import {
  dayOf,
  filtered,
  fromFragment,
  gradeOf,
  groupOf,
  keyOf,
  lineOf,
  loadShipped,
  nearest,
  ofDay,
  ratingOf,
  readLines,
  SIZES,
  THEMES,
  toFragment,
} from '../model/puzzle-list.js';
import { after, loadResults, readResults, saveResults, writeResults } from '../model/results.js';
import { turnOf } from '../model/squares.js';
import { button, download, feedback, fileButton, head, iconButton, picture, segments, select } from '../views/parts.js';
import { steps } from '../views/play.js';
import { words } from '../words.js';
import { back, place, showWrong, squareOf } from './task.js';
import { taskWords as texts } from './words.js';

const MOST_BYTES = 20_000_000;
/** Nodes of the engine for the answer to a wrong move, if the puzzle has none. */
const NODES = 100_000;
/** The moves of a line that are shown. */
const LONGEST = 5;
/** Milliseconds between the moves of a solution. */
const BETWEEN = 700;

/** The board whose puzzles are loaded first. */
const FIRST_SIZE = '5';

/** @type {Verdict} */
const NOTHING = { kind: '', title: '', text: '' };

/** @type {(page: Page) => Puzzles} */
export const create = (page) => new Puzzles(page);

class Puzzles {
  accepts = /\.jsonl?$/;
  /** Counts the puzzles, so that what comes late is for none of a later one. */
  #turn = 0;

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.app = page.app;
    this.app.store.update({
      puzzles: {
        shipped: [],
        opened: null,
        isLoaded: false,
        filter: { size: FIRST_SIZE, group: '', grade: '', theme: '' },
        puzzle: null,
        origin: null,
        status: 'shown',
        isMissed: false,
        day: null,
        verdict: NOTHING,
        results: loadResults(),
        isKept: true,
        seen: new Set(),
      },
    });
    // The moves of the user are told by the document.
    page.app.store.subscribe(() => this.#look());
  }

  /** The moves that are known. @type {string[] | null} */
  #moves = null;
  #isQuiet = false;

  /** @returns {PuzzlesState} */
  get state() {
    return /** @type {PuzzlesState} */ (this.app.state.puzzles);
  }

  /** @param {Partial<PuzzlesState>} changes */
  #set(changes) {
    this.app.store.update({ puzzles: { ...this.state, ...changes } });
  }

  /** @param {string} detail */
  async open(detail) {
    const wanted = detail ? fromFragment(detail) : null;
    if (wanted) {
      await this.start(wanted);
    }
    if (wanted) {
      await this.#load(String(wanted.size));
      // The whole solution, if it is one of these.
      this.#set({ puzzle: this.state.shipped.find((puzzle) => keyOf(puzzle) === keyOf(wanted)) ?? wanted });
    } else if (this.state.puzzle === null || detail) {
      await this.choose();
      if (detail) {
        this.#tell('wrong', texts.linkBroken, texts.anotherOne);
      }
    }
  }

  /** Loads the puzzles of the program for this board; '' is any. @param {string} size */
  async #load(size) {
    this.#set({ shipped: await loadShipped(size ? Number(size) : null), isLoaded: true });
  }

  get #puzzles() {
    return this.state.opened?.puzzles ?? this.state.shipped;
  }

  get #doc() {
    return this.app.state.docs.puzzle;
  }

  /** A puzzle near the solver's rating that was not seen yet. */
  async choose() {
    if (!this.state.opened) {
      await this.#load(this.state.filter.size);
    }
    const {
      filter,
      puzzle,
      results: { done, rating },
      seen,
    } = this.state;
    const all = filtered(this.#puzzles, filter);
    const fitting = all.filter((each) => each !== puzzle);
    const fresh = fitting.filter((each) => !seen.has(keyOf(each)));
    const open = fresh.filter((each) => !Object.hasOwn(done, keyOf(each)));
    const missed = fresh.filter((each) => done[keyOf(each)] === 0);
    // Someone without results may be new to the game.
    const isFirst = Object.keys(done).length === 0 && seen.size === 0;
    const first = isFirst ? open.find((each) => groupOf(each) === 'tinue 1' && each.size === 5) : null;
    const choice =
      first ??
      nearest(open, rating) ??
      missed[0] ??
      fresh[0] ??
      fitting.find((each) => done[keyOf(each)] !== 1) ??
      fitting[0];
    if (!choice) {
      if (this.#puzzles.length > 0) {
        this.app.refuse(texts.noOther);
      }
      return;
    }
    if (fresh.length === 0) {
      seen.clear();
    }
    await this.start(choice);
  }

  async chooseToday() {
    const day = dayOf(new Date());
    await this.#load('');
    const puzzle = ofDay(this.state.shipped, day);
    if (puzzle) {
      await this.start(puzzle, day);
    }
  }

  /**
   * @param {Puzzle} puzzle
   * @param {number | null} day
   */
  async start(puzzle, day = null) {
    const { tps, size, komi, flats, caps } = puzzle;
    /** @type {import('../protocol.js').Start} */
    const start = {
      size,
      half_komi: komi * 2,
      opening: 'swap',
      tps,
      reserves: [
        [flats[0], caps[0]],
        [flats[1], caps[1]],
      ],
    };
    this.#turn += 1;
    await this.#quietly(() => place(this.page, 'puzzle', { start, human: turnOf(tps) }));
    this.state.seen.add(keyOf(puzzle));
    this.#set({ puzzle, day, origin: start, status: 'open', isMissed: false, verdict: NOTHING });
    this.app.store.update({ sign: null });
    this.app.say(`${this.#title}. ${texts.task(puzzle, turnOf(tps))}`);
  }

  get #title() {
    const { puzzle, day } = this.state;
    return day !== null || !puzzle ? texts.puzzleOfDay : groupName(groupOf(puzzle));
  }

  /** Does something with the board of which no move is one of the user. @param {() => Promise<unknown>} action */
  async #quietly(action) {
    this.#isQuiet = true;
    try {
      await action();
    } finally {
      this.#isQuiet = false;
      this.#moves = this.#doc?.moves ?? null;
    }
  }

  /** Looks for a move of the user. */
  #look() {
    const doc = this.#doc;
    if (!doc || this.#isQuiet || doc.moves === this.#moves || doc.at !== doc.moves.length || this.app.state.expected) {
      return;
    }
    this.#moves = doc.moves;
    const { moves, at } = doc;
    if (this.state.status === 'open' && at > 0) {
      const turn = this.#turn;
      this.app.do(() => turn === this.#turn && this.#judge(moves[at - 1], at - 1));
    }
  }

  /**
   * Judges a move, which is taken back if there is no answer to it.
   * @param {string} move
   * @param {number} at the moves before it
   */
  async #judge(move, at) {
    try {
      await this.#moved(move, at);
    } catch (error) {
      await this.#takeBack(at);
      throw error;
    }
  }

  /** @param {number} at */
  async #takeBack(at) {
    const { puzzle } = this.state;
    await this.#quietly(() => back(this.page, 'puzzle', at, puzzle && turnOf(puzzle.tps)));
  }

  /**
   * @param {string} move
   * @param {number} at
   */
  async #moved(move, at) {
    const { puzzle } = this.state;
    const doc = this.#doc;
    if (!puzzle || !doc) {
      return;
    }
    const outcome = viewOf(doc)?.outcome ?? null;
    const { kind, plies, solution } = puzzle;
    if (kind === 'defence' || kind === 'best') {
      if (at === 0 && move === solution.move) {
        this.#solved(move, texts.goesOn(lineOf(puzzle).slice(1, LONGEST)));
      } else {
        const answer = await this.#answerTo(move);
        this.#missed(move, at, texts.wrongAnswer(answer.slice(0, LONGEST)), answer);
      }
    } else if (outcome) {
      if (outcome.winner === turnOf(puzzle.tps)) {
        this.#solved(move);
      } else {
        this.#missed(move, at, `${outcome.says}.`);
      }
    } else {
      await this.#defend(move, at, (plies ?? 0) - at - 1);
    }
  }

  /** The answers of the solution after these moves; null if it does not have them. @param {string[]} moves */
  #follow(moves) {
    let answers = this.state.puzzle ? [this.state.puzzle.solution] : [];
    for (const move of moves) {
      const step = answers.find((each) => each.move === move);
      if (!step) {
        return null;
      }
      answers = step.answers;
    }
    return answers;
  }

  /**
   * The engine's answer in a forced win.
   * @param {string} move
   * @param {number} at
   * @param {number} left the plies that are left
   */
  async #defend(move, at, left) {
    const doc = /** @type {NonNullable<typeof this.app.state.docs.puzzle>} */ (this.#doc);
    const { puzzle } = this.state;
    const known = this.#follow(doc.moves);
    const told = at === 0 && puzzle?.wrong.find((each) => each.move === move);
    if (known && known.length > 0) {
      await this.#reply(move, known[0].move, true);
    } else if (told) {
      this.#missed(move, at, texts.wrongDefence(told.answer.slice(0, LONGEST)), told.answer);
    } else if (left < 2) {
      this.#missed(move, at, puzzle?.plies === 1 ? texts.noRoad : texts.tooLate);
    } else {
      this.#tell('', texts.enginesMove, '');
      const turn = this.#turn;
      const { defence } = await this.page.engine.ask({ do: 'defend', game: questionOf(doc), plies: left });
      if (turn !== this.#turn) {
        return;
      }
      if (defence.is_lost) {
        await this.#reply(move, defence.move, known !== null);
      } else {
        const answer = defence.is_lost === false ? [defence.move] : [];
        this.#missed(move, at, answer.length > 0 ? texts.wrongDefence(answer) : texts.notProven, answer);
      }
    }
  }

  /**
   * @param {string} move
   * @param {string} answer
   * @param {boolean} isKnown
   */
  async #reply(move, answer, isKnown) {
    await this.#quietly(() => this.page.play.play(answer));
    const [title, text] = texts.right(move, answer, isKnown);
    this.#tell('right', title, text);
  }

  /** The best answers to a move that is not the right one. @param {string} move @returns {Promise<string[]>} */
  async #answerTo(move) {
    const doc = this.#doc;
    const told = this.state.puzzle?.wrong.find((each) => each.move === move);
    if (told || !doc || viewOf(doc)?.outcome) {
      return told?.answer ?? [];
    }
    const { report } = await this.page.engine.ask({ do: 'think', game: questionOf(doc), nodes: NODES, lines: 1 });
    return report?.lines[0]?.moves ?? [];
  }

  /**
   * @param {string} move
   * @param {string} more
   */
  #solved(move, more = '') {
    const before = Math.round(this.state.results.rating);
    const isFirst = this.#record(!this.state.isMissed);
    const now = Math.round(this.state.results.rating);
    const rating = isFirst && !this.state.isMissed ? texts.ratingNow(before, now) : '';
    this.#set({ status: 'solved' });
    this.#close();
    this.app.store.update({ sign: { square: squareOf(move), kind: 'right' } });
    this.#tell('right', texts.solved(move), [more, rating].filter(Boolean).join(' '));
  }

  /**
   * A wrong move is shown as such, and taken back.
   * @param {string} move
   * @param {number} at
   * @param {string} why
   * @param {string[]} answer the moves that show it; none if the move itself does
   */
  #missed(move, at, why, answer = []) {
    const turn = this.#turn;
    const doc = this.#doc;
    this.#record(false);
    this.#set({ status: 'wrong', isMissed: true });
    const game = doc && { ...questionOf(doc), moves: doc.moves.slice(0, at), at };
    const explain = () => game && this.app.do(() => this.page.engine.whyWrong(game, [move, ...answer]));
    this.#tell('wrong', texts.wrong(move), why, answer.length > 0 ? explain : null);
    const isStill = () => turn === this.#turn && this.state.status === 'wrong';
    showWrong(this.page, move, isStill, async () => {
      await this.#takeBack(at);
      this.#set({ status: 'open' });
    });
  }

  /** The user makes no more moves here. */
  #close() {
    this.app.store.updateDoc('puzzle', { human: null });
  }

  /** Plays the solution on the board. */
  async showSolution() {
    const { puzzle, origin, status } = this.state;
    if (!puzzle || !origin) {
      return;
    }
    if (status === 'open' || status === 'wrong') {
      this.#record(false);
    }
    const line = lineOf(puzzle);
    this.#turn += 1;
    const turn = this.#turn;
    await this.#quietly(() =>
      place(this.page, 'puzzle', { start: origin, human: null, moves: line, at: 0, present: line.length }),
    );
    this.#set({ status: 'shown', isMissed: true });
    this.app.store.update({ sign: null });
    this.#tell('', texts.solutionIs, texts.solutionText(line));
    this.#step(turn, 1);
  }

  /**
   * Shows the next move of the solution after a while.
   * @param {number} turn
   * @param {number} at
   */
  #step(turn, at) {
    setTimeout(
      () =>
        this.app.do(async () => {
          const doc = this.#doc;
          if (
            turn === this.#turn &&
            doc &&
            doc.at === at - 1 &&
            at <= doc.moves.length &&
            this.app.state.route === 'puzzles'
          ) {
            await this.page.play.walk(at);
            this.#step(turn, at + 1);
          }
        }),
      BETWEEN,
    );
  }

  /** Records the first try at a puzzle. Returns whether it was that. @param {boolean} isSolved */
  #record(isSolved) {
    const { puzzle, day } = this.state;
    if (!puzzle) {
      return false;
    }
    // Another tab may have changed them.
    const before = loadResults();
    const results = after(before, puzzle, isSolved, day);
    this.#set({ results, isKept: saveResults(results) });
    return !Object.hasOwn(before.done, keyOf(puzzle));
  }

  /**
   * Shows and speaks what the user did.
   * @param {Verdict['kind']} kind
   * @param {string} title
   * @param {string} text
   * @param {(() => unknown) | null} explain says why
   */
  #tell(kind, title, text, explain = null) {
    this.#set({ verdict: { kind, title, text, explain } });
    this.app.say(`${title} ${text}`);
  }

  /** The puzzle as a game to analyse. */
  async #analyse() {
    const { origin } = this.state;
    if (origin && this.#doc) {
      await this.page.study.open({ start: origin, moves: this.#doc.moves });
    }
  }

  /** @param {File[]} files */
  async openFiles([file]) {
    if (file.size > MOST_BYTES) {
      this.app.refuse(texts.tooLarge);
      return;
    }
    const text = await file.text();
    const results = readResults(text);
    if (results) {
      this.#set({ results, isKept: saveResults(results) });
      this.app.tell(texts.resultsLoaded);
      return;
    }
    const { puzzles, skipped } = readLines(text);
    if (puzzles.length === 0) {
      this.app.refuse(texts.noPuzzles);
      return;
    }
    this.app.do(() => this.#use({ puzzles, skipped, name: file.name }));
  }

  /** Takes the puzzles of a file, or with null those of the program. @param {PuzzlesState['opened']} opened */
  async #use(opened) {
    this.#set({ opened, filter: { size: opened ? '' : FIRST_SIZE, group: '', grade: '', theme: '' } });
    await this.choose();
    if (opened) {
      this.app.tell(texts.opened(opened.puzzles.length, opened.name, opened.skipped));
    }
  }

  async #copyLink() {
    const { puzzle } = this.state;
    if (!puzzle) {
      return;
    }
    const address = new URL(location.href);
    // The token is not part of a link.
    address.search = '';
    address.hash = `puzzles/${toFragment(puzzle)}`;
    try {
      await navigator.clipboard.writeText(address.href);
      this.app.tell(texts.linkCopied);
    } catch {
      this.app.tell(texts.linkIs(address.href));
    }
  }

  /** The kind of the puzzle, and its task or the answer to a move. */
  title() {
    const { puzzle, verdict } = this.state;
    const answer = verdict.title && `${verdict.title} ${verdict.text}`;
    return puzzle && { title: this.#title, about: answer || texts.task(puzzle, turnOf(puzzle.tps)) };
  }

  /** @param {State} state */
  panel(state) {
    const { app, page } = this;
    const { puzzle, status, verdict, isLoaded, day, isKept, opened } = this.state;
    if (!puzzle) {
      return html`<div class="card grow">${head(words.views.puzzles, '')}<p class="none" role="status">${isLoaded ? texts.missing : texts.loading}</p></div>`;
    }
    const solver = turnOf(puzzle.tps);
    const isOpen = status === 'open' || status === 'wrong';
    const doc = state.docs.puzzle;
    const next = () => app.do(() => this.choose());
    const shown = verdict.title
      ? html`${feedback(verdict.kind, verdict.title, verdict.text)}${verdict.explain ? html`<div class="remarks">${button(words.why, 'hint', verdict.explain, { isSmall: true })}</div>` : nothing}`
      : feedback('', texts.yourMove, '');
    return html`<div class="card task-card">${head(
      day === null ? groupName(groupOf(puzzle)) : texts.puzzleOfDay,
      texts.about(texts.grades[gradeOf(puzzle)], ratingOf(puzzle)),
      html`
        ${iconButton(texts.copyLink, 'copy', () => this.#copyLink())}${iconButton(texts.puzzleOfDay, 'calendar', () => app.do(() => this.chooseToday()))}`,
    )}
      <p class="goal">${texts.task(puzzle, solver)}</p>${shown}
      <div class="row">${button(texts.nextPuzzle, 'next', next, { isMain: !isOpen })}
        ${isOpen ? button(texts.solution, 'eye', () => app.do(() => this.showSolution())) : button(texts.analyse, 'analysis', () => app.do(() => this.#analyse()))}</div>
      ${status === 'shown' && doc ? steps(page, doc) : nothing}</div>
    ${this.#standing()}
    ${this.#choice()}
    <div class="card files-card"><div class="row">${fileButton(texts.openFile, '.jsonl,.json,application/jsonl', (files) => this.openFiles(files))}
      ${button(texts.save, 'down', () => download(writeResults(this.state.results), 'tak-puzzle-results.json', 'application/json'))}
      ${opened ? button(texts.ofProgram, 'puzzle', () => app.do(() => this.#use(null))) : nothing}
      <a class="button" href="#${state.base}">${picture('play')}<span>${words.backToGame}</span></a></div>
      ${isKept ? nothing : html`<p class="problem" role="alert">${picture('x')}<span>${texts.notKept}</span></p>`}</div>`;
  }

  /** Rating, rows and the last puzzles. */
  #standing() {
    const { rating, deviation, streak, days, day, done, history } = this.state.results;
    const tried = Object.keys(done).length;
    const solved = Object.values(done).filter((mark) => mark === 1).length;
    const isStanding = days > 0 && dayOf(new Date()) - day <= 1;
    // A rating that little is known of has a question mark.
    const shown = tried === 0 ? texts.unrated : `${Math.round(rating)}${deviation > 110 ? '?' : ''}`;
    return html`<div class="card standing-card"><div class="standing"><div><small>${texts.yourRating}</small><b>${shown}</b></div><div><small>${texts.inARow}</small><b>${streak}</b></div>
        <div><small>${texts.solvedCount}</small><b>${solved}</b><span>${texts.ofTried(tried)}</span></div>
        ${isStanding ? html`<div><small>${texts.days}</small><b>${days}</b></div>` : nothing}</div>
      ${history.length > 1 ? curve(history) : nothing}
      ${
        history.length > 0
          ? html`<ol class="last-ten" aria-label=${texts.lastTen}>${history.slice(-10).map(
              ([, mark]) => html`<li class=${mark ? 'right' : 'wrong'}>
        <span class="unseen">${mark ? texts.solvedOne : texts.missedOne}</span>${picture(mark ? 'check' : 'x')}</li>`,
            )}</ol>`
          : nothing
      }</div>`;
  }

  /** The choice of puzzles. */
  #choice() {
    const {
      filter,
      results: { done },
    } = this.state;
    const all = this.#puzzles;
    const boards = this.state.opened ? null : SIZES.map(String);
    const values = (/** @type {(puzzle: Puzzle) => string} */ of) =>
      [...new Set(all.map(of))].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
    const set = (/** @type {Partial<typeof filter>} */ changes) => {
      this.#set({ filter: { ...filter, ...changes } });
      this.app.do(() => this.choose());
    };
    const themes = THEMES.filter((name) => all.some((puzzle) => puzzle.themes?.includes(name)));
    const fitting = filtered(all, filter);
    const tried = fitting.filter((each) => Object.hasOwn(done, keyOf(each)));
    const solved = tried.filter((each) => done[keyOf(each)] === 1).length;
    return html`<div class="card choice-card"><h3>${texts.choose}</h3>
      <div class="field"><span>${texts.board}</span>${segments(texts.board, [['', texts.any], ...(boards ?? values(({ size }) => String(size))).map((size) => /** @type {[string, string]} */ ([size, size]))], filter.size, (size) => set({ size }))}</div>
      ${select(texts.kind, [['', texts.any], ...values(groupOf).map((group) => /** @type {[string, string]} */ ([group, groupName(group)]))], filter.group, (group) => set({ group }))}
      <div class="field"><span>${texts.level}</span>${segments(texts.level, [['', texts.any], ...Object.entries(texts.grades)], filter.grade, (grade) => set({ grade }))}</div>
      ${themes.length > 0 ? select(texts.theme, [['', texts.any], ...themes.map((name) => /** @type {[string, string]} */ ([name, texts.themes[name]]))], filter.theme, (theme) => set({ theme })) : nothing}
      <p class="fine">${texts.counts(fitting.length, tried.length, solved)}</p></div>`;
  }
}

/** The name of a group of puzzles. @type {(group: string) => string} */
const groupName = (group) => texts.groups[group] ?? texts.roadIn(Number(group.replace('tinue ', '')));

/** The rating after each of the last puzzles. @type {(history: Results['history']) => unknown} */
function curve(history) {
  const values = history.map(([rating]) => rating);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const y = (/** @type {number} */ value) => 36 - (32 * (value - least)) / Math.max(1, most - least);
  return svg`<svg class="rating-curve" viewBox="0 0 ${values.length - 1} 40" preserveAspectRatio="none" role="img" aria-label=${texts.curve(values.slice(-10))}>
    <path d=${`M${values.map((value, index) => `${index} ${y(value).toFixed(1)}`).join('L')}`}></path></svg>`;
}
