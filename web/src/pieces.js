// Pieces and stacks as SVG. A square is 100 units wide. The pieces within the carry limit are a pile seen slightly from
// above, deeper ones a strip beside it, as in the program's diagrams.

const SVG = 'http://www.w3.org/2000/svg';

const FLAT = 58;
const FACE = 42;
/** The thickness of a flat in a low pile, and of a whole high pile. */
const THICKEST = 9;
const PILE = 52;
const [LENGTH, BREADTH] = [60, 17];
const CAP = 23;
/** The height of the top of a wall or capstone. */
const STANDING = 6;
/** The strip of pieces below the carry limit. */
const STRIP = { left: 82, right: 93, top: 24, bottom: 94, thickest: 6 };

/** An SVG element with these attributes. */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/** Reads a stack as in TPS: colours from the bottom up, and the kind of the top piece. */
export function parse(code) {
  const colors = [...code].filter((c) => c === '1' || c === '2').map((c) => (c === '1' ? 'white' : 'black'));
  const kind = code.endsWith('S') ? 'wall' : code.endsWith('C') ? 'capstone' : 'flat';
  return { colors, kind };
}

function tile(x, y, height, face) {
  return svg('rect', { class: face ? 'face' : 'side', x: x - FLAT / 2, y, width: FLAT, height, rx: 5 });
}

/** A wall or capstone at the point (x, y). The walls of the two players lean to different sides. */
function standing(color, kind, x, y) {
  const layers = [['side', y + STANDING / 2], ['face', y - STANDING / 2]];
  if (kind === 'capstone') {
    const discs = layers.map(([name, at]) => svg('circle', { class: name, cx: x, cy: at, r: CAP }));
    return [...discs, svg('circle', { class: 'ring', cx: x, cy: y - STANDING / 2, r: CAP * 0.45 })];
  }
  return layers.map(([name, at]) => svg('rect', {
    class: name,
    x: x - LENGTH / 2,
    y: at - BREADTH / 2,
    width: LENGTH,
    height: BREADTH,
    rx: 3,
    transform: `rotate(${color === 'white' ? 45 : -45} ${x} ${at})`,
  }));
}

/** The pieces of a pile at the point (x, y), one group each, the bottom one first. */
function pile(colors, kind, x, y) {
  const flats = kind === 'flat' ? colors.length : colors.length - 1;
  const above = kind === 'flat' ? 0 : 10;
  const thickness = Math.min(THICKEST, (PILE - above) / Math.max(1, flats));
  const foot = y + (above + FACE + thickness * flats) / 2;
  const rise = (level) => foot - FACE - thickness * level;
  return colors.map((color, index) => {
    const level = index + 1;
    const group = svg('g', { class: `piece ${color}` });
    if (level > flats) {
      group.append(...standing(color, kind, x, rise(flats) + FACE / 2));
      return group;
    }
    group.append(tile(x, rise(level), FACE + thickness, false));
    if (level === flats) {
      group.append(tile(x, rise(level), FACE, true));
    }
    return group;
  });
}

/** A stack on the square whose upper left corner is (x, y); `dropped` of its top pieces are in a separate group. */
export function stack(code, limit, x, y, dropped = 0) {
  const { colors, kind } = parse(code);
  const group = svg('g', { class: 'stack' });
  const moved = svg('g', { class: 'dropped' });
  const deep = colors.slice(0, -limit);
  const thickness = Math.min(STRIP.thickest, (STRIP.bottom - STRIP.top) / Math.max(1, deep.length));
  deep.forEach((color, index) => {
    group.append(svg('rect', {
      class: `deep ${color}`,
      x: x + STRIP.left,
      y: y + STRIP.bottom - thickness * (index + 1),
      width: STRIP.right - STRIP.left,
      height: thickness,
    }));
  });
  if (deep.length > 0) {
    const height = svg('text', { class: 'height', x: x + STRIP.right + 3, y: y + STRIP.top - 6, 'text-anchor': 'end' });
    height.textContent = colors.length;
    group.append(height);
  }
  const pieces = pile(colors.slice(-limit), kind, x + 50 - (deep.length > 0 ? 8 : 0), y + 50);
  const still = Math.max(0, pieces.length - dropped);
  group.append(...pieces.slice(0, still), moved);
  moved.append(...pieces.slice(still));
  return { group, moved };
}

/** A piece as in TPS. */
export const codeOf = (color, kind) => (color === 'white' ? '1' : '2') + { flat: '', wall: 'S', capstone: 'C' }[kind];

/** A small picture of a piece for buttons and lists. A flat in a pile becomes as thin as the space allows. */
export function icon(color, kind, isPiled = false) {
  const picture = svg('svg', { class: 'icon', viewBox: '15 15 70 70', 'aria-hidden': 'true' });
  if (isPiled && kind === 'flat') {
    picture.setAttribute('viewBox', '19 22 62 56');
    picture.setAttribute('preserveAspectRatio', 'none');
  }
  picture.append(...pile([color], kind, 50, 50));
  return picture;
}
