// The best lines of the engine. Every move is a button: pointing at it shows its position, a click plays the line up to it.

/** @import { Report, ReportLine } from '../protocol.js' */
/** @import { State } from '../types.js' */
/** @import { Page } from '../main.js' */

import { html, nothing } from '../../vendor/lit-html.js';
import { reportOn, shareOf } from '../actions/engine.js';
import { nodeOf, shown, viewOf } from '../model/doc.js';
import { percent, shortNumber, words } from '../words.js';
import { iconButton, picture } from './parts.js';

/** The moves of a folded line; the rest is cut off by the window. */
const FOLDED_MOVES = 24;
/** The number of the first line of a second engine. Those of ours are counted from 0. */
const SECOND = 100;

/**
 * @param {State} state
 * @param {Page} page
 * @param {boolean} isLive whether the lines can be played
 */
export function lines(state, page, isLive) {
  const doc = shown(state);
  const { engine } = state;
  const report = reportOn(engine, doc);
  const { outcome } = viewOf(doc) ?? {};
  if (outcome) {
    return html`<p class="none">${words.overHere(outcome.says)}</p>`;
  }
  return html`${list(report, 0, words.bestLines, state, page, isLive)}
    <p class="fine"><span>${effort(report)}</span></p>
    ${report?.lines[0]?.proven ? html`<p class="proven">${report.lines[0].proven}.</p>` : nothing}`;
}

/**
 * The lines of a second engine below ours, if the program has one.
 * @param {State} state
 * @param {Page} page
 */
export function secondLines(state, page) {
  const doc = shown(state);
  const name = state.hello?.second;
  if (!name || viewOf(doc)?.outcome) {
    return nothing;
  }
  const { trouble } = state.second;
  const report = reportOn(state.second, doc);
  return html`<section class="live second" aria-label=${name}><h3>${name}</h3>
    ${report || !trouble ? list(report, SECOND, words.linesOf(name), state, page, true) : nothing}
    ${
      trouble
        ? html`<p class="problem" role="alert">${picture('x')}<span>${words.secondFailed(name, trouble)}</span></p>`
        : html`<p class="fine"><span>${effort(report)}</span></p>`
    }</section>`;
}

/** @param {Report | null} report */
const effort = (report) =>
  report ? words.effort(report.depth, shortNumber(report.nodes), shortNumber(report.nodes_per_second)) : words.starting;

/**
 * @param {Report | null} report
 * @param {number} first the number of the first line
 * @param {string} label
 * @param {State} state
 * @param {Page} page
 * @param {boolean} isLive
 */
function list(report, first, label, state, page, isLive) {
  const { settings, unfolded } = state;
  const rows = Array.from({ length: Math.max(1, settings.lines) }, (_, index) => report?.lines[index] ?? null);
  const shownLines = report ? rows.slice(0, Math.max(1, report.lines.length)) : rows;
  return html`<ol class="lines" aria-label=${label}>${shownLines.map((line, index) =>
    line
      ? row(line, index, first + index, state, page, isLive, unfolded === first + index)
      : html`<li class="waiting"><i></i></li>`,
  )}</ol>`;
}

/**
 * @param {ReportLine} line
 * @param {number} index
 * @param {number} id of all lines
 * @param {State} state
 * @param {Page} page
 * @param {boolean} isLive
 * @param {boolean} isOpen
 */
function row(line, index, id, state, page, isLive, isOpen) {
  const { chances, proven, score, winner, moves } = line;
  const share = shareOf(line);
  const node = nodeOf(shown(state));
  const [first, isWhites] = [node.number, node.turn === 'white'];
  const whites = winner ? winner === 'white' : share >= 0.5;
  const title =
    proven ??
    words.lineTitle(percent(chances[0] / 1000), percent(chances[1] / 1000), percent(chances[2] / 1000), score);
  const { preview } = state;
  const shownMoves = isOpen ? moves : moves.slice(0, FOLDED_MOVES);
  return html`<li class=${isOpen ? 'open' : ''}><i class="rank" aria-hidden="true">${index + 1}</i>
    <b class="score ${whites ? 'whites' : 'blacks'}" title=${title}>${winner ? words.winIn(score) : percent(share)}</b>
    <span class="line" @pointerleave=${() => page.preview(null)}>${shownMoves.map((move, at) => {
      const ply = at + (isWhites ? 0 : 1);
      const number =
        ply % 2 === 0 || at === 0
          ? html`<span class="number">${first + Math.floor(ply / 2)}.${ply % 2 === 0 ? '' : '..'}</span>`
          : nothing;
      const isShown = preview?.line === id && preview.count === at + 1;
      return html`${number}<button type="button" class=${isShown ? 'shown' : ''} tabindex=${at === 0 ? '0' : '-1'} ?disabled=${!isLive}
        aria-label=${words.playLine(move, at + 1)}
        @pointerenter=${() => page.preview({ line: id, moves: moves.slice(0, at + 1) })} @focus=${() => page.preview({ line: id, moves: moves.slice(0, at + 1) })}
        @blur=${() => page.preview(null)} @click=${() => page.app.do(() => (nodeOf(page.app.doc) === node ? page.study.enter(moves.slice(0, at + 1)) : undefined))}>${move}</button>`;
    })}</span>
    ${isLive ? iconButton(words.keepLine(index + 1), 'plus', () => page.app.do(() => page.keepLine(moves)), { look: 'small' }) : nothing}
    ${isLive && id < SECOND ? iconButton(words.whyLine(index + 1), 'hint', () => page.app.do(() => page.engine.why(shown(state), line)), { look: 'small' }) : nothing}
    ${iconButton(
      isOpen ? words.foldLine(index + 1) : words.unfoldLine(index + 1),
      'down',
      () => page.app.store.update({ unfolded: isOpen ? null : id }),
      {
        look: `small ${isOpen ? 'turned' : ''}`,
      },
    )}</li>`;
}
