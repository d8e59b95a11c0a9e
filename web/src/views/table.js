// The board with what lies around it: players, evaluation, flats, and the pieces to place or in hand.

/** @import { Color, Kind, View } from '../protocol.js' */
/** @import { Doc, Held, State } from '../types.js' */
/** @import { Page } from '../main.js' */

import { html, live, nothing } from '../../vendor/lit-html.js';
import { reportOn, shareOf } from '../actions/engine.js';
import {
  chanceAt,
  isEngines,
  isFinished,
  isFree,
  isOurs,
  isOver,
  isStuck,
  nodeOf,
  seats,
  shown,
  sideOf,
  thinksLong,
  viewOf,
} from '../model/doc.js';
import { lifts, squareOf } from '../model/draft.js';
import { parseStack } from '../model/squares.js';
import { clockText, number, percent, words } from '../words.js';
import { button, iconButton } from './parts.js';
import { icon } from './pieces.js';
import { playerOf, resultTitle } from './titles.js';

/** @type {Kind[]} */
const KINDS = ['flat', 'wall', 'capstone'];
/** Milliseconds left from which on a clock is short. */
const SHORT_CLOCK_MS = 20000;
/** White's part of the evaluation bar from which on it has room for a number. */
const MIN_WHITE_THOUSANDTHS = 60;

/** The pictures of pieces, by where they are. @type {Map<string, Element>} */
const pictures = new Map();

/**
 * The picture of a piece in a place that has one of this sort. It is made once, so that a step changes nothing there.
 * @param {string} place
 * @param {Color} color
 * @param {Kind} kind
 */
function piece(place, color, kind) {
  const key = `${place} ${color} ${kind}`;
  const made = pictures.get(key) ?? icon(color, kind, place === 'tray' ? 'piece big' : 'piece');
  pictures.set(key, made);
  return made;
}

/**
 * A player: a pip, the name, and what is left.
 * @param {State} state
 * @param {Color} color
 * @param {'far' | 'near'} place
 * @param {unknown} rest
 * @param {unknown} own what is left, below the name
 */
function seat(state, color, place, rest, own = nothing) {
  const doc = shown(state);
  const view = viewOf(doc);
  const { name, about } = playerOf(state, doc, color);
  const isNext = view !== null && view.to_move === color && !isOver(doc);
  const calls =
    view !== null &&
    view.threat.length > 0 &&
    state.settings.callsTak &&
    view.to_move !== color &&
    doc.name !== 'puzzle';
  const isThinking = isNext && isEngines(doc) && !doc.paused && doc.at === doc.moves.length && !isStuck(state);
  const { clock } = doc;
  return html`<div class="seat ${place} ${isNext ? 'turn' : ''}" id="player-${color}" role="group" aria-label=${words.colors[color]}>
    <span class="who"><span class="pip">${piece(place, color, 'flat')}</span>
      <span class="name"><b><bdi>${name}</bdi></b>${about ? html`<small>${about}</small>` : nothing}
      ${isNext ? html`<span class="unseen">${words.isToMove}</span>` : nothing}${own}</span></span>
    <span class="tags">${isThinking ? html`<span class="thinking"><i></i><i></i><i></i><span>${words.thinking}</span></span>` : nothing}
    ${calls ? html`<span class="tak">${words.tak}</span>` : nothing}
    ${clock ? html`<span class="clock ${clock[color] < SHORT_CLOCK_MS ? 'short' : ''} ${isNext ? 'running' : ''}" role="timer">${clockText(clock[color])}</span>` : nothing}</span>
    ${rest}</div>`;
}

/**
 * The pieces that a player has left.
 * @param {View | null} view
 * @param {Color} color
 * @param {string} place
 */
function reserve(view, color, place) {
  if (!view) {
    return nothing;
  }
  const { stones, caps } = view[color];
  return html`<span class="reserve ${place}" role="img" aria-label=${words.left(stones, caps)}>${piece(place, color, 'flat')}<b>${stones}</b>
    ${caps > 0 ? html`${piece(place, color, 'capstone')}<b>${caps}</b>` : nothing}</span>`;
}

/** The player at the head of the board. @param {State} state */
export function farSeat(state) {
  const doc = shown(state);
  const [, far] = seats(doc);
  return seat(state, far, 'far', reserve(viewOf(doc), far, 'far-left'));
}

/**
 * The player at the foot of the board, with the pieces to place, those in hand, or the end of the game.
 * @param {State} state
 * @param {Page} page
 */
export function nearSeat(state, page) {
  const doc = shown(state);
  const view = viewOf(doc);
  const [near] = seats(doc);
  const { held } = state.hand;
  if (held && !state.expected) {
    return hand(held, view, page);
  }
  if (doc.name === 'game' && isFinished(doc) && doc.at === doc.moves.length) {
    return strip(state, doc, page);
  }
  const mayPlay =
    view !== null && !isOver(doc) && doc.mode !== 'self' && (isFree(doc) || doc.mode === 'two' || doc.human !== null);
  if (!mayPlay) {
    return seat(state, near, 'near', reserve(view, near, 'near-left'));
  }
  const player = isOurs(doc) ? view.to_move : (sideOf(doc) ?? view.to_move);
  const color = isOurs(doc) ? view.places : player;
  // If the tray has the pieces of the other player, those of the player stand below the name.
  const own = color === near ? nothing : reserve(view, near, 'own');
  return seat(state, near, 'near', tray(state, view, color, page), own);
}

/**
 * The pieces to place.
 * @param {State} state
 * @param {View} view
 * @param {Color} color
 * @param {Page} page
 */
function tray(state, view, color, page) {
  const { kind: chosen } = state.hand;
  const isTurn = isOurs(shown(state));
  const { stones, caps } = view[color];
  return html`<div class="tray" role="radiogroup" aria-label=${words.pieceToPlace}>${KINDS.map((kind) => {
    const count = kind === 'capstone' ? caps : stones;
    const isPossible = isTurn ? view.kinds.some((each) => each.kind === kind) : count > 0;
    return html`<label class="kind"><input type="radio" class="unseen" name="kind" value=${kind} aria-label=${words.kindLeft(kind, count)}
      .checked=${live(kind === chosen)} ?disabled=${!isPossible} @change=${() => page.app.do(() => page.hand.choose(kind))}>
      ${piece('tray', color, kind)}<span>${words.kinds[kind]}</span><em>${count}</em></label>`;
  })}</div>`;
}

/**
 * The pieces in hand: how many are lifted, or else what falls next.
 * @param {Held} held
 * @param {View | null} view
 * @param {Page} page
 */
function hand(held, view, page) {
  const { app } = page;
  const { colors, kind } = parseStack(held.hand);
  const isWhole = held.draft.drops.length === 0;
  const counts = view ? lifts(squareOf(view, held.draft.from)) : [];
  const pieces = colors.map((color, index) => icon(color, index === colors.length - 1 ? kind : 'flat'));
  return html`<div class="seat near in-hand" role="group" aria-label=${words.inHandCount(held.count)}><span class="who"><span class="name"><b>${words.inHandCount(held.count)}</b>
      <small>${isWhole && counts.length > 1 ? words.howMany : words.nextDrop(colors.length === 1 ? kind : 'flat', colors[0])}</small></span></span>
    ${
      isWhole && counts.length > 1
        ? html`<span class="counts" role="group" aria-label=${words.numberToLift}>${counts.map(
            (count) => html`
      <button type="button" aria-label=${words.lift(count)} aria-pressed=${String(count === held.count)}
        @click=${() => app.do(() => page.hand.number(count))}>${count}</button>`,
          )}</span>`
        : html`<span class="order" aria-hidden="true">${pieces}</span>`
    }
    ${iconButton(words.putBackName, 'putback', () => app.do(() => page.hand.cancel()), { look: 'outlined' })}</div>`;
}

/**
 * The end of the game, told to the player.
 * @param {State} state
 * @param {Doc} doc
 * @param {Page} page
 */
function strip(state, doc, page) {
  const { app } = page;
  const { title, kind } = resultTitle(state, doc);
  return html`<div class="strip ${kind}" role="group" aria-label=${words.endOfGame}><b class="result">${title}</b>
    <span class="row">${button(words.review, 'analysis', () => app.do(() => page.review()), { isMain: true })}
    ${button(doc.mode === 'self' ? words.again : words.rematch, 'retry', () => app.do(() => page.play.again()))}
    ${button(words.newGameName, 'plus', () => page.open('new'))}</span></div>`;
}

/** The flats of both players, as cells of one bar. @param {State} state */
export function flats(state) {
  const doc = shown(state);
  const view = viewOf(doc);
  if (!view) {
    return html`<div class="flats"></div>`;
  }
  const komi = view.half_komi / 2;
  const [white, black] = [view.white.flats, view.black.flats];
  const [whites, blacks] = [white + Math.max(0, -komi), black + Math.max(0, komi)];
  const cells = view.size ** 2 + Math.abs(komi);
  const lead = words.lead(whites - blacks, sideOf(doc), view.outcome);
  const ticks = Array.from({ length: Math.floor(cells) - 1 }, (_, index) => `M${index + 1} 0V1`).join('');
  /** @type {(total: number, flat: number, added: number) => unknown} */
  const count = (total, flat, added) =>
    html`<b class="count">${number(total)}${added > 0 ? html` <small>(${flat}+${number(added)})</small>` : nothing}</b>`;
  return html`<div class="flats" role="img" aria-label=${words.flats(white, black, komi, lead.long)} title=${words.komiMeans(state.hello, view.half_komi)}>
    ${count(whites, white, Math.max(0, -komi))}
    <svg viewBox="0 0 ${cells} 1" preserveAspectRatio="none" aria-hidden="true">
      <rect class="whites" x=${Math.max(0, -komi)} width=${white} height="1"></rect><rect class="komi" width=${Math.max(0, -komi)} height="1"></rect>
      <rect class="blacks" x=${cells - blacks} width=${black} height="1"></rect>
      <rect class="komi" x=${cells - Math.max(0, komi)} width=${Math.max(0, komi)} height="1"></rect>
      <path class="tick" d=${ticks}></path><path class="middle-line" d="M${cells / 2} 0V1"></path></svg>
    ${count(blacks, black, Math.max(0, komi))}
    <span class="lead"><span class="long">${lead.long}</span><span class="short">${lead.short}</span></span></div>`;
}

/** The shares of the evaluation bar that were shown last. @type {[number, number, number] | null} */
let before = null;

/** Returns whether the evaluation bar has a place on the board. @param {State} state */
export function hasGauge(state) {
  const doc = shown(state);
  const { settings, attempt } = state;
  return (
    !attempt &&
    ((doc.name === 'study' && (settings.analysing || chanceAt(doc, nodeOf(doc), new Map()) !== null)) ||
      (doc.name === 'game' && thinksLong(doc)))
  );
}

/** The evaluation bar: White from below. @param {State} state */
export function gauge(state) {
  if (!hasGauge(state)) {
    before = null;
    return nothing;
  }
  const doc = shown(state);
  const best = reportOn(state.engine, doc)?.lines[0];
  const winner = viewOf(doc)?.outcome?.winner;
  const share = best ? shareOf(best) : chanceAt(doc, nodeOf(doc), state.engine.chances);
  /** @type {[number, number, number] | null} */
  const parts = winner
    ? winner === 'white'
      ? [1000, 0, 0]
      : [0, 0, 1000]
    : (best?.chances ?? (share === null ? null : [1000 * share, 0, 1000 - 1000 * share]));
  const isOld = parts === null;
  before = parts ?? before ?? [500, 0, 500];
  const [white, draw, black] = before;
  const score = (white + draw / 2) / 1000;
  const label = parts ? words.whitesScore(percent(score)) : words.notKnown;
  return html`<div class="gauge ${isOld ? 'old' : ''} ${doc.flipped ? 'flipped' : ''}" role="img" aria-label=${label} title=${label}>
    <span class="blacks" .style=${`--part: ${black}`}></span>
    <span class="draws" .style=${`--part: ${draw}`}></span>
    <span class="whites" .style=${`--part: ${white}`}></span>
    ${parts && html`<b class=${white < MIN_WHITE_THOUSANDTHS ? 'on-black' : ''}>${Math.round(100 * score)}</b>`}</div>`;
}

/**
 * The pieces of a stack from the top, with the carry limit marked; nothing for fewer than two.
 * @param {State} state
 * @param {string | null} name
 */
export function pile(state, name) {
  const view = viewOf(shown(state));
  const code = (name && view && !state.hand.held && squareOf(view, name)?.stack) || '';
  const { colors, kind } = parseStack(code);
  if (!view || colors.length < 2) {
    return nothing;
  }
  const top = colors.length - 1;
  const pieces = colors
    .map(
      (color, index) => html`<li class=${top - index === view.size ? 'limit' : ''}>
    ${icon(color, index === top ? kind : 'flat')}</li>`,
    )
    .reverse();
  return html`<div class="pile" aria-hidden="true"><b>${name}</b><ol>${pieces}</ol></div>`;
}
