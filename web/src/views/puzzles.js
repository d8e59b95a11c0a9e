// The parts of the view of puzzles beside the puzzle: results and choice.

/** @import { Puzzle, PuzzlesState, Results } from '../types.js' */

import { html, nothing, svg } from '../../vendor/lit-html.js';
import { dayOf, filtered, groupOf, isNone, keyOf, SIZES, THEMES } from '../model/puzzle-list.js';
import { taskWords as texts } from '../tasks/words.js';
import { picture, segments, select } from './parts.js';

/** The name of a group of puzzles. @type {(group: string) => string} */
export const groupName = (group) => texts.groups[group] ?? texts.roadIn(Number(group.replace('tinue ', '')));

/** The rating after each of the last puzzles. @type {(history: Results['history']) => unknown} */
function curve(history) {
  const values = history.map(([rating]) => rating);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const y = (/** @type {number} */ value) => 36 - (32 * (value - least)) / Math.max(1, most - least);
  return svg`<svg class="rating-curve" viewBox="0 0 ${values.length - 1} 40" preserveAspectRatio="none" role="img" aria-label=${texts.curve(values.slice(-10))}>
    <path d=${`M${values.map((value, index) => `${index} ${y(value).toFixed(1)}`).join('L')}`}></path></svg>`;
}

/** Rating, rows and the last puzzles. @param {Results} results */
export function standing({ rating, deviation, streak, days, day, done, history }) {
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

/**
 * The choice of puzzles.
 * @param {Puzzle[]} all
 * @param {PuzzlesState} state
 * @param {(filter: PuzzlesState['filter']) => void} choose
 */
export function choice(all, { filter, opened, results: { done } }, choose) {
  const values = (/** @type {(puzzle: Puzzle) => string} */ of) =>
    [...new Set(all.map(of))].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  const boards = opened ? values(({ size }) => String(size)) : SIZES.map(String);
  const set = (/** @type {Partial<typeof filter>} */ changes) => choose({ ...filter, ...changes });
  const themes = THEMES.filter((name) => all.some((puzzle) => puzzle.themes?.includes(name)));
  const fitting = filtered(all, filter);
  const tried = fitting.filter((each) => Object.hasOwn(done, keyOf(each)));
  const solved = tried.filter((each) => done[keyOf(each)] === 1).length;
  return html`<div class="card choice-card"><h3>${texts.choose}</h3>
    <div class="field"><span>${texts.board}</span>${segments(texts.board, [['', texts.any], ...boards.map((size) => /** @type {[string, string]} */ ([size, size]))], filter.size, (size) => set({ size }))}</div>
    ${select(texts.kind, [['', texts.any], ...values(groupOf).map((group) => /** @type {[string, string]} */ ([group, groupName(group)]))], filter.group, (group) => set({ group }))}
    <div class="field"><span>${texts.level}</span>${segments(texts.level, [['', texts.any], ...Object.entries(texts.grades)], filter.grade, (grade) => set({ grade }))}</div>
    ${themes.length > 0 ? select(texts.theme, [['', texts.any], ...themes.map((name) => /** @type {[string, string]} */ ([name, texts.themes[name]]))], filter.theme, (theme) => set({ theme })) : nothing}
    ${
      isNone(all, filter)
        ? html`<p class="problem">${picture('x')}<span>${texts.noneFits}</span></p>`
        : html`<p class="fine">${texts.counts(fitting.length, tried.length, solved)}</p>`
    }</div>`;
}
