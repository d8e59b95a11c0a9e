// The list of moves: the main line in rows, and variations below the move that they replace. A step changes only the
// moves between two positions, whatever the length of the game.

import { make } from './elements.js';

/** The rows of a part of the list. Parts that are not seen are not laid out. */
const PART = 50;
/** Variations of variations are not moved further to the right than this. */
const DEEPEST = 2;

export class MoveList {
  constructor(list, game) {
    this.list = list;
    this.game = game;
    /** The buttons of nodes, and the nodes of buttons. */
    this.buttons = new Map();
    this.nodes = new WeakMap();
    /** What is shown. */
    this.shown = {};
    list.addEventListener('click', (event) => {
      const node = this.nodes.get(event.target.closest('button'));
      if (node) {
        game.do(() => game.visit(node));
      }
    });
    // A phone may be turned, or a window resized.
    new ResizeObserver(() => this.scroll()).observe(list);
  }

  show() {
    const { tree, path, state: { at, annotation, mode } } = this.game;
    const { shown } = this;
    // The main line of a game in progress ends where the game does, although undone moves are kept.
    const isGame = mode !== 'analysis';
    const isSame = shown.tree === tree && shown.annotation === annotation && shown.version === tree.version
      && shown.isGame === isGame && (!isGame || shown.path === path);
    const now = { tree, path, at, annotation, isGame, version: tree.version };
    if (!isSame && !this.append(now)) {
      this.build(now);
    }
    if (!isSame || shown.path !== path) {
      this.mark(path, 1, path.length, at);
    } else if (shown.at !== at) {
      this.mark(path, Math.min(shown.at, at) + 1, Math.max(shown.at, at) + 1, at);
    } else {
      return;
    }
    this.buttons.get(this.current)?.removeAttribute('aria-current');
    this.current = path[at];
    this.buttons.get(this.current)?.setAttribute('aria-current', 'true');
    this.shown = now;
    this.scroll();
  }

  /** Marks the moves of a line that come after the position on the board. */
  mark(path, from, to, at) {
    for (let index = from; index < to; index += 1) {
      this.buttons.get(path[index])?.classList.toggle('later', index > at);
    }
  }

  /** Adds the row or move at the end, if nothing else has changed. Returns whether it did. */
  append({ tree, path, annotation, isGame, version }) {
    const { shown } = this;
    const node = path.at(-1);
    const isOnlyMove = shown.tree === tree && shown.annotation === annotation && shown.isGame === isGame
      && shown.version === version - 1 && !this.buttons.has(node)
      && node.parent === this.end && this.end.children.length === 1;
    if (isOnlyMove) {
      this.addMove(node);
    }
    return isOnlyMove;
  }

  build({ tree, path, isGame }) {
    this.buttons.clear();
    this.list.replaceChildren();
    this.end = tree.root;
    const next = () => (isGame ? path[this.end.depth + 1] : this.end.children[0]);
    while (next()) {
      this.addMove(next());
    }
    this.addVariations(this.end, null);
  }

  /** Adds a move of the main line, and the variations that replace it. */
  addMove(node) {
    const turn = colorAfter(node.parent);
    const number = numberAfter(node.parent);
    let row = this.list.lastElementChild?.lastElementChild;
    if (turn === 'white' || !row || row.className !== '') {
      row = make('li', {}, make('span', { className: 'number', textContent: `${number}.` }));
      this.addRow(row);
      if (turn === 'black') {
        row.append(make('span', { className: 'none', textContent: '…' }));
      }
    }
    const button = this.button(node, turn);
    button.dataset.at = node.depth;
    row.append(button);
    this.end = node;
    this.addVariations(node.parent, node);
  }

  /** Adds the moves after a node other than the main one, and their variations. */
  addVariations(parent, main) {
    const open = parent.children.filter((node) => node !== main).map((node) => [node, 1]).reverse();
    while (open.length > 0) {
      const [first, level] = open.pop();
      const row = make('li', { className: `variation ${level >= DEEPEST ? 'deep' : ''}`, ariaLabel: 'Variation' });
      const inner = [];
      let isWhites = colorAfter(first.parent) === 'white';
      let number = numberAfter(first.parent);
      for (let node = first; node; node = node.children[0]) {
        if (isWhites || node === first) {
          row.append(make('span', { className: 'number', textContent: `${number}.${isWhites ? '' : '..'} ` }));
        }
        row.append(this.button(node, isWhites ? 'white' : 'black'), ' ');
        inner.push(...node.children.slice(1).map((each) => [each, level + 1]));
        number += isWhites ? 0 : 1;
        isWhites = !isWhites;
      }
      open.push(...inner.reverse());
      this.addRow(row);
    }
  }

  addRow(row) {
    let part = this.list.lastElementChild;
    if (!part || part.childElementCount === PART) {
      part = make('ol');
      this.list.append(part);
    }
    part.append(row);
  }

  button(node, color) {
    const button = make('button', { type: 'button', className: color, textContent: node.move, tabIndex: -1 });
    const { marks = '' } = this.game.remarksOn(node) ?? {};
    if (marks) {
      button.append(make('span', { className: 'marks', textContent: marks }));
    }
    this.buttons.set(node, button);
    this.nodes.set(button, node);
    return button;
  }

  /** Scrolls the current move into the middle of the list, without scrolling the page. */
  scroll() {
    const { list } = this;
    const button = this.buttons.get(this.current);
    if (!button) {
      list.scrollTop = 0;
      return;
    }
    const { top, height } = button.getBoundingClientRect();
    const from = list.scrollTop + top - list.getBoundingClientRect().top;
    list.scrollTop = Math.round((from - list.clientHeight / 2) / height) * height;
  }
}

/**
 * The last known position on the way to a node, and the plies from it. Stored variations are not known until they are
 * shown.
 */
function base(node) {
  let at = node;
  while (at.tps === null) {
    at = at.parent;
  }
  return { at, plies: node.depth - at.depth };
}

function colorAfter(node) {
  const { at, plies } = base(node);
  return (at.turn === 'white') === (plies % 2 === 0) ? 'white' : 'black';
}

function numberAfter(node) {
  const { at, plies } = base(node);
  return at.number + Math.floor((plies + (at.turn === 'black' ? 1 : 0)) / 2);
}
