// Playing: moves, steps through a game, its start and its end. What is possible is the program's to say.

/** @import { App } from '../app.js' */
/** @import { Color } from '../protocol.js' */
/** @import { Cut, Doc, DocName, Settings } from '../types.js' */
/** @import { Node } from '../model/tree.js' */

import { turnText } from '../app.js';
import {
  anySeed,
  blank,
  isFinished,
  isLookingBack,
  isOurs,
  isOver,
  positionOf,
  resigner,
  viewOf,
} from '../model/doc.js';
import { effect } from '../model/draft.js';
import { Lost, Refused } from '../model/errors.js';
import { recordOf, see } from '../model/positions.js';
import { other } from '../model/squares.js';
import { revived, withFormer } from '../model/stored.js';
import { words } from '../words.js';
import { clocks } from './clock.js';

/** @import { Study } from './study.js' */
/** @import { Attempts } from './attempt.js' */
/** @import { Undo } from './undo.js' */

export class Play {
  /** A move that could not be played. @type {{position: string, move: string} | null} */
  #lost = null;

  /**
   * @param {App} app
   * @param {Study} study
   * @param {Attempts} attempts
   * @param {Undo} undo
   */
  constructor(app, study, attempts, undo) {
    this.app = app;
    this.study = study;
    this.attempts = attempts;
    this.undo = undo;
  }

  /**
   * The reason why the user may not move now, or null.
   * @param {Doc} doc
   */
  barred(doc = this.app.doc) {
    const outcome = viewOf(doc)?.outcome;
    if (outcome) {
      return words.over(outcome.says);
    }
    if (isOver(doc)) {
      return words.over(doc.ended?.says ?? '');
    }
    if (isOurs(doc)) {
      return null;
    }
    return doc.mode === 'task' ? words.notNow : isLookingBack(doc) ? words.lookingBack : words.enginesTurn;
  }

  /**
   * Plays a move on the board. It is drawn at once, and put back if the program refuses it.
   * @param {string} move
   */
  async play(move) {
    const { app } = this;
    const { name } = app.doc;
    const expected = effect(app.view, move);
    if (expected) {
      const { from, drops, squares } = expected;
      // Pieces dropped by hand lie there already.
      app.store.update({
        expected: squares,
        motion: app.state.hand.held ? app.state.motion : { from, drops, isBack: false },
      });
    }
    const position = positionOf(app.doc);
    try {
      await this.enter(name, move);
    } catch (error) {
      this.#lost = error instanceof Lost && (name === 'game' || name === 'study') ? { position, move } : null;
      throw error;
    } finally {
      app.store.update({ expected: null });
    }
  }

  /** Plays the move that could not be played without a connection, if its position is still on the board. */
  async retry() {
    const lost = this.#lost;
    this.#lost = null;
    if (lost && lost.position === positionOf(this.app.doc) && !this.barred()) {
      await this.play(lost.move);
    }
  }

  /**
   * Enters a move. Later moves become a variation; in a study the move does. The move that the game has there steps to it.
   * @param {DocName} name
   * @param {string} move
   */
  async enter(name, move) {
    const { app } = this;
    if (name === 'study') {
      await (this.attempts.isOpen ? this.attempts.judge(move) : this.study.enter([move]));
      return;
    }
    const doc = /** @type {Doc} */ (app.state.docs[name]);
    const { at, moves, ended, present } = doc;
    const isOwn = isOurs(doc);
    if (isOwn && name === 'game' && at < present && moves[at] === move) {
      await this.walk(at + 1);
      return;
    }
    const isCut = at < moves.length || ended !== null;
    const cuts = isCut ? [...doc.cuts, cutOf(doc)].slice(-MOST_CUTS) : doc.cuts;
    const next = [...moves.slice(0, at), move];
    const { news } = app.state;
    await app.load(
      name,
      { moves: next, at: next.length, present: next.length, cuts, uncut: [], ...reopened(doc) },
      { slides: true, isOwn },
    );
    const replaced = isOwn && at < present ? words.replaced(present - at) : '';
    if (replaced) {
      app.tell(replaced, { undo: () => app.do(() => this.undo.step(-1)), isHere: true });
    } else if (!isOwn && news?.isHere && news.undo) {
      // The engine's answer leaves what its opponent's move has replaced.
      app.store.update({ news });
    }
    const told = app.state.news;
    this.announce(told?.isHere && told.undo ? told.text : '');
  }

  /** Announces the last move. @param {string} more what is shown about it */
  announce(more = '') {
    const { app } = this;
    const { last, threat, outcome } = app.view;
    const calls = threat.length > 0 && app.state.settings.callsTak && app.doc.mode !== 'task';
    app.say(`${words.announced(outcome?.says ?? '', last?.says ?? '', calls)} ${more}`.trim());
    app.dispatchEvent(new Event('moved'));
  }

  /**
   * Plays the engine's move at the end of the game. If an earlier move or another view is shown, it stays on the board.
   * @param {string} move
   */
  async answer(move) {
    const { app } = this;
    const { at, moves } = app.state.docs.game;
    if (app.doc.name === 'game' && at === moves.length) {
      await this.play(move);
      return;
    }
    const next = [...moves, move];
    const isBehind = at < moves.length;
    await app.load('game', { moves: next, present: next.length, ...(isBehind ? {} : { at: next.length }) });
    app.tell(words.engineMoved(move, isBehind && app.doc.name === 'game'));
  }

  /**
   * Shows the position after this many moves, if there is one.
   * @param {number} at
   */
  async walk(at) {
    const { app } = this;
    const { doc } = app;
    const to = Math.max(0, Math.min(doc.moves.length, at));
    if (to === doc.at) {
      if (at !== doc.at) {
        app.refuse(at < 0 ? words.startReached : words.lastMove);
      }
      return;
    }
    // Going beyond the end of the game redoes undone moves.
    await app.load(doc.name, { at: to, present: Math.max(doc.present, to) }, { slides: Math.abs(to - doc.at) === 1 });
    const { last } = app.view;
    app.say(words.position(last?.text ?? '', last?.says ?? '', isLookingBack(app.doc)));
  }

  /**
   * Shows a position of any line. A click on a move of the game before, which was replaced meanwhile, does nothing.
   * @param {Node} node
   */
  async visit(node) {
    const { app } = this;
    const { path, name, tree } = app.doc;
    let root = node;
    while (root.parent) {
      root = root.parent;
    }
    if (root !== tree.root) {
      return;
    }
    if (path[node.depth] === node) {
      await this.walk(node.depth);
    } else if (name === 'study') {
      await this.study.show(node);
    } else {
      app.refuse(words.variationsLater);
    }
  }

  /** Asks for the positions before and after this one, so that a step to them need not wait. */
  async lookAhead() {
    const { path, at, start } = this.app.doc;
    for (const node of [path[at - 1], path[at + 1]]) {
      if (node && node.tps !== null && node.view === null) {
        node.view = await see(this.app.connection, recordOf(node, start));
      }
    }
  }

  /** Gives up the game. */
  async resign() {
    const { app } = this;
    const { game } = app.state.docs;
    app.store.update({ isResigning: false });
    await this.lose(resigner(game), words.resigned(resigner(game)));
  }

  /**
   * A player has run out of time.
   * @param {Color} loser
   */
  async runOut(loser) {
    const { game } = this.app.state.docs;
    if (!isFinished(game) && game.clock?.[loser] === 0) {
      await this.lose(loser, words.timeOut(loser), true);
    }
  }

  /**
   * Ends the game without a move. Undone moves are cut off.
   * @param {Color} loser
   * @param {string} says
   */
  async lose(loser, says, isTime = false) {
    const { app } = this;
    const { moves, present: at, ended: was, cuts } = app.state.docs.game;
    const ended = { winner: other(loser), result: loser === 'white' ? '0-1' : '1-0', says, isTime };
    await app.load('game', {
      moves: moves.slice(0, at),
      at,
      present: at,
      ended,
      cuts: [...cuts, { at, moves, ended: was }].slice(-MOST_CUTS),
      uncut: [],
    });
    app.say(words.lost(says, other(loser)));
  }

  /**
   * Starts a game; the one before can be restored.
   * @param {Partial<Doc>} changes
   * @param {Partial<Settings>} settings
   */
  async begin(changes, settings = {}) {
    const { app } = this;
    const { game } = app.state.docs;
    if (changes.mode === 'free') {
      await this.study.open({ start: changes.start ?? game.start, moves: [] }, { note: '' });
      app.set({ ...settings, analysing: true });
      return;
    }
    const kept = app.state.former;
    const isKept = game.moves.length > 0;
    const timing = changes.timing ?? game.timing;
    const fresh = blank('game', {
      ...pick(game),
      seed: anySeed(),
      clock: clocks(timing),
      ...changes,
    });
    await app.load('game', fresh);
    app.set(settings);
    app.store.update({ former: isKept ? withFormer(kept, game) : kept });
    app.go('play');
    app.say(words.newGame(app.view.size, turnText(app.state.docs.game)));
  }

  /** Starts the game again, with colours swapped. */
  async again() {
    const { mode, human, names, level, otherLevel, start, seconds, timing, series } = this.app.state.docs.game;
    const side = human === 'white' || human === 'black' ? other(human) : human;
    await this.begin(
      {
        mode,
        start,
        seconds,
        timing,
        human: side,
        names: { white: names.black, black: names.white },
        level: mode === 'self' ? otherLevel : level,
        otherLevel: mode === 'self' ? level : otherLevel,
        flipped: mode === 'engine' && side === 'black',
        series: series && series.played < series.total ? series : series && { ...series, points: 0, played: 0 },
      },
      mode === 'engine' && side ? { nextColor: other(/** @type {Color} */ (side)) } : {},
    );
  }

  /** Restores the previous game. The current one becomes the oldest, so that none is lost. */
  async back() {
    const { app } = this;
    const { former, docs } = app.state;
    const last = former.at(-1);
    if (!last) {
      app.refuse(words.noPrevious);
      return;
    }
    const name = last.mode === 'free' ? 'study' : 'game';
    const doc = revived(name, last);
    const present = docs[name];
    if (doc) {
      await app.load(name, doc);
    }
    const others = former.slice(0, -1);
    app.store.update({ former: withFormer([], present).concat(others) });
    app.go(name === 'study' ? 'analysis' : 'play');
    app.tell(words.restored);
  }

  /** The question whether a position can be played on. @param {Doc['start']} start */
  async check(start) {
    const { view } = await this.app.connection.ask({ do: 'view', game: { start, moves: [] } });
    if (view.outcome) {
      throw new Refused(words.over(view.outcome.says));
    }
  }

  /** Loads the positions on the board again after a lost connection. A spread in progress stays as it is. */
  async refresh() {
    const { app } = this;
    for (const name of /** @type {const} */ (['game', 'study'])) {
      const doc = app.state.docs[name];
      if (viewOf(doc) === null) {
        try {
          await app.load(name, { ended: doc.ended });
        } catch (error) {
          if (!(error instanceof Refused)) {
            throw error;
          }
          await app.load(name, blank(name));
          app.tell(words.notLoaded(error.message));
        }
      }
    }
  }
}

/** The continuation that another move here replaces. @type {(doc: Doc) => Cut} */
export const cutOf = ({ at, moves, ended, present }) => ({ at, moves, ended, present });

/** The maximum number of stored continuations. */
export const MOST_CUTS = 100;

/** The changes to continue a game after its end. One lost on time continues without clocks. @type {(doc: Doc) => Partial<Doc>} */
export const reopened = ({ ended }) => ({ ended: null, ...(ended?.isTime ? { clock: null } : {}) });

/** The choices of a game that the next one takes over. @type {(doc: Doc) => Partial<Doc>} */
const pick = ({ start, human, level, otherLevel, seconds, timing, names, mode }) => ({
  start,
  human,
  level,
  otherLevel,
  seconds,
  timing,
  names,
  mode,
});
