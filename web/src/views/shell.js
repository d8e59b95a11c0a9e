// What is around the board and the panel: navigation, the bar of phones, news.

/** @import { State, Route } from '../types.js' */
/** @import { Page } from '../main.js' */

import { html, nothing, svg } from '../../vendor/lit-html.js';
import { isFinished, shown, viewOf } from '../model/doc.js';
import { words } from '../words.js';
import { iconButton, picture } from './parts.js';
import { statusOf, titleOf } from './titles.js';

/** @type {[Route, string][]} */
const VIEWS = [
  ['play', 'play'],
  ['analysis', 'analysis'],
  ['puzzles', 'puzzle'],
  ['learn', 'learn'],
  ['explorer', 'explorer'],
];

const logo = () => svg`<svg class="logo" viewBox="0 0 40 40" aria-hidden="true"><use href="#logo"></use></svg>`;

/**
 * @param {State} state
 * @param {Page} page
 */
export function rail({ route, update }, page) {
  const item = (
    /** @type {string} */ text,
    /** @type {string} */ name,
    /** @type {() => void} */ act,
    look = '',
  ) => html`
    <button type="button" class=${look} @click=${act}>${picture(name)}<span>${text}</span></button>`;
  return html`<a class="brand" href="#play" aria-label=${words.page}>${logo()}</a>
    ${item(words.newGameName, 'plus', () => page.open('new'), 'new-game')}
    <div class="tabs">${VIEWS.map(
      ([name, icon]) => html`<a href="#${name}" aria-current=${name === route ? 'page' : nothing}>
      ${picture(icon)}<span>${words.views[name]}</span></a>`,
    )}</div>
    <div class="tools">${update ? item(words.update, 'retry', update, 'update') : nothing}
      ${item(words.open, 'open', () => page.open('open'))}${item(words.settings, 'settings', () => page.open('settings'))}
      ${item(words.keys, 'keys', () => page.open('keys'))}</div>`;
}

/** What a player places first, which nothing else on a phone says. @param {State} state */
function firstTurnOf(state) {
  const { game } = state.docs;
  const view = viewOf(game);
  const isFirst = state.route === 'play' && view?.places !== view?.to_move && game.takebacks === 0 && !isFinished(game);
  const { strong, text } = isFirst ? statusOf(state) : { strong: '', text: '' };
  return text ? { about: `${strong} ${text}` } : {};
}

/**
 * @param {State} state
 * @param {Page} page
 */
export function bar(state, page) {
  const { attempt } = state;
  const task = attempt ? { title: words.attempt, about: attempt.text, look: `told ${attempt.kind}` } : page.taskTitle();
  const { title, about, look = '', held } = task ?? { ...titleOf(state), ...firstTurnOf(state) };
  return html`<a class="brand" href="#play" aria-label=${words.page}>${logo()}</a><div class="title ${look}"><b>${title}</b>
      <small>${held ? html`<span aria-hidden="true">${held}</span>` : nothing}<span>${about}</span></small></div>
    ${state.update ? iconButton(words.update, 'retry', state.update, { look: 'update' }) : nothing}
    ${iconButton(words.newGameName, 'plus', () => page.open('new'))}${iconButton(words.more, 'more', () => page.open('more'))}`;
}

/**
 * What is missing, above everything.
 * @param {State} state
 * @param {Page} page
 */
export function troubles({ trouble, isStored, loaded, hello }, page) {
  return html`${
    trouble
      ? html`<p class="trouble" role="status">${picture('chip')}<span>${trouble}</span>
      <button type="button" class="button small" @click=${() => page.app.connection.connect()}>${words.tryAgain}</button></p>`
      : nothing
  }
    ${loaded !== null && !hello && !trouble ? html`<p class="trouble" role="status">${picture('chip')}<span>${words.loading(loaded)}</span></p>` : nothing}
    ${isStored ? nothing : html`<p class="trouble" role="alert">${picture('file')}<span>${words.notStored}</span></p>`}`;
}

/**
 * @param {State} state
 * @param {Page} page
 */
export function news({ news: told }, page) {
  return told
    ? html`<div class="news"><span>${told.text}</span>
    ${
      told.undo
        ? html`<button type="button" @click=${() => {
            told.undo?.();
            page.app.hush();
          }}>${words.undo}</button>`
        : nothing
    }${told.why ? html`<button type="button" @click=${told.why}>${words.why}</button>` : nothing}</div>`
    : nothing;
}

/** The title of the tab. @param {State} state */
export function tabTitle(state) {
  const doc = shown(state);
  return viewOf(doc) ? `${titleOf(state).tab} – ${words.page}` : words.page;
}
