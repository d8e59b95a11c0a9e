// The game of this page: its state, and the actions that change it. The program answers all questions on the rules.

import { clocks } from './clock.js';
import { Lost, Refused } from './connection.js';
import { effect } from './draft.js';
import { Hand } from './hand.js';
import { said } from './notes.js';
import { Owner } from './owner.js';
import { lookUp, recordOf, see } from './positions.js';
import { EMPTY, gameOf, wasHere } from './state.js';
import { Tree } from './tree.js';
import { Undo } from './undo.js';
import { Variations } from './variations.js';
import { Watch } from './watch.js';

/** The maximum number of stored earlier games. */
const GAMES = 5;
/** The hint on how to return to the game. */
const LOOKING = 'You are viewing an earlier position; » goes to the latest one.';
/** The hint on how to restore a replaced game. */
const KEPT = ' “Restore previous game” brings back the one before.';
/** The message for a game with clocks in another tab. */
const COPY = 'This game is being played in another tab, where its clocks run. This tab shows a copy.';

const other = (color) => (color === 'white' ? 'black' : 'white');
const nameOf = (color) => (color === 'white' ? 'White' : 'Black');
const anySeed = () => Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);

/** 1 move, 2 moves. */
export const movesText = (count) => `${count} ${count === 1 ? 'move' : 'moves'}`;

export class Game extends EventTarget {
  constructor(connection, state, keep) {
    super();
    this.connection = connection;
    this.owner = new Owner();
    this.state = state;
    this.keep = keep;
    /** All lines of the game, and the nodes of the present one. */
    this.tree = new Tree();
    this.path = [this.tree.root];
    /** The nodes with remarks, and what they were found for. */
    this.noted = { nodes: [] };
    /** The program's view of the position; null until it has answered. */
    this.view = null;
    /** True if another tab played the game when it was loaded. */
    this.isCopy = false;
    this.hand = new Hand(this);
    this.undo = new Undo(this);
    this.variations = new Variations(this);
    this.watch = new Watch(this);
    /** The move to animate. */
    this.played = null;
    /** The squares changed by a move of which the program has not yet told the view. */
    this.expected = null;
    /** Takes the moves of the user if a mistake is tried again, see attempt.js. */
    this.attempt = null;
    /** Called before another game takes the place of a task, see task.js. */
    this.vacate = async () => {};
    this.queue = Promise.resolve();
    this.waiting = 0;
  }

  /** Runs actions one after the other, regardless of how fast they come. */
  do(action) {
    this.setWaiting(1);
    this.queue = this.queue.then(action).catch((error) => this.complain(error)).finally(() => this.setWaiting(-1));
    return this.queue;
  }

  /** Counts the actions that are not done yet. */
  setWaiting(by) {
    this.waiting += by;
    this.dispatchEvent(new CustomEvent('busy', { detail: this.waiting > 0 }));
  }

  complain(error) {
    if (error instanceof Refused) {
      this.refuse(error.message);
    } else if (error instanceof Lost) {
      this.say(`Not done: ${error.message}.`);
    } else {
      console.error(error);
      this.say('Something went wrong in this page.');
    }
  }

  say(text) {
    this.dispatchEvent(new CustomEvent('say', { detail: text }));
  }

  /** Shows why an action is refused. */
  refuse(text) {
    this.dispatchEvent(new CustomEvent('refused'));
    this.say(text[0].toUpperCase() + text.slice(1) + '.');
  }

  changed() {
    this.dispatchEvent(new CustomEvent('change'));
  }

  /** The whole game up to the position on the board, in the form of the program. */
  whole({ start, moves, at } = this.state) {
    return { start, moves, at };
  }

  /** The position on the board in the form of the program. */
  record() {
    return recordOf(this.path[this.state.at], this.state.start);
  }

  /** All lines of the game in the form of the program: the main one, everything, and the end of the main one. */
  get lines() {
    // A game ends where it was ended, although undone moves are kept.
    const nodes = this.state.mode === 'analysis' ? [...this.tree.mainLine()] : this.path;
    return {
      main: nodes.slice(1).map(({ move }) => move),
      lines: this.tree.write().map(([parent, ended, ...moves]) => ({ parent, result: ended?.result ?? null, moves })),
      ended: nodes.at(-1).ended,
    };
  }

  /** A key of the position on the board. */
  get position() {
    return this.positionAfter(this.state.at);
  }

  /** A key of the position after this many moves. */
  positionAfter(at) {
    return this.path[at].id;
  }

  /** Returns whether no move is possible on the board. A resigned game can still be analysed. */
  get isOver() {
    const { mode, ended, at, moves } = this.state;
    return Boolean(this.view?.outcome) || (mode !== 'analysis' && ended !== null && at === moves.length);
  }

  /** Returns whether the game has ended, regardless of the move shown. */
  get isFinished() {
    return Boolean(this.path.at(-1).isOver) || this.state.ended !== null;
  }

  /** Returns whether a game against the engine is in progress. Evaluations are not shown then. */
  get isContest() {
    return this.state.mode === 'engine' && !this.isFinished;
  }

  /** Returns whether the engine analyses the position on the board. */
  get isAnalysed() {
    return this.state.analysing && !this.isContest && this.attempt === null;
  }

  /** The colour of the user in a game against the engine, or null. */
  get side() {
    const { mode, human } = this.state;
    return mode === 'engine' && human !== 'both' ? human : null;
  }

  /** Returns whether a user of this page is to move. A task may be for both players. */
  get isOurs() {
    const { mode, human } = this.state;
    const isSide = mode === 'engine' || mode === 'task';
    const isHuman = human === 'both' || this.view?.to_move === human;
    return this.attempt !== null || mode === 'two' || mode === 'analysis' || (isSide && isHuman);
  }

  /** Returns whether the engine is to move in the game, regardless of the move shown. */
  get isEngines() {
    const { mode, human, moves, present } = this.state;
    const isIts = mode === 'self' || (mode === 'engine' && this.turnAfter(moves.length) !== human);
    return isIts && !this.isFinished && present === moves.length && !this.watch.isStill;
  }

  /** Returns whether the board shows an earlier move of a game in progress. */
  get isLookingBack() {
    const { mode, at, present } = this.state;
    return mode !== 'analysis' && !this.isFinished && at < present;
  }

  /** The player to move after this many moves. */
  turnAfter(count) {
    return this.path[count].turn;
  }

  square(name) {
    return this.view.squares.find((square) => square.name === name);
  }

  /** Applies these changes to the state if the program accepts them. `isOwn` is for a move of the user. */
  async load(changes, { slides = false, isOwn = false } = {}) {
    const next = { ...this.state, ...changes };
    const tree = 'tree' in changes ? Tree.read(next.tree) : this.tree;
    const isSame = tree === this.tree && next.moves === this.state.moves && this.view !== null;
    const path = await lookUp(this.connection, tree, next, isSame ? this.path : null);
    const { view } = path[next.at];
    this.isCopy = !await this.claim(next, path.at(-1).isOver);
    // The clocks may have changed in the meantime.
    const clock = 'clock' in changes ? changes.clock : this.timed(changes.present ?? this.state.present, path);
    this.state = { ...this.state, ...changes, clock, ...(this.isCopy ? { mode: 'analysis', clock: null, seed: anySeed() } : {}) };
    Object.assign(this, { tree, path, view });
    if ('ended' in changes) {
      path.at(-1).ended = changes.ended;
    }
    // The line of a game in progress is the main one.
    if ('moves' in changes && this.state.mode !== 'analysis') {
      tree.promote(path.at(-1));
    }
    this.state.ended = path.at(-1).ended;
    this.store();
    this.judge();
    // A move that is drawn already does not slide again.
    this.played = slides && !this.expected ? view.last : null;
    this.expected = null;
    this.hand.settle(view, { isStep: 'at' in changes, isOwn });
    // Until a copy is changed, the next tab starts with the original game.
    if (!this.isCopy) {
      this.keep(this.state);
    }
    this.changed();
  }

  /** Puts the tree into the state, if it has changed. */
  store() {
    const { tree, state, written } = this;
    const isWritten = written?.tree === tree && written.version === tree.version && written.ended === state.ended;
    if (!isWritten) {
      this.written = { tree, version: tree.version, ended: state.ended };
      this.state = { ...state, tree: tree.write() };
    }
  }

  /** After a game against a level without takebacks, the next even game is against a stronger or a weaker one. */
  judge() {
    const { state: { mode, human, level, seed, judged, takebacks, ended, even }, view } = this;
    const winner = ended?.winner ?? view.outcome?.winner;
    if (mode !== 'engine' || level === 0 || !this.isFinished || !winner || judged === seed) {
      return;
    }
    const next = winner === human ? Math.max(even, level + 1) : Math.min(even, level - 1);
    const isFair = takebacks === 0;
    this.state = { ...this.state, judged: seed, even: isFair ? Math.max(1, next) : even };
  }

  /** The clocks after this many moves: each move adds its seconds, and undo removes them. */
  timed(present, path) {
    const { clock, timing, present: was } = this.state;
    if (!clock) {
      return null;
    }
    const left = { ...clock };
    const isFewer = present < was;
    const nodes = isFewer ? this.path.slice(present, was) : path.slice(was, present);
    for (const { turn } of nodes) {
      left[turn] += (isFewer ? -1 : 1) * timing.increment * 1000;
    }
    const spent = ['white', 'black'].find((color) => left[color] <= 0 && left[color] < clock[color]);
    if (spent) {
      throw new Refused(`this cannot be undone: ${nameOf(spent)} has already used the increment of that move`);
    }
    return left;
  }

  /** Returns whether a game can be played in this tab. One with running clocks is played in one tab only. */
  async claim({ clock, ended, seed }, isOver) {
    if (clock && !ended && !isOver) {
      return this.owner.claim(seed, wasHere(seed));
    }
    this.owner.release();
    return true;
  }

  /** Asks for the same position again after a lost connection. A spread in progress stays as it is. */
  async refresh() {
    if (this.view === null) {
      try {
        const { tree, ended } = this.state;
        await this.load({ tree, ended });
      } catch (error) {
        if (!(error instanceof Refused)) {
          throw error;
        }
        this.state = { ...this.state, moves: [], tree: [] };
        await this.begin({ start: EMPTY.start });
        this.say(`The saved game could not be loaded: ${error.message}.`);
      }
      if (this.isCopy) {
        this.say(COPY);
      } else if (this.state.moves.length === 0 && this.state.former.length === 0) {
        this.say(`${this.turn()} If Tak is new to you, “Learn” shows how it is played.`);
      }
    }
    this.changed();
  }

  /** Starts a game. */
  async begin(changes) {
    const { mode, timing } = { ...this.state, ...changes };
    const clock = mode === 'analysis' ? null : clocks(timing);
    const isKept = this.state.moves.length > 0;
    await this.replace({ moves: [], ended: null, clock, seed: anySeed(), takebacks: 0, paused: false, ...changes });
    const { size } = this.view;
    this.say(`New game on ${size} by ${size}. ${this.turn()}${isKept ? KEPT : ''}`);
  }

  /** Replaces the game, which can be restored. */
  async replace(changes) {
    await this.vacate();
    const { moves, former } = this.state;
    const at = changes.moves.length;
    await this.load({
      annotation: null,
      tree: [],
      cuts: [],
      uncut: [],
      ...changes,
      at,
      present: at,
      former: moves.length > 0 ? [...former, gameOf(this.state)].slice(-GAMES) : former,
    });
  }

  /** Restores the previous game. The current one becomes the oldest, so that none is lost. */
  async back() {
    const { former, moves } = this.state;
    if (former.length === 0) {
      this.refuse('there is no previous game');
      return;
    }
    const others = former.slice(0, -1);
    await this.load({ tree: [], ...former.at(-1), former: moves.length > 0 ? [gameOf(this.state), ...others] : others });
    this.say(this.isCopy ? COPY : `The previous game is restored. ${this.isOver ? '' : this.turn()}`);
  }

  /** Starts a rematch with colours swapped. */
  async again() {
    const { state } = this;
    const human = other(state.human);
    const names = { white: state.names.black, black: state.names.white };
    const engine = state.mode === 'engine' ? { flipped: human === 'black', nextColor: other(human) } : {};
    await this.begin({ human, names, ...engine });
  }

  /** Opens a game to look at it. */
  async open({ start, moves, tree = [] }, { ended = null, names = { white: '', black: '' }, note = '' } = {}) {
    const isKept = this.state.moves.length > 0;
    await this.replace({ start, moves, tree, mode: 'analysis', ended, clock: null, names, takebacks: 0 });
    this.say(`Opened, with ${movesText(moves.length)}.${note ? ` ${note}` : ''}${isKept ? KEPT : ''}`);
  }

  turn() {
    const { to_move: color, places } = this.view;
    const swap = color === places ? '' : ` In the first turn it places a ${places} flat.`;
    return `${nameOf(color)} to move.${swap}`;
  }

  /** The changes to continue a game after its end. One lost on time continues without clocks. */
  get reopened() {
    return { ended: null, ...(this.state.ended?.isTime ? { clock: null } : {}) };
  }

  /** Plays a move on the board. It is drawn at once, and put back if the program refuses it. */
  async play(move) {
    const expected = effect(this.view, move);
    if (expected) {
      // Pieces dropped by hand lie there already.
      this.played = this.hand.draft ? null : expected;
      this.expected = expected.squares;
      this.changed();
    }
    try {
      await this.enter(move);
    } finally {
      if (this.expected) {
        this.expected = null;
        this.changed();
      }
    }
  }

  /** Enters a move. Later moves become a variation; on an analysis board the move does. */
  async enter(move) {
    if (this.attempt) {
      await this.attempt(move);
      return;
    }
    const { state } = this;
    if (state.mode === 'analysis' && state.at < state.moves.length) {
      await this.variations.branch(move);
      this.tell();
      return;
    }
    const moves = [...state.moves.slice(0, state.at), move];
    const isCut = state.at < state.moves.length || state.ended !== null;
    const cuts = isCut ? this.undo.plus(this.undo.cut) : state.cuts;
    const at = moves.length;
    const isOwn = this.isOurs;
    await this.load({ moves, at, present: at, cuts, uncut: [], ...this.reopened }, { slides: true, isOwn });
    this.tell();
  }

  /** Announces the last move. */
  tell() {
    const { last, threat, outcome } = this.view;
    const call = threat.length > 0 && this.state.callsTak ? ' Tak!' : '';
    this.say(`${outcome ? `${outcome.says}. ` : ''}${last.says}.${call}`);
  }

  /** Plays the engine's move at the end of the game. If an earlier move is shown, it stays on the board. */
  async answer(move) {
    const { at, moves } = this.state;
    if (at === moves.length) {
      await this.play(move);
      return;
    }
    await this.load({ moves: [...moves, move], present: moves.length + 1 });
    this.say(`The engine has moved: ${move}. ${LOOKING}`);
  }

  /** The reason why the user may not move now, or null. */
  barred() {
    if (this.view.outcome) {
      return `the game is over: ${this.view.outcome.says}`;
    }
    if (this.isOver) {
      return `the game is over: ${this.state.ended.says}`;
    }
    if (this.isOurs) {
      return null;
    }
    if (this.state.mode === 'task') {
      return 'it is not your turn: go on with the buttons beside the board';
    }
    return this.isLookingBack ? LOOKING.slice(0, -1) : 'it is the engine’s turn';
  }

  /** Shows the position after this many moves, if there is one. */
  async walk(at) {
    const { moves } = this.state;
    if (at === this.state.at) {
      return;
    }
    const to = Math.max(0, Math.min(moves.length, at));
    if (to === this.state.at) {
      this.refuse(at < 0 ? 'this is the start' : 'this is the last move');
      return;
    }
    // Going beyond the end of the game redoes undone moves.
    await this.load({ at: to, present: Math.max(this.state.present, to) }, { slides: to === this.state.at + 1 });
    const { last } = this.view;
    const where = last ? `After ${last.text}: ${last.says}.` : 'The start of the game.';
    this.say(this.isLookingBack ? `${LOOKING} ${where}` : where);
  }

  /** Shows a position of any line. */
  async visit(node) {
    if (this.path[node.depth] === node) {
      await this.walk(node.depth);
      return;
    }
    if (this.state.mode !== 'analysis' && !this.isFinished) {
      this.refuse('variations can be viewed after the game');
      return;
    }
    await this.variations.show(node);
    this.say(`${this.variations.first ? 'A variation. ' : ''}After ${node.move}: ${this.view.last.says}.`);
  }

  /** Asks for the positions before and after this one, so that a step to them need not wait. */
  async lookAhead() {
    const { path, state: { at, start } } = this;
    for (const node of [path[at - 1], path[at + 1]]) {
      if (node && node.tps !== null && node.view === null) {
        node.view = await see(this.connection, recordOf(node, start));
      }
    }
  }

  /** The player who would resign: the engine's opponent, or else the player to move in the game. */
  get resigner() {
    const { mode, human, present } = this.state;
    return mode === 'engine' ? human : this.turnAfter(present);
  }

  async resign() {
    await this.lose(this.resigner, 'resigns');
  }

  /** A player has run out of time. */
  async runOut(loser) {
    if (!this.isFinished && this.state.clock?.[loser] === 0) {
      await this.lose(loser, 'has run out of time', true);
    }
  }

  /** Ends the game without a move. Undone moves are cut off. */
  async lose(loser, why, isTime = false) {
    const ended = {
      winner: other(loser),
      result: loser === 'white' ? '0-1' : '1-0',
      says: `${nameOf(loser)} ${why}`,
      isTime,
    };
    const { moves, present: at, ended: was } = this.state;
    await this.load({
      moves: moves.slice(0, at),
      at,
      present: at,
      ended,
      cuts: this.undo.plus({ at, moves, ended: was }),
      uncut: [],
    });
    this.say(`${ended.says}. ${nameOf(ended.winner)} wins.`);
  }

  /** The remarks on the last of this many moves, and White's chances after it, if known. */
  annotated(at) {
    return this.remarksOn(this.path[at]);
  }

  /** The nodes of the annotated game, as far as this game has them. The list is the same until one of them changes. */
  annotatedNodes() {
    const { tree, noted, state: { start, annotation } } = this;
    if (noted.annotation !== annotation || noted.tree !== tree || noted.version !== tree.version) {
      const isOf = annotation && JSON.stringify(start) === JSON.stringify(annotation.start);
      this.noted = { annotation, tree, version: tree.version, nodes: isOf ? tree.find(annotation.moves) : [] };
    }
    return this.noted.nodes;
  }

  /** The remarks on the move to a node: those of the annotation, or else those of the file. */
  remarksOn(node) {
    const { annotation } = this.state;
    const isNoted = this.annotatedNodes()[node.depth] === node && node.depth <= annotation.said.length;
    return isNoted ? { chance: annotation.chances[node.depth] / 100, ...annotation.said[node.depth - 1] } : node.notes;
  }

  /** What people have said about the move on the board, or before the first one. */
  get comments() {
    const { path, state: { at, names } } = this;
    const all = at === 0 ? names.comments : path[at].notes?.comments;
    return said(all);
  }
}
