// The panel of a game: who plays, whose turn it is, the moves, and what can be done.

/** @import { Series, State } from '../types.js' */
/** @import { Page } from '../main.js' */

import { html, nothing } from '../../vendor/lit-html.js';
import { reportOn } from '../actions/engine.js';
import { canRedo, canUndo } from '../actions/undo.js';
import { isFinished, isOurs, isOver, isStuck, resigner, thinksLong, viewOf } from '../model/doc.js';
import { words } from '../words.js';
import { lines } from './lines.js';
import { button, head, iconButton, picture, segments } from './parts.js';
import { resultTitle, statusOf, titleOf } from './titles.js';

/**
 * The steps through a game, fixed at the foot of a phone.
 * @param {Page} page
 * @param {{at: number, moves: string[]}} doc
 * @param {unknown} more
 */
export function steps(page, { at, moves }, more = nothing) {
  const walk = (/** @type {number} */ to) => () => page.app.do(() => page.play.walk(to));
  return html`<div class="steps" role="group" aria-label=${words.browse}>
    ${iconButton(words.toStart, 'first', walk(0), { isOff: at === 0 })}
    ${iconButton(words.oneBack, 'prev', () => page.app.do(() => page.play.walk(page.app.doc.at - 1)), { isOff: at === 0 })}
    ${iconButton(words.oneForward, 'next', () => page.app.do(() => page.play.walk(page.app.doc.at + 1)), { isOff: at === moves.length })}
    ${iconButton(words.toEnd, 'last', walk(moves.length), { isOff: at === moves.length })}${more}</div>`;
}

/**
 * @param {State} state
 * @param {Page} page
 */
export function playPanel(state, page) {
  const { app } = page;
  const {
    docs: { game },
    isResigning,
    former,
    settings,
  } = state;
  const { title, about } = titleOf(state);
  const view = viewOf(game);
  const isDone = isFinished(game);
  const isEmpty = game.moves.length === 0;
  // No game against the engine was ever chosen.
  const isFirst = isEmpty && former.length === 0 && game.mode === 'engine' && settings.nextColor === null;
  const undo = () => app.do(() => (page.hand.cancel() ? undefined : page.undo.step(-1)));
  const redo = () => app.do(() => page.undo.step(1));
  const hint = () => app.do(() => page.engine.hint());
  const isHintOff = !view || isOver(game) || !isOurs(game);
  // What a phone has beside the steps.
  const special =
    game.mode === 'self'
      ? isDone
        ? nothing
        : iconButton(
            game.paused ? words.continueName : words.pause,
            game.paused ? 'run' : 'pause',
            () => app.do(() => page.watch.pause()),
            { look: 'near-step' },
          )
      : iconButton(words.hintName, 'hint', hint, { isOff: isHintOff, look: 'near-step' });
  const isUndoOff = !canUndo(game) && !state.hand.held;
  const actions = html`${iconButton(words.share, 'share', () => page.open('share'))}
    ${iconButton(words.flip, 'flip', () => page.flip(), { pressed: game.flipped })}${iconButton(words.more, 'more', () => page.open('more'))}`;
  const small = html`${iconButton(words.undo, 'undo', undo, { isOff: isUndoOff, look: 'near-step' })}
    ${canRedo(game) ? iconButton(words.redo, 'redo', redo, { look: 'near-step' }) : nothing}${special}`;
  const resign = isResigning
    ? html`<div id="confirm" class="row three confirm" role="group" aria-label=${words.resign}>
        ${button(words.reallyResign(resigner(game)), 'flag', () => app.do(() => page.play.resign()), { isMain: true })}
        ${button(words.cancel, 'x', () => app.store.update({ isResigning: false }))}</div>`
    : nothing;
  return html`<div class="card grow">${head(title, about, actions)}
    ${isFirst ? welcome(page) : nothing}
    ${status(state, page)}
    ${game.mode === 'self' ? watch(state, page) : nothing}
    ${page.moveList(game, null)}
    <footer class="foot">${steps(page, game, small)}${
      isResigning
        ? resign
        : isDone
          ? html`<div class="row three">
        ${button(words.undo, 'undo', undo, { isOff: isUndoOff })}${button(words.redo, 'redo', redo, { isOff: !canRedo(game) })}
        ${button(words.analyse, 'analysis', () => app.do(() => page.study.take()), { isOff: isEmpty })}</div>`
          : html`<div class="row three">${button(words.undo, 'undo', undo, { isOff: isUndoOff })}${button(words.redo, 'redo', redo, { isOff: !canRedo(game) })}
        ${
          game.mode === 'self'
            ? nothing
            : html`${button(words.hintName, 'hint', hint, { isOff: isHintOff })}
        ${button(words.resign, 'flag', () => app.store.update({ isResigning: true }), { isOff: isEmpty || !view })}`
        }</div>`
    }</footer></div>`;
}

/**
 * Whose turn it is, or how the game has ended.
 * @param {State} state
 * @param {Page} page
 */
function status(state, page) {
  const {
    docs: { game },
  } = state;
  if (isFinished(game)) {
    const { title, about, kind } = resultTitle(state, game);
    const picked = { won: 'check', lost: 'flag', drawn: 'minus', none: 'check' }[kind];
    return html`<div class="outcome"><span class="medal ${kind}">${picture(picked)}</span><div><b>${title}</b><p>${about}</p></div></div>`;
  }
  if (isStuck(state)) {
    return page.secondTrouble();
  }
  const { strong, text, isAlarm, isBack } = statusOf(state);
  return html`<p class="say ${isAlarm ? 'alarm' : ''}">${picture(isAlarm ? 'target' : 'play')}<span><b>${strong}</b> ${text}</span>
    ${isBack ? button(words.toPresent, 'last', () => page.app.do(() => page.play.walk(game.moves.length)), { isSmall: true }) : nothing}</p>`;
}

/** What to begin with, on the first visit. @param {Page} page */
function welcome(page) {
  return html`<div class="welcome"><b>${words.newToTak}</b><p>${words.newToTakText}</p><div class="row">
    <a class="button main" href="#learn">${picture('learn')}<span>${words.lessonsName}</span></a>
    ${button(words.firstGame, 'play', () => page.app.do(() => page.newGame.startPreset('first')))}</div></div>`;
}

/**
 * The engine's game with itself: pause, single moves, wait, and the score of the series.
 * @param {State} state
 * @param {Page} page
 */
function watch(state, page) {
  const {
    docs: { game },
    settings,
  } = state;
  const { watch: watching, app } = page;
  return html`${game.series ? score(game.series, state.hello?.second) : nothing}
    ${
      isFinished(game)
        ? nothing
        : html`<div class="row watch" role="group" aria-label=${words.watchName}>
      ${button(game.paused ? words.continueName : words.pause, game.paused ? 'run' : 'pause', () => app.do(() => watching.pause()), { isMain: true })}
      ${button(words.oneMove, 'next', () => app.do(() => watching.step()))}
      <span class="labelled"><span>${words.wait}</span>${segments(
        words.wait,
        [
          [0, '0'],
          [1, '1'],
          [3, '3'],
          [10, '10 s'],
        ],
        settings.pace,
        (pace) => app.do(() => watching.setPace(pace)),
      )}</span></div>
      ${thinksLong(game) && !(game.paused && !reportOn(state.engine, game)) ? lines(state, page, false) : nothing}`
    }`;
}

/**
 * The score of a series. Equal engines have the names of their colours.
 * @param {Series} series
 * @param {string | null | undefined} name the name of a second engine
 */
function score({ first, second, points, played, total }, name) {
  const [one, other] =
    first === second
      ? [words.colors.white, words.colors.black]
      : [words.levelName(first, name), words.levelName(second, name)];
  return html`<p class="series"><span>${one}</span>
    <b>${words.points(points)} : ${words.points(played - points)}</b>
    <span>${other}</span> <small>${words.gamesOf(played, total)}</small></p>`;
}
