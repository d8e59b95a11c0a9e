// The graph of White's expected score from move to move, as far as it is known, with marks and the current move.

/** @import { Doc } from '../types.js' */
/** @import { Node } from '../model/tree.js' */

import { html, nothing, svg } from '../../vendor/lit-html.js';
import { chanceAt, remarksOn } from '../model/doc.js';
import { moveText, percent, words } from '../words.js';
import { markKind } from './moves.js';

/** @typedef {{at: number, share: number}} Point */

/** Moves from one number below the graph to the next. */
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500];
const MOST_NUMBERS = 8;

/** The drawing of a line, made again only if it has changed. @type {{key: unknown[], points: Point[], area: string, marks: {x: number, y: number, kind: string}[]} | null} */
let drawn = null;

/**
 * @param {Doc} doc
 * @param {Map<string, number>} chances
 * @param {number} known
 */
function draw(doc, chances, known) {
  const key = [doc.path, doc.tree.version, doc.annotation, known];
  if (drawn?.key.every((part, index) => part === key[index])) {
    return drawn;
  }
  const { path } = doc;
  const points = path.flatMap((node, at) => {
    const share = chanceAt(doc, node, chances);
    return share === null ? [] : [{ at, share }];
  });
  const line = points.map(({ at, share }) => `${at} ${(100 - 100 * share).toFixed(1)}`).join('L');
  const [first, last] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 0];
  const area = points.length > 0 ? `M${first} 100L${line}L${last} 100z` : '';
  const shares = new Map(points.map(({ at, share }) => [at, share]));
  const marks = path.flatMap((node, at) => {
    const kind = at > 0 ? markKind(remarksOn(doc, node)?.marks ?? '') : '';
    const share = shares.get(at);
    return kind && share !== undefined ? [{ x: at, y: 100 - 100 * share, kind }] : [];
  });
  drawn = { key, points, area, marks };
  return drawn;
}

/** The move before a position, with its mark, and the score after it. @type {(doc: Doc, node: Node, share: number) => string} */
function told(doc, node, share) {
  const move = node.parent
    ? moveText(node.parent, `${node.move}${remarksOn(doc, node)?.marks ?? ''}`)
    : words.startOfGame;
  return words.graphPoint(move, percent(share));
}

/**
 * @param {Doc} doc
 * @param {Map<string, number>} chances
 * @param {number} known
 * @param {{isTall: boolean, walk: (at: number) => void}} how
 */
export function graph(doc, chances, known, { isTall, walk }) {
  const { points, area, marks } = draw(doc, chances, known);
  const { path, at } = doc;
  const end = Math.max(1, path.length - 1);
  const here = points.find((point) => point.at === at);
  /** @type {(event: PointerEvent) => number} */
  const under = (event) => {
    const { left, width } = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    return Math.max(0, Math.min(path.length - 1, Math.round(((event.clientX - left) / width) * (path.length - 1))));
  };
  /** Shows what is known at the pointer. @param {PointerEvent} event */
  const point = (event) => {
    const place = /** @type {Element} */ (event.currentTarget).closest('.graph-box');
    const tip = /** @type {HTMLElement} */ (place?.querySelector('.tip'));
    const to = under(event);
    const found = points.find((each) => each.at === to);
    tip.hidden = !found;
    if (found) {
      tip.textContent = told(doc, path[to], found.share);
      const part = to / end;
      tip.style.left = part > 0.5 ? 'auto' : `${100 * part}%`;
      tip.style.right = part > 0.5 ? `${100 * (1 - part)}%` : 'auto';
    }
  };
  const leave = (/** @type {PointerEvent} */ event) => {
    const tip = /** @type {HTMLElement} */ (
      /** @type {Element} */ (event.currentTarget).closest('.graph-box')?.querySelector('.tip')
    );
    tip.hidden = true;
  };
  const first = path[0].number;
  const last = (path.at(-1)?.parent ?? path[0]).number;
  const step = STEPS.find((each) => last - first <= MOST_NUMBERS * each) ?? last - first;
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => first + index).filter(
    (each) => each % step === 0,
  );
  const numbers = path.map(({ parent }) => parent?.number);
  return html`<div class="graph-box ${isTall ? 'tall' : ''}">
    <svg class="graph" viewBox="0 0 ${end} 100" preserveAspectRatio="none" role="slider" tabindex="0" aria-label=${words.graph}
      aria-valuemin="0" aria-valuemax=${path.length - 1} aria-valuenow=${at}
      aria-valuetext=${here ? told(doc, path[at], here.share) : words.notKnown}
      @click=${(/** @type {PointerEvent} */ event) => walk(under(event))} @pointermove=${point} @pointerleave=${leave}>
      <rect class="open" width=${end} height="100"></rect>
      ${area ? svg`<rect class="blacks" x=${points[0].at} width=${Math.max(0, points[points.length - 1].at - points[0].at)} height="100"></rect>` : nothing}
      <path class="whites" d=${area}></path>
      <path class="even" d="M0 50H${end}"></path>
      <path class="current" d="M${at} 0V100"></path>
      ${marks.map(({ x, y, kind }) => svg`<path class="dot-edge" d="M${x} ${y}h.001"></path><path class="dot ${kind}" d="M${x} ${y}h.001"></path>`)}
      ${here ? svg`<path class="dot here" d="M${at} ${100 - 100 * here.share}h.001"></path>` : nothing}
    </svg>
    <span class="tip" hidden></span>
    ${isTall ? html`<span class="axis" aria-hidden="true">${ticks.map((tick) => html`<i .style=${`left: ${(100 * Math.max(0, numbers.indexOf(tick))) / end}%`}>${tick}</i>`)}</span>` : nothing}
  </div>`;
}
