// The study: an opened or reviewed game with its variations and comments. Every change of its lines can be undone.

/** @import { App } from '../app.js' */
/** @import { Names, Start } from '../protocol.js' */
/** @import { Doc, Edit, End } from '../types.js' */

import { blank, nodeOf, viewOf } from '../model/doc.js';
import { withFormer } from '../model/stored.js';
import { Node, Tree } from '../model/tree.js';
import { movesText, words } from '../words.js';

/** The maximum number of changes that can be undone. */
const MOST_EDITS = 100;

export class Study {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
  }

  get doc() {
    return this.app.state.docs.study;
  }

  /**
   * Opens a game to look at it. A study with moves can be restored.
   * @param {{start: Start, moves: string[], tree?: any[], at?: number}} game
   * @param {{ended?: End | null, names?: Partial<Names>, note?: string, others?: Partial<Doc>}} about
   */
  async open(
    { start, moves, tree = [], at = moves.length },
    { ended = null, names = {}, note = '', others = {} } = {},
  ) {
    const { app, doc: before } = this;
    const { former } = app.state;
    const read = Tree.read(tree);
    const doc = blank('study', {
      start,
      tree: read,
      path: [read.root],
      moves,
      at,
      present: at,
      human: null,
      names: { white: '', black: '', ...names },
      ended,
      ...others,
    });
    await app.load('study', doc);
    app.store.update({ former: withFormer(former, before), attempt: null, showsTurns: true });
    app.go('analysis');
    const opened = moves.length === 0 ? words.openedPosition : words.opened(movesText(moves.length));
    app.tell(`${opened}${note ? ` ${note}` : ''}`);
  }

  /** Takes the game into the study, to be reviewed or analysed. */
  async take() {
    const { game } = this.app.state.docs;
    const { start, moves, at, tree, names, ended, annotation, human, mode, level, seed, flipped } = game;
    const others = { annotation, level, seed, flipped, human: mode === 'engine' ? human : null };
    await this.open({ start, moves, at, tree: tree.write() }, { ended, names, others });
    this.app.hush();
  }

  /** Returns whether the study shows the game that was played here. */
  get isOfGame() {
    const { game } = this.app.state.docs;
    return this.doc.seed === game.seed && this.doc.moves.length > 0 && game.moves.length > 0;
  }

  /**
   * Plays moves: the next ones of a known line, or the first ones of a variation.
   * @param {string[]} moves
   */
  async enter(moves) {
    await this.add(moves, moves.length);
    const { last, outcome, threat } = this.app.view;
    this.app.say(
      words.announced(outcome?.says ?? '', last?.says ?? '', threat.length > 0 && this.app.state.settings.callsTak),
    );
    this.app.dispatchEvent(new Event('moved'));
  }

  /**
   * Adds moves after the position on the board, and shows the position after `shown` of them. If none is shown, the line
   * on the board stays the one that it is.
   * @param {string[]} added
   * @param {number} shown
   */
  async add(added, shown) {
    const { app, doc } = this;
    const { at, moves, tree, path } = doc;
    const from = nodeOf(doc);
    let [known, length] = [from, 0];
    for (let next = known.child(added[0]); next; next = known.child(added[length])) {
      [known, length] = [next, length + 1];
    }
    const isNew = length < added.length;
    const edit = isNew
      ? { kind: /** @type {const} */ ('add'), node: known, before: childrenOf([known]), at: from }
      : null;
    const whole = isNew ? [...moves.slice(0, at), ...added] : tree.lineThrough(known);
    const next = path[at + length] === known && !isNew ? moves : whole;
    const own = shown === 0 ? { moves: next } : { moves: next, at: at + shown, present: at + shown };
    await app.load(
      'study',
      { ...own, ...(edit ? { edits: [...doc.edits, edit].slice(-MOST_EDITS) } : {}) },
      { slides: shown === 1, isOwn: true },
    );
    if (shown === 0 && at < moves.length) {
      await app.load('study', { moves }, { slides: false, isOwn: true });
    }
  }

  /**
   * Changes to the line of a node.
   * @param {Node} node
   */
  async show(node) {
    const { app } = this;
    const moves = this.doc.tree.lineThrough(node);
    await app.load('study', { moves, at: node.depth, present: node.depth }, { slides: false });
    app.say(words.variationShown(this.first !== null, node.move, viewOf(this.doc)?.last?.says ?? ''));
  }

  /** The first node of the variation on the board, or null. */
  get first() {
    return this.doc.tree.variationOf(nodeOf(this.doc));
  }

  /**
   * Keeps a change of the tree that has been made.
   * @param {Edit} edit
   */
  #keep(edit) {
    const { app, doc } = this;
    app.store.updateDoc('study', { edits: [...doc.edits, edit].slice(-MOST_EDITS) });
  }

  /** Makes the variation on the board the main line. */
  promote() {
    const { app, doc } = this;
    const node = nodeOf(doc);
    const before = childrenOf(doc.path.slice(0, doc.at));
    doc.tree.promote(node);
    this.#keep({ kind: 'promote', node, before, at: node });
    app.tell(words.promoted);
  }

  /** Removes the variation on the board. */
  async prune() {
    const { app, first } = this;
    const parent = first?.parent;
    if (!first || !parent) {
      return;
    }
    const at = nodeOf(this.doc);
    const before = childrenOf([parent]);
    await this.show(parent);
    this.doc.tree.remove(first);
    this.#keep({ kind: 'delete', node: first, before, at });
    // The line on the board must be one of the tree.
    await this.show(parent);
    app.tell(words.deleted(first.move), { undo: () => app.do(() => this.undo()), isHere: true });
  }

  /** Takes the last change of the lines back. */
  async undo() {
    const { app, doc } = this;
    const edit = doc.edits.at(-1);
    if (!edit) {
      app.refuse(words.nothingToUndo);
      return;
    }
    doc.tree.restore(edit.before);
    const moves = doc.tree.lineThrough(edit.at);
    await app.load('study', { moves, at: edit.at.depth, present: edit.at.depth, edits: doc.edits.slice(0, -1) });
    app.tell(words.undoneEdit[edit.kind]);
  }
}

/** @type {(nodes: Node[]) => [Node, Node[]][]} */
const childrenOf = (nodes) => nodes.map((node) => [node, [...node.children]]);
