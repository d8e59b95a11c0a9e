// Pieces and stacks as SVG. A square is 100 units wide. White is square and light, Black round and dark, so that the order
// of a stack can be read from its outline.

/** @import { Color, Kind } from '../protocol.js' */

import { parseStack } from '../model/squares.js';

const SVG = 'http://www.w3.org/2000/svg';

/** Width, corners of the sides and of the face. */
const FLAT = { white: { width: 70, corner: 9 }, black: { width: 66, corner: 21 } };
/** The height that a pile may have, and the lowest place of its foot. */
const [ROOM, FOOT] = [94, 97];
/** The greatest thickness of a flat. */
const MAX_THICKNESS = 11;
/** What a wall and a capstone need above the face. */
const OVER = { flat: 0, wall: 17, capstone: 24 };
/** The pieces below the carry limit are a ladder at the edge. */
const LADDER = { right: 97.5, foot: 96, step: 9, most: 76 };
/** From this height on the number of pieces is written. */
const NUMBERED_HEIGHT = 5;

/**
 * An SVG element with these attributes.
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {(Element | string)[]} children
 */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, String(value));
  }
  element.append(...children);
  return element;
}

/** @type {(color: Color) => 'w' | 'b'} */
const letter = (color) => (color === 'white' ? 'w' : 'b');

/**
 * A flat whose face begins at `top`, of this height and thickness.
 * @param {Color} color
 * @param {number} x the middle
 * @param {number} top
 * @param {number} face
 * @param {number} thickness
 * @param {boolean} isTop
 */
function flat(color, x, top, face, thickness, isTop) {
  const { width, corner } = FLAT[color];
  const side = letter(color);
  const left = x - width / 2;
  const body = svg('rect', { class: `side ${side}`, x: left, y: top, width, height: face + thickness, rx: corner });
  if (!isTop) {
    return [body];
  }
  const inner = { x: left + 1, y: top + 1, width: width - 2, height: face - 1, rx: corner - 1 };
  return [body, svg('rect', { class: `face ${side}`, ...inner }), svg('rect', { class: 'sheen', ...inner })];
}

/**
 * A wall or capstone that stands on the point (x, y).
 * @param {Color} color
 * @param {Kind} kind
 * @param {number} x
 * @param {number} y
 * @param {number} scale
 */
function standing(color, kind, x, y, scale) {
  const name = `${letter(color)}${kind === 'wall' ? 'wall' : 'cap'}`;
  return svg('use', { href: `#${name}`, transform: `translate(${x} ${y}) scale(${scale})` });
}

/**
 * The pieces of a pile on the square whose upper left corner is (x, y), one group each, the bottom one first, and its shadow.
 * @param {Color[]} colors
 * @param {Kind} kind
 * @param {number} x the middle
 * @param {number} y
 */
function pile(colors, kind, x, y) {
  const flats = kind === 'flat' ? colors.length : colors.length - 1;
  if (flats === 0) {
    const foot = y + 61;
    const shadow = svg('use', { href: kind === 'wall' ? '#shwall' : '#shcap', x, y: foot });
    return { shadow: [shadow], pieces: [svg('g', {}, standing(colors[0], kind, x, foot, 1))] };
  }
  const over = OVER[kind];
  const face = Math.max(43, 56 - 3 * Math.max(0, flats - 2)) - (flats > 1 && kind !== 'flat' ? 1 : 0);
  const thickness = Math.min(MAX_THICKNESS, (ROOM - face - over) / flats);
  const height = face + thickness * flats;
  const foot = Math.min(y + FOOT, y + 50 + (height + over) / 2);
  /** @type {(level: number) => number} */
  const top = (level) => foot - face - thickness * level;
  const { width, corner } = FLAT[colors[0]];
  const shadow = [
    [3, 11, 4, face],
    [1, 8, 5, face + 1],
  ].map(([dx, dy, wider, tall]) =>
    svg('rect', {
      class: 'shadow',
      x: x - width / 2 + dx,
      y: top(1) + thickness + dy - 4,
      width: width + wider,
      height: tall,
      rx: corner,
    }),
  );
  const pieces = colors.map((color, index) => {
    const level = index + 1;
    if (level > flats) {
      return svg('g', {}, standing(color, kind, x, top(flats) + face / 2 + 9, (face / 56) * 0.94));
    }
    return svg('g', {}, ...flat(color, x, top(level), face, thickness, level === flats));
  });
  return { shadow, pieces };
}

/**
 * A stack on the square whose upper left corner is (x, y); `dropped` of its top pieces are in a separate group.
 * @param {string} code
 * @param {number} limit the carry limit
 * @param {number} x
 * @param {number} y
 * @param {number} dropped
 * @param {boolean} isCounted whether the number of pieces is written from two on
 */
export function stack(code, limit, x, y, dropped = 0, isCounted = false) {
  const { colors, kind } = parseStack(code);
  const group = svg('g', { class: 'stack' });
  const moved = svg('g', { class: 'dropped' });
  if (colors.length === 0) {
    return { group, moved };
  }
  const deep = colors.slice(0, -limit);
  const { shadow, pieces } = pile(colors.slice(-limit), kind, x + 50 - (deep.length > 0 ? 6 : 0), y);
  const still = Math.max(0, pieces.length - dropped);
  (still > 0 ? group : moved).append(...shadow);
  group.append(...pieces.slice(0, still), moved);
  moved.append(...pieces.slice(still));
  const step = Math.min(LADDER.step, LADDER.most / Math.max(1, deep.length));
  deep.forEach((color, index) => {
    const width = color === 'white' ? 13 : 9;
    group.append(
      svg('rect', {
        class: `deep ${letter(color)}`,
        x: x + LADDER.right - width - (13 - width) / 2,
        y: y + LADDER.foot - step * (index + 1),
        width,
        height: step - 0.6,
        rx: color === 'white' ? 1 : 2,
      }),
    );
  });
  if (colors.length >= (isCounted ? 2 : NUMBERED_HEIGHT)) {
    group.append(number(colors.length, limit, x, y));
  }
  return { group, moved };
}

/**
 * The number of pieces, in the upper right corner.
 * @param {number} count
 * @param {number} limit
 * @param {number} x
 * @param {number} y
 */
function number(count, limit, x, y) {
  const size = 12 + 1.25 * limit;
  const width = size * (count > 9 ? 1.45 : 0.95);
  return svg(
    'g',
    { class: 'height' },
    svg('rect', { x: x + 98 - width, y: y + 2, width, height: size * 1.1, rx: size * 0.35 }),
    svg('text', { x: x + 98 - width / 2, y: y + 2 + size * 0.9, 'font-size': size }, String(count)),
  );
}

/**
 * A small picture of a piece for buttons and lists.
 * @param {Color} color
 * @param {Kind} kind
 * @param {string} name its class
 */
export function icon(color, kind, name = 'piece') {
  const picture = svg('svg', { class: name, viewBox: '11 11 78 78', 'aria-hidden': 'true' });
  if (kind === 'flat') {
    picture.append(...flat(color, 50, 16.5, 56, 11, true));
  } else {
    picture.append(standing(color, kind, 50, 61, 1));
  }
  return picture;
}
