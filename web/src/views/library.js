// The library: all games that are kept, with a search.

/** @import { FileGame, Head, LibraryState, LibraryQuery } from '../types.js' */
/** @import { Shelf } from '../library/shelf.js' */

import { html, live, nothing } from '../../vendor/lit-html.js';
import { libraryWords as words } from '../library/words.js';
import { words as common } from '../words.js';
import { button, fileButton, head, iconButton, picture, segments, select, toggle } from './parts.js';

/** The players of a game. @param {Head | FileGame} game */
export const nameOf = ({ white, black }) => common.versus(white || common.colors.white, black || common.colors.black);

/**
 * @param {LibraryState} state
 * @param {Shelf} shelf
 */
export function libraryPanel(state, shelf) {
  const { heads, found, reading, problem, trouble, faults } = state;
  const { app } = shelf;
  const hasGames = heads.length > 0;
  const files = fileButton(words.add, '.ptn,.txt,text/plain', (chosen) => shelf.openFiles(chosen), {
    isMultiple: true,
    isMain: !hasGames,
  });
  return html`<div class="card">${head(
    words.library,
    words.about(found.length, heads.length),
    hasGames
      ? html`${files}${iconButton(words.exportAll, 'download', () => app.do(() => shelf.saveAll()), { look: 'outlined' })}`
      : nothing,
  )}
    ${
      reading
        ? html`<div class="progress" role="status"><b>${words.reading(reading.name, reading.percent)}</b>
      <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width=${reading.percent} height="1"></rect></svg></div>`
        : nothing
    }
    ${problem ? html`<p class="problem" role="alert">${picture('x')}<span>${problem}</span></p>` : nothing}
    ${trouble ? html`<p class="problem" role="alert">${picture('file')}<span>${words.onlyHere(trouble)}</span></p>` : nothing}
    ${
      faults.length > 0
        ? html`<details class="damaged"><summary>${words.faults} <small>${faults.length}</small></summary><ul>${faults.slice(0, 20).map((fault) => html`<li>${fault}</li>`)}</ul></details>`
        : nothing
    }
    ${hasGames ? wishes(state, shelf) : nothing}</div>
    <div class="card grow">${hasGames ? list(state, shelf) : reading ? nothing : html`<div class="drop">${picture('upload')}<b>${words.drop}</b><span>${words.empty}</span>${files}</div>`}
      <footer class="foot"><div class="row">${button(words.openPaste, 'open', () => shelf.page.open('open'))}
        <a class="button" href="#${app.state.base}">${picture('undo')}<span>${words.back}</span></a></div></footer></div>`;
}

/**
 * What is searched for.
 * @param {LibraryState} state
 * @param {Shelf} shelf
 */
function wishes({ query, heads, isLooking }, shelf) {
  const { text, size, result, source, isHere } = query;
  const sizes = [...new Set([...heads.map((each) => each.size), ...(size ? [size] : [])])].sort();
  return html`<div class="wishes ${isHere ? 'here' : ''}" role="search"><label class="searched">${picture('search')}<input type="text" inputmode="search" enterkeyhint="search" autocomplete="off" spellcheck="false"
      aria-label=${words.search} placeholder=${words.search} .value=${live(text)}
      @input=${(/** @type {{target: HTMLInputElement}} */ { target }) => shelf.find({ text: target.value })}></label>
    <div class="choices">
      ${segments(words.size, [/** @type {[number, string]} */ ([0, words.all]), ...sizes.map((each) => /** @type {[number, string]} */ ([each, String(each)]))], size, (chosen) => shelf.find({ size: chosen }))}
      ${select(words.result, Object.entries(words.results), result, (chosen) => shelf.find({ result: /** @type {LibraryQuery['result']} */ (chosen) }))}</div>
    <div class="choices">${toggle(words.withPosition, isHere, (isOn) => shelf.find({ isHere: isOn }))}
      ${source ? toggle(words.ofFile(source), true, () => shelf.find({ source: '' })) : nothing}</div>
    ${isLooking ? html`<p class="none" role="status">${words.looking}</p>` : nothing}</div>`;
}

/**
 * @param {LibraryState} state
 * @param {Shelf} shelf
 */
function list({ found, shown }, shelf) {
  if (found.length === 0) {
    return html`<p class="none" role="status">${words.none}</p>`;
  }
  const rest = found.length - shown;
  return html`<ol class="shelf" aria-label=${words.games}>${found.slice(0, shown).map((game) => row(game, shelf))}</ol>
    ${rest > 0 ? html`<div class="row">${button(words.more(Math.min(100, rest)), 'down', () => shelf.more())}</div>` : nothing}`;
}

/**
 * A button that opens a game.
 * @param {Head | FileGame} game
 * @param {() => void} open
 */
export function gameButton(game, open) {
  const { size, plies, date, result, source } = game;
  const about = [`${size} × ${size}`, words.plies(plies), date.replace(/[?.]*$/, ''), source].filter(Boolean);
  return html`<button type="button" class="kept" @click=${open}><b><bdi>${nameOf(game)}</bdi></b><em>${result}</em><small><bdi>${about.join(' · ')}</bdi></small></button>`;
}

/**
 * @param {Head} game
 * @param {Shelf} shelf
 */
const row = (game, shelf) =>
  html`<li>${gameButton(game, () => shelf.app.do(() => shelf.openGame(game)))}
    ${iconButton(words.remove(nameOf(game)), 'bin', () => shelf.app.do(() => shelf.remove(game)))}</li>`;
