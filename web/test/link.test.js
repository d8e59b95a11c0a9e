// Links: what they hold comes back, they are short, and what is wrong or hostile does no harm.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';

import { blank } from '../src/model/doc.js';
import { fromLink, toLink } from '../src/model/link.js';
import { unpacked } from '../src/model/lz.js';
import { findLink, toNinja } from '../src/model/sites.js';
import { Tree } from '../src/model/tree.js';

const start = { size: 5, half_komi: 4, opening: 'swap' };
const PTN = '[Size "5"]\r\n[Player1 "Änne"]\r\n\r\n1. a1 e5\r\n2. c3 {gut?} d4\r\n';
/** The same by lz-string 1.5.0. */
const NINJA = 'NoZQlgXgpgBARAVjgXQLAChgAUA2BDATygCcBGeAEYDsqoUMNSA6GPcqBDAJhYGMBmGAG8A5gFcALgH4AvjAAmAFgxA';

const docOf = (lines, others = {}) => {
  const tree = Tree.read(lines);
  const moves = tree.lineThrough(tree.root);
  return blank('study', { start, tree, moves, at: moves.length, names: { white: 'Ann', black: 'Bob', tags: [['Date', '2026.11.29']] }, ...others });
};
const packed = (content) => `z${deflateRawSync(JSON.stringify(content)).toString('base64url')}`;
const old = (content) => btoa(JSON.stringify(content));

const notes = { marks: '?!', comments: ['wdl: 500 0 500', 'a "quoted" }'], name: 'idea', before: ['first'] };
const lines = [[0, { result: 'R-0', says: 'White wins' }, 'a1', 'e5', ['c3', { marks: '!' }], 'd4', ['b2', notes]], [2, null, 'b3', 'b4'], [6, null, 'c4']];

test('what a link holds comes back: lines, notes, names, tags, the end', async () => {
  const { tree, moves, at, names, ended, start: begun } = await fromLink(await toLink(docOf(lines)));
  assert.deepEqual([tree, at, begun], [lines, 5, start]);
  assert.deepEqual([moves, names, ended], [['a1', 'e5', 'c3', 'd4', 'b2'], docOf(lines).names, lines[0][1]]);
});

test('the position of a link is that on the board, in a variation too', async () => {
  const of = async (others) => {
    const { moves, at } = await fromLink(await toLink(docOf(lines, others)));
    return [moves.join(' '), at];
  };
  assert.deepEqual(await of({ at: 3 }), ['a1 e5 c3 d4 b2', 3]);
  assert.deepEqual(await of({ at: 0 }), ['a1 e5 c3 d4 b2', 0]);
  assert.deepEqual(await of({ moves: ['a1', 'e5', 'b3', 'c4'], at: 4 }), ['a1 e5 b3 c4', 4]);
  assert.deepEqual(await of({ moves: ['a1', 'e5', 'b3', 'b4'], at: 3 }), ['a1 e5 b3 b4', 3]);
});

test('a short link leaves out comments and tags', async () => {
  const { tree, names } = await fromLink(await toLink(docOf(lines), { isShort: true }));
  assert.deepEqual(tree[0].slice(2), ['a1', 'e5', 'c3', 'd4', 'b2']);
  assert.deepEqual(names.tags, []);
});

test('links of earlier versions open', async () => {
  const moves = ['a1', 'e5'];
  const names = { white: 'Ä', black: '' };
  const plain = await fromLink(Buffer.from(JSON.stringify({ start, moves, names })).toString('base64url'));
  assert.deepEqual([plain.moves, plain.at, plain.names], [moves, 2, names]);
  const whole = await fromLink(old({ start, tree: lines }));
  assert.deepEqual([whole.tree, whole.moves.length, whole.ended], [lines, 5, lines[0][1]]);
});

test('a game of 102 plies needs few characters', async () => {
  const { found } = JSON.parse(readFileSync(new URL('games/annotated.json', import.meta.url), 'utf8'));
  const own = found.lines.map(({ parent, moves }) => [parent, null, ...moves]);
  const doc = docOf(own, { start: found.game.start, names: found.names });
  assert.equal(doc.moves.length, 102);
  const plain = docOf([own[0].map((move) => (Array.isArray(move) ? move[0] : move))], { start: found.game.start, names: found.names });
  const sizes = [await toLink(doc), await toLink(plain)].map(({ length }) => length);
  assert.ok(own.length === 4 && sizes[0] <= 2600 && sizes[1] <= 800, sizes.join());
  const { tree } = await fromLink(await toLink(doc));
  // Of engines' comments the effort is left out.
  const short = (comment) => comment.replace(/name:"tak-engine" cp:\S+ (wdl:.*?(?: score:\S+)?) [+-].*?ms/, '$1');
  const comments = (each, how) => each.map(([, , ...moves]) => moves.map((move) => [move].flat()[1]?.comments?.map(how)));
  assert.deepEqual(comments(tree, (each) => each), comments(doc.tree.write(), short));
  assert.match(tree[0][3][1].comments[0], /^wdl:\d+,\d+,\d+ loss:\S+ pv> /);
});

test('a link of a review has the scores and the better lines', async () => {
  const comment = (cp, pv) => `name:"tak-engine" cp:${cp} wdl:500,0,500 +0.10/9 20000 nodes 35ms loss:1.0 marks:? pv> ${pv}`;
  const short = (cp, pv) => `name:"tak-engine" cp:${cp} loss:1.0 marks:? pv> ${pv}`;
  const won = 'name:"tak-engine" wdl:0,0,1000 score:L0 -1.00 loss:0.0';
  const reviewed = [[0, null, ['a1', { comments: ['mine', comment(-3, 'c1 c2 c3 c4 c5 d5 d4')] }], ['e5', { marks: '?', comments: [comment(10, 'c3 d3'), '*tak-engine: a mistake'] }], ['b1', { comments: [won] }]]];
  const { tree, names } = await fromLink(await toLink(docOf(reviewed, { names: { white: '', black: '', comments: [comment(5, 'a1 b1')] } })));
  assert.deepEqual(names.comments, [short(5, 'a1')]);
  assert.deepEqual(tree[0].slice(2).map(([, { comments }]) => comments), [['mine', short(-3, 'c1 c2 c3 c4 c5 d5')], [short(10, 'c3')], ['name:"tak-engine" score:L0 loss:0.0']]);
  // If a move has no such comment, it is no review.
  const { names: others } = await fromLink(await toLink(docOf([[...reviewed[0], 'b2']], { names: { white: '', black: '', comments: ['x'] } })));
  assert.equal(others.comments, undefined);
});

test('what stands around a link is ignored', async () => {
  const link = await toLink(docOf(lines));
  const address = `https://tak.example/page/#${link}`;
  for (const text of [
    address, ` ${address}\n`, `<${address}>`, `(${address})`, `[my game](${address}).`, `"${address}"`, `“${address}”,`, `**${address}**`, `_${address}_`,
    `Look at this: ${address}, please!`, `see https://example.com/ and then ${address}…`, `#${link}`, link, `page#${link}`, `#${link}.`,
  ]) {
    const { game } = await findLink(text);
    assert.equal(game.moves.length, 5, text);
  }
});

test('links of playtak.com and ptn.ninja open', async () => {
  const plain = encodeURIComponent(PTN);
  for (const [text, ply] of [
    [`http://www.playtak.com/?load=${plain}`, null], [`https://playtak.com/?load=${plain}.`, null], [`https://ptn.ninja/${NINJA}`, null], [`http://ptn.ninja/${plain}`, null],
    [`(https://ptn.ninja/${NINJA}&name=AbC&ply=2!)`, 3], [`https://ptn.ninja/${NINJA}&ply=2&theme=x`, 2], [toNinja(PTN, 4), 4], [toNinja(PTN, 0), null],
  ]) {
    assert.deepEqual(await findLink(text), { ptn: PTN, ply }, text);
  }
});

test('games and positions are no links, and other links are named', async () => {
  for (const text of [PTN, '1. a1 e5 {https://playtak.com/?load=a}', 'x5/x5/x5/x5/x5 1 1', 'a1 e5 c3', '', `[Site "https://ptn.ninja/${NINJA}"]\n1. a1 e5`]) {
    assert.equal(await findLink(text), null, text);
  }
  for (const text of ['https://playtak.com/games/12', 'https://ptn.ninja/', 'https://ptn.ninja/%', 'https://playtak.com/?load=%ZZ', 'http://evil.example/?load=a1', 'https://x.y/#abc', '#what']) {
    assert.deepEqual(await findLink(text), { isUnknown: true }, text);
  }
});

/** Entries in the format of lz-string that are one letter longer each. */
function lzBomb(count) {
  let bits = '';
  const add = (number, width) => { bits += [...number.toString(2).padStart(width, '0')].reverse().join(''); };
  add(0, 2);
  add('a'.charCodeAt(0), 8);
  for (let [entry, width, left] = [4, 3, 4], at = 1; at < count; at += 1, entry += 1) {
    add(entry, width);
    left -= 1;
    if (left === 0) {
      [left, width] = [2 ** width, width + 1];
    }
  }
  add(2, 16);
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-$';
  return bits.replace(/.{1,6}/g, (part) => letters[parseInt(part.padEnd(6, '0'), 2)]);
}

test('hostile links are refused', async () => {
  const whole = { s: start, n: ['', ''], at: 0, l: [[0, null, 'a1 e5']] };
  assert.ok(await fromLink(packed(whole)));
  const bomb = `z${deflateRawSync(Buffer.alloc(1 << 26, 32)).toString('base64url')}`;
  const spoilt = [
    { ...whole, s: null }, { ...whole, s: { size: 1e9, opening: 'swap' } }, { ...whole, n: [1, 2] }, { ...whole, at: -1 }, { ...whole, l: 'x' },
    { ...whole, l: [null] }, { ...whole, l: [[0, null, 7]] }, { ...whole, tags: [['a']] }, { ...whole, tags: 7 }, null, [], 'text', { __proto__: null },
  ].map(packed);
  for (const link of [bomb, ...spoilt, 'z', 'z!', 'zzzz', old({ start, moves: [1] }), old({ start, moves: 'a1' }), old(null), 'ey', 'x'.repeat(1 << 21)]) {
    assert.equal(await fromLink(link), null, link.slice(0, 80));
  }
  // Notes that are none are left out with what follows.
  assert.deepEqual((await fromLink(packed({ ...whole, l: [[0, null, 'a1', ['e5', 7]]] }))).moves, []);
  assert.equal(unpacked('$$$$$$$$', 1000), null);
  assert.equal(unpacked(lzBomb(3), 100), 'a'.repeat(6));
  // A hundred million letters in thirty thousand, of which the first half million are too many.
  assert.equal(unpacked(lzBomb(14000), 1 << 19), null);
});
