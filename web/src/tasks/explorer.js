// The explorer: what was played from the position on the board in a collection of games, and how these games ended.
// Without games it shows the table of openings.

/** @import { Explored, Start } from '../protocol.js' */
/** @import { ExploredPosition, ExplorerState, State } from '../types.js' */
/** @import { Page } from '../main.js' */
/** @import { FileGame, Head } from '../types.js' */
/** @import { Shelf } from '../library/shelf.js' */
/** @import { Part } from '../library/conversations.js' */
/** @typedef {readonly Head[] | null} ExplorerHeads */

import { html, nothing } from '../../vendor/lit-html.js';
import { isOver, positionOf, questionOf, shown, viewOf } from '../model/doc.js';
import { Refused } from '../model/errors.js';
import { partsOf } from '../model/squares.js';
import { gameButton } from '../views/library.js';
import { button, decoded, field, fileButton, head, iconButton, picture, segments } from '../views/parts.js';
import { percent, sentence, unbroken, words } from '../words.js';
import { Openings, openingsTable } from './openings.js';
import { place } from './task.js';
import { taskWords as texts } from './words.js';

/** The bytes of a file in one message. In JSON a character may take six times as many. */
const PART_BYTES = 80_000;
/** Smaller shares have no room for their number, in per cent. */
const MIN_LABEL_PERCENT = 18;
/** The most games that are listed. */
const MAX_GAMES = 20;
/** The most bytes of files whose games are listed. Larger ones are counted alone. */
const MOST_LISTED = 16_000_000;

/** Decodes the parts of a file: UTF-16 with a byte order mark, or UTF-8. Moves and tags are ASCII in any case. @param {File} file */
async function decoderOf(file) {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const mark = (first << 8) | second;
  return new TextDecoder(mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : 'utf-8');
}

/** @type {(page: Page) => Promise<Explorer>} */
export const create = async (page) => new Explorer(page, await page.shelf());

class Explorer {
  accepts = /\.(ptn|txt)$/i;
  /** The number of the last attempt to read a collection, and whether another view ended it. */
  #attempts = 0;
  #wasStopped = false;
  #isBusy = false;

  /**
   * @param {Page} page
   * @param {Shelf} shelf
   */
  constructor(page, shelf) {
    this.page = page;
    this.shelf = shelf;
    this.app = page.app;
    this.openings = new Openings(page, (opening) => this.#set({ opening }));
    this.app.store.update({
      explorer: { held: null, reading: null, error: '', known: new Map(), shown: null, opening: null },
    });
    page.app.store.subscribe(() => this.#look());
  }

  /** @returns {ExplorerState} */
  get state() {
    return /** @type {ExplorerState} */ (this.app.state.explorer);
  }

  /** @param {Partial<ExplorerState>} changes */
  #set(changes) {
    this.app.store.update({ explorer: { ...this.state, ...changes } });
  }

  get #doc() {
    return this.app.state.docs.explorer ?? this.app.state.docs.game;
  }

  get #isShown() {
    return this.app.state.route === 'explorer' && this.app.state.docs.explorer !== null;
  }

  /** Begins with the position of the game or of the study. */
  async open() {
    const { base, docs } = this.app.state;
    const { start, moves, at } = base === 'analysis' ? docs.study : docs.game;
    await place(this.page, 'explorer', { start, human: null, moves: moves.slice(0, at) });
    const { held } = this.state;
    // The library may have changed.
    const isCurrent = held && (!held.heads || held.heads === this.shelf.library.heads);
    if (!isCurrent && !this.#wasStopped) {
      await this.openLibrary();
    }
    if (this.#wasStopped) {
      this.#set({ error: texts.stopped });
    }
    this.#explore();
  }

  /** Reads the library, if there is anything in it. */
  async openLibrary() {
    const { heads } = this.shelf.library;
    if (heads.length > 0) {
      this.openFiles([new File([await this.shelf.whole()], texts.library)], heads);
    }
  }

  /** A question may have been lost with the connection. */
  resume() {
    this.#set({ error: '' });
    this.openings.resume();
    this.#explore();
  }

  /** @param {Partial<Start>} changes to the empty board */
  async #empty(changes) {
    await place(this.page, 'explorer', { start: { ...this.#rules, ...changes }, human: null });
  }

  /** Board, komi and first turns, which are those of the usual game while there are games. @type {Start} */
  get #rules() {
    const { start } = this.#doc;
    const size = viewOf(this.#doc)?.size ?? start.size;
    const { half_komi = 0, opening } = start;
    return this.state.held ? { size, opening: 'swap' } : { size, half_komi, opening };
  }

  /** Asks for a position that is shown. */
  #look() {
    const { held, known, reading } = this.state;
    if (this.#isShown && !held && !reading) {
      this.openings.look(this.#doc);
    }
    if (this.#isShown && held && !this.#isBusy && viewOf(this.#doc) && !known.has(positionOf(this.#doc))) {
      queueMicrotask(() => this.#explore());
    }
  }

  /**
   * Reads a collection, in parts.
   * @param {File[]} files
   * @param {ExplorerHeads} heads
   */
  async openFiles(files, heads = null) {
    this.#attempts += 1;
    const attempt = this.#attempts;
    const isCurrent = () => attempt === this.#attempts && this.app.state.route === 'explorer';
    this.#wasStopped = false;
    this.#set({ held: null, known: new Map(), shown: null, error: '', reading: { name: files[0].name, percent: 0 } });
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    const collection = {
      of: heads ?? files,
      read: async () => ({ bytes, parts: this.#parts(files, bytes, isCurrent) }),
    };
    try {
      const collected = await this.shelf.conversations.collect(collection);
      if (isCurrent()) {
        this.#set({
          held: {
            collection,
            files,
            heads: collected.games === heads?.length ? heads : null,
            listed: null,
            ...collected,
          },
          reading: null,
        });
        this.app.do(() => this.#begin());
        if (!heads && bytes <= MOST_LISTED) {
          this.app.do(() => this.#list(files));
        }
      }
    } catch (error) {
      if (isCurrent()) {
        this.#set({ reading: null, error: texts.notRead(error instanceof Error ? error.message : '') });
      }
    }
    if (attempt === this.#attempts && !isCurrent()) {
      this.#wasStopped = true;
      this.#set({ reading: null });
    }
  }

  /**
   * The parts of files, while they are wanted.
   * @param {File[]} files
   * @param {number} bytes
   * @param {() => boolean} isWanted
   * @returns {AsyncGenerator<Part>}
   */
  async *#parts(files, bytes, isWanted) {
    let read = 0;
    for (const file of files) {
      const decoder = await decoderOf(file);
      for (let from = 0; from < file.size; from += PART_BYTES) {
        this.#set({ reading: { name: file.name, percent: Math.floor((100 * read) / bytes) } });
        const part = await file.slice(from, from + PART_BYTES).arrayBuffer();
        yield { text: decoder.decode(part, { stream: true }) };
        if (!isWanted()) {
          throw new Refused(texts.stopped);
        }
        read += part.byteLength;
      }
      yield { text: decoder.decode(), end: true };
    }
  }

  /** Lists the games of files, so that those with a position can be named and opened. @param {File[]} files */
  async #list(files) {
    const listed = [];
    for (const file of files) {
      const { games } = await this.shelf.conversations.list(decoded(new Uint8Array(await file.arrayBuffer())));
      listed.push(...games.map((game) => ({ ...game, source: file.name })));
    }
    const { held } = this.state;
    if (held?.files === files && listed.length === held.games - held.damaged) {
      this.#set({ held: { ...held, listed } });
    }
  }

  /** Shows what was read: on the board that most games have if nothing is played, or if no game has the present one. */
  async #begin() {
    const { held } = this.state;
    if (!held) {
      return;
    }
    const [most] = [...held.sizes].sort((one, other) => other[1] - one[1]);
    if (!most) {
      this.#set({ error: held.games === 0 && held.damaged === 0 ? texts.noneInFiles : texts.noneRead(held.damaged) });
      return;
    }
    const { moves, start } = this.#doc;
    const size = viewOf(this.#doc)?.size ?? start.size;
    if ((moves.length === 0 && !start.tps && size !== most[0]) || held.sizes.every(([each]) => each !== size)) {
      await this.#empty({ size: most[0] });
    }
    await this.#explore();
  }

  /** Asks for the position on the board, if it is not known. */
  async #explore() {
    if (this.#isBusy) {
      return;
    }
    this.#isBusy = true;
    try {
      while (this.#isShown) {
        const { held, known } = this.state;
        const position = positionOf(this.#doc);
        if (!held || known.has(position)) {
          break;
        }
        const answer = await this.shelf.conversations.explore(held.collection, questionOf(this.#doc), MAX_GAMES);
        if (held === this.state.held) {
          /** @type {ExploredPosition} */
          const found = {
            moves: answer.explored.moves,
            ended: answer.explored.ended,
            says: answer.says,
            leftOut: answer.left_out ?? '',
            found: answer.found ?? [],
          };
          known.set(position, found);
          this.#set({ shown: found });
        }
      }
      this.#set({ shown: this.state.known.get(positionOf(this.#doc)) ?? null });
    } catch (error) {
      if (this.#isShown) {
        this.#set({ error: texts.noAnswer(error instanceof Error ? error.message : '') });
      }
    }
    this.#isBusy = false;
    if (this.state.held) {
      this.#set({ reading: null });
    }
  }

  /** What is known of the position on the board. */
  get #answer() {
    return this.state.known.get(positionOf(this.#doc)) ?? null;
  }

  /** The shares of games in which a flat is placed next, with their squares. @returns {[string, number][]} */
  heat() {
    const moves = this.state.held ? (this.#answer?.moves ?? []) : [];
    const all = gamesOf(moves);
    return moves.flatMap(({ move, games }) => {
      const parts = partsOf(move);
      return parts?.kind === 'flat' ? [/** @type {[string, number]} */ ([parts.from, games / all])] : [];
    });
  }

  /** Whose turn it is: on phones the player at the head of the board gives way to the files. */
  title() {
    const doc = shown(this.app.state);
    const view = viewOf(doc);
    return view && !isOver(doc) ? { title: texts.explorer, about: words.toMove(view.to_move, null) } : null;
  }

  /** @param {State} state */
  panel(state) {
    const { app, page } = this;
    const { held, reading, error } = this.state;
    const doc = shown(state);
    const answer = this.#answer ?? this.state.shown;
    const size = viewOf(doc)?.size ?? doc.start.size;
    const files = fileButton(
      held ? texts.otherFiles : texts.addFiles,
      '.ptn,.txt,text/plain',
      (chosen) => this.openFiles(chosen),
      { isMultiple: true, isMain: !held },
    );
    const hasLibrary = (this.page.state.library?.heads.length ?? 0) > 0 && !held?.heads;
    const library = hasLibrary ? button(texts.myLibrary, 'file', () => app.do(() => this.openLibrary())) : nothing;
    const keep =
      held && !held.heads
        ? html`<p class="fine">${texts.notYetKept}</p><div class="row">${button(texts.keep, 'download', () => app.do(() => this.shelf.addFiles(held.files)))}</div>`
        : nothing;
    const about = held
      ? texts.files(
          held.files.map(({ name }) => name),
          held.games,
        )
      : '';
    const sizes = [3, 4, 5, 6, 7, 8].map((each) => /** @type {[number, string]} */ ([each, String(each)]));
    return html`<div class="card">${head(texts.explorer, about, html`${library}${files}`)}
      ${
        reading
          ? html`<div class="progress" role="status"><b>${texts.reading(reading.name, reading.percent)}</b>
        <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width=${reading.percent} height="1"></rect></svg></div>`
          : nothing
      }
      ${error ? html`<p class="problem" role="alert">${picture('x')}<span>${error}</span></p>` : nothing}
      <nav class="crumbs" aria-label=${texts.path}>${iconButton(words.toStart, 'first', () => app.do(() => page.play.walk(0)), { isOff: doc.at === 0 })}
        ${iconButton(words.oneBack, 'prev', () => app.do(() => page.play.walk(page.app.doc.at - 1)), { isOff: doc.at === 0 })}
        ${iconButton(words.oneForward, 'next', () => app.do(() => page.play.walk(page.app.doc.at + 1)), { isOff: doc.at === doc.moves.length })}
        ${doc.moves.map((move, index) => html`<button type="button" aria-current=${index + 1 === doc.at ? 'step' : nothing} @click=${() => app.do(() => page.play.walk(index + 1))}>${move}</button>`)}</nav>
      ${field(
        texts.board,
        segments(texts.board, sizes, size, (each) => app.do(() => this.#empty({ size: each }))),
      )}${held ? nothing : this.#rulesFields()}</div>
    <div class="card grow">${held ? html`${this.#table(answer)}${keep}` : reading ? nothing : this.#withoutGames()}
      <footer class="foot"><div class="row">${button(texts.analyse, 'analysis', () => app.do(() => page.study.open({ start: doc.start, moves: doc.moves.slice(0, doc.at) })), { isMain: held !== null })}
        <a class="button" href="#${state.base}">${picture('undo')}<span>${texts.back}</span></a></div></footer></div>`;
  }

  /** Komi and first turns, by which openings differ. */
  #rulesFields() {
    const { half_komi = 0, opening } = this.#rules;
    /** @type {[number, string][]} */
    const komis = [0, 4].map((half) => [half, String(half / 2)]);
    const rules = /** @type {[string, string][]} */ (Object.entries(texts.openingRules));
    const choose = (/** @type {Partial<Start>} */ changes) => this.app.do(() => this.#empty(changes));
    return html`${field(
      texts.komi,
      segments(texts.komi, komis, half_komi, (each) => choose({ half_komi: each })),
    )}${field(
      texts.firstTurns,
      segments(texts.firstTurns, rules, opening, (each) => choose({ opening: each })),
    )}`;
  }

  /** What the table of openings has of the position, and how to explore games. */
  #withoutGames() {
    const { opening } = this.state;
    const isCurrent = opening?.position === positionOf(this.#doc);
    const deeper = (/** @type {string} */ move) =>
      this.app.do(() => (opening?.position === positionOf(this.#doc) ? this.page.play.play(move) : undefined));
    const isKnown = isCurrent && opening.moves.length > 0;
    return html`${isCurrent && opening.says ? openingsTable(opening, deeper) : nothing}
      <div class="drop ${isKnown ? 'beside' : ''}">${picture('upload')}<b>${texts.drop}</b><span>${texts.intro}</span>${isKnown ? nothing : html`<span>${texts.stay}</span>`}</div>`;
  }

  /** @param {ExploredPosition | null} answer */
  #table(answer) {
    const { held } = this.state;
    const games = held?.heads ?? held?.listed ?? [];
    if (!answer) {
      return html`<p class="none" role="status">${texts.loading}</p>`;
    }
    const { moves, ended, says, leftOut } = answer;
    const isRated = moves.some(({ rating }) => rating !== null);
    const all = gamesOf(moves);
    return html`<p class="explored" role="status">${unbroken(texts.ended(says, ended))}</p>
      ${this.heat().length > 0 ? html`<p class="fine">${texts.onBoard}</p>` : nothing}
      ${
        moves.length === 0
          ? ended > 0
            ? nothing
            : html`<p class="none">${texts.noGames}</p>`
          : html`<div class="explorer-box"><table class="explorer-table" aria-busy=${String(this.#answer !== answer)}>
        <thead><tr><th scope="col">${texts.move}</th><th scope="col">${texts.games}</th><th scope="col">${texts.results}</th>${isRated ? html`<th scope="col">${texts.rating}</th>` : nothing}</tr></thead>
        <tbody>${moves.map((each) => this.#row(each, answer, all, isRated))}</tbody></table></div>`
      }
      ${games.length > 0 && answer.found.length > 0 ? this.#games(answer.found, games) : nothing}
      ${leftOut ? html`<p class="fine">${sentence(leftOut)}</p>` : nothing}
      ${
        held && held.damaged > 0
          ? html`<details class="damaged"><summary>${texts.damaged}</summary><ul>${held.faults.map((fault) => html`<li>${fault}</li>`)}
        ${held.damaged > held.faults.length ? html`<li>${texts.others(held.damaged - held.faults.length)}</li>` : nothing}</ul></details>`
          : nothing
      }`;
  }

  /**
   * Games with the position, each of which opens there.
   * @param {[number, number][]} found
   * @param {readonly (Head | FileGame)[]} games
   */
  #games(found, games) {
    const open = (/** @type {Head | FileGame} */ game, /** @type {number} */ ply) =>
      this.app.do(() => ('text' in game ? this.page.files.openText(game.text, ply) : this.shelf.openGame(game, ply)));
    return html`<h3>${texts.played}</h3><ol class="shelf" aria-label=${texts.played}>${found
      .filter(([index]) => games[index])
      .map(([index, ply]) => html`<li>${gameButton(games[index], () => open(games[index], ply))}</li>`)}</ol>`;
  }

  /**
   * @param {Explored} played
   * @param {ExploredPosition} answer
   * @param {number} all
   * @param {boolean} isRated
   */
  #row(played, answer, all, isRated) {
    const { move, games, white, draw, black, rating } = played;
    const known = white + draw + black;
    // The board may have changed before the list does.
    const deeper = () => this.app.do(() => (this.#answer === answer ? this.page.play.play(move) : undefined));
    return html`<tr><th scope="row"><button type="button" class="move-button" @click=${deeper}>${move}</button></th>
      <td>${games} <small>${percent(games / all)}</small></td><td>${known > 0 ? bar([white, draw, black].map((count) => count / known)) : nothing}</td>
      ${isRated ? html`<td>${rating === null ? '' : Math.round(rating)}</td>` : nothing}</tr>`;
  }
}

/** How many games have these moves. @type {(moves: readonly Explored[]) => number} */
const gamesOf = (moves) => moves.reduce((sum, { games }) => sum + games, 0);

/** A bar with the shares of the results. @param {number[]} shares */
function bar([white, draw, black]) {
  const [whites, draws, blacks] = [white, draw, black].map(percent);
  const isWide = (/** @type {number} */ share) => 100 * share >= MIN_LABEL_PERCENT;
  return html`<span class="result-bar" role="img" aria-label=${texts.shares([whites, draws, blacks])}><span class="whites" .style=${`--part: ${white}`}>${isWide(white) ? whites : ''}</span>
    <span class="draws" .style=${`--part: ${draw}`}></span><span class="blacks" .style=${`--part: ${black}`}>${isWide(black) ? blacks : ''}</span></span>`;
}
