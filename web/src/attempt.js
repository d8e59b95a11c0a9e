// Mistakes of a reviewed game, tried again: the player looks for a better move, and the engine says why it is better.

import { Refused } from './connection.js';
import { ask } from './task.js';

const $ = (id) => document.getElementById(id);

/** Returns whether a line can be drawn: the storage may hold anything. */
const isLine = (line) => Array.isArray(line) && line.length > 0 && line.every((move) => typeof move?.text === 'string'
  && /^[a-h][1-8]$/.test(move.from) && [null, 'flat', 'wall', 'capstone'].includes(move.kind) && Array.isArray(move.drops)
  && move.drops.every((drop) => /^[a-h][1-8]$/.test(drop?.[0])) && (move.kind !== null || move.drops.length > 0));

/** The better line in the place of a mistake, or null. */
export function betterOf(remarks) {
  const better = remarks?.better;
  return better && typeof better.why === 'string' && isLine(better.line) ? better : null;
}

/** As many as for the annotation, so that both agree. */
const NODES = 50000;
/** Points of chance below the best move, from which on the annotation marks a mistake. */
const MISTAKE = 10;
/** Tries after which the move may be shown. */
const TRIES = 2;
/** The moves of the better line that are drawn. */
const DRAWN = 3;

const nameOf = (color) => (color === 'white' ? 'White' : 'Black');

export class Attempt {
  constructor(game, connection) {
    this.game = game;
    this.connection = connection;
    /** The mistake, the number of tries, and whether the better move is shown. */
    this.node = null;
    this.tries = 0;
    this.isDone = false;
    const on = (id, action) => $(id).addEventListener('click', () => game.do(action));
    on('attempt-show', () => this.finish(`The move is ${this.better.line[0].text}.`));
    on('attempt-next', () => this.begin(this.following));
    on('attempt-end', () => this.end());
    game.addEventListener('change', () => this.look());
  }

  /** The better line, in moves that can be drawn, and why it is better. */
  get better() {
    return betterOf(this.game.remarksOn(this.node));
  }

  /** The mistakes that can be tried again: the user's own after a game against the engine. */
  get mistakes() {
    const { game } = this;
    const isOwn = ({ parent }) => parent && (game.side ?? parent.turn) === parent.turn;
    return game.annotatedNodes().filter((node) => isOwn(node) && betterOf(game.remarksOn(node)));
  }

  /** The next mistake, or null. */
  get following() {
    return this.mistakes.find((node) => node.depth > this.node.depth) ?? null;
  }

  async begin(node) {
    const { game } = this;
    this.end();
    await game.visit(node.parent);
    Object.assign(this, { node, tries: 0, isDone: false });
    game.attempt = (move) => this.judge(move);
    this.tell(`${nameOf(node.parent.turn)} played ${node.move} here. Find a better move.`);
    // The engine keeps its lines to itself.
    game.changed();
    $('frame').scrollIntoView({ block: 'nearest' });
    $('grid').focus({ preventScroll: true });
  }

  end() {
    if (this.node) {
      this.node = null;
      this.game.attempt = null;
      this.show();
      this.game.changed();
    }
  }

  /** Ends if the board shows another position. */
  look() {
    const { game, node } = this;
    if (node && (game.path[game.state.at] !== node.parent || !this.better)) {
      this.end();
    }
  }

  async judge(move) {
    const { game, node, better } = this;
    game.hand.draft = null;
    if (move === better.line[0].text) {
      this.finish(`${move} is right.`);
      return;
    }
    if (move === node.move) {
      this.refuse(`${move} is the move that was played`);
      return;
    }
    const { chance, answer } = await this.tried(move);
    if (this.node !== node) {
      return;
    }
    const [best, played] = [node.depth - 1, node.depth].map((depth) => {
      const white = game.state.annotation.chances[depth];
      return Math.round(node.parent.turn === 'white' ? white : 100 - white);
    });
    const found = Math.round(chance);
    const after = answer ? `, after ${answer}` : '';
    if (best - found < MISTAKE) {
      this.finish(`${move} is good too.`);
    } else if (found > played) {
      this.refuse(`${move} is better than ${node.move} (${found} %${after}, against ${played} %), but not the best`);
    } else {
      this.refuse(`${move} is not better: your chances are ${found} %${after}`);
    }
  }

  /** The chances of the player after a move, in percent, and the best answer. */
  async tried(move) {
    const { game, node: { parent } } = this;
    const record = game.record();
    const next = { ...record, moves: [...record.moves, move] };
    const { view } = await this.connection.ask({ do: 'view', game: next });
    if (view.outcome) {
      const { winner } = view.outcome;
      return { chance: winner === parent.turn ? 100 : winner ? 0 : 50, answer: '' };
    }
    const { report } = await ask(this.connection, { do: 'think', game: next, nodes: NODES, lines: 1 });
    const [best] = report?.lines ?? [];
    if (!best) {
      throw new Refused('the engine gave no answer; try again');
    }
    const [white, draw] = best.chances;
    const share = (white + draw / 2) / 10;
    return { chance: parent.turn === 'white' ? share : 100 - share, answer: best.moves[0] };
  }

  refuse(text) {
    this.tries += 1;
    this.game.dispatchEvent(new CustomEvent('refused'));
    this.tell(`${text}. Try another move.`);
  }

  /** Says why the better move is better, and draws its line. */
  finish(text) {
    this.isDone = true;
    this.game.attempt = null;
    const { line, why } = this.better;
    const rest = line.length > 1 ? ` The line: ${line.map((move) => move.text).join(' ')}.` : '';
    this.tell(`${text} ${why}.${rest}`);
    this.game.changed();
  }

  tell(text) {
    this.text = text;
    this.show();
    this.game.say(text);
    // It is shown here.
    $('notice').textContent = '';
  }

  show() {
    $('attempt').hidden = this.node === null;
    if (this.node) {
      $('attempt-text').textContent = this.text;
      $('attempt-show').hidden = this.isDone || this.tries < TRIES;
      $('attempt-next').hidden = !this.isDone || this.following === null;
    }
  }

  /** The moves to draw on the board. */
  get line() {
    return this.node && this.isDone ? this.better.line.slice(0, DRAWN) : [];
  }
}
