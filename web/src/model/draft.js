// What the next clicks do: pieces in hand, the stacks that a move changes, and why something is not possible. All of it
// follows from the moves that the program lists in its view of the position, so that a click need not wait for it.

/** @import { Square, View } from '../protocol.js' */
/** @import { Draft, Effect, Held, Spread } from '../types.js' */

import { words } from '../words.js';
import { Refused } from './errors.js';
import { columnOf, LETTERS, parseStack, rowOf, stackOf, stepFrom as step, wayTo } from './squares.js';

/** The stack on a square, in parts. @type {(view: View, name: string) => ReturnType<typeof parseStack>} */
const on = (view, name) => parseStack(squareOf(view, name)?.stack ?? '');

/** @type {(view: View, name: string) => Square | undefined} */
export const squareOf = (view, name) => view.squares.find((square) => square.name === name);

/**
 * The spreads from a square.
 * @param {Square} square
 * @returns {Spread[]}
 */
function spreads({ name, spreads: texts }) {
  return (texts ?? []).map((text) => {
    const [, count, way, drops] = /^(\d?)..([-+<>])(\d*)/.exec(text) ?? [];
    const lifted = Number(count || 1);
    return { text, from: name, lifted, way, drops: drops ? [...drops].map(Number) : [lifted] };
  });
}

/** The numbers of pieces that may be lifted from a square, fewest first. @type {(square: Square | undefined) => number[]} */
export const lifts = (square) => (square ? [...new Set(spreads(square).map(({ lifted }) => lifted))].sort() : []);

/**
 * The spreads that begin like a draft.
 * @param {View} view
 * @param {Draft} draft
 */
function ways(view, { from, lifted, way, drops }) {
  /** @type {(own: number[]) => boolean} */
  const isSame = (own) =>
    drops.every((drop, index) => (index + 1 < drops.length ? own[index] === drop : own[index] >= drop));
  const square = squareOf(view, from);
  return (square ? spreads(square) : []).filter(
    (own) => own.lifted === lifted && (way === null || own.way === way) && isSame(own.drops),
  );
}

/**
 * The squares for the next drop.
 * @param {View} view
 * @param {Draft} draft
 */
function next(view, draft) {
  const {
    from,
    drops: { length },
    drops,
  } = draft;
  const squares = ways(view, draft).flatMap((own) => [
    ...(length > 0 && own.drops[length - 1] > drops[length - 1] ? [step(from, own.way, length)] : []),
    ...(own.drops.length > length && own.drops[length - 1] === drops[length - 1]
      ? [step(from, own.way, length + 1)]
      : []),
  ]);
  return [...new Set(squares)];
}

/** @type {(draft: Draft) => number} */
const inHand = ({ lifted, drops }) => drops.reduce((left, drop) => left - drop, lifted);

/**
 * The squares that a spread has changed so far.
 * @param {View} view
 * @param {Omit<Draft, 'way'> & {way: string | null}} spread
 */
function piles(view, { from, lifted, way, drops }) {
  const { colors, kind } = on(view, from);
  let left = colors.length - lifted;
  const squares = [{ name: from, stack: stackOf(colors.slice(0, left), 'flat') }];
  drops.forEach((drop, index) => {
    const name = step(from, way ?? '', index + 1);
    const fallen = colors.slice(left, left + drop);
    left += drop;
    squares.push({
      name,
      stack: stackOf([...on(view, name).colors, ...fallen], left === colors.length ? kind : 'flat'),
    });
  });
  return squares;
}

/**
 * A spread in progress, ready to be drawn and spoken.
 * @param {View} view
 * @param {Draft} draft
 * @returns {Held}
 */
function seen(view, draft) {
  const { from, way, drops } = draft;
  const { colors, kind } = on(view, from);
  const hand = stackOf(colors.slice(-inHand(draft)), kind);
  const squares = next(view, draft);
  const count = inHand(draft);
  return {
    draft,
    squares: piles(view, draft),
    /** The square that the pieces in hand are over. */
    over: way ? step(from, way, drops.length) : from,
    hand,
    next: squares,
    flattens: squares.filter((name) => on(view, name).kind === 'wall'),
    says: words.inHand(hand, count, squares),
    count,
    hovers: null,
  };
}

/**
 * Lifts `count` pieces, without a count all that may be lifted.
 * @param {View} view
 * @param {string} name
 * @param {number | null} count
 */
export function lift(view, name, count = null) {
  const counts = lifts(squareOf(view, name));
  const owner = on(view, name).colors.at(-1);
  const most = counts.at(-1);
  if (most === undefined) {
    throw new Refused(
      !owner
        ? words.emptySquare(name)
        : view.places !== view.to_move
          ? words.noStackFirst
          : owner !== view.to_move
            ? words.notYours(name, owner)
            : words.blocked(name),
    );
  }
  const lifted = count ?? most;
  if (!counts.includes(lifted)) {
    throw new Refused(words.atMost(most, name));
  }
  return seen(view, { from: name, lifted, way: null, drops: [] });
}

/**
 * Throws the reason why the next piece may not be dropped on a square.
 * @param {View} view
 * @param {Draft} draft
 * @param {string} name
 */
export function reach(view, draft, name) {
  if (next(view, draft).includes(name)) {
    return;
  }
  const { from, drops, way } = draft;
  const wanted = wayTo(from, name);
  const distance = Math.abs(columnOf(name) - columnOf(from)) + Math.abs(rowOf(name) - rowOf(from));
  const { colors, kind } = on(view, name);
  throw new Refused(
    !wanted || (way && way !== wanted)
      ? words.notStraight(from)
      : distance < drops.length
        ? words.noWayBack
        : distance > drops.length + 1
          ? words.dropFirst(step(from, wanted, drops.length + 1))
          : kind === 'wall' && on(view, from).kind === 'capstone'
            ? words.notAlone(name)
            : words.inTheWay(colors.at(-1) ?? 'white', kind, name),
  );
}

/**
 * Drops the bottom piece on a square, or with `isFriendly` all the player's own at the bottom of the hand. If the rest can
 * only be dropped there, it is dropped too. Returns the next draft, or the whole move, or nothing if all pieces are back.
 * @param {View} view
 * @param {Draft} draft
 * @param {string} name
 * @returns {{move?: string, draft?: Held}}
 */
export function drop(view, draft, name, isFriendly = false) {
  if (draft.drops.length === 0 && name === draft.from) {
    return {};
  }
  reach(view, draft, name);
  const way = draft.way ?? wayTo(draft.from, name) ?? '';
  const drops = [...draft.drops];
  if (drops.length === 0 || step(draft.from, way, drops.length) !== name) {
    drops.push(0);
  }
  let count = 1;
  if (isFriendly) {
    const hand = on(view, draft.from).colors.slice(-inHand(draft));
    const other = hand.findIndex((color) => color !== view.to_move);
    if (other === 0) {
      throw new Refused(words.bottomPiece(hand[0]));
    }
    count = other < 0 ? hand.length : other;
  }
  drops[drops.length - 1] += count;
  const dropped = { ...draft, way, drops };
  const open = ways(view, dropped);
  return open.every((own) => own.drops.length === drops.length)
    ? { move: open[0].text }
    : { draft: seen(view, dropped) };
}

/**
 * The effect of a move; null if the view does not list it.
 * @param {View} view
 * @param {string} move
 * @returns {Effect | null}
 */
export function effect(view, move) {
  const [, letter, name] = /^([SC]?)([a-h][1-8])$/.exec(move) ?? [];
  if (name) {
    const stack = view.kinds.find(({ kind }) => LETTERS[kind] === letter)?.stack;
    const isFree = squareOf(view, name)?.stack === '';
    return stack && isFree ? { from: name, drops: [], squares: [{ name, stack }] } : null;
  }
  const spread = view.squares.flatMap(spreads).find(({ text }) => text === move);
  return spread
    ? {
        from: spread.from,
        drops: spread.drops.map(
          (count, index) => /** @type {[string, number]} */ ([step(spread.from, spread.way, index + 1), count]),
        ),
        squares: piles(view, spread),
      }
    : null;
}
