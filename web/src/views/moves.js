// The list of moves: the main line in rows, and variations below the move that they replace. A step changes only the
// moves between two positions, whatever the length of the game.

/** @import { Color } from '../protocol.js' */
/** @import { Doc } from '../types.js' */
/** @import { Node, Tree } from '../model/tree.js' */

import { chanceAt, isFree, remarksOn } from '../model/doc.js';
import { said } from '../model/notes.js';
import { words } from '../words.js';

/** The rows of a part of the list. Parts that are not seen are not laid out. */
const PART = 50;
/** The scores that the engine has found, before it has. @type {Map<string, number>} */
const UNKNOWN = new Map();
/** Variations of variations are indented up to this depth, and in brackets beyond it. */
const MAX_INDENT = 4;

/**
 * @typedef {object} Shown
 * @property {Tree} tree
 * @property {Node[]} path
 * @property {number} at
 * @property {unknown} annotation
 * @property {boolean} isGame
 * @property {number} version
 * @property {boolean} hasChances
 */

/**
 * @param {string} name
 * @param {string} look
 * @param {(Node | Element | string)[]} children
 */
function make(name, look, ...children) {
  const element = document.createElement(name);
  element.className = look;
  element.append(.../** @type {Element[]} */ (children));
  return element;
}

/** The kind of a mark, for its colour. @type {(marks: string) => string} */
export function markKind(marks) {
  const judgement = marks.replace(/[^!?]/g, '');
  const kinds = /** @type {Record<string, string>} */ ({
    '!!': 'good',
    '!': 'good',
    '!?': 'doubtful',
    '?!': 'doubtful',
    '?': 'mistake',
    '??': 'blunder',
  });
  return kinds[judgement] ?? '';
}

export class MoveList {
  /** The buttons of nodes, and the nodes of buttons. @type {Map<Node, HTMLElement>} */
  #buttons = new Map();
  /** @type {WeakMap<Element, Node>} */
  #nodes = new WeakMap();
  /** @type {Shown | null} */
  #shown = null;
  /** @type {Node | null} */
  #current = null;
  /** @type {Node | null} */
  #end = null;
  #isSettled = true;

  /** @param {(node: Node) => void} visit */
  constructor(visit) {
    this.element = make('div', 'moves');
    for (const [name, value] of [
      ['role', 'group'],
      ['tabindex', '0'],
      ['aria-label', words.movesOfGame],
    ]) {
      this.element.setAttribute(name, value);
    }
    this.element.addEventListener('click', ({ target }) => {
      const found = target instanceof Element ? target.closest('button') : null;
      const node = found && this.#nodes.get(found);
      if (node) {
        visit(node);
      }
    });
    // A phone may be turned, or a window resized.
    new ResizeObserver(() => this.#scroll()).observe(this.element);
  }

  /**
   * @param {Doc} doc
   * @param {Map<string, number> | null} chances White's expected score by position, if it is shown
   */
  show(doc, chances) {
    const { tree, path, at, annotation } = doc;
    const shown = this.#shown;
    // The main line of a game in progress ends where the game does, although undone moves are kept.
    const isGame = !isFree(doc);
    const now = { tree, path, at, annotation, isGame, version: tree.version, hasChances: chances !== null };
    const isSame =
      shown !== null &&
      shown.tree === tree &&
      shown.annotation === annotation &&
      shown.version === tree.version &&
      shown.isGame === isGame &&
      shown.hasChances === now.hasChances &&
      (!isGame || shown.path === path);
    if (!isSame && !this.#append(doc, now)) {
      this.#build(doc, now);
    }
    if (!isSame || shown.path !== path) {
      this.#mark(path, 1, path.length, at);
    } else if (shown.at !== at) {
      this.#mark(path, Math.min(shown.at, at) + 1, Math.max(shown.at, at) + 1, at);
    }
    if (chances) {
      this.#value(doc, path[at], chances);
    }
    if (isSame && shown.path === path && shown.at === at) {
      return;
    }
    this.#buttons.get(/** @type {Node} */ (this.#current))?.removeAttribute('aria-current');
    this.#current = path[at];
    this.#buttons.get(path[at])?.setAttribute('aria-current', 'true');
    this.#shown = now;
    this.#isSettled = false;
  }

  /** Scrolls to the current move, if that has changed. This needs a layout, so everything else is drawn first. */
  settle() {
    if (!this.#isSettled) {
      this.#isSettled = true;
      this.#scroll();
    }
  }

  /**
   * Marks the moves of a line that come after the position on the board.
   * @param {Node[]} path
   * @param {number} from
   * @param {number} to
   * @param {number} at
   */
  #mark(path, from, to, at) {
    for (let index = from; index < to; index += 1) {
      this.#buttons.get(path[index])?.classList.toggle('later', index > at);
    }
  }

  /**
   * Writes White's expected score after a move behind it.
   * @param {Doc} doc
   * @param {Node} node
   * @param {Map<string, number>} chances
   */
  #value(doc, node, chances) {
    const place = this.#buttons.get(node)?.querySelector('.chance');
    const chance = place && chanceAt(doc, node, chances);
    if (place && typeof chance === 'number') {
      place.setAttribute('data-chance', String(Math.round(100 * chance)));
    }
  }

  /**
   * Adds the row or move at the end, if nothing else has changed. Returns whether it did.
   * @param {Doc} doc
   * @param {Shown} now
   */
  #append(doc, { tree, path, annotation, isGame, version, hasChances }) {
    const shown = this.#shown;
    const node = path[path.length - 1];
    const isOnlyMove =
      shown !== null &&
      shown.tree === tree &&
      shown.annotation === annotation &&
      shown.isGame === isGame &&
      shown.version === version - 1 &&
      shown.hasChances === hasChances &&
      !this.#buttons.has(node) &&
      node.parent !== null &&
      node.parent === this.#end &&
      this.#end.children.length === 1;
    if (isOnlyMove) {
      this.#addMove(doc, node);
    }
    return isOnlyMove;
  }

  /**
   * @param {Doc} doc
   * @param {Shown} now
   */
  #build(doc, { tree, path, isGame }) {
    this.#buttons.clear();
    this.element.replaceChildren();
    this.#end = tree.root;
    this.#comment(doc.names.comments ?? []);
    for (
      let node = isGame ? path[1] : tree.root.children[0];
      node;
      node = isGame ? path[node.depth + 1] : node.children[0]
    ) {
      this.#addMove(doc, node);
    }
    if (!isGame && this.#end) {
      this.#addVariations(doc, this.#end, null);
    }
  }

  /**
   * Adds a move of the main line, its comments, and the variations that replace it.
   * @param {Doc} doc
   * @param {Node} node
   */
  #addMove(doc, node) {
    const parent = /** @type {Node} */ (node.parent);
    const turn = parent.turn;
    let row = this.element.lastElementChild?.lastElementChild;
    if (turn === 'white' || !row || row.className !== 'turn-row') {
      row = make('li', 'turn-row', make('span', 'number', `${parent.number}`));
      this.#addRow(row);
      if (turn === 'black') {
        row.append(make('span', 'none', '…'));
      }
    }
    row.append(this.#button(doc, node, turn));
    this.#end = node;
    this.#comment(node.notes?.comments ?? []);
    if (isFree(doc)) {
      this.#addVariations(doc, parent, node);
    }
  }

  /** Adds what people have said. @param {string[]} comments */
  #comment(comments) {
    const texts = said(comments);
    if (texts.length > 0) {
      this.#addRow(make('li', 'comment', texts.join(' ')));
    }
  }

  /**
   * Adds the moves after a node other than the main one, and their variations.
   * @param {Doc} doc
   * @param {Node} parent
   * @param {Node | null} main
   */
  #addVariations(doc, parent, main) {
    /** @type {[Node, number][]} */
    const open = parent.children
      .filter((node) => node !== main)
      .map((node) => /** @type {[Node, number]} */ ([node, 1]))
      .reverse();
    for (let next = open.pop(); next; next = open.pop()) {
      const [first, level] = next;
      const row = make('li', `variation level-${Math.min(level, MAX_INDENT)}`);
      row.setAttribute('aria-label', words.variation);
      /** @type {[Node, number][]} */
      const inner = [];
      let isWhites = first.parent?.turn === 'white';
      let number = first.parent?.number ?? 1;
      if (level > MAX_INDENT) {
        row.append('(');
      }
      for (let node = /** @type {Node | undefined} */ (first); node; node = node.children[0]) {
        const move = this.#button(doc, node, isWhites ? 'white' : 'black');
        if (isWhites || node === first) {
          // No line ends between a number and its move.
          row.append(make('span', 'pair', make('span', 'number', `${number}.${isWhites ? '' : '..'}`), ' ', move), ' ');
        } else {
          row.append(move, ' ');
        }
        const texts = said(node.notes?.comments ?? []);
        if (texts.length > 0) {
          row.append(make('span', 'aside', texts.join(' ')), ' ');
        }
        inner.push(...node.children.slice(1).map((each) => /** @type {[Node, number]} */ ([each, level + 1])));
        number += isWhites ? 0 : 1;
        isWhites = !isWhites;
      }
      if (level > MAX_INDENT) {
        row.append(')');
      }
      open.push(...inner.reverse());
      this.#addRow(row);
    }
  }

  /** @param {Element} row */
  #addRow(row) {
    let part = this.element.lastElementChild;
    if (!part || part.childElementCount === PART) {
      part = make('ol', 'part');
      this.element.append(part);
    }
    part.append(row);
  }

  /**
   * @param {Doc} doc
   * @param {Node} node
   * @param {Color} color
   */
  #button(doc, node, color) {
    // As in PTN, the first move of that opening is a stack.
    const isDouble = doc.start.opening === 'double-black' && !doc.start.tps && node.depth === 1;
    const button = make('button', `move ${color}`, make('span', '', `${isDouble ? 2 : ''}${node.move}`));
    button.setAttribute('type', 'button');
    button.tabIndex = -1;
    const remarks = remarksOn(doc, node);
    const marks = remarks?.marks ?? '';
    const threat = marks.replace(/[!?]/g, '');
    if (threat) {
      button.firstElementChild?.append(threat);
    }
    if (markKind(marks)) {
      button.append(make('b', `mark ${markKind(marks)}`, marks.replace(/[^!?]/g, '')));
    }
    if (this.#hasChances(doc)) {
      const chance = chanceAt(doc, node, UNKNOWN);
      const place = make('i', 'chance');
      place.setAttribute('data-chance', chance === null ? '' : String(Math.round(100 * chance)));
      button.append(place);
    }
    this.#buttons.set(node, button);
    this.#nodes.set(button, node);
    return button;
  }

  /** @param {Doc} doc */
  #hasChances(doc) {
    return doc.name === 'study';
  }

  /** Scrolls the current move into the middle of the list, without scrolling the page. */
  #scroll() {
    const { element: list } = this;
    const button = this.#current && this.#buttons.get(this.#current);
    if (!button) {
      list.scrollTop = 0;
      return;
    }
    const { top, height } = button.getBoundingClientRect();
    const from = list.scrollTop + top - list.getBoundingClientRect().top;
    if (height > 0) {
      list.scrollTop = Math.round((from + (height - list.clientHeight) / 2) / height) * height;
    }
  }
}
