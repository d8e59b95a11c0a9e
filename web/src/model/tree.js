// All moves played from the start of a game, as a tree: the first child of a node goes on with its line, the others are
// variations. Games are long, so nothing here is recursive, and a step costs the same anywhere.

/** @import { Notes, View } from '../protocol.js' */
/** @import { End } from '../types.js' */

/** Node numbers differ in all trees of this page. */
let numbered = 0;

export class Node {
  /**
   * @param {string} move
   * @param {Node | null} parent
   */
  constructor(move, parent) {
    numbered += 1;
    this.id = String(numbered);
    this.move = move;
    this.parent = parent;
    this.depth = parent ? Number(parent.depth) + 1 : 0;
    /** @type {Node[]} */
    this.children = [];
    /** The position as TPS, and its view, if the program has told them. */
    /** @type {string | null} */
    this.tps = null;
    /** @type {View | null} */
    this.view = null;
    /** Whether the game is over here by the rules; null if not known. @type {boolean | null} */
    this.isOver = null;
    /** The end of the game here without a move. @type {End | null} */
    this.ended = null;
    /** What a file says about the move; null for nothing. @type {Notes | null} */
    this.notes = null;
  }

  /** The last known position on the way here, and the moves since then. A stored variation is not known until it is shown. */
  get base() {
    /** @type {Node} */
    let at = this;
    while (at.tps === null && at.parent) {
      at = at.parent;
    }
    const [, turn = '1', number = '1'] = (at.tps ?? '').split(' ');
    return { isWhites: turn === '1', number: Number(number), plies: this.depth - at.depth };
  }

  /** The colour of the player to move. */
  get turn() {
    const { isWhites, plies } = this.base;
    return isWhites === (plies % 2 === 0) ? 'white' : 'black';
  }

  /** The number of the next move. */
  get number() {
    const { isWhites, number, plies } = this.base;
    return number + Math.floor((plies + (isWhites ? 0 : 1)) / 2);
  }

  /** @param {string} move */
  child(move) {
    return this.children.find((each) => each.move === move);
  }
}

/** @type {(value: unknown) => value is string} */
const isText = (value) => typeof value === 'string';

/** @type {(notes: any) => notes is Notes} */
function isNotes(notes) {
  if (typeof notes !== 'object' || notes === null) {
    return false;
  }
  const { marks = '', comments = [], chance = 0, evaluation = 0, name = '', line = [] } = notes;
  return (
    isText(marks) &&
    isText(name) &&
    [chance, evaluation].every((share) => typeof share === 'number') &&
    [comments, line].every((texts) => Array.isArray(texts) && texts.every(isText))
  );
}

export class Tree {
  constructor() {
    this.root = new Node('', null);
    /** Grows with every change of moves, their order or their notes. */
    this.version = 0;
    /** @type {{version: number, nodes: Set<Node>} | null} */
    this.main = null;
  }

  /**
   * The nodes of these moves from the root, as far as there are any.
   * @param {string[]} moves
   */
  find(moves) {
    const path = [this.root];
    for (const move of moves) {
      const next = path[path.length - 1].child(move);
      if (!next) {
        break;
      }
      path.push(next);
    }
    return path;
  }

  /**
   * Adds the moves that are missing, as variations. Returns the nodes from the root.
   * @param {string[]} moves
   */
  add(moves) {
    const path = this.find(moves);
    for (const move of moves.slice(path.length - 1)) {
      const parent = path[path.length - 1];
      const node = new Node(move, parent);
      parent.children.push(node);
      path.push(node);
      this.version += 1;
    }
    return path;
  }

  /**
   * The line through a node: the moves to it, and the first ones from it on.
   * @param {Node} node
   */
  lineThrough(node) {
    const moves = [];
    for (let at = node; at.parent; at = at.parent) {
      moves.push(at.move);
    }
    moves.reverse();
    for (let at = node; at.children.length > 0; at = at.children[0]) {
      moves.push(at.children[0].move);
    }
    return moves;
  }

  /**
   * Makes the line through a node the first one, from the start of the game on.
   * @param {Node} node
   */
  promote(node) {
    for (let at = node; at.parent; at = at.parent) {
      const { children } = at.parent;
      const index = children.indexOf(at);
      if (index > 0) {
        children.splice(index, 1);
        children.unshift(at);
        this.version += 1;
      }
    }
  }

  /**
   * Removes a node with all that follows.
   * @param {Node} node
   */
  remove(node) {
    if (node.parent) {
      node.parent.children = node.parent.children.filter((each) => each !== node);
      this.version += 1;
    }
  }

  /**
   * The first node of the variation that a node is in; null in the main line.
   * @param {Node} node
   */
  variationOf(node) {
    if (this.mainLine().has(node)) {
      return null;
    }
    let at = node;
    while (at.parent?.children[0] === at) {
      at = at.parent;
    }
    return at;
  }

  /**
   * Puts the children of nodes back as they were.
   * @param {[Node, Node[]][]} before
   */
  restore(before) {
    for (const [node, children] of before) {
      node.children = [...children];
    }
    this.version += 1;
  }

  /** Marks or comments of a node have changed. */
  touch() {
    this.version += 1;
  }

  /** The nodes of the main line. */
  mainLine() {
    if (this.main?.version !== this.version) {
      const nodes = new Set();
      for (let at = /** @type {Node | undefined} */ (this.root); at; at = at.children[0]) {
        nodes.add(at);
      }
      this.main = { version: this.version, nodes };
    }
    return this.main.nodes;
  }

  /**
   * The lines of the tree, to be stored: [parent, end, ...moves], in which a move with notes is [move, notes]. Nodes are counted in the order of these lists, with
   * 0 for the root; a line starts after its parent, and `end` belongs to its last move.
   */
  write() {
    /** @type {any[][]} */
    const lines = [];
    let count = 0;
    /** @type {[Node, number][]} */
    const open = [[this.root, 0]];
    if (this.root.ended) {
      lines.push([0, this.root.ended]);
    }
    while (open.length > 0) {
      const [first, parent] = /** @type {[Node, number]} */ (open.pop());
      /** @type {any[]} */
      const line = [parent, null];
      /** @type {[Node, number][]} */
      const variations = [];
      for (let at = /** @type {Node | undefined} */ (first); at; at = at.children[0]) {
        if (at.parent) {
          count += 1;
          line.push(at.notes ? [at.move, at.notes] : at.move);
        }
        variations.push(...at.children.slice(1).map((each) => /** @type {[Node, number]} */ ([each, count])));
        line[1] = at.ended;
        // A line may go on after an end.
        if (at.ended && at.parent && at.children.length > 0) {
          lines.push([...line]);
          line.splice(0, line.length, count, null);
        }
      }
      if (line.length > 2) {
        lines.push(line);
      }
      // The first variation comes next.
      open.push(...variations.reverse());
    }
    return lines;
  }

  /**
   * The tree of such lines. Those that cannot be read are left out, with all that follows.
   * @param {any[]} lines
   */
  static read(lines) {
    const tree = new Tree();
    const nodes = [tree.root];
    for (const [parent, end, ...moves] of lines.filter(Array.isArray)) {
      let at = Number.isSafeInteger(parent) ? nodes[parent] : undefined;
      const played = moves.map((move) => (Array.isArray(move) ? move : [move, {}]));
      if (!at || !played.every(([move, notes]) => isText(move) && isNotes(notes))) {
        break;
      }
      for (const [move, notes] of played) {
        /** @type {Node} */
        const node = at.child(move) ?? new Node(move, at);
        if (!at.children.includes(node)) {
          at.children.push(node);
        }
        node.notes = Object.keys(notes).length > 0 ? notes : null;
        nodes.push(node);
        at = node;
      }
      if (typeof end?.says === 'string' && typeof end.result === 'string') {
        at.ended = end;
      }
    }
    return tree;
  }
}
