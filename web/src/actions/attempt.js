// Mistakes of a reviewed game, tried again: the player looks for a better move, and the engine says why it is better.

/** @import { App } from '../app.js' */
/** @import { Node } from '../model/tree.js' */
/** @import { Attempt } from '../types.js' */
/** @import { Engine } from './engine.js' */
/** @import { Play } from './game.js' */

import { mistakes, nodeOf, questionOf, remarksOn } from '../model/doc.js';
import { Refused } from '../model/errors.js';
import { words } from '../words.js';
import { NODES, shareOf } from './engine.js';

/** Points of chance below the best move, from which on the annotation marks a mistake. */
const MISTAKE = 10;
/** Tries after which the move may be shown. */
export const TRIES = 2;
/** The moves of the better line that are drawn. */
export const DRAWN_MOVES = 3;

export class Attempts {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {Play | null} */
    this.play = null;
    /** @type {Engine | null} */
    this.engine = null;
    app.store.subscribe(() => this.#look());
  }

  get #doc() {
    return this.app.state.docs.study;
  }

  /** Returns whether moves of the user are tries. */
  get isOpen() {
    const { attempt } = this.app.state;
    return attempt !== null && !attempt.isDone;
  }

  /** The better line, and why it is better. @param {Node} node */
  #better(node) {
    return remarksOn(this.#doc, node)?.better ?? null;
  }

  /** The next mistake, or null. */
  get following() {
    const depth = this.app.state.attempt?.node.depth ?? -1;
    return mistakes(this.#doc, this.app.state.settings.you).find((node) => node.depth > depth) ?? null;
  }

  /** @param {Node | null} node */
  async begin(node) {
    const { app, play } = this;
    if (!node?.parent || !play) {
      return;
    }
    this.end();
    await play.visit(node.parent);
    if (nodeOf(this.#doc) !== node.parent) {
      return;
    }
    const text = words.findBetter(node.parent.turn, node.move);
    app.store.update({ attempt: { node, tries: 0, isDone: false, kind: '', text } });
    // News of the review are old now.
    app.hush();
    app.say(text);
    app.dispatchEvent(new Event('board'));
    app.dispatchEvent(new Event('grid'));
  }

  end() {
    this.app.store.update({ attempt: null });
  }

  /** Ends if the board shows another position. */
  #look() {
    const { state } = this.app;
    const { attempt, route } = state;
    if (attempt && (route !== 'analysis' || nodeOf(this.#doc) !== attempt.node.parent)) {
      queueMicrotask(() => this.app.state.attempt === attempt && this.end());
    }
  }

  /** Judges a try. @param {string} move */
  async judge(move) {
    const { app } = this;
    const attempt = app.state.attempt;
    const better = attempt && this.#better(attempt.node);
    app.store.update({ hand: { ...app.state.hand, held: null } });
    if (!attempt || !better) {
      return;
    }
    const { node } = attempt;
    if (move === better.line[0]) {
      this.finish(words.isRight(move));
    } else if (move === node.move) {
      this.#refuse(words.wasPlayed(move));
    } else {
      const { white, answer } = await this.#tried(move);
      if (app.state.attempt?.node === node) {
        this.#weigh(node, move, white, answer);
      }
    }
  }

  /**
   * Compares White's expected score after a try, in per cent, with those of the best move and of the mistake.
   * @param {Node} node
   * @param {string} move
   * @param {number} white
   * @param {string} answer
   */
  #weigh(node, move, white, answer) {
    const doc = this.#doc;
    const before =
      node.parent &&
      (node.parent.parent ? remarksOn(doc, node.parent)?.chance : (doc.annotation?.chances[0] ?? 50) / 100);
    const [best, played] = [before, remarksOn(doc, node)?.chance].map((share) => 100 * (share ?? 0.5));
    const sign = node.parent?.turn === 'white' ? 1 : -1;
    if (sign * (best - white) < MISTAKE) {
      this.finish(words.goodToo(move));
    } else {
      this.#refuse(words.notBest(move, node.move, white, played, answer, sign * (white - played) > 0));
    }
  }

  /** White's expected score after a move, in per cent, and the best answer. @param {string} move */
  async #tried(move) {
    const record = questionOf(this.#doc);
    const next = { ...record, moves: [...record.moves, move] };
    const { view } = await this.app.connection.ask({ do: 'view', game: next });
    if (view.outcome) {
      const { winner } = view.outcome;
      return { white: winner === 'white' ? 100 : winner ? 0 : 50, answer: '' };
    }
    const { report } = await /** @type {Engine} */ (this.engine).ask({
      do: 'think',
      game: next,
      nodes: NODES,
      lines: 1,
    });
    const best = report?.lines[0];
    if (!best) {
      throw new Refused(words.noAnswer);
    }
    return { white: 100 * shareOf(best), answer: best.moves[0] };
  }

  /** @param {string} text */
  #refuse(text) {
    const { attempt } = this.app.state;
    if (attempt) {
      this.app.dispatchEvent(new Event('refused'));
      this.#tell({ tries: attempt.tries + 1, kind: 'wrong' }, words.tryAnother(text));
    }
  }

  /** Shows the better move. */
  show() {
    const { attempt } = this.app.state;
    const better = attempt && this.#better(attempt.node);
    if (better) {
      this.finish(words.theMoveIs(better.line[0]), '');
    }
  }

  /**
   * Says why the better move is better, and draws its line.
   * @param {string} text
   * @param {Attempt['kind']} kind
   */
  finish(text, kind = 'right') {
    const { attempt } = this.app.state;
    const better = attempt && this.#better(attempt.node);
    if (better) {
      this.#tell({ isDone: true, kind }, words.better(text, better.why, better.line));
    }
  }

  /**
   * @param {Partial<Attempt>} changes
   * @param {string} text
   */
  #tell(changes, text) {
    const { attempt } = this.app.state;
    if (attempt) {
      this.app.store.update({ attempt: { ...attempt, ...changes, text } });
      this.app.say(text);
    }
  }

  /** The moves to draw on the board. */
  get line() {
    const { attempt } = this.app.state;
    return attempt?.isDone ? (this.#better(attempt.node)?.line.slice(0, DRAWN_MOVES) ?? []) : [];
  }
}
