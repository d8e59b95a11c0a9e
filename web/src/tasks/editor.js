// The board editor: any position, set up by click, by keys or as TPS. Its document has a view that is made here, since
// the program knows none of a position that is not legal yet.

/** @import { Color, Start, View } from '../protocol.js' */
/** @import { EditorState, State } from '../types.js' */
/** @import { Page } from '../main.js' */
/** @import { Piece, Setup } from '../model/setup.js' */

import { html, live, nothing } from '../../vendor/lit-html.js';
import { blank, shown, viewOf } from '../model/doc.js';
import { Lost, Refused } from '../model/errors.js';
import { emptySetup, MOST_MOVES, onBoard, PIECES, put, readSetup, writeSetup } from '../model/setup.js';
import { COLORS, nameOf, stackOf } from '../model/squares.js';
import { button, field, head, iconButton, picture, segments, stepper } from '../views/parts.js';
import { icon } from '../views/pieces.js';
import { describe, sentence, words } from '../words.js';
import { editorWords as texts } from './editor-words.js';

/** The changes that can be undone. */
const MOST_EDITS = 200;

/** @type {(page: Page) => Editor} */
export const create = (page) => new Editor(page);

class Editor {
  #touch = matchMedia('(pointer: coarse)');
  /** The number of the last question whether the position can be played. */
  #asked = 0;
  /** The pictures of the pieces to put. @type {Element[]} */
  #pictures = PIECES.map(({ color, kind }) => icon(color, kind, 'piece big'));

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.app = page.app;
    page.hand.setter = this;
  }

  /** @returns {EditorState} */
  get state() {
    return /** @type {EditorState} */ (this.app.state.editor);
  }

  /** Begins with a position in the address, or with that of the game or the study, unless one is being set up. @param {string} detail */
  async open(detail) {
    const given = detail ? readSetup(decodeURIComponent(detail).replaceAll('_', ' ')) : null;
    if (given || !this.app.state.editor) {
      const { docs, base } = this.app.state;
      const doc = base === 'analysis' ? docs.study : docs.game;
      const setup = given ?? readSetup(viewOf(doc)?.tps ?? '') ?? emptySetup(6);
      const { size, opening, half_komi, reserves } = doc.start;
      const rules = { size, opening, half_komi: viewOf(doc)?.half_komi ?? half_komi, reserves };
      const chosen = PIECES[0];
      this.app.store.update({
        editor: { setup, rules, chosen, text: writeSetup(setup), problem: '', isOver: false, past: [], future: [] },
      });
    }
    this.#show();
    this.app.dispatchEvent(new Event('board'));
  }

  resume() {
    this.#show();
  }

  title() {
    const { setup, problem } = this.state;
    return { title: texts.title, about: problem || texts.about(setup.turn, setup.number) };
  }

  /** @param {Partial<EditorState>} changes */
  #set(changes) {
    this.app.store.update({ editor: { ...this.state, ...changes } });
    this.#show();
  }

  /**
   * Another position, which can be undone.
   * @param {Setup} setup
   * @param {string | null} text as it was typed
   */
  #change(setup, text = null) {
    const { past, setup: before } = this.state;
    this.#set({ setup, text: text ?? writeSetup(setup), past: [...past, before].slice(-MOST_EDITS), future: [] });
  }

  /** @type {Start} */
  get #start() {
    const { setup, rules } = this.state;
    const { size } = setup;
    // Reserves belong to one board size.
    return { ...rules, size, reserves: size === rules.size ? rules.reserves : undefined, tps: writeSetup(setup) };
  }

  /** Flats and capstones of both players. @returns {[number, number][]} */
  get #reserves() {
    const { reserves } = this.#start;
    const [, flats = 0, caps = 0] = this.app.state.hello?.sizes.find(([size]) => size === this.state.setup.size) ?? [];
    return (
      reserves ?? [
        [flats, caps],
        [flats, caps],
      ]
    );
  }

  /** Puts the position on the board, and asks whether it can be played. */
  #show() {
    const { setup, chosen } = this.state;
    const { docs, hand } = this.app.state;
    const start = this.#start;
    const before = docs.editor ?? blank('editor', { human: null });
    const doc = blank('editor', { ...before, start });
    const name = chosen ? texts.piece(chosen.color, chosen.kind) : '';
    const reserves = this.#reserves;
    const [white, black] = COLORS.map((color, index) => {
      const used = onBoard(setup, color);
      return { stones: reserves[index][0] - used.stones, caps: reserves[index][1] - used.caps, flats: used.flats };
    });
    const squares = Array.from({ length: setup.size ** 2 }, (_, index) => {
      const square = nameOf(index % setup.size, Math.floor(index / setup.size));
      return { name: square, stack: setup.stacks.get(square) ?? '', spreads: null };
    });
    /** @type {View} */
    const view = {
      size: setup.size,
      opening: start.opening,
      half_komi: start.half_komi ?? 0,
      tps: start.tps ?? '',
      to_move: setup.turn,
      places: chosen?.color ?? setup.turn,
      move_number: setup.number,
      kinds: chosen
        ? [{ kind: chosen.kind, stack: stackOf([chosen.color], chosen.kind), enter: texts.puts(name) }]
        : [],
      squares,
      white,
      black,
      count: '',
      is_over: false,
      last: null,
      threat: [],
      outcome: null,
    };
    Object.assign(doc.tree.root, { view, tps: start.tps, isOver: false });
    const isThere = squares.some((square) => square.name === hand.cursor);
    this.app.store.update({
      docs: { ...docs, editor: doc },
      hand: { held: null, count: null, cursor: isThere ? hand.cursor : 'a1', kind: chosen?.kind ?? 'flat' },
    });
    this.#check(start);
  }

  /** @param {Start} start */
  async #check(start) {
    this.#asked += 1;
    const asked = this.#asked;
    let [problem, isOver] = ['', false];
    try {
      const { view } = await this.app.connection.ask({ do: 'view', game: { start, moves: [] } });
      isOver = view.outcome !== null;
      problem = view.outcome ? texts.isOver(view.outcome.says) : '';
    } catch (error) {
      const why = error instanceof Error ? error.message.replace(/^invalid starting position: /, '') : '';
      problem = error instanceof Lost ? words.notPlayed : texts.unplayable(why);
    }
    if (asked === this.#asked && (problem !== this.state.problem || isOver !== this.state.isOver)) {
      this.app.store.update({ editor: { ...this.state, problem, isOver } });
    }
  }

  // What the board does, see Hand.

  /** @param {string} square */
  put(square) {
    const { setup, chosen } = this.state;
    if (!chosen && !setup.stacks.has(square)) {
      throw new Refused(texts.isEmpty(square));
    }
    this.#change(put(setup, square, chosen));
    this.#tell(square);
  }

  /** Takes the top piece away. @param {string} square */
  remove(square) {
    const { setup } = this.state;
    if (!setup.stacks.has(square)) {
      throw new Refused(texts.isEmpty(square));
    }
    this.#change(put(setup, square, null));
    this.#tell(square);
  }

  /** @param {string} square */
  #tell(square) {
    const { size, stacks } = this.state.setup;
    this.app.say(texts.now(square, describe(stacks.get(square) ?? '', size)));
    this.app.dispatchEvent(new Event('moved'));
  }

  /** Chooses the next piece, or by its number from 1 on; the last one removes. @param {number | null} number */
  choose(number = null) {
    const { chosen } = this.state;
    const at = chosen ? PIECES.indexOf(chosen) : PIECES.length;
    const next = number === null ? (at + 1) % (PIECES.length + 1) : Math.min(number - 1, PIECES.length);
    this.#choose(PIECES[next] ?? null);
  }

  /** @param {Piece | null} chosen */
  #choose(chosen) {
    this.#set({ chosen });
    this.app.say(texts.chosen(chosen ? texts.piece(chosen.color, chosen.kind) : texts.remove));
  }

  /** @param {boolean} isRedo */
  undo(isRedo) {
    const { past, future, setup } = this.state;
    const next = (isRedo ? future : past).at(-1);
    if (!next) {
      throw new Refused(isRedo ? words.nothingToRedo : words.nothingToUndo);
    }
    const [fewer, more] = isRedo ? [future.slice(0, -1), [...past, setup]] : [past.slice(0, -1), [...future, setup]];
    this.#set({
      setup: next,
      text: writeSetup(next),
      ...(isRedo ? { future: fewer, past: more } : { past: fewer, future: more }),
    });
    this.app.say(isRedo ? texts.redone : texts.undone);
  }

  // The views.

  /** @param {string} text */
  #typed(text) {
    const setup = readSetup(text);
    if (setup) {
      this.#change(setup, text);
    } else {
      this.#asked += 1;
      this.app.store.update({ editor: { ...this.state, text, problem: texts.noTps } });
    }
  }

  /** @param {number} size */
  #resize(size) {
    const { setup } = this.state;
    if (size !== setup.size) {
      this.#change(emptySetup(size));
      this.app.say(texts.resized(size, setup.stacks.size));
    }
  }

  async #play() {
    const { start } = /** @type {import('../types.js').Doc} */ (this.app.state.docs.editor);
    await this.page.play.check(start);
    this.page.open('new');
    this.page.newGame.set({ fromHere: true, isMore: true, mode: 'engine' });
  }

  /** The pieces to put, below the board. */
  near() {
    const { chosen } = this.state;
    const item = (
      /** @type {string} */ name,
      /** @type {Piece | null} */ piece,
      /** @type {unknown} */ look,
      /** @type {number} */ left,
    ) =>
      html`<label class="kind" title=${name}><input type="radio" class="unseen" name="put" aria-label=${left < 0 ? name : texts.leftOf(name, left)}
        .checked=${live(chosen === piece)} @change=${() => this.app.do(() => this.#choose(piece))}>${look}${left < 0 ? nothing : html`<em>${left}</em>`}</label>`;
    const view = viewOf(/** @type {import('../types.js').Doc} */ (this.app.state.docs.editor));
    const left = (/** @type {Piece} */ { color, kind }) =>
      Math.max(0, view?.[color][kind === 'capstone' ? 'caps' : 'stones'] ?? 0);
    return html`<div class="seat near palette"><div class="tray" role="radiogroup" aria-label=${texts.pieces}>${PIECES.map(
      (piece, index) => item(texts.piece(piece.color, piece.kind), piece, this.#pictures[index], left(piece)),
    )}${item(texts.remove, null, picture('bin'), -1)}</div></div>`;
  }

  /** @param {State} state */
  panel(state) {
    const { app, page } = this;
    const { setup, text, problem, isOver, past, future } = this.state;
    const { size, turn, number } = setup;
    const isBroken = problem === texts.noTps;
    const act = (/** @type {() => unknown} */ action) => () => app.do(action);
    const sizes = [3, 4, 5, 6, 7, 8].map((each) => /** @type {[number, string]} */ ([each, String(each)]));
    /** @type {[Color, string][]} */
    const turns = COLORS.map((color) => [color, words.colors[color]]);
    const renumber = (/** @type {number} */ next) => () => this.#change({ ...setup, number: next });
    const actions = html`${iconButton(
      words.undo,
      'undo',
      act(() => this.undo(false)),
      { isOff: past.length === 0 },
    )}
      ${iconButton(
        words.redo,
        'redo',
        act(() => this.undo(true)),
        { isOff: future.length === 0 },
      )}
      ${iconButton(words.flip, 'flip', () => page.flip(), { pressed: shown(state).flipped })}`;
    const isUnplayable = problem !== '' && !isOver;
    return html`<div class="card editor">${head(texts.title, texts.about(turn, number), actions)}
      ${field(
        texts.size,
        segments(texts.size, sizes, size, (each) => app.do(() => this.#resize(each))),
      )}
      <div class="field-pair">${field(
        texts.turn,
        segments(texts.turn, turns, turn, (color) => this.#change({ ...setup, turn: color })),
      )}
        ${field(texts.number, stepper(String(number), [texts.fewer, renumber(number - 1), number <= 1], [texts.more, renumber(number + 1), number >= MOST_MOVES]))}</div>
      <label class="stacked"><span>${texts.tps}</span><textarea rows="3" spellcheck="false" autocomplete="off" aria-invalid=${isBroken ? 'true' : nothing}
        .value=${live(text)} @input=${(/** @type {InputEvent & {target: HTMLTextAreaElement}} */ { target }) => this.#typed(target.value)}></textarea></label>
      <div role="status">${problem ? html`<p class="problem">${picture('x')}<span>${sentence(problem)}</span></p>` : nothing}</div></div>
    <div class="card grow">${this.#table()}<p class="none">${this.#touch.matches ? texts.touch : texts.keys}</p>
      <footer class="foot"><div class="row">${button(
        texts.play,
        'play',
        act(() => this.#play()),
        { isMain: true, isOff: problem !== '' },
      )}
        ${button(
          texts.analyse,
          'analysis',
          act(() => page.study.open({ start: shown(app.state).start, moves: [] })),
          { isOff: isUnplayable },
        )}
        ${button(
          texts.clear,
          'bin',
          act(() => {
            this.#change(emptySetup(size));
            app.say(texts.cleared);
          }),
        )}<a class="button" href="#${state.base}">${picture('undo')}<span>${words.backToGame}</span></a></div></footer></div>`;
  }

  #table() {
    const { setup } = this.state;
    const reserves = this.#reserves;
    const used = COLORS.map((color) => onBoard(setup, color));
    const row = (/** @type {string} */ name, /** @type {'stones' | 'caps'} */ kind, /** @type {0 | 1} */ at) =>
      html`<tr><th scope="row">${name}</th>${used.map((own, index) => html`<td class=${own[kind] > reserves[index][at] ? 'too-many' : ''}>${texts.of(own[kind], reserves[index][at])}</td>`)}</tr>`;
    return html`<table class="summary"><caption class="unseen">${texts.onBoard}</caption><thead><tr><td></td>${COLORS.map((color) => html`<th scope="col">${words.colors[color]}</th>`)}</tr></thead>
      <tbody>${row(texts.stones, 'stones', 0)}${row(texts.caps, 'caps', 1)}</tbody></table>`;
  }
}
