// What the next clicks do: pieces in hand, the stacks that a move changes, and why something is not possible. All of it
// follows from the moves that the program lists in its view of the position, so that a click need not wait for it.

import { columnOf, nameOf, rowOf } from './board.js';
import { Refused } from './connection.js';
import { parse } from './pieces.js';

const WAYS = { '+': [0, 1], '>': [1, 0], '-': [0, -1], '<': [-1, 0] };

const counted = (count) => (count === 1 ? '1 piece' : `${count} pieces`);
const nameOfPlayer = (color) => (color === 'white' ? 'White' : 'Black');

/** The stack on a square, in parts. */
const on = (view, name) => parse(view.squares.find((square) => square.name === name).stack);

/** The square so many steps from another one. */
const step = (from, way, steps) => nameOf(columnOf(from) + WAYS[way][0] * steps, rowOf(from) + WAYS[way][1] * steps);

/** The spreads from a square: {text, lifted, way, drops}. */
function spreads({ name, spreads: texts }) {
  return (texts ?? []).map((text) => {
    const [, count, way, drops] = /^(\d?)..([-+<>])(\d*)/.exec(text);
    const lifted = Number(count || 1);
    return { text, from: name, lifted, way, drops: drops ? [...drops].map(Number) : [lifted] };
  });
}

/** The numbers of pieces that may be lifted from a square, fewest first. */
export const lifts = (square) => [...new Set(spreads(square).map(({ lifted }) => lifted))].sort();

/** The spreads that begin like a draft. */
function ways(view, { from, lifted, way, drops }) {
  const isSame = (own) => drops.every((drop, index) => (index + 1 < drops.length ? own[index] === drop : own[index] >= drop));
  const square = view.squares.find(({ name }) => name === from);
  return spreads(square).filter((own) => own.lifted === lifted && (way === null || own.way === way) && isSame(own.drops));
}

/** The squares for the next drop. */
function next(view, draft) {
  const { from, drops: { length }, drops } = draft;
  const squares = ways(view, draft).flatMap((own) => [
    ...(length > 0 && own.drops[length - 1] > drops[length - 1] ? [step(from, own.way, length)] : []),
    ...(own.drops.length > length && own.drops[length - 1] === drops[length - 1] ? [step(from, own.way, length + 1)] : []),
  ]);
  return [...new Set(squares)];
}

const inHand = ({ lifted, drops }) => drops.reduce((left, drop) => left - drop, lifted);

const codeOf = (colors, kind) => colors.map((color) => (color === 'white' ? '1' : '2')).join('')
  + { flat: '', wall: 'S', capstone: 'C' }[kind];

/** The squares that a spread has changed so far: {name, stack}. */
function piles(view, { from, lifted, way, drops }) {
  const { colors, kind } = on(view, from);
  let left = colors.length - lifted;
  const squares = [{ name: from, stack: codeOf(colors.slice(0, left), 'flat') }];
  drops.forEach((drop, index) => {
    const name = step(from, way, index + 1);
    const fallen = colors.slice(left, left + drop);
    left += drop;
    squares.push({ name, stack: codeOf([...on(view, name).colors, ...fallen], left === colors.length ? kind : 'flat') });
  });
  return squares;
}

/** `empty`, `white flat`, `black wall on white, 2 black`. Pieces below the carry limit are only counted: `deeper 2 white`. */
export function describe(stack, limit) {
  const { colors, kind } = parse(stack);
  if (colors.length === 0) {
    return 'empty';
  }
  const below = colors.slice(0, -1);
  const deep = below.splice(0, Math.max(0, colors.length - limit));
  const parts = [];
  for (const color of below.reverse()) {
    if (parts.at(-1)?.color === color) {
      parts.at(-1).count += 1;
    } else {
      parts.push({ color, count: 1 });
    }
  }
  const words = parts.map(({ color, count }) => (count === 1 ? color : `${count} ${color}`));
  if (deep.length > 0) {
    const counts = ['white', 'black'].map((color) => ({ color, count: deep.filter((own) => own === color).length }));
    words.push(`deeper ${counts.filter(({ count }) => count > 0).map(({ color, count }) => `${count} ${color}`).join(', ')}`);
  }
  return `${colors.at(-1)} ${kind}${words.length > 0 ? ` on ${words.join(', ')}` : ''}`;
}

/** A spread in progress, ready to be drawn and spoken. */
function seen(view, draft) {
  const { from, way, drops } = draft;
  const { colors, kind } = on(view, from);
  const hand = codeOf(colors.slice(-inHand(draft)), kind);
  const squares = next(view, draft);
  const count = inHand(draft);
  const what = count === 1 ? describe(hand, 1) : count;
  const bottom = count === 1 ? '' : `, the bottom one ${parse(hand).colors[0]}`;
  return {
    draft,
    squares: piles(view, draft),
    /** The square that the pieces in hand are over. */
    over: way ? step(from, way, drops.length) : from,
    hand,
    next: squares,
    flattens: squares.filter((name) => on(view, name).kind === 'wall'),
    says: `${what} in hand${bottom}; next may be ${squares.join(' or ')}`,
  };
}

/** Lifts `count` pieces, without a count all that may be lifted. */
export function lift(view, name, count = null) {
  const square = view.squares.find((each) => each.name === name);
  const counts = lifts(square);
  const owner = parse(square.stack).colors.at(-1);
  if (counts.length === 0) {
    throw new Refused(
      !owner ? `${name} is empty`
        : view.places !== view.to_move ? 'you cannot move a stack on your first turn'
          : owner !== view.to_move ? `the stack on ${name} belongs to ${nameOfPlayer(owner)}`
            : `the stack on ${name} cannot move: it is blocked on all sides`,
    );
  }
  const lifted = count ?? counts.at(-1);
  if (!counts.includes(lifted)) {
    throw new Refused(`at most ${counted(counts.at(-1))} can be lifted from ${name}`);
  }
  return seen(view, { from: name, lifted, way: null, drops: [] });
}

/** The way from a square to another one in the same row or column; undefined if there is none. */
function wayTo(from, to) {
  const [right, up] = [columnOf(to) - columnOf(from), rowOf(to) - rowOf(from)];
  const isWay = ([x, y]) => Math.sign(right) === x && Math.sign(up) === y;
  return Object.keys(WAYS).find((way) => isWay(WAYS[way]));
}

/** Throws the reason why the next piece may not be dropped on a square. */
export function reach(view, draft, name) {
  if (next(view, draft).includes(name)) {
    return;
  }
  const { from, drops, way } = draft;
  const wanted = wayTo(from, name);
  const distance = Math.abs(columnOf(name) - columnOf(from)) + Math.abs(rowOf(name) - rowOf(from));
  const { colors, kind } = on(view, name);
  throw new Refused(
    !wanted || (way && way !== wanted) ? `the stack must move in a straight line from ${from}`
      : distance < drops.length ? 'the stack cannot move backwards'
        : distance > drops.length + 1 ? `drop a piece on ${step(from, wanted, drops.length + 1)} first`
          : kind === 'wall' && on(view, from).kind === 'capstone'
            ? `only a capstone moving alone can flatten the wall on ${name}`
            : `the ${colors.at(-1)} ${kind} on ${name} is in the way`,
  );
}

/**
 * Drops the bottom piece on a square, or with `isFriendly` all the player's own at the bottom of the hand. If the rest can
 * only be dropped there, it is dropped too. Returns the next draft, or the whole move, or nothing if all pieces are back.
 */
export function drop(view, draft, name, isFriendly = false) {
  if (draft.drops.length === 0 && name === draft.from) {
    return {};
  }
  reach(view, draft, name);
  const way = draft.way ?? wayTo(draft.from, name);
  const drops = [...draft.drops];
  if (drops.length === 0 || step(draft.from, way, drops.length) !== name) {
    drops.push(0);
  }
  let count = 1;
  if (isFriendly) {
    const hand = on(view, draft.from).colors.slice(-inHand(draft));
    const other = hand.findIndex((color) => color !== view.to_move);
    if (other === 0) {
      throw new Refused(`the bottom piece in hand belongs to ${nameOfPlayer(hand[0])}`);
    }
    count = other < 0 ? hand.length : other;
  }
  drops[drops.length - 1] += count;
  const dropped = { ...draft, way, drops };
  const open = ways(view, dropped);
  return open.every((own) => own.drops.length === drops.length) ? { move: open[0].text } : { draft: seen(view, dropped) };
}

/** The effect of a move: {from, drops, squares}, in which `squares` are {name, stack}; null if the view does not list it. */
export function effect(view, move) {
  const [, letter, name] = /^([SC]?)([a-h][1-8])$/.exec(move) ?? [];
  if (name) {
    const kind = { '': 'flat', S: 'wall', C: 'capstone' }[letter];
    const stack = view.kinds.find((each) => each.kind === kind)?.stack;
    const isFree = view.squares.find((square) => square.name === name)?.stack === '';
    return stack && isFree ? { from: name, drops: [], squares: [{ name, stack }] } : null;
  }
  const spread = view.squares.flatMap(spreads).find(({ text }) => text === move);
  return spread ? {
    from: spread.from,
    drops: spread.drops.map((count, index) => [step(spread.from, spread.way, index + 1), count]),
    squares: piles(view, spread),
  } : null;
}
