// The tree of moves of the page, compared with lists of whole lines.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Tree } from '../src/model/tree.js';

/** Random numbers that are the same each time. */
function dice(seed) {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

const starts = (line, beginning) => beginning.every((move, index) => line[index] === move);

/** The same tree as a list of its lines from the root to the leaves, the main one first. */
class Lines {
  constructor() {
    this.lines = [[]];
  }

  add(moves) {
    if (this.lines.some((line) => starts(line, moves))) {
      return;
    }
    const common = (line) => line.findIndex((move, index) => move !== moves[index]);
    const lengths = this.lines.map((line) => (common(line) < 0 ? line.length : common(line)));
    const longest = Math.max(...lengths);
    const at = lengths.lastIndexOf(longest);
    // The moves extend the line that they begin with, or become a line after the last one with the longest common beginning.
    const isEnd = this.lines[at].length === longest;
    this.lines.splice(isEnd ? at : at + 1, isEnd ? 1 : 0, moves);
  }

  promote(moves) {
    for (let length = moves.length; length > 0; length -= 1) {
      const [node, parent] = [moves.slice(0, length), moves.slice(0, length - 1)];
      const from = this.lines.findIndex((line) => starts(line, parent));
      const rest = this.lines.slice(from).filter((line) => starts(line, parent));
      const first = rest.filter((line) => starts(line, node));
      this.lines.splice(from, rest.length, ...first, ...rest.filter((line) => !starts(line, node)));
    }
  }

  remove(moves) {
    const from = this.lines.findIndex((line) => starts(line, moves));
    const left = this.lines.filter((line) => !starts(line, moves));
    const parent = moves.slice(0, -1);
    const isLeaf = !left.some((line) => starts(line, parent));
    this.lines = isLeaf ? [...left.slice(0, from), parent, ...left.slice(from)] : left;
  }
}

function linesOf(tree) {
  const lines = [];
  const open = [[tree.root, []]];
  while (open.length > 0) {
    const [node, moves] = open.pop();
    if (node.children.length === 0) {
      lines.push(moves);
    }
    open.push(...node.children.map((child) => [child, [...moves, child.move]]).reverse());
  }
  return lines;
}

test('a tree is a list of lines', () => {
  for (let seed = 0; seed < 300; seed += 1) {
    const roll = dice(seed);
    const [tree, lines] = [new Tree(), new Lines()];
    for (let step = 0; step < 30; step += 1) {
      const line = lines.lines[roll(lines.lines.length)];
      const beginning = line.slice(0, roll(line.length + 1));
      const action = roll(8);
      const { version } = tree;
      const before = JSON.stringify(lines.lines);
      if (action < 5 || beginning.length === 0) {
        const moves = [...beginning, ...Array.from({ length: 1 + roll(3) }, () => 'abc'[roll(3)] + 1)];
        const path = tree.add(moves);
        lines.add(moves);
        assert.deepEqual(path.map(({ move }) => move), ['', ...moves]);
      } else {
        const node = tree.find(beginning).at(-1);
        tree[action < 7 ? 'promote' : 'remove'](node);
        lines[action < 7 ? 'promote' : 'remove'](beginning);
      }
      assert.deepEqual(linesOf(tree), lines.lines);
      assert.equal(tree.version !== version, JSON.stringify(lines.lines) !== before);
      const stored = JSON.stringify(tree.write());
      const read = Tree.read(JSON.parse(stored));
      assert.deepEqual(linesOf(read), lines.lines);
      assert.equal(JSON.stringify(read.write()), stored);
    }
    assert.deepEqual(tree.lineThrough(tree.root), lines.lines[0]);
    for (const line of lines.lines) {
      const node = tree.find(line).at(-1);
      assert.deepEqual(tree.lineThrough(node), line);
      const first = tree.variationOf(node);
      assert.equal(first === null, lines.lines[0] === line);
      // Its parent has another first move.
      assert.notEqual(first?.parent.children[0].move, first?.move ?? '');
    }
  }
});

test('the ends of lines are stored', () => {
  const tree = new Tree();
  const ends = [['a1', 'b1'], ['a1', 'b1', 'c1'], ['a1', 'b2'], []];
  for (const [index, moves] of ends.entries()) {
    tree.add(moves).at(-1).ended = { says: `end ${index}`, result: '1-0' };
  }
  const read = Tree.read(JSON.parse(JSON.stringify(tree.write())));
  for (const [index, moves] of ends.entries()) {
    assert.equal(read.find(moves).at(-1).ended?.says, `end ${index}`);
  }
  assert.equal(read.find(['a1']).at(-1).ended, null);
});

test('the notes on moves are stored', () => {
  const notes = { marks: '!?', comments: ['why'], chance: 0.5, name: 'mine' };
  const tree = new Tree();
  tree.add(['a1', 'b1', 'c1']).at(-2).notes = notes;
  tree.add(['a1', 'b2']).at(-1).notes = { comments: [] };
  const stored = JSON.stringify(tree.write());
  const read = Tree.read(JSON.parse(stored));
  assert.deepEqual(read.find(['a1', 'b1', 'c1']).map((node) => node.notes), [null, null, notes, null]);
  assert.equal(JSON.stringify(read.write()), stored);
});

test('other contents of the storage are no tree', () => {
  for (const lines of [
    [null], [[]], ['a1'], [['length', null, 'a1']], [[1, null, 'a1']], [[-1, null, 'a1']], [[0.5, null, 'a1']],
    [[0, null, 7]], [[0, { says: 1 }]], [[0, null, ['a1']]], [[0, null, ['a1', 7]]],
    [[0, null, ['a1', { marks: 1 }]]], [[0, null, ['a1', { comments: [2] }]]], [[0, null, ['a1', { chance: '' }]]], [[0, null, [1, {}]]], [['__proto__', null, 'a1']],
  ]) {
    const { root } = Tree.read(lines);
    assert.deepEqual([root.children.length, root.ended], [0, null], JSON.stringify(lines));
  }
  // What comes before is kept.
  assert.deepEqual(linesOf(Tree.read([[0, null, 'a1', 'b1'], [7, null, 'c1']])), [['a1', 'b1']]);
});

test('a long game does not overflow the stack', () => {
  const moves = Array.from({ length: 20_000 }, (_, index) => 'ab'[index % 2] + 1);
  const tree = new Tree();
  tree.add(moves);
  const read = Tree.read(JSON.parse(JSON.stringify(tree.write())));
  read.promote(read.find(moves).at(-1));
  assert.deepEqual(read.lineThrough(read.root), moves);
});
