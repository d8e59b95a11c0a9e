// The board: a drawing to look at, and a grid of squares for mouse, keyboard and screen readers. It has no state of the
// game. Only squares that have changed are drawn.

/** @import { Color, MoveParts } from '../protocol.js' */
/** @import { Motion } from '../types.js' */

import { columnOf, nameOf, rowOf, stackOf } from '../model/squares.js';
import { percent } from '../words.js';
import { stack, svg } from './pieces.js';

/** Milliseconds of a move, and of each further piece of a spread. */
const [SLIDE, EACH] = [180, 90];
const EASE = 'cubic-bezier(.2,.8,.2,1)';
/** The height of pieces in hand. */
const LIFT = 22;
/** The frame, as part of the width of the squares. */
const FRAME = 0.032;

/**
 * @typedef {object} Look
 * @property {number} size
 * @property {boolean} flipped
 * @property {{name: string, stack: string, label: string, isLoose: boolean}[]} squares
 * @property {Record<string, string[]>} marks the squares of each kind of mark
 * @property {string[]} road a completed road
 * @property {string[]} threat a road that lacks one move
 * @property {string} cursor
 * @property {Motion | null} motion
 * @property {{over: string, hand: string, drops: [string, number][]} | null} held
 * @property {{move: MoveParts, color: Color, rank: number, isWeak: boolean}[]} advice the only move has the rank 0
 * @property {[string, number][]} heat squares with their share of games
 * @property {string[]} drawn squares and arrows of the user
 * @property {{square: string, kind: 'wrong' | 'right'} | null} sign
 * @property {boolean} animates
 * @property {boolean} hasNumbers
 * @property {boolean} hasCoordinates
 */

/** @typedef {{element: HTMLElement, look: string, stack: string, below: SVGElement, above: SVGElement}} Cell */

export class Board {
  /** @type {Map<string, Cell>} */
  #cells = new Map();
  #layout = '';
  #size = 0;
  #flipped = false;
  /** @type {Motion | null} */
  #motion = null;
  /** What the layers above the stacks show. @type {Record<string, string>} */
  #looks = {};
  #layers = {
    roads: svg('g'),
    ghost: svg('g', { class: 'ghost' }),
    advice: svg('g'),
    targets: svg('g'),
    held: svg('g', { class: 'held' }),
    sign: svg('g'),
    drawn: svg('g', { class: 'drawn' }),
    leaving: svg('g'),
  };

  #still = matchMedia('(prefers-reduced-motion: reduce)');

  /**
   * @param {SVGElement} drawing
   * @param {HTMLElement} grid
   */
  constructor(drawing, grid) {
    this.drawing = drawing;
    this.grid = grid;
  }

  /** The upper left corner of a square in the drawing. @param {string} name */
  #corner(name) {
    const last = this.#size - 1;
    const [column, row] = [columnOf(name), rowOf(name)];
    return (this.#flipped ? [last - column, row] : [column, last - row]).map((at) => at * 100);
  }

  /** The middle of a square. @param {string} name */
  #middle(name) {
    return this.#corner(name).map((at) => at + 50);
  }

  /**
   * The square this many columns to the right and rows up on the screen; null beyond the edge.
   * @param {string} name
   * @param {number} right
   * @param {number} up
   */
  beside(name, right, up) {
    const way = this.#flipped ? -1 : 1;
    const [column, row] = [columnOf(name) + way * right, rowOf(name) + way * up];
    return [column, row].every((at) => at >= 0 && at < this.#size) ? nameOf(column, row) : null;
  }

  /** The element of a square. @param {string} name */
  element(name) {
    return this.#cells.get(name)?.element ?? null;
  }

  /** @param {Look} look */
  show(look) {
    const { size, flipped, squares, marks, cursor, motion, animates, hasNumbers, hasCoordinates } = look;
    const layout = `${size} ${flipped} ${hasCoordinates}`;
    if (layout !== this.#layout) {
      this.#layout = layout;
      this.#size = size;
      this.#flipped = flipped;
      this.#layOut(hasCoordinates);
    }
    const marked = new Map(squares.map(({ name }) => [name, /** @type {string[]} */ ([])]));
    for (const [mark, names] of Object.entries(marks)) {
      for (const name of names) {
        marked.get(name)?.push(mark);
      }
    }
    const isMoving = motion !== null && motion !== this.#motion && animates && !this.#still.matches;
    const moved = isMoving ? movedTo(motion) : new Map();
    for (const { name, stack: code, label, isLoose } of squares) {
      const cell = this.#cells.get(name);
      if (!cell) {
        continue;
      }
      const names = (marked.get(name) ?? []).join(' ');
      const dropped = moved.get(name) ?? 0;
      const drawn = `${code} ${names} ${dropped} ${hasNumbers}`;
      if (cell.look !== drawn || dropped) {
        if (isMoving && motion.isBack && motion.from === name && motion.drops.length === 0) {
          this.#leave(cell.stack, name);
        }
        cell.look = drawn;
        cell.stack = code;
        this.#drawSquare(cell, name, marked.get(name) ?? []);
        const [x, y] = this.#corner(name);
        const { group, moved: pieces } = stack(code, size, x, y, dropped, hasNumbers);
        cell.above.replaceChildren(group);
        if (isMoving && dropped) {
          this.#slide(pieces, name, motion);
        }
      }
      set(cell.element, 'aria-label', label);
      set(cell.element, 'aria-selected', String(name === cursor));
      cell.element.toggleAttribute('data-loose', isLoose);
    }
    this.#motion = motion;
    this.#layer('roads', [look.road, look.threat, marks.gap], () => this.#roads(look));
    this.#layer('targets', [marks.next, look.heat], () => this.#targets(marks.next ?? [], look.heat));
    this.#layer('held', look.held, () => this.#held(look.held));
    this.#layer('advice', look.advice, () => look.advice.flatMap((each) => this.#advised(each)));
    this.#layer('drawn', look.drawn, () => look.drawn.flatMap((mark) => this.#drawn(mark)));
    this.#layer('sign', look.sign, () => (look.sign ? [this.#sign(look.sign)] : []));
    set(this.grid, 'aria-activedescendant', `square-${cursor}`);
  }

  /**
   * Draws a layer if what it shows has changed.
   * @param {'roads' | 'ghost' | 'advice' | 'targets' | 'held' | 'drawn' | 'sign'} name
   * @param {unknown} shown
   * @param {() => Element[]} draw
   */
  #layer(name, shown, draw) {
    const look = `${this.#layout} ${JSON.stringify(shown)}`;
    if (this.#looks[name] !== look) {
      this.#looks[name] = look;
      this.#layers[name].replaceChildren(...draw());
    }
  }

  /**
   * Draws a square without its stack.
   * @param {Cell} cell
   * @param {string} name
   * @param {string[]} names
   */
  #drawSquare({ element, below }, name, names) {
    const [x, y] = this.#corner(name);
    const tints = names.filter((each) => TINTS.includes(each));
    below.replaceChildren(
      ...tints.map((each) => svg('rect', { class: `tint ${each}`, x: x + 1, y: y + 1, width: 98, height: 98, rx: 4 })),
    );
    element.className = names.join(' ');
  }

  /** Creates the cells of a board of this size. @param {boolean} hasCoordinates */
  #layOut(hasCoordinates) {
    const size = this.#size;
    const span = size * 100;
    const frame = FRAME * span;
    this.drawing.setAttribute('viewBox', `${-frame} ${-frame} ${span + 2 * frame} ${span + 2 * frame}`);
    this.grid.style.setProperty('--size', String(size));
    this.grid.style.setProperty('--frame-part', String(FRAME / (1 + 2 * FRAME)));
    this.#cells.clear();
    this.#looks = {};
    /** @type {HTMLElement[]} */
    const rows = [];
    const [below, above] = [svg('g'), svg('g')];
    for (let up = size - 1; up >= 0; up -= 1) {
      const line = document.createElement('div');
      line.setAttribute('role', 'row');
      for (let right = 0; right < size; right += 1) {
        const last = size - 1;
        const name = this.#flipped ? nameOf(last - right, last - up) : nameOf(right, up);
        const element = document.createElement('div');
        element.setAttribute('role', 'gridcell');
        element.id = `square-${name}`;
        element.dataset.square = name;
        const cell = { element, look: '', stack: '', below: svg('g'), above: svg('g') };
        this.#cells.set(name, cell);
        below.append(cell.below);
        above.append(cell.above);
        line.append(element);
      }
      rows.push(line);
    }
    this.grid.replaceChildren(...rows);
    const { roads, ghost, advice, targets, held, drawn, sign, leaving } = this.#layers;
    this.drawing.replaceChildren(
      ...ground(size, frame),
      ...(hasCoordinates ? this.#coordinates(frame) : []),
      below,
      roads,
      above,
      leaving,
      ghost,
      targets,
      advice,
      held,
      drawn,
      sign,
    );
  }

  /** Letters and numbers on the frame. @param {number} frame */
  #coordinates(frame) {
    const size = this.#size;
    const font = Math.min(0.7 * frame, 4.6 + 1.5 * size);
    return Array.from({ length: size }, (_, index) => {
      const at = this.#flipped ? size - 1 - index : index;
      /** @type {(x: number, y: number, text: string) => SVGElement} */
      const sign = (x, y, text) => svg('text', { class: 'coordinate', x, y: y + 0.36 * font, 'font-size': font }, text);
      return [
        sign(index * 100 + 50, size * 100 + frame / 2, 'abcdefgh'[at]),
        sign(-frame / 2, (size - 1 - index) * 100 + 50, String(at + 1)),
      ];
    }).flat();
  }

  /**
   * Shows the piece that a click would place, or none.
   * @param {string | null} name
   * @param {string} code
   */
  hover(name, code) {
    this.#layer('ghost', name && [name, code], () =>
      name ? [stack(code, this.#size, ...this.#place(name)).group] : [],
    );
  }

  /** @param {string} name @returns {[number, number]} */
  #place(name) {
    const [x, y] = this.#corner(name);
    return [x, y];
  }

  /** @param {Look} look */
  #roads({ road, threat, marks }) {
    const parts = road.length > 0 ? this.#band(road, 'road') : this.#band(threat, 'threat');
    for (const name of road.length > 0 ? [] : (marks.gap ?? [])) {
      const [x, y] = this.#middle(name);
      parts.push(
        svg('circle', { class: 'gap', cx: x, cy: y, r: 25 }),
        svg('text', { class: 'gap-sign', x, y: y + 11 }, '!'),
      );
    }
    return parts;
  }

  /**
   * A band through the middle of squares, from edge to edge. Its ends do not reach the coordinates.
   * @param {string[]} names
   * @param {string} kind
   */
  #band(names, kind) {
    const squares = pathThrough(names);
    if (squares.length === 0) {
      return [];
    }
    const [start, end] = [14, this.#size * 100 - 14];
    const points = squares.map((name) => this.#middle(name));
    /** @type {(point: number[], isAcross: boolean) => number[]} */
    const edge = ([x, y], isAcross) => (isAcross ? [x < end / 2 ? start : end, y] : [x, y < end / 2 ? start : end]);
    const [first, last] = [points[0], points[points.length - 1]];
    const isAcross = squares.length > 1 ? isBetweenSides(squares, this.#size) : true;
    const ends =
      squares.length > 1
        ? [edge(first, isAcross), ...points, edge(last, isAcross)]
        : [[start, first[1]], first, [end, first[1]]];
    const d = `M${ends.map((point) => point.join(' ')).join('L')}`;
    return [svg('path', { class: `${kind} under`, d }), svg('path', { class: kind, d })];
  }

  /**
   * @param {string[]} next
   * @param {[string, number][]} heat
   */
  #targets(next, heat) {
    return [
      ...next.flatMap((name) => {
        const [x, y] = this.#corner(name);
        return [
          svg('rect', { class: 'target', x: x + 5, y: y + 5, width: 90, height: 90, rx: 12 }),
          svg('circle', { class: 'target-ring', cx: x + 50, cy: y + 50, r: 13 }),
        ];
      }),
      ...heat.map(([name, share]) => {
        const [x, y] = this.#corner(name);
        return svg(
          'g',
          { class: 'heat' },
          svg('rect', { x: x + 1, y: y + 1, width: 98, height: 98, 'fill-opacity': 0.2 + share / 2 }),
          svg('text', { x: x + 50, y: y + 58 }, percent(share)),
        );
      }),
    ];
  }

  /** @param {Look['held']} held */
  #held(held) {
    if (!held) {
      return [];
    }
    const [x, y] = this.#place(held.over);
    return [
      svg('ellipse', { class: 'hand-shadow', cx: x + 52, cy: y + 74, rx: 40, ry: 20 }),
      stack(held.hand, this.#size, x, y - LIFT).group,
      ...held.drops.map(([name, count]) => this.#disc(name, count, 82, 82)),
    ];
  }

  /**
   * A number on a disc.
   * @param {string} name
   * @param {number} count
   * @param {number} right
   * @param {number} down
   * @param {'' | 'rank'} look
   */
  #disc(name, count, right, down, look = '') {
    const [x, y] = this.#corner(name);
    return svg(
      'g',
      { class: `disc ${look}` },
      svg('circle', { cx: x + right, cy: y + down, r: 17 }),
      svg('text', { x: x + right, y: y + down + 8 }, String(count)),
    );
  }

  /**
   * The drawing of a recommended move: brackets, or an arrow.
   * @param {Look['advice'][number]} advice
   */
  #advised({ move, color, rank, isWeak }) {
    const weak = isWeak ? 'weak' : '';
    const [x, y] = this.#place(move.from);
    const parts = [];
    if (move.kind !== null) {
      const d = `M${x + 7} ${y + 29}v-14q0-8 8-8h14M${x + 71} ${y + 7}h14q8 0 8 8v14M${x + 93} ${y + 71}v14q0 8-8 8h-14M${x + 29} ${y + 93}h-14q-8 0-8-8v-14`;
      parts.push(svg('g', { class: `shade ${weak}` }, stack(stackOf([color], move.kind), this.#size, x, y).group));
      parts.push(svg('path', { class: 'bracket halo', d }), svg('path', { class: `bracket ${weak}`, d }));
      if (rank > 0) {
        parts.push(this.#disc(move.from, rank, 85, 15, 'rank'));
      }
      return [svg('g', { class: 'advised' }, ...parts)];
    }
    const end = move.drops[move.drops.length - 1][0];
    const [toX, toY] = this.#place(end);
    const [right, down] = [Math.sign(toX - x), Math.sign(toY - y)];
    const width = isWeak ? 3 : 6;
    // Across the arrow.
    const [ax, ay] = [down, right];
    /** @type {(along: number, across: number) => string} */
    const at = (along, across) => `${x + 50 + right * along + ax * across} ${y + 50 + down * along + ay * across}`;
    const length = Math.abs(toX - x) + Math.abs(toY - y);
    const [tail, neck, tip] = [16, length, length + 34];
    const d = `M${at(tail, -width)}L${at(neck, -width - 3)}L${at(neck, -26)}L${at(tip, 0)}L${at(neck, 26)}L${at(neck, width + 3)}L${at(tail, width)}z`;
    parts.push(svg('path', { class: `arrow ${weak}`, d }));
    for (const [name, count] of move.drops) {
      parts.push(this.#disc(name, count, 50 - right * 4, 50 - down * 4));
    }
    if (rank > 0) {
      parts.push(this.#disc(move.from, rank, 85, 15, 'rank'));
    }
    return [svg('g', { class: 'advised' }, ...parts)];
  }

  /** A ring around a square, or an arrow between two, each above a wider one. @param {string} mark */
  #drawn(mark) {
    const [x, y] = this.#middle(mark.slice(0, 2));
    const [toX, toY] = this.#middle(mark.slice(-2));
    const length = Math.hypot(toX - x, toY - y);
    const [right, down] = length > 0 ? [(toX - x) / length, (toY - y) / length] : [0, 0];
    const at = (/** @type {number} */ along, /** @type {number} */ across) =>
      `${x + right * along - down * across} ${y + down * along + right * across}`;
    const d =
      length > 0
        ? `M${at(20, 0)}L${at(length - 4, 0)}M${at(length - 28, -20)}L${at(length, 0)}L${at(length - 28, 20)}`
        : `M${x - 41} ${y}a41 41 0 1 0 82 0a41 41 0 1 0 -82 0`;
    return [svg('path', { class: 'under', d }), svg('path', { d })];
  }

  /** A tick or a cross on a square. @param {NonNullable<Look['sign']>} sign */
  #sign({ square, kind }) {
    const [x, y] = this.#corner(square);
    const d = kind === 'wrong' ? `M${x + 78} ${y + 10}l12 12m0-12l-12 12` : `M${x + 77} ${y + 17}l5 5 9-10`;
    return svg('g', { class: `sign ${kind}` }, svg('circle', { cx: x + 84, cy: y + 16, r: 15 }), svg('path', { d }));
  }

  /**
   * Animates pieces from where they were, one after the other.
   * @param {SVGElement} group
   * @param {string} to
   * @param {Motion} motion
   */
  #slide(group, to, { from, drops, isBack }) {
    const pieces = [...group.children].filter((each) => !each.classList.contains('shadow'));
    // Pieces that go back come from the squares on which they fell, the lowest one first.
    const origins = isBack
      ? drops.flatMap(([name, count]) => Array.from({ length: count }, () => name))
      : pieces.map(() => from);
    const before = isBack
      ? 0
      : drops
          .slice(
            0,
            drops.findIndex(([name]) => name === to),
          )
          .reduce((sum, [, count]) => sum + count, 0);
    pieces.forEach((piece, index) => {
      const origin = origins[index] ?? from;
      const [[fromX, fromY], [toX, toY]] = [this.#corner(origin), this.#corner(to)];
      // A piece that is placed falls.
      const [x, y] = drops.length === 0 ? [0, -LIFT] : [fromX - toX, fromY - toY];
      const delay = drops.length === 0 ? 0 : EACH * Math.min(before + index, 4) * Number(drops.length > 1);
      piece.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: 'none' }], {
        duration: SLIDE,
        delay,
        easing: EASE,
        fill: 'backwards',
      });
    });
  }

  /**
   * Animates a piece that is taken from the board.
   * @param {string} code
   * @param {string} name
   */
  #leave(code, name) {
    const { group } = stack(code, this.#size, ...this.#place(name));
    this.#layers.leaving.replaceChildren(group);
    group
      .animate([{ opacity: 1 }, { opacity: 0, transform: `translate(0, ${-LIFT}px)` }], {
        duration: SLIDE,
        easing: EASE,
      })
      .finished.finally(() => group.remove())
      .catch(() => {});
  }

  /** Shows at once that a square is pressed; the program may be far away. @param {string} name */
  press(name) {
    this.element(name)?.animate([{ opacity: 1 }, { opacity: 0 }], { pseudoElement: '::after', duration: 300 });
  }

  /** Shows visually that an action is refused. */
  shake() {
    if (!this.#still.matches) {
      this.grid.parentElement?.animate(
        [
          { transform: 'none' },
          { transform: 'translateX(-5px)' },
          { transform: 'translateX(5px)' },
          { transform: 'none' },
        ],
        { duration: 160 },
      );
    }
  }
}

/** The marks that tint a square. */
const TINTS = ['last', 'origin', 'lifted', 'won', 'wrong', 'right'];

/** The squares to which a motion brings pieces, with their numbers. @type {(motion: Motion) => Map<string, number>} */
function movedTo({ from, drops, isBack }) {
  if (isBack) {
    return drops.length > 0 ? new Map([[from, drops.reduce((sum, [, count]) => sum + count, 0)]]) : new Map();
  }
  return drops.length > 0 ? new Map(drops) : new Map([[from, Infinity]]);
}

/** Frame, squares and grain. @type {(size: number, frame: number) => SVGElement[]} */
function ground(size, frame) {
  const span = size * 100;
  const tiles = ['', ''];
  for (let column = 0; column < size; column += 1) {
    for (let row = 0; row < size; row += 1) {
      tiles[(column + row + size + 1) % 2] += `M${column * 100 + 1} ${row * 100 + 1}h98v98h-98z`;
    }
  }
  return [
    svg('rect', {
      class: 'frame',
      x: -frame,
      y: -frame,
      width: span + 2 * frame,
      height: span + 2 * frame,
      rx: 0.55 * frame,
    }),
    svg('rect', { class: 'bevel', x: -2.3, y: -2.3, width: span + 4.6, height: span + 4.6, rx: 6 }),
    ...tiles.map((d, tone) => svg('path', { class: `tone-${tone}`, d })),
    ...tiles.map((d, tone) => svg('path', { class: `grain-${tone}`, d })),
  ];
}

/** Squares of a road in the order in which they touch, from one end. @type {(names: string[]) => string[]} */
function pathThrough(names) {
  const left = [...names];
  const path = left.splice(0, 1);
  while (left.length > 0) {
    /** @type {(name: string) => number} */
    const find = (name) =>
      left.findIndex((each) => Math.abs(columnOf(each) - columnOf(name)) + Math.abs(rowOf(each) - rowOf(name)) === 1);
    const [after, before] = [find(path[path.length - 1]), find(path[0])];
    if (after >= 0) {
      path.push(...left.splice(after, 1));
    } else if (before >= 0) {
      path.unshift(...left.splice(before, 1));
    } else {
      break;
    }
  }
  return path;
}

/** Returns whether a path goes from the left to the right. @type {(path: string[], size: number) => boolean} */
function isBetweenSides(path, size) {
  const columns = [path[0], path[path.length - 1]].map(columnOf);
  return columns.includes(0) && columns.includes(size - 1);
}

/**
 * Sets an attribute if it changes, so that nothing is announced twice.
 * @param {Element} element
 * @param {string} name
 * @param {string} value
 */
function set(element, name, value) {
  if (element.getAttribute(name) !== value) {
    element.setAttribute(name, value);
  }
}
