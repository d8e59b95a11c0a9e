// Lessons for people who have never seen Tak: small positions in which the learner makes a move. They are in
// lessons.json.

import { make } from './elements.js';
import { button, row } from './parts.js';

const KEY = 'tak-engine-lessons';

/** The tests of a move that lessons name, by the view of the position after it. `side` is the learner. */
const RULES = {
  flat: ({ last }) => last.kind === 'flat',
  wall: ({ last }) => last.kind === 'wall',
  capstone: ({ last }) => last.kind === 'capstone',
  move: ({ last }) => last.drops.length > 0,
  road: ({ outcome }, side) => outcome?.winner === side && outcome.road.length > 0,
  flats: ({ outcome }, side) => outcome?.winner === side && outcome.road.length === 0,
  lost: ({ outcome }, side) => Boolean(outcome) && outcome.winner !== side,
  tak: ({ outcome, threat }) => !outcome && threat.length > 0,
};

/** Returns whether the last move of a view is one of a list, or as a rule says. */
function fits(view, rule, side) {
  return Array.isArray(rule) ? rule.includes(view.last.text) : RULES[rule](view, side);
}

/** The steps done of each lesson, by its name. */
function loadDone() {
  try {
    const done = JSON.parse(localStorage.getItem(KEY));
    const isWhole = done && typeof done === 'object' && Object.values(done).every(Number.isSafeInteger);
    return isWhole ? done : {};
  } catch {
    return {};
  }
}

export class View {
  constructor(task) {
    this.task = task;
    this.game = task.game;
    this.lessons = [];
    this.lesson = 0;
    this.step = 0;
    /** open, wrong or right. */
    this.status = 'open';
    this.done = loadDone();
    const act = (action) => () => this.game.do(() => action());
    this.title = make('h2', { id: 'task-title', tabIndex: -1, textContent: 'Learn Tak' });
    this.intro = make('p', { id: 'task-intro' });
    this.goal = make('p', { id: 'task-goal', textContent: 'Loading the lessons.' });
    this.retry = button('Try again', act(() => this.start(this.lesson, this.step)), 'main');
    this.retry.id = 'task-retry';
    this.next = button('Next', act(() => this.goOn()), 'main');
    this.next.id = 'task-next';
    this.skip = button('Show me', act(() => this.showMove()));
    this.skip.id = 'task-solution';
    this.list = make('ol', { id: 'task-lessons', ariaLabel: 'Lessons' });
    this.list.addEventListener('click', (event) => {
      const index = event.target.closest('button')?.dataset.lesson;
      if (index) {
        this.game.do(() => this.start(Number(index), this.reached(Number(index))));
      }
    });
  }

  parts() {
    const { task } = this;
    const links = row(
      make('a', { href: 'how-to-play.html', target: '_blank', rel: 'noopener', textContent: 'The rules on one page' }),
      make('a', { href: '#', textContent: 'Back to the game' }),
    );
    return [task.text(this.title, this.intro, this.goal), row(this.retry, this.next, this.skip), this.list, links];
  }

  async open(detail) {
    if (this.lessons.length === 0) {
      const response = await fetch('lessons.json').catch(() => null);
      this.lessons = response?.ok ? await response.json() : [];
    }
    if (this.lessons.length === 0) {
      return;
    }
    const asked = this.lessons.findIndex(({ name }) => name === detail);
    const open = this.lessons.findIndex(({ steps }, index) => this.count(index) < steps.length);
    const lesson = asked >= 0 ? asked : Math.max(0, open);
    await this.start(lesson, this.reached(lesson));
  }

  /** The number of steps done. */
  count(lesson) {
    const { name, steps } = this.lessons[lesson];
    return Math.max(0, Math.min(this.done[name] ?? 0, steps.length));
  }

  /** The first step that is not done; the first one of a lesson that is. */
  reached(lesson) {
    return this.count(lesson) % this.lessons[lesson].steps.length;
  }

  get current() {
    return this.lessons[this.lesson].steps[this.step];
  }

  async start(lesson, step) {
    Object.assign(this, { lesson, step });
    const { tps, komi = 0, reserves } = this.current;
    const size = tps.split(' ')[0].split('/').length;
    this.side = tps.split(' ')[1] === '1' ? 'white' : 'black';
    await this.task.show({ size, half_komi: komi * 2, opening: 'swap', tps, reserves }, this.side);
    this.status = 'open';
    this.task.tell('');
    this.show();
    this.task.announce(`${this.title.textContent}. ${this.intro.textContent} ${this.goal.textContent}`);
  }

  async moved() {
    const { status, current, side, game: { view } } = this;
    if (status !== 'open') {
      return;
    }
    if (fits(view, current.accept, side)) {
      this.finish(current.right);
      return;
    }
    this.status = 'wrong';
    this.task.close();
    const hint = current.hints?.find((each) => fits(view, each.if, side));
    this.task.tell(hint?.say ?? current.wrong, 'wrong');
    this.show();
    this.lead(this.retry);
  }

  /** The step is done. */
  finish(text) {
    this.status = 'right';
    this.task.close();
    const { name, steps } = this.lessons[this.lesson];
    this.done = { ...loadDone() };
    this.done[name] = Math.max(this.done[name] ?? 0, this.step + 1);
    try {
      localStorage.setItem(KEY, JSON.stringify(this.done));
    } catch {
      // Progress is kept as long as the page is open.
    }
    const isLast = this.step + 1 === steps.length;
    const isEnd = isLast && this.lesson + 1 === this.lessons.length;
    this.next.textContent = isEnd ? 'Puzzles' : isLast ? 'Next lesson' : 'Next';
    this.task.tell(text, 'right');
    this.show();
    this.lead(this.next);
  }

  /** Keys lead on from the board. */
  lead(target) {
    this.task.reveal(target);
    if (document.activeElement === document.getElementById('grid')) {
      target.focus({ preventScroll: true });
    }
  }

  async goOn() {
    if (this.step + 1 < this.lessons[this.lesson].steps.length) {
      await this.start(this.lesson, this.step + 1);
    } else if (this.lesson + 1 < this.lessons.length) {
      await this.start(this.lesson + 1, this.reached(this.lesson + 1));
    } else {
      location.hash = 'puzzles';
      return;
    }
    document.getElementById('grid').focus({ preventScroll: true });
  }

  /** Makes one of the right moves. */
  async showMove() {
    const { accept, shows } = this.current;
    await this.start(this.lesson, this.step);
    await this.task.reply(shows ?? accept[0]);
    await this.moved();
  }

  show() {
    const { title, intro, steps } = this.lessons[this.lesson];
    this.title.textContent = `${this.lesson + 1}. ${title} (${this.step + 1} of ${steps.length})`;
    document.title = `${title} – Learn Tak`;
    this.intro.textContent = this.step === 0 ? intro : '';
    this.goal.textContent = this.current.task;
    this.retry.hidden = this.status !== 'wrong';
    this.next.hidden = this.status !== 'right';
    this.skip.hidden = this.status === 'right';
    this.list.replaceChildren(...this.lessons.map((lesson, index) => {
      const count = this.count(index);
      const state = count === lesson.steps.length ? '✓ done' : count > 0 ? `${count} of ${lesson.steps.length}` : '';
      const choose = button('', () => {});
      choose.append(make('span', { textContent: `${index + 1}. ${lesson.title}` }), make('span', { className: 'note', textContent: ` ${state}` }));
      choose.dataset.lesson = index;
      if (index === this.lesson) {
        choose.setAttribute('aria-current', 'step');
      }
      return make('li', {}, choose);
    }));
  }
}
