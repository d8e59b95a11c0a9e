// The panel of a study: live lines, the graph, turning points, moves with variations, comments.

/** @import { State } from '../types.js' */
/** @import { Page } from '../main.js' */

import { html, nothing } from '../../vendor/lit-html.js';
import { TRIES } from '../actions/attempt.js';
import { lazy } from '../lazy.js';
import {
  chanceAt,
  isAnnotated,
  isFinished,
  mistakes,
  nodeOf,
  readerOf,
  remarksOn,
  turningPoints,
} from '../model/doc.js';
import { markName, moveText, percent, sentence, unbroken, words } from '../words.js';
import { graph } from './graph.js';
import { lines, secondLines } from './lines.js';
import { markKind } from './moves.js';
import { button, feedback, head, iconButton, segments, stepper, toggle } from './parts.js';
import { steps } from './play.js';
import { playerOf, resultTitle, titleOf } from './titles.js';

const kept = lazy(() => import('./mistakes.js'));
/** What draws the mistakes that are kept; null until it is loaded. @type {((state: State) => unknown) | null} */
let keeping = null;
let isAsked = false;

/**
 * What became of the mistakes, which is loaded with the first review that is shown.
 * @param {State} state
 * @param {Page} page
 */
function keptMistakes(state, page) {
  if (!isAsked) {
    isAsked = true;
    kept()
      .then(({ openReview }) => openReview(page))
      .then((draw) => {
        keeping = draw;
        page.draw();
      })
      .catch((error) => page.app.complain(error));
  }
  return keeping ? keeping(state) : nothing;
}

/**
 * @param {State} state
 * @param {Page} page
 */
export function analysisPanel(state, page) {
  const {
    docs: { study },
    attempt,
    showsTurns,
    engine,
  } = state;
  const isReviewed = isAnnotated(study);
  const hasGraph =
    isReviewed ||
    engine.reviewing !== null ||
    study.path.some(({ notes }) => typeof (notes?.chance ?? notes?.evaluation) === 'number');
  return html`${attempt ? trying(state, page) : overview(state, page, hasGraph)}
    <div class="card grow">${
      isReviewed && !attempt
        ? segments(
            words.show,
            [
              ['turns', words.turningPoints],
              ['moves', words.moves],
            ],
            showsTurns ? 'turns' : 'moves',
            (chosen) => page.app.store.update({ showsTurns: chosen === 'turns' }),
          )
        : nothing
    }
    ${
      isReviewed && showsTurns && !attempt
        ? html`${turns(state, page)}${remarks(state, page, true)}`
        : html`${study.tree.root.children.length === 0 ? html`<p class="none">${words.emptyStudy}</p>` : nothing}
    ${page.moveList(study, engine.chances)}${attempt ? nothing : remarks(state, page, false)}${variation(page)}`
    }
    ${foot(state, page, isReviewed)}</div>`;
}

/**
 * Live analysis, and the graph of the game.
 * @param {State} state
 * @param {Page} page
 * @param {boolean} hasGraph
 */
function overview(state, page, hasGraph) {
  const { app } = page;
  const {
    docs: { study },
    settings,
    engine,
  } = state;
  const { about } = titleOf(state);
  const isOver = isFinished(study);
  const result = isOver ? resultTitle(state, study) : null;
  const title = result && study.human ? result.title : words.views.analysis;
  const under = [about, result?.about, (settings.analysing || hasGraph) && words.inPercent].filter(Boolean).join(' · ');
  const walk = (/** @type {number} */ at) => app.do(() => page.play.walk(at));
  const actions = html`${toggle(words.live, settings.analysing, (analysing) => app.do(() => app.set({ analysing })))}
    ${iconButton(words.share, 'share', () => page.open('share'))}${iconButton(words.more, 'more', () => page.open('more'))}`;
  return html`<div class="card overview">${head(title, under, actions)}
    ${
      settings.analysing
        ? html`<div class="live">${lines(state, page, true)}
      ${stepper(
        words.linesCount(settings.lines),
        [words.fewerLines, () => app.set({ lines: settings.lines - 1 }), settings.lines <= 1],
        [words.moreLines, () => app.set({ lines: settings.lines + 1 }), settings.lines >= (state.hello?.lines ?? 5)],
      )}</div>${secondLines(state, page)}`
        : nothing
    }
    ${engine.reviewing === null ? nothing : progress(state, page)}
    ${hasGraph ? graph(study, engine.chances, engine.known, { isTall: !settings.analysing, walk }) : nothing}</div>`;
}

/**
 * @param {State} state
 * @param {Page} page
 */
function progress({ engine: { looked }, docs: { study } }, page) {
  const all = study.moves.length;
  return html`<div class="progress"><b>${words.reviewing(looked, all)}</b>
    <svg viewBox="0 0 ${Math.max(1, all)} 1" preserveAspectRatio="none" aria-hidden="true"><rect width=${looked} height="1"></rect></svg>
    ${button(words.stop, 'x', () => page.app.do(() => page.engine.review()), { isSmall: true })}</div>`;
}

/** @typedef {'blunder' | 'mistake' | 'good'} Count */
/** @type {[Count, string][]} */
const COUNTS = [
  ['good', '!'],
  ['mistake', '?'],
  ['blunder', '??'],
];

/**
 * The table of the review, and the moves that mattered: the user's own first.
 * @param {State} state
 * @param {Page} page
 */
function turns(state, page) {
  const {
    docs: { study },
    settings,
  } = state;
  const points = turningPoints(study);
  const side = readerOf(study, settings.you);
  const isOwn = (/** @type {typeof points[number]} */ { node }) => side === null || node.parent?.turn === side;
  const [own, others] = [points.filter(isOwn), points.filter((each) => !isOwn(each))];
  const colors =
    side === 'black' ? /** @type {const} */ (['black', 'white']) : /** @type {const} */ (['white', 'black']);
  const players = study.annotation?.players;
  const count = (/** @type {string} */ color, /** @type {Count} */ kind) =>
    points.filter(({ node, mark }) => node.parent?.turn === color && markKind(mark) === kind).length;
  return html`<div class="turns" role="group" tabindex="0" aria-label=${words.review}>
    <table class="summary"><thead><tr><td></td>${colors.map((color) => html`<th scope="col">${playerOf(state, study, color).name}</th>`)}</tr></thead><tbody>
      ${players ? html`<tr><th scope="row">${words.accuracy}</th>${colors.map((color) => html`<td>${players[color].accuracy === null ? '–' : `${Math.round(players[color].accuracy ?? 0)} %`}</td>`)}</tr>` : nothing}
      ${COUNTS.map(
        ([
          kind,
          mark,
        ]) => html`<tr><th scope="row"><b class="mark ${kind}" aria-hidden="true">${mark}</b>${words.counts[kind]}</th>
        ${colors.map((color) => html`<td>${count(color, kind)}</td>`)}</tr>`,
      )}</tbody></table>
    ${points.length === 0 ? html`<p class="none">${words.noMistakes}</p>` : html`<ol aria-label=${words.turningPoints}>${own.map((each) => turn(state, page, each))}</ol>`}
    ${others.length > 0 ? html`<h3>${words.ofOpponent}</h3><ol aria-label=${words.ofOpponent}>${others.map((each) => turn(state, page, each))}</ol>` : nothing}
    ${keptMistakes(state, page)}</div>`;
}

/**
 * @param {State} state
 * @param {Page} page
 * @param {ReturnType<typeof turningPoints>[number]} point
 */
function turn(state, page, { node, mark, chance, better }) {
  const {
    docs: { study },
    engine,
  } = state;
  const kind = markKind(mark);
  const before = node.parent && chanceAt(study, node.parent, engine.chances);
  const isCurrent = nodeOf(study) === node;
  const isBad = mark.includes('?');
  const text =
    isBad && before !== null && chance !== null
      ? words.fromTo(percent(before), percent(chance))
      : chance === null
        ? ''
        : percent(chance);
  return html`<li class=${isCurrent ? 'current' : ''}><button type="button" class="turning-point" aria-current=${isCurrent ? 'true' : nothing}
      @click=${() => page.app.do(() => page.play.visit(node))}>
      <b class="mark ${kind}" aria-hidden="true">${mark}</b><span class="text"><b>${moveText(/** @type {any} */ (node.parent), node.move)}</b>
      <small>${markName(mark)}</small></span><span class="chances ${kind}">${text}</span></button>
    ${isBad && better ? iconButton(words.tryAgainMove(node.move), 'retry', () => page.app.do(() => page.attempts.begin(node)), { look: 'outlined' }) : nothing}</li>`;
}

/**
 * What the review says on the move on the board, and why, if that was asked. A brief view tells no better move before.
 * @param {State} state
 * @param {Page} page
 * @param {boolean} isBrief
 */
function remarks({ docs: { study } }, page, isBrief) {
  const node = nodeOf(study);
  const found = node.parent && remarksOn(study, node);
  const texts = found ? found.says.map(sentence) : [];
  if (found && texts.length === 0 && found.better) {
    texts.push(words.betterWas(found.better.line[0]));
  }
  const { looks, reasons } = study.annotation ?? {};
  const canExplain = Boolean(looks && !reasons && found?.better);
  const why = (found?.better && reasons?.[node.depth - 1]?.map(({ text }) => text)) || [];
  if (found?.better && reasons && why.length === 0) {
    why.push(words.notExplained);
  }
  const shown = [...(isBrief && why.length === 0 ? [] : texts), ...why];
  if (shown.length === 0 && !canExplain) {
    return nothing;
  }
  return html`<div class="remarks">${shown.length > 0 ? html`<p>${unbroken(shown.join(' '))}</p>` : nothing}
    ${canExplain ? button(words.why, 'hint', () => page.app.do(() => page.engine.explain()), { isSmall: true }) : nothing}</div>`;
}

/** What can be done with the variation on the board. @param {Page} page */
function variation(page) {
  return page.study.first
    ? html`<div class="row variation-actions">
    ${button(words.promote, 'check', () => page.app.do(() => page.study.promote()), { isSmall: true })}
    ${button(words.deleteVariation, 'x', () => page.app.do(() => page.study.prune()), { isSmall: true })}</div>`
    : nothing;
}

/**
 * @param {State} state
 * @param {Page} page
 * @param {boolean} isReviewed
 */
function foot(state, page, isReviewed) {
  const { app } = page;
  const {
    docs: { study },
    engine,
    attempt,
    settings,
  } = state;
  const own = mistakes(study, settings.you);
  const isEmpty = study.moves.length === 0;
  const review = isReviewed
    ? own.length > 0
      ? button(words.mistakesToTry(own.length), 'retry', () => app.do(() => page.attempts.begin(own[0])), {
          isMain: !attempt,
        })
      : nothing
    : button(
        engine.reviewing === null ? words.review : words.stopReview,
        'analysis',
        () => app.do(() => page.engine.review()),
        {
          isMain: isFinished(study) && engine.reviewing === null,
          isOff: isEmpty,
        },
      );
  return html`<footer class="foot">${steps(page, study)}${isReviewed && !attempt ? review : nothing}<div class="row three">
    ${button(words.undo, 'undo', () => app.do(() => (page.hand.cancel() ? undefined : page.study.undo())), { isOff: study.edits.length === 0 && !state.hand.held })}
    ${button(words.comment, 'comment', () => page.open('comment'), { isOff: study.at === 0 })}
    ${isReviewed && study.annotation?.looks ? button(words.report, 'file', () => app.do(() => page.files.report())) : nothing}
    ${isReviewed ? nothing : review}</div></footer>`;
}

/**
 * A mistake that is tried again.
 * @param {State} state
 * @param {Page} page
 */
function trying({ attempt }, page) {
  const { app, attempts } = page;
  if (!attempt) {
    return nothing;
  }
  const { kind, text, isDone, tries } = attempt;
  const told = unbroken(text);
  return html`<div class="card attempt" role="group" aria-label=${words.attempt}>${head(words.attempt, moveText(/** @type {any} */ (attempt.node.parent), attempt.node.move))}
    ${kind ? feedback(kind, told, '') : html`<p class="goal">${told}</p>`}<div class="row">
    ${!isDone && tries >= TRIES ? button(words.showMove, 'eye', () => app.do(() => attempts.show())) : nothing}
    ${isDone && attempts.following ? button(words.nextMistake, 'next', () => app.do(() => attempts.begin(attempts.following)), { isMain: true }) : nothing}
    ${button(words.endAttempt, 'x', () => app.do(() => attempts.end()))}</div></div>`;
}
