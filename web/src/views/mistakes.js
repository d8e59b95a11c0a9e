// Mistakes that are kept as puzzles: below the table of a review, and in the view of puzzles.

/** @import { Color } from '../protocol.js' */
/** @import { Mistake, State } from '../types.js' */
/** @import { Page } from '../main.js' */

import { html, nothing } from '../../vendor/lit-html.js';
import { candidates, mistakesOf } from '../actions/mistakes.js';
import { mistakeWords as texts } from '../library/mistake-words.js';
import { readerOf } from '../model/doc.js';
import { inOrder, isDue, isLearnt } from '../model/mistake.js';
import { dayOf } from '../model/puzzle-list.js';
import { COLORS } from '../model/squares.js';
import { words } from '../words.js';
import { button, picture, segments } from './parts.js';

/** What draws the part of a review. @param {Page} page @returns {Promise<(state: State) => unknown>} */
export async function openReview(page) {
  const mistakes = await mistakesOf(page);
  return (state) => ofReview(state, (side) => mistakes.find(side));
}

/**
 * What became of the mistakes of the reviewed game. Those of the user are kept without a question.
 * @param {State} state
 * @param {(side: Color) => void} find
 */
function ofReview({ docs: { study }, mistakes, settings }, find) {
  const { annotation } = study;
  if (!annotation || !mistakes) {
    return nothing;
  }
  const { said, kept } = annotation;
  const search = mistakes.search?.said === said ? mistakes.search : null;
  const isOffered = !search && readerOf(study, settings.you) === null;
  const sides = COLORS.filter((side) => !kept?.sides.includes(side) && candidates(study, side).length > 0);
  return html`<div class="kept-mistakes">
    ${
      search?.isRunning
        ? html`<p class="fine" role="status">${texts.looking(search.done, search.all)}</p>`
        : search
          ? html`${problem(texts.stopped(search.problem))}<div class="row">${button(texts.tryAgain, 'retry', () => find(search.side), { isSmall: true })}</div>`
          : kept
            ? html`<p class="fine" role="status">${texts.kept(kept.found, kept.all)} ${kept.found > 0 ? html`<a href="#puzzles/mistakes">${texts.title}</a>` : nothing}</p>`
            : nothing
    }
    ${isOffered ? html`<div class="row">${sides.map((side) => button(texts.keep(study.names[side] || words.colors[side]), 'puzzle', () => find(side), { isSmall: true }))}</div>` : nothing}
    ${mistakes.trouble ? problem(texts.onlyHere(mistakes.trouble)) : nothing}</div>`;
}

/** @param {string} text */
const problem = (text) => html`<p class="problem" role="alert">${picture('x')}<span>${text}</span></p>`;

/**
 * The choice between all puzzles and the mistakes of the user.
 * @param {State} state
 * @param {boolean} isOwn
 * @param {(isOwn: boolean) => void} choose
 */
export function sources({ mistakes }, isOwn, choose) {
  const day = dayOf(new Date());
  const due = mistakes?.list.filter((each) => isDue(each, day)).length ?? 0;
  const choices = /** @type {['all' | 'own', string][]} */ ([
    ['all', texts.program],
    ['own', texts.own(due)],
  ]);
  return segments(texts.source, choices, isOwn ? 'own' : 'all', (chosen) => choose(chosen === 'own'));
}

/** The game of a mistake. @param {Mistake} mistake */
export const ownAbout = ({ game: { white, black }, added }) =>
  texts.about(words.versus(white || words.colors.white, black || words.colors.black), added);

/**
 * How many mistakes are due, and what can be done with them.
 * @param {State} state
 * @param {Mistake | null} mistake the one on the board
 * @param {{save: () => void}} acts
 */
export function ownCard({ mistakes, base }, mistake, { save }) {
  const day = dayOf(new Date());
  const list = mistakes?.list ?? [];
  const learnt = list.filter(isLearnt).length;
  const due = list.filter((each) => isDue(each, day)).length;
  const next = inOrder(list, day).find((each) => !isLearnt(each));
  const isEarly = mistake !== null && !isLearnt(mistake) && !isDue(mistake, day);
  const back = html`<a class="button" href="#${base}">${picture('play')}<span>${words.backToGame}</span></a>`;
  const trouble = mistakes?.trouble ? problem(texts.onlyHere(mistakes.trouble)) : nothing;
  if (list.length === 0) {
    return html`<p class="goal">${texts.none}</p>${trouble}<div class="row">${back}</div>`;
  }
  return html`<p>${texts.counts(due, list.length - due - learnt, learnt)}</p>
    <p class="fine">${isEarly ? texts.notDue(mistake.due) : due === 0 && next ? texts.nextOn(next.due) : ''} ${texts.days}</p>
    <div class="row">${button(texts.save, 'down', save)}${back}</div>${trouble}`;
}
