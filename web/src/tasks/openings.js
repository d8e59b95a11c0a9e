// The table of openings, which the explorer shows while it has no games: what a long search found after the first moves.

/** @import { KnownMove } from '../protocol.js' */
/** @import { Page } from '../main.js' */
/** @import { Doc, KnownPosition } from '../types.js' */

import { html, nothing } from '../../vendor/lit-html.js';
import { positionOf, questionOf, viewOf } from '../model/doc.js';
import { sentence, unbroken } from '../words.js';
import { taskWords as texts } from './words.js';

/** The table ends after these moves. */
const MOST_PLIES = 2;
/** The moves of a line that are shown. */
const LINE_MOVES = 6;

export class Openings {
  /** The position that was asked for last. */
  #asked = '';
  /** @type {Promise<string> | null} */
  #table = null;

  /**
   * @param {Page} page
   * @param {(known: KnownPosition) => void} tell
   */
  constructor(page, tell) {
    this.page = page;
    this.tell = tell;
  }

  /** Asks for the position on the board, unless that has been done. @param {Doc} doc */
  look(doc) {
    const position = positionOf(doc);
    if (position !== this.#asked && viewOf(doc)) {
      this.#asked = position;
      queueMicrotask(() => this.#ask(doc, position));
    }
  }

  /** A question may have been lost. */
  resume() {
    this.#asked = '';
  }

  /**
   * @param {Doc} doc
   * @param {string} position
   */
  async #ask(doc, position) {
    if (doc.at > MOST_PLIES || doc.start.tps) {
      this.tell({ position, says: '', moves: [] });
      return;
    }
    try {
      this.#table ??= fetch('openings.tsv').then((response) => (response.ok ? response.text() : Promise.reject()));
      const question = { do: 'openings', game: questionOf(doc), table: await this.#table };
      const { openings, says } = await this.page.engine.ask(question);
      this.tell({ position, says, moves: openings.moves });
    } catch {
      // The view is of use without the table, and may get it at the next position.
      this.#table = null;
    }
  }
}

/**
 * The moves with their names, White's chances and the best line after them.
 * @param {KnownPosition} known
 * @param {(move: string) => void} deeper
 */
export const openingsTable = (
  { says, moves },
  deeper,
) => html`<p class="explored" role="status">${unbroken(sentence(says))}</p>
  ${
    moves.length > 0
      ? html`<div class="explorer-box"><table class="explorer-table openings-table">
    <thead><tr><th scope="col">${texts.move}</th><th scope="col">${texts.opening}</th><th scope="col">${texts.chances}</th></tr></thead>
    <tbody>${moves.map((each) => row(each, deeper))}</tbody></table></div>`
      : nothing
  }`;

/**
 * @param {KnownMove} known
 * @param {(move: string) => void} deeper
 */
function row({ move, name, chance, line }, deeper) {
  return html`<tr><th scope="row"><button type="button" class="move-button" @click=${() => deeper(move)}>${move}</button></th>
    <td>${sentence(name).slice(0, -1)}<small>${texts.bestLine(line.slice(0, LINE_MOVES).join(' '))}</small></td>
    <td><span class="result-bar" role="img" aria-label=${texts.chancesOf(chance)}><span class="whites" .style=${`--part: ${chance}`}>${chance >= 50 ? `${chance} %` : ''}</span>
      <span class="blacks" .style=${`--part: ${100 - chance}`}>${chance < 50 ? `${100 - chance} %` : ''}</span></span></td></tr>`;
}
