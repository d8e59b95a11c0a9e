// The mistakes of the user, which are kept as puzzles: found in a reviewed game, and shown again until they are solved.

/** @import { Color } from '../protocol.js' */
/** @import { Doc, Mistake, MistakesState } from '../types.js' */
/** @import { Page } from '../main.js' */

import { mistakeWords as words } from '../library/mistake-words.js';
import { KeptMistakes } from '../library/mistakes.js';
import { annotatedNodes, chanceAt, readerOf, remarksOn } from '../model/doc.js';
import { found as foundNow, tried } from '../model/mistake.js';
import { dayOf } from '../model/puzzle-list.js';
import { download } from '../views/parts.js';
import { puzzleOf } from './mistake-search.js';

/** Points of expected score that a move must lose by the review for a longer look, in parts of 1. */
const MIN_LOSS = 0.2;
/** Tags of a game that its puzzles keep, as `tak-engine puzzles` does. */
const KEPT_TAGS = ['rating1', 'rating2', 'event', 'site', 'round', 'date', 'time'];

/** @type {Promise<Mistakes> | null} */
let opened = null;

/** The mistakes of this page. @param {Page} page */
export function mistakesOf(page) {
  opened ??= KeptMistakes.open().then((kept) => new Mistakes(page, kept));
  return opened;
}

export class Mistakes {
  /**
   * @param {Page} page
   * @param {KeptMistakes} kept
   */
  constructor(page, kept) {
    this.page = page;
    this.app = page.app;
    this.kept = kept;
    const show = () => this.#set({ list: kept.list, trouble: kept.trouble });
    this.app.store.update({ mistakes: { list: kept.list, trouble: kept.trouble, search: null } });
    kept.addEventListener('change', show);
    this.app.store.subscribe(() => this.#look());
    this.#look();
  }

  /** @returns {MistakesState} */
  get state() {
    return /** @type {MistakesState} */ (this.app.state.mistakes);
  }

  /** @param {Partial<MistakesState>} changes */
  #set(changes) {
    this.app.store.update({ mistakes: { ...this.state, ...changes } });
  }

  /** Keeps the mistakes of the user's own game as soon as it is reviewed. */
  #look() {
    const { study } = this.app.state.docs;
    const { search } = this.state;
    const { annotation } = study;
    const isNew = annotation && !annotation.kept && !annotation.isRead && annotation.said !== search?.said;
    const side = readerOf(study, this.app.state.settings.you);
    if (isNew && side && !search?.isRunning && annotatedNodes(study).length > 1) {
      queueMicrotask(() => this.find(side));
    }
  }

  /** Looks for puzzles in the mistakes of a player, and keeps them. @param {Color} side */
  async find(side) {
    const { study } = this.app.state.docs;
    const { annotation } = study;
    if (!annotation || this.state.search?.isRunning) {
      return;
    }
    const { said } = annotation;
    const nodes = candidates(study, side);
    const search = { said, side, done: 0, all: nodes.length, problem: '', isRunning: true };
    this.#set({ search });
    let found = 0;
    try {
      const game = this.#game(study);
      /** @type {{depth: number, move: string} | null} */
      let last = null;
      for (const [done, node] of nodes.entries()) {
        this.#set({ search: { ...search, done } });
        const puzzle = await puzzleOf(this.page, { start: study.start, node });
        if (puzzle) {
          const { move } = puzzle.solution;
          // A move that is missed again and again is one puzzle.
          const isRepeated = last !== null && last.move === move && node.depth - last.depth === 2;
          last = { depth: node.depth, move };
          if (!isRepeated) {
            await this.kept.add([foundNow(puzzle, node.move, game, new Date())]);
            found += 1;
          }
        }
      }
      // Otherwise the browser may delete what a site stores if space is short.
      navigator.storage?.persist?.().catch(() => {});
      const now = this.app.state.docs.study.annotation;
      if (now?.said === said) {
        const before = now.kept ?? { sides: [], found: 0, all: 0 };
        const kept = {
          sides: [...before.sides, side],
          found: before.found + found,
          all: before.all + nodes.length,
        };
        // Both at once, so that the search does not begin again.
        const mistakes = { ...this.state, search: null };
        this.app.store.updateDoc('study', { annotation: { ...now, kept } }, { mistakes });
      } else {
        this.#set({ search: null });
      }
    } catch (error) {
      const problem = error instanceof Error ? error.message : '';
      this.#set({ search: { ...search, isRunning: false, problem } });
    }
  }

  /** What is told of a game. @param {Doc} doc @returns {Mistake['game']} */
  #game({ names, human }) {
    const { you } = this.app.state.settings;
    const own = (/** @type {Color} */ color) => names[color] || (human === color ? you : '');
    const tags = (names.tags ?? []).filter(([name]) => KEPT_TAGS.includes(name.toLowerCase()));
    return { white: own('white'), black: own('black'), tags };
  }

  /** Notes the first try at a mistake. @param {Mistake} mistake @param {boolean} isSolved */
  note({ key }, isSolved) {
    return this.kept.update(key, (now) => tried(now, isSolved, dayOf(new Date())));
  }

  /** @param {Mistake} mistake */
  async remove(mistake) {
    const back = await this.kept.remove(mistake);
    const undo = async () => {
      await back();
      this.app.tell(words.restored);
    };
    this.app.tell(words.removed, { undo: () => this.app.do(undo) });
  }

  /** Saves all as PTN with variations, as `tak-engine puzzles --out` writes it. */
  async save() {
    const texts = [];
    for (const mistake of this.kept.list) {
      texts.push(await this.#ptn(mistake));
    }
    download(texts.join('\n'), 'tak-mistakes.ptn');
  }

  /** @param {Mistake} mistake */
  async #ptn({ puzzle, played, game: { white, black, tags } }) {
    const { tps, size, komi, flats, caps, solution, also = [], wrong } = puzzle;
    const start = {
      size,
      half_komi: 2 * komi,
      opening: 'swap',
      tps,
      reserves: [
        [flats[0], caps[0]],
        [flats[1], caps[1]],
      ],
    };
    /** @type {string[]} */
    const main = [];
    for (let [step] = [solution]; step; [step] = step.answers) {
      main.push(step.move);
    }
    /** @type {(moves: string[], marks: string) => unknown} */
    const line = ([first, ...rest], marks) => ({ parent: 0, result: null, moves: [[first, { marks }], ...rest] });
    const rights = [main, ...also.map((move) => [move])].map((moves) => line(moves, '!'));
    const lines = [...rights, ...wrong.map(({ move, answer }) => line([move, ...answer], '?'))];
    const comments = [words.task(tps.split(' ')[1] === '1' ? 'white' : 'black', played, also.length === 0)];
    const names = { white, black, result: null, tags, comments };
    const { text } = await this.app.connection.ask({ do: 'write', game: { start, moves: main }, main, lines, names });
    return text.ptn + text.variations;
  }
}

/**
 * The mistakes of a player in a reviewed game that lost much.
 * @param {Doc} doc
 * @param {Color} side
 */
export function candidates(doc, side) {
  const none = new Map();
  return annotatedNodes(doc).filter((node) => {
    const isBad = node.parent !== null && remarksOn(doc, node)?.marks.includes('?');
    if (!node.parent || !isBad || node.parent.turn !== side) {
      return false;
    }
    const [before, after] = [chanceAt(doc, node.parent, none), chanceAt(doc, node, none)];
    const sign = node.parent.turn === 'white' ? 1 : -1;
    return before === null || after === null || sign * (before - after) >= MIN_LOSS;
  });
}
