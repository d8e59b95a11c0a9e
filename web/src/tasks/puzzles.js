// Puzzles, which are solved by playing: the engine defends as well as it can. A wrong move is taken back by itself.

/** @import { Mistake, Puzzle, PuzzlesState, State, Verdict } from '../types.js' */
/** @import { Mistakes } from '../actions/mistakes.js' */
/** @import { Page } from '../main.js' */

import { html, nothing } from '../../vendor/lit-html.js';
import { mistakesOf } from '../actions/mistakes.js';
import { mistakeWords } from '../library/mistake-words.js';
import { questionOf, turnAfter, viewOf } from '../model/doc.js';
import { inOrder, isDue } from '../model/mistake.js';
import {
  dayOf,
  filtered,
  fromFragment,
  gradeOf,
  groupOf,
  isNone,
  keyOf,
  lineOf,
  loadShipped,
  nearest,
  ofDay,
  ratingOf,
  readLines,
  rightOf,
  toFragment,
} from '../model/puzzle-list.js';
import { after, loadResults, readResults, saveResults, writeResults } from '../model/results.js';
import { turnOf } from '../model/squares.js';
import { ownAbout, ownCard, sources } from '../views/mistakes.js';
import { button, download, feedback, fileButton, head, iconButton, picture } from '../views/parts.js';
import { steps } from '../views/play.js';
import { choice, groupName, standing } from '../views/puzzles.js';
import { words } from '../words.js';
import { back, place, showWrong, squareOf, titled } from './task.js';
import { taskWords as texts } from './words.js';

const MOST_BYTES = 20_000_000;
/** Nodes of the engine for the answer to a wrong move, if the puzzle has none. */
const NODES = 100_000;
/** The moves of a line that are shown. */
const LINE_MOVES = 5;
/** Milliseconds between the moves of a solution. */
const PAUSE_MS = 700;

/** The board whose puzzles are loaded first. */
const FIRST_SIZE = '5';
/** The address of one's own mistakes. */
const OWN = 'mistakes';

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
        isOwn: false,
        mistake: null,
        status: 'shown',
        isMissed: false,
        refutation: [],
        day: null,
        verdict: NOTHING,
        results: loadResults(),
        isKept: true,
        seen: new Set(),
      },
    });
    // The moves of the user are told by the document.
    page.app.store.subscribe(() => this.#look());
    this.#mistakes = mistakesOf(page);
  }

  /** @type {Promise<Mistakes>} */
  #mistakes;

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
    const isOwn = detail === OWN;
    const wanted = detail && !isOwn ? fromFragment(detail) : null;
    if (isOwn) {
      await this.#chooseOwn();
    } else if (wanted) {
      await this.start(wanted);
    }
    if (wanted) {
      await this.#load(String(wanted.size));
      // The whole solution, if it is one of these.
      this.#set({ puzzle: this.state.shipped.find((puzzle) => keyOf(puzzle) === keyOf(wanted)) ?? wanted });
    } else if (!isOwn && (this.state.puzzle === null || detail)) {
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

  /** The next mistake, or a puzzle near the solver's rating that was not seen yet. */
  async choose() {
    if (this.state.isOwn) {
      await this.#chooseOwn();
      return;
    }
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
      if (all.length > 0) {
        this.app.refuse(texts.noOther);
      } else if (this.#puzzles.length > 0) {
        this.app.say(texts.noneFits);
      }
      return;
    }
    if (fresh.length === 0) {
      seen.clear();
    }
    await this.start(choice);
  }

  /** The next mistake of the user: those that are due first, and each of them once before one comes again. */
  async #chooseOwn() {
    const { kept } = await this.#mistakes;
    const { seen, mistake } = this.state;
    const day = dayOf(new Date());
    const others = inOrder(kept.list, day).filter(({ key }) => key !== mistake?.key);
    const due = others.filter((each) => isDue(each, day));
    if (due.every(({ key }) => seen.has(key))) {
      for (const { key } of due) {
        seen.delete(key);
      }
    }
    const [choice] = [...[due, others].flatMap((all) => [all.find(({ key }) => !seen.has(key)), all[0]])].filter(
      Boolean,
    );
    if (choice) {
      await this.start(choice.puzzle, null, choice);
    } else if (mistake && kept.list.length > 0) {
      this.app.refuse(mistakeWords.noOther);
    } else {
      this.#turn += 1;
      const start = { size: Number(FIRST_SIZE), opening: /** @type {const} */ ('swap') };
      await this.#quietly(() => place(this.page, 'puzzle', { start, human: null }));
      this.#set({ puzzle: null, isOwn: true, mistake: null, verdict: NOTHING });
    }
  }

  /** Goes to the mistakes of the user, or back to the puzzles. @param {boolean} isOwn */
  async chooseFrom(isOwn) {
    this.#set({ isOwn, mistake: null });
    await this.choose();
  }

  /** The mistake on the board as it is now; null if there is none. @returns {Mistake | null} */
  get #mistake() {
    const { mistake } = this.state;
    return mistake && (this.app.state.mistakes?.list.find(({ key }) => key === mistake.key) ?? mistake);
  }

  /** Deletes the mistake on the board, and goes to the next one. */
  async #remove() {
    const mistake = this.#mistake;
    if (mistake) {
      await (await this.#mistakes).remove(mistake);
      this.#set({ mistake: null });
      await this.#chooseOwn();
    }
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
   * @param {Mistake | null} mistake
   */
  async start(puzzle, day = null, mistake = null) {
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
    this.#set({
      puzzle,
      day,
      mistake,
      isOwn: mistake !== null,
      origin: start,
      status: 'open',
      isMissed: false,
      verdict: NOTHING,
    });
    this.app.store.update({ sign: null });
    this.app.say(`${this.#title}. ${this.#task(puzzle)}`);
  }

  /** @param {Puzzle} puzzle */
  #task(puzzle) {
    const solver = turnOf(puzzle.tps);
    const { mistake } = this.state;
    return `${mistake ? `${mistakeWords.played(solver, mistake.played)} ` : ''}${texts.task(puzzle, solver)}`;
  }

  get #title() {
    const { puzzle, day, mistake } = this.state;
    if (mistake) {
      return mistakeWords.one;
    }
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
    const { kind, plies } = puzzle;
    if (kind === 'defence' || kind === 'best') {
      const right = rightOf(puzzle);
      if (at === 0 && right.includes(move)) {
        await this.#solved(move, move === right[0] ? texts.goesOn(lineOf(puzzle).slice(1, LINE_MOVES)) : '');
      } else {
        const answer = await this.#answerTo(move);
        this.#missed(move, at, texts.wrongAnswer(answer.slice(0, LINE_MOVES)), answer);
      }
    } else if (outcome) {
      if (outcome.winner === turnOf(puzzle.tps)) {
        await this.#solved(move);
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
      this.#missed(move, at, texts.wrongDefence(told.answer.slice(0, LINE_MOVES)), told.answer);
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
  async #solved(move, more = '') {
    if (this.state.mistake) {
      await this.#note(!this.state.isMissed);
    }
    const before = Math.round(this.state.results.rating);
    const isFirst = this.#record(!this.state.isMissed);
    const now = Math.round(this.state.results.rating);
    const rating = this.#mistake
      ? mistakeWords.again(this.#mistake, dayOf(new Date()))
      : isFirst && !this.state.isMissed
        ? texts.ratingNow(before, now)
        : '';
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
    const refutation = answer.slice(0, 1);
    this.#set({ status: 'wrong', isMissed: true, refutation });
    const game = doc && { ...questionOf(doc), moves: doc.moves.slice(0, at), at };
    const explain = () =>
      doc && game && this.app.do(() => this.page.engine.whyWrong(game, move, answer, turnAfter(doc, at)));
    this.#tell('wrong', texts.wrong(move), why, answer.length > 0 ? explain : null);
    const isStill = () => turn === this.#turn && this.state.status === 'wrong';
    showWrong(this.page, move, refutation, isStill, async () => {
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
    const also = rightOf(puzzle).slice(1);
    this.#turn += 1;
    const turn = this.#turn;
    await this.#quietly(() =>
      place(this.page, 'puzzle', { start: origin, human: null, moves: line, at: 0, present: line.length }),
    );
    this.#set({ status: 'shown', isMissed: true });
    this.app.store.update({ sign: null });
    this.#tell('', texts.solutionIs, texts.solutionText(line, also));
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
      PAUSE_MS,
    );
  }

  /** Records the first try at a puzzle. Returns whether it was that. @param {boolean} isSolved */
  #record(isSolved) {
    const { puzzle, day, mistake } = this.state;
    if (mistake) {
      // Mistakes are not rated.
      this.#note(isSolved);
      return false;
    }
    if (!puzzle) {
      return false;
    }
    // Another tab may have changed them.
    const before = loadResults();
    const results = after(before, puzzle, isSolved, day);
    this.#set({ results, isKept: saveResults(results) });
    return !Object.hasOwn(before.done, keyOf(puzzle));
  }

  /** Notes a try at a mistake, of which the first one of the day counts. @param {boolean} isSolved */
  async #note(isSolved) {
    const mistake = this.#mistake;
    if (mistake) {
      await (await this.#mistakes).note(mistake, isSolved);
    }
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

  /** The answer to a wrong move, as long as that is on the board. */
  advice() {
    const { status, refutation } = this.state;
    return status === 'wrong' ? refutation : [];
  }

  /** The kind of the puzzle, and its task or the answer to a move. */
  title() {
    const { puzzle, verdict, isOwn } = this.state;
    // The mistakes of one's own may be none.
    return puzzle
      ? titled(this.#title, this.#task(puzzle), verdict)
      : titled(words.views.puzzles, isOwn ? mistakeWords.none : '', NOTHING);
  }

  /** @param {State} state */
  panel(state) {
    const { app, page } = this;
    const { puzzle, status, verdict, isLoaded, day, isKept, opened, isOwn, filter } = this.state;
    const from = sources(state, isOwn, (own) => app.do(() => this.chooseFrom(own)));
    const mistake = this.#mistake;
    if (isOwn && !mistake) {
      return html`<div class="card task-card">${from}${ownCard(state, null, this.#ownActs)}</div>`;
    }
    if (!puzzle) {
      return html`<div class="card grow">${head(words.views.puzzles, '')}<p class="none" role="status">${isLoaded ? texts.missing : texts.loading}</p></div>`;
    }
    const isOpen = status === 'open' || status === 'wrong';
    const doc = state.docs.puzzle;
    const next = () => app.do(() => this.choose());
    const isLast = !mistake && isNone(this.#puzzles, filter);
    const shown = verdict.title
      ? html`${feedback(verdict.kind, verdict.title, verdict.text)}${verdict.explain ? html`<div class="remarks">${button(words.why, 'hint', verdict.explain, { isSmall: true })}</div>` : nothing}`
      : feedback('', texts.yourMove, '');
    const top = mistake
      ? head(
          mistakeWords.one,
          ownAbout(mistake),
          iconButton(mistakeWords.remove, 'bin', () => app.do(() => this.#remove())),
        )
      : head(
          day === null ? groupName(groupOf(puzzle)) : texts.puzzleOfDay,
          texts.about(texts.grades[gradeOf(puzzle)], ratingOf(puzzle)),
          html`
        ${iconButton(texts.copyLink, 'copy', () => this.#copyLink())}${iconButton(texts.puzzleOfDay, 'calendar', () => app.do(() => this.chooseToday()))}`,
        );
    return html`<div class="card task-card">${from}${top}
      <p class="goal">${this.#task(puzzle)}</p>${shown}
      <div class="row">${button(mistake ? mistakeWords.nextOne : texts.nextPuzzle, 'next', next, { isMain: !isOpen, isOff: isLast })}
        ${isOpen ? button(texts.solution, 'eye', () => app.do(() => this.showSolution())) : button(texts.analyse, 'analysis', () => app.do(() => this.#analyse()))}${status === 'shown' && doc ? steps(page, doc) : nothing}</div></div>
    ${mistake ? html`<div class="card">${ownCard(state, mistake, this.#ownActs)}</div>` : this.#others(isKept, opened, state)}`;
  }

  #ownActs = {
    save: () => this.app.do(async () => (await this.#mistakes).save()),
  };

  /**
   * Results and choice, which are not for mistakes.
   * @param {boolean} isKept
   * @param {PuzzlesState['opened']} opened
   * @param {State} state
   */
  #others(isKept, opened, state) {
    const { app } = this;
    return html`${standing(this.state.results)}
    ${choice(this.#puzzles, this.state, (filter) => {
      this.#set({ filter });
      app.do(() => this.choose());
    })}
    <div class="card files-card"><div class="row">${fileButton(texts.openFile, '.jsonl,.json,application/jsonl', (files) => this.openFiles(files))}
      ${button(texts.save, 'down', () => download(writeResults(this.state.results), 'tak-puzzle-results.json', 'application/json'))}
      ${opened ? button(texts.ofProgram, 'puzzle', () => app.do(() => this.#use(null))) : nothing}
      <a class="button" href="#${state.base}">${picture('play')}<span>${words.backToGame}</span></a></div>
      ${isKept ? nothing : html`<p class="problem" role="alert">${picture('x')}<span>${texts.notKept}</span></p>`}</div>`;
  }
}
