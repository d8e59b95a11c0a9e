// What all actions share: the store, the program, a queue, and sentences for the user.

/** @import { Connection } from './connection.js' */
/** @import { Color } from './protocol.js' */
/** @import { Doc, DocName, Route, Settings } from './types.js' */
/** @import { Store } from './store.js' */
/** @import { Node } from './model/tree.js' */

import { Owner } from './actions/owner.js';
import { anySeed, blank, endOf, isFree, shown, turnAfter, viewOf } from './model/doc.js';
import { Lost, Refused } from './model/errors.js';
import { lookUp } from './model/positions.js';
import { COLORS } from './model/squares.js';
import { wasHere, withFormer } from './model/stored.js';
import { sentence, words } from './words.js';

/** Milliseconds that news are shown: at least, and for each character. */
const [NEWS, PER_CHARACTER] = [3000, 40];

export class App extends EventTarget {
  #queue = Promise.resolve();
  #newsTimer = 0;
  #owner = new Owner();
  /** A copy of a game of another tab, which is not stored until it is changed. @type {Doc | null} */
  copied = null;

  /**
   * @param {Store} store
   * @param {Connection} connection
   */
  constructor(store, connection) {
    super();
    this.store = store;
    this.connection = connection;
  }

  get state() {
    return this.store.state;
  }

  /** The document on the board. */
  get doc() {
    return shown(this.state);
  }

  /** The program's view of the position on the board. */
  get view() {
    const view = viewOf(this.doc);
    if (!view) {
      throw new Lost(words.notConnected);
    }
    return view;
  }

  /**
   * Runs actions one after the other, regardless of how fast they come.
   * @param {() => unknown} action
   */
  do(action) {
    this.#queue = this.#queue.then(action).then(
      () => {},
      (error) => this.complain(error),
    );
    return this.#queue;
  }

  /** @param {unknown} error */
  complain(error) {
    if (error instanceof Refused) {
      this.refuse(error.message);
    } else if (error instanceof Lost) {
      this.tell(words.notPlayed);
    } else {
      console.error(error);
      this.tell(words.broken);
    }
  }

  /**
   * Speaks a sentence.
   * @param {string} text
   */
  say(text) {
    this.store.update({ said: text });
  }

  /**
   * Speaks a sentence and shows it for a while. `undo` takes back what it tells. `why` gives the reasons, for which there
   * is time until the next position. With `isHere` it is about this position alone, and goes with it.
   * @param {string} text
   * @param {Omit<import('./types.js').News, 'text'>} about
   */
  tell(text, about = {}) {
    clearTimeout(this.#newsTimer);
    if (!about.why) {
      const time = NEWS + PER_CHARACTER * text.length + (about.undo ? NEWS : 0);
      this.#newsTimer = window.setTimeout(() => this.hush(), time);
    }
    this.store.update({ said: text, news: { text, ...about } });
  }

  /** Takes the news away. */
  hush() {
    clearTimeout(this.#newsTimer);
    this.store.update({ news: null });
  }

  /**
   * Shows why an action is refused.
   * @param {string} text
   */
  refuse(text) {
    this.dispatchEvent(new Event('refused'));
    this.tell(sentence(text));
  }

  /**
   * Shows a view, with its document on the board.
   * @param {Route} route
   * @param {string} detail
   */
  go(route, detail = '') {
    if (location.hash.slice(1).split('/')[0] !== route) {
      history.pushState(null, '', `#${route}`);
    }
    if (route !== this.state.route) {
      // The kind of piece that was put in the editor is not the one to place.
      const wasSetting = this.state.route === 'editor';
      const base = route === 'play' || route === 'analysis' ? route : this.state.base;
      this.store.update({
        route,
        detail,
        base,
        preview: null,
        drawn: [],
        sign: null,
        expected: null,
        isResigning: false,
        news: null,
      });
      this.store.update({ hand: this.#settled(this.doc, true, wasSetting) });
    }
    this.dispatchEvent(new Event('board'));
  }

  /** @param {Partial<Settings>} changes */
  set(changes) {
    this.store.update({ settings: { ...this.state.settings, ...changes } });
  }

  /**
   * Applies these changes to a document if the program accepts them. `isOwn` is for a move of the user.
   * @param {DocName} name
   * @param {Partial<Doc>} changes
   * @param {{slides?: boolean, isOwn?: boolean}} how
   */
  async load(name, changes, { slides = false, isOwn = false } = {}) {
    const doc = this.state.docs[name] ?? blank(name);
    const next = { ...doc, ...changes };
    const isSame = next.tree === doc.tree && next.moves === doc.moves && viewOf(doc) !== null;
    const path = await lookUp(this.connection, next.tree, next, isSame ? doc.path : null);
    const last = path[path.length - 1];
    const isCopy = name === 'game' && !(await this.#claim(next, Boolean(last.isOver)));
    // The clocks may have changed in the meantime.
    const now = this.state.docs[name] ?? doc;
    const clock = 'clock' in changes ? (changes.clock ?? null) : timed(now, next.present, path);
    if ('ended' in changes) {
      last.ended = changes.ended ?? null;
    }
    // The line of a game in progress is the main one.
    if ('moves' in changes && !isFree(next)) {
      next.tree.promote(last);
    }
    const loaded = { ...now, ...changes, tree: next.tree, path, clock, ended: last.ended };
    if (isCopy) {
      this.#copy(loaded);
      return;
    }
    // A move that is drawn already does not slide again.
    const motion = slides && !this.state.expected ? motionOf(now, loaded) : null;
    const isShown = this.doc.name === name || this.state.docs[name] === null;
    this.store.update({
      docs: { ...this.state.docs, [name]: loaded },
      ...this.#judged(loaded),
      ...(isShown
        ? {
            motion: motion ?? this.state.motion,
            expected: null,
            preview: null,
            drawn: [],
            news: this.state.news?.isHere ? null : this.state.news,
            hand: this.#settled(loaded, 'at' in changes, isOwn),
          }
        : {}),
    });
  }

  /** The game of another tab can be looked at in this one. @param {Doc} doc */
  #copy(doc) {
    const study = {
      ...doc,
      name: /** @type {const} */ ('study'),
      mode: /** @type {const} */ ('free'),
      clock: null,
      seed: anySeed(),
    };
    const { docs, former } = this.state;
    this.copied = study;
    this.store.update({ docs: { ...docs, game: blank('game'), study }, former: withFormer(former, docs.study) });
    this.go('analysis');
    this.tell(words.copy);
  }

  /**
   * The hand at a position. A step puts pieces in hand back, and after a move of the user flats are placed again.
   * @param {Doc} doc
   * @param {boolean} isStep
   * @param {boolean} isOwn
   */
  #settled(doc, isStep, isOwn) {
    const { hand } = this.state;
    const view = viewOf(doc);
    if (!view) {
      return hand;
    }
    const kind = isOwn ? 'flat' : hand.kind;
    return {
      held: isStep ? null : hand.held,
      count: isStep ? null : hand.count,
      cursor: view.squares.some(({ name }) => name === hand.cursor) ? hand.cursor : 'a1',
      kind: view.kinds.some((each) => each.kind === kind) ? kind : (view.kinds[0]?.kind ?? 'flat'),
    };
  }

  /** After a game against a level without takebacks, the next even game is against a stronger or a weaker one. @param {Doc} doc */
  #judged(doc) {
    const { settings } = this.state;
    const { mode, human, level, seed, takebacks, ended } = doc;
    const winner = ended?.winner ?? endOf(doc).view?.outcome?.winner;
    if (doc.name !== 'game' || mode !== 'engine' || level <= 0 || !winner || settings.judged === seed) {
      return {};
    }
    const next = winner === human ? Math.max(settings.even, level + 1) : Math.min(settings.even, level - 1);
    return { settings: { ...settings, judged: seed, even: takebacks === 0 ? Math.max(1, next) : settings.even } };
  }

  /**
   * Returns whether a game can be played in this tab. One with running clocks is played in one tab only.
   * @param {Doc} doc
   * @param {boolean} isOver
   */
  async #claim({ clock, ended, seed }, isOver) {
    if (clock && !ended && !isOver) {
      return this.#owner.claim(seed, wasHere(seed));
    }
    this.#owner.release();
    return true;
  }
}

/**
 * The move between two positions one step apart, or none.
 * @param {Doc} before
 * @param {Doc} after
 */
function motionOf(before, after) {
  const isForward = after.at === before.at + 1 || before.path[before.at] !== after.path[after.at]?.parent;
  const moved =
    after.at >= before.at ? isForward && viewOf(after)?.last : before.at === after.at + 1 && viewOf(before)?.last;
  return moved ? { from: moved.from, drops: moved.drops, isBack: after.at < before.at } : null;
}

/**
 * The clocks after this many moves: each move adds its seconds, and undo removes them.
 * @param {Doc} doc
 * @param {number} present
 * @param {Node[]} path
 */
function timed(doc, present, path) {
  const { clock, timing, present: was } = doc;
  if (!clock) {
    return null;
  }
  const left = { ...clock };
  const isFewer = present < was;
  const nodes = isFewer ? doc.path.slice(present, was) : path.slice(was, present);
  for (const { turn } of nodes) {
    left[turn] += (isFewer ? -1 : 1) * timing.increment * 1000;
  }
  const spent = COLORS.find((color) => left[color] <= 0 && left[color] < clock[color]);
  if (spent) {
    throw new Refused(words.incrementSpent(spent));
  }
  return left;
}

/** Says whose turn it is, and what is special about the first one. @type {(doc: Doc) => string} */
export function turnText(doc) {
  const view = viewOf(doc);
  /** @type {Color} */
  const color = turnAfter(doc, doc.at);
  return words.toMove(color, view && view.places !== color ? view.places : null);
}
