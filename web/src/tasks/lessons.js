// Lessons for people who have never seen Tak: small positions in which the learner makes a move. They are in
// lessons.json.

/** @import { Color, View } from '../protocol.js' */
/** @import { LessonsState, Verdict } from '../types.js' */
/** @import { Page } from '../main.js' */

import { html, nothing } from '../../vendor/lit-html.js';
import { viewOf } from '../model/doc.js';
import { turnOf, widthOf } from '../model/squares.js';
import { button, feedback, picture } from '../views/parts.js';
import { words } from '../words.js';
import { back, place, showWrong, titled } from './task.js';
import { taskWords as texts } from './words.js';

const KEY = 'tak-engine-lessons';

/** The tests of a move that lessons name, by the view of the position after it. @type {Record<string, (view: View, side: Color) => boolean>} */
const RULES = {
  flat: ({ last }) => last?.kind === 'flat',
  wall: ({ last }) => last?.kind === 'wall',
  capstone: ({ last }) => last?.kind === 'capstone',
  move: ({ last }) => (last?.drops.length ?? 0) > 0,
  road: ({ outcome }, side) => outcome?.winner === side && outcome.road.length > 0,
  flats: ({ outcome }, side) => outcome?.winner === side && outcome.road.length === 0,
  lost: ({ outcome }, side) => Boolean(outcome) && outcome?.winner !== side,
  tak: ({ outcome, threat }) => !outcome && threat.length > 0,
};

/** Returns whether the last move of a view is one of a list, or as a rule says. @type {(view: View, rule: string | string[], side: Color) => boolean} */
const fits = (view, rule, side) =>
  Array.isArray(rule) ? rule.includes(view.last?.text ?? '') : RULES[rule](view, side);

/** The steps done of each lesson, by its name. @returns {Record<string, number>} */
function loadDone() {
  try {
    const done = JSON.parse(localStorage.getItem(KEY) ?? '');
    const isWhole = done && typeof done === 'object' && Object.values(done).every(Number.isSafeInteger);
    return isWhole ? done : {};
  } catch {
    return {};
  }
}

/** @type {Verdict} */
const NOTHING = { kind: '', title: '', text: '' };

/** @type {(page: Page) => Lessons} */
export const create = (page) => new Lessons(page);

class Lessons {
  /** The moves that are known. @type {string[] | null} */
  #moves = null;
  #isQuiet = false;
  /** Counts the steps, so that what comes late is for none of a later one. */
  #turn = 0;
  #touch = matchMedia('(pointer: coarse)');

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.app = page.app;
    this.app.store.update({
      lessons: { lessons: [], isLoaded: false, lesson: 0, step: 0, status: 'open', verdict: NOTHING, done: loadDone() },
    });
    page.app.store.subscribe(() => this.#look());
    // On phones the board leaves room for the text above it.
    const bar = /** @type {HTMLElement} */ (document.getElementById('bar'));
    const fit = () => document.body.style.setProperty('--told', `${bar.offsetHeight}px`);
    new ResizeObserver(fit).observe(bar);
  }

  /** @returns {LessonsState} */
  get state() {
    return /** @type {LessonsState} */ (this.app.state.lessons);
  }

  /** @param {Partial<LessonsState>} changes */
  #set(changes) {
    this.app.store.update({ lessons: { ...this.state, ...changes } });
  }

  /** A text of a lesson, for a mouse or for a finger. @param {string} text */
  #text(text) {
    return this.#touch.matches ? texts.forTouch(text) : text;
  }

  /** @param {string} detail */
  async open(detail) {
    if (this.state.lessons.length === 0) {
      const response = await fetch('lessons.json').catch(() => null);
      this.#set({ lessons: response?.ok ? await response.json() : [], isLoaded: true });
    }
    const { lessons } = this.state;
    if (lessons.length === 0) {
      return;
    }
    const asked = lessons.findIndex(({ name }) => name === detail);
    const open = lessons.findIndex((_, index) => !this.#isDone(index));
    const lesson = asked >= 0 ? asked : Math.max(0, open);
    await this.start(lesson, this.#reached(lesson));
  }

  /** The number of steps done. @param {number} lesson */
  #count(lesson) {
    const { lessons, done } = this.state;
    const { name, steps } = lessons[lesson];
    return Math.max(0, Math.min(done[name] ?? 0, steps.length));
  }

  /** @param {number} lesson */
  #isDone(lesson) {
    return this.#count(lesson) === this.state.lessons[lesson].steps.length;
  }

  /** The first step that is not done; the first one of a lesson that is. @param {number} lesson */
  #reached(lesson) {
    return this.#count(lesson) % this.state.lessons[lesson].steps.length;
  }

  get #current() {
    const { lessons, lesson, step } = this.state;
    return lessons[lesson].steps[step];
  }

  /**
   * @param {number} lesson
   * @param {number} step
   */
  async start(lesson, step) {
    this.#set({ lesson, step, status: 'open', verdict: NOTHING });
    const { tps, komi = 0, reserves, task } = this.#current;
    /** @type {import('../protocol.js').Start} */
    const begun = { size: widthOf(tps), half_komi: komi * 2, opening: 'swap', tps, reserves };
    this.#turn += 1;
    await this.#quietly(() => place(this.page, 'lesson', { start: begun, human: turnOf(tps) }));
    this.app.store.update({ sign: null });
    const { title, intro } = this.state.lessons[lesson];
    this.app.say(this.#text(`${title}. ${step === 0 ? intro : ''} ${task}`));
  }

  /** Does something with the board of which no move is one of the user. @param {() => Promise<unknown>} action */
  async #quietly(action) {
    this.#isQuiet = true;
    try {
      await action();
    } finally {
      this.#isQuiet = false;
      this.#moves = this.app.state.docs.lesson?.moves ?? null;
    }
  }

  /** Looks for a move of the user. */
  #look() {
    const doc = this.app.state.docs.lesson;
    if (!doc || this.#isQuiet || doc.moves === this.#moves || this.app.state.expected) {
      return;
    }
    this.#moves = doc.moves;
    if (doc.moves.length > 0) {
      queueMicrotask(() => this.#judge());
    }
  }

  /** Judges the move on the board. */
  #judge() {
    const doc = this.app.state.docs.lesson;
    const view = doc && viewOf(doc);
    if (!view || this.state.status !== 'open') {
      return;
    }
    const side = turnOf(this.#current.tps);
    // No tools until the next step.
    this.app.store.updateDoc('lesson', { human: null });
    if (fits(view, this.#current.accept, side)) {
      this.#finish(this.#current.right);
      return;
    }
    const hint = this.#current.hints?.find((each) => fits(view, each.if, side));
    this.#tell('wrong', texts.notYet, hint?.say ?? this.#current.wrong);
    this.#set({ status: 'wrong' });
    const turn = this.#turn;
    const isStill = () => turn === this.#turn && this.state.status === 'wrong';
    showWrong(this.page, doc.moves[0], [], isStill, async () => {
      await this.#quietly(() => back(this.page, 'lesson', 0, side));
      this.#set({ status: 'open' });
    });
  }

  /** The step is done. @param {string} text */
  #finish(text) {
    const { lessons, lesson, step } = this.state;
    const { name } = lessons[lesson];
    const done = { ...loadDone() };
    done[name] = Math.max(done[name] ?? 0, step + 1);
    try {
      localStorage.setItem(KEY, JSON.stringify(done));
    } catch {
      // Progress is kept as long as the page is open.
    }
    this.#set({ done, status: 'right' });
    this.#tell('right', texts.good, text);
    this.#lead();
  }

  /**
   * @param {Verdict['kind']} kind
   * @param {string} title
   * @param {string} text
   */
  #tell(kind, title, text) {
    const own = this.#text(text);
    this.#set({ verdict: { kind, title, text: own } });
    this.app.say(own);
  }

  /** Keys lead on from the board. */
  #lead() {
    const hadBoard = document.activeElement?.id === 'grid';
    this.page.draw();
    const target = /** @type {HTMLElement | null} */ (document.querySelector('.lesson-next'));
    target?.scrollIntoView({ block: 'nearest' });
    if (hadBoard) {
      target?.focus({ preventScroll: true });
    }
  }

  async #goOn() {
    const { lessons, lesson, step } = this.state;
    if (step + 1 < lessons[lesson].steps.length) {
      await this.start(lesson, step + 1);
    } else if (lesson + 1 < lessons.length) {
      await this.start(lesson + 1, this.#reached(lesson + 1));
    } else {
      location.hash = 'puzzles';
      return;
    }
    this.app.dispatchEvent(new Event('grid'));
  }

  /** Makes one of the right moves. */
  async #showMove() {
    const { lesson, step } = this.state;
    const { accept, shows } = this.#current;
    await this.start(lesson, step);
    await this.page.play.play(shows ?? accept[0]);
  }

  /** The lesson, and its task or the answer to a move. */
  title() {
    const { lessons, lesson, step, verdict } = this.state;
    if (lessons.length === 0) {
      return null;
    }
    const { title, intro } = lessons[lesson];
    const task = html`${step === 0 ? `${this.#text(intro)} ` : ''}<strong>${this.#text(this.#current.task)}</strong>`;
    return titled(title, task, verdict);
  }

  panel() {
    const { app } = this;
    const { lessons, lesson, step, status, verdict, isLoaded } = this.state;
    if (lessons.length === 0) {
      return html`<div class="card grow"><h2>${texts.learnTitle}</h2><p class="none" role="status">${isLoaded ? texts.noLessons : texts.loading}</p></div>`;
    }
    const { title, intro, steps } = lessons[lesson];
    const isLast = step + 1 === steps.length;
    const isEnd = isLast && lesson + 1 === lessons.length;
    const next = isEnd ? texts.puzzles : isLast ? texts.nextLesson : texts.next;
    const done = lessons.filter((_, index) => this.#isDone(index)).length;
    const act = (/** @type {() => unknown} */ action) => () => app.do(action);

    return html`<div class="card task-card"><header class="head"><div><p class="over">${texts.lessonOf(lesson + 1, lessons.length)}</p><h2>${title}</h2></div>
        <ol class="dots" aria-label=${texts.step(step + 1, steps.length)}>${steps.map((_, index) => html`<li class=${index < step ? 'past' : index === step ? 'current' : ''}></li>`)}</ol></header>
      ${step === 0 ? html`<p class="body">${this.#text(intro)}</p>` : nothing}<p class="goal">${this.#text(this.#current.task)}</p>
      ${verdict.title ? feedback(verdict.kind, verdict.title, verdict.text) : nothing}
      <div class="row">${
        status === 'right'
          ? html`<button type="button" class="button main lesson-next" @click=${act(() => this.#goOn())}>${picture('next')}<span>${next}</span></button>`
          : button(
              texts.showMe,
              'eye',
              act(() => this.#showMove()),
            )
      }</div></div>
    <div class="card lessons-card"><div class="progress"><b>${texts.lessons}</b><span class="fine">${texts.doneOf(done, lessons.length)}</span>
        <svg viewBox="0 0 ${lessons.length} 1" preserveAspectRatio="none" aria-hidden="true"><rect width=${done} height="1"></rect></svg></div>
      <ol class="lessons" aria-label=${texts.lessons}>${lessons.map(
        (each, index) => html`<li class=${this.#isDone(index) ? 'done' : ''}><button type="button"
        aria-current=${index === lesson ? 'step' : nothing} @click=${act(() => this.start(index, this.#reached(index)))}>
        <span class="number">${this.#isDone(index) ? html`${picture('check')}<span class="unseen">${texts.done}</span>` : index + 1}</span><span>${each.title}</span></button></li>`,
      )}</ol>
      ${
        done === lessons.length
          ? html`<p class="none">${texts.allDone}</p><div class="row">${button(
              texts.firstGame,
              'play',
              act(() => this.page.newGame.startPreset('first')),
            )}
        <a class="button" href="#puzzles">${picture('puzzle')}<span>${texts.puzzles}</span></a></div>`
          : nothing
      }
      <div class="row"><a class="button" href=${`how-to-play.html${location.search}`} target="_blank" rel="noopener">${picture('file')}<span>${texts.rules}</span></a>
        <a class="button" href="#${this.app.state.base}">${picture('play')}<span>${words.backToGame}</span></a></div></div>`;
  }
}
