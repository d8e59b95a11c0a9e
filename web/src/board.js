// The board: a drawing to look at, and a grid of squares for mouse, keyboard and screen readers. It has no
// state of the game.

import { stack, svg } from './pieces.js';

/** Milliseconds of a move. */
const SLIDE = 140;
/** The height of pieces in hand. */
const LIFT = 26;

/** The name of a square by column and row, counted from White's left. */
export const nameOf = (column, row) => 'abcdefgh'[column] + (row + 1);
export const columnOf = (name) => name.charCodeAt(0) - 97;
export const rowOf = (name) => Number(name[1]) - 1;
/** The square as far behind `middle` as `from` is before it. */
export const beyond = (from, middle) => nameOf(
  2 * columnOf(middle) - columnOf(from),
  2 * rowOf(middle) - rowOf(from),
);

export class Board {
  constructor(drawing, grid) {
    this.drawing = drawing;
    this.grid = grid;
    this.size = 0;
    this.flipped = false;
    this.cells = new Map();
    this.ghost = svg('g', { class: 'ghost' });
    this.advice = svg('g');
    this.held = svg('g', { class: 'held' });
    this.still = matchMedia('(prefers-reduced-motion: reduce)');
  }

  /** The place of a square in the drawing. */
  place(name) {
    const last = this.size - 1;
    const [column, row] = [columnOf(name), rowOf(name)];
    return this.flipped ? [last - column, row] : [column, last - row];
  }

  /** The square this many columns to the right and rows up on the screen; null beyond the edge. */
  beside(name, right, up) {
    const way = this.flipped ? -1 : 1;
    const [column, row] = [columnOf(name) + way * right, rowOf(name) + way * up];
    const isThere = [column, row].every((at) => at >= 0 && at < this.size);
    return isThere ? nameOf(column, row) : null;
  }

  /**
   * Shows a board. `squares` are [{name, stack, label, isLoose}]; `marks` maps a class to the names of its squares; `cursor` is
   * the name of a square; `played` is {from, drops} of a move to animate; `held` is {over, hand} of pieces in hand;
   * `advice` as for `advise`. Only changed squares are drawn.
   */
  show({ size, flipped, squares, marks, cursor, played, held, advice }) {
    if (size !== this.size || flipped !== this.flipped) {
      this.size = size;
      this.flipped = flipped;
      this.layOut();
    }
    const marked = new Map(squares.map(({ name }) => [name, []]));
    for (const [mark, names] of Object.entries(marks)) {
      names.forEach((name) => marked.get(name)?.push(mark));
    }
    const dropped = new Map(played?.drops);
    if (played && dropped.size === 0) {
      dropped.set(played.from, Infinity);
    }
    for (const { name, stack: code, label, isLoose } of squares) {
      const names = marked.get(name);
      const cell = this.cells.get(name);
      const look = JSON.stringify([code, names, dropped.get(name)]);
      if (cell.look !== look || dropped.has(name)) {
        cell.look = look;
        this.drawSquare(cell, name, names);
        const [x, y] = this.corner(name);
        const { group, moved } = stack(code, size, x, y, dropped.get(name) ?? 0);
        cell.above.replaceChildren(group);
        if (dropped.has(name)) {
          this.slide(moved, played.from, name);
        }
      }
      set(cell.element, 'aria-label', label);
      set(cell.element, 'aria-selected', String(name === cursor));
      cell.element.toggleAttribute('data-loose', isLoose);
    }
    this.advise(advice);
    this.hold(held);
    set(this.grid, 'aria-activedescendant', this.cells.get(cursor).element.id);
  }

  /** Draws a square without its stack. */
  drawSquare({ element, below }, name, names) {
    const [x, y] = this.corner(name);
    const tone = (columnOf(name) + rowOf(name)) % 2 === 0 ? 'dark' : 'light';
    below.replaceChildren(svg('rect', { class: ['square', tone, ...names].join(' '), x, y, width: 100, height: 100 }));
    for (const mark of ['road', 'threat'].filter((each) => names.includes(each))) {
      below.append(svg('rect', { class: `${mark}-edge`, x: x + 2.5, y: y + 2.5, width: 95, height: 95 }));
    }
    if (names.includes('next')) {
      below.append(svg('circle', { class: 'target', cx: x + 50, cy: y + 50, r: 40 }));
    }
    element.className = names.join(' ');
  }

  /** The upper left corner of a square in the drawing. */
  corner(name) {
    return this.place(name).map((at) => at * 100);
  }

  /** Creates the cells of a board of this size. */
  layOut() {
    const span = this.size * 100;
    this.drawing.setAttribute('viewBox', `0 0 ${span} ${span}`);
    this.grid.style.setProperty('--size', this.size);
    this.cells.clear();
    const rows = [];
    const [below, above] = [svg('g'), svg('g')];
    for (let up = this.size - 1; up >= 0; up -= 1) {
      const line = document.createElement('div');
      line.setAttribute('role', 'row');
      for (let right = 0; right < this.size; right += 1) {
        const last = this.size - 1;
        const name = this.flipped ? nameOf(last - right, last - up) : nameOf(right, up);
        const element = document.createElement('div');
        element.setAttribute('role', 'gridcell');
        element.id = `square-${name}`;
        element.dataset.square = name;
        const cell = { element, look: '', below: svg('g'), above: svg('g') };
        this.cells.set(name, cell);
        below.append(cell.below);
        above.append(cell.above);
        line.append(element);
      }
      rows.push(line);
    }
    this.grid.replaceChildren(...rows);
    this.drawing.replaceChildren(below, this.coordinates(), above, this.ghost, this.advice, this.held);
  }

  /** Letters and numbers on the edge. */
  coordinates() {
    const group = svg('g', { class: 'coordinates' });
    for (let index = 0; index < this.size; index += 1) {
      const last = this.size - 1;
      const at = this.flipped ? last - index : index;
      const file = svg('text', { x: index * 100 + 94, y: this.size * 100 - 6, 'text-anchor': 'end' });
      file.textContent = 'abcdefgh'[at];
      const rank = svg('text', { x: 6, y: (last - index) * 100 + 20 });
      rank.textContent = at + 1;
      group.append(file, rank);
    }
    return group;
  }

  /** Shows the piece that a click would place, or none. */
  hover(name, code) {
    const look = name ? `${name} ${code}` : '';
    if (look !== this.ghost.dataset.look) {
      this.ghost.dataset.look = look;
      this.ghost.replaceChildren(...(name ? [stack(code, this.size, ...this.corner(name)).group] : []));
    }
  }

  /** Shows the pieces in hand above a square, or none. */
  hold(held) {
    this.held.replaceChildren();
    if (held) {
      const [x, y] = this.corner(held.over);
      this.held.append(stack(held.hand, this.size, x, y - LIFT).group);
    }
  }

  /** Shows the moves of a line that is recommended: {from, drops, code} each, in which `code` is the piece placed. */
  advise(line) {
    this.advice.replaceChildren(...line.map((move, index) => {
      const [x, y] = this.corner(move.from);
      const number = svg('text', { class: 'order', x: x + 82, y: y + 30 });
      number.textContent = line.length > 1 ? index + 1 : '';
      return svg('g', { class: index === 0 ? 'advised' : 'advised later' }, ...this.advised(move), number);
    }));
  }

  /** The drawing of a recommended move. */
  advised(advice) {
    const [x, y] = this.corner(advice.from);
    if (advice.drops.length === 0) {
      const piece = svg('g', { class: 'ghost' }, stack(advice.code, this.size, x, y).group);
      return [svg('rect', { class: 'advice', x: x + 6, y: y + 6, width: 88, height: 88, rx: 10 }), piece];
    }
    const [endX, endY] = this.corner(advice.drops.at(-1)[0]);
    const [right, down] = [Math.sign(endX - x), Math.sign(endY - y)];
    const [headX, headY] = [endX + 50 - 30 * right, endY + 50 - 30 * down];
    const head = [
      [headX + 24 * right, headY + 24 * down],
      [headX + 18 * down, headY + 18 * right],
      [headX - 18 * down, headY - 18 * right],
    ];
    const parts = [
      svg('line', { class: 'advice', x1: x + 50, y1: y + 50, x2: headX, y2: headY }),
      svg('polygon', { class: 'advice-head', points: head.map((point) => point.join(',')).join(' ') }),
    ];
    for (const [name, count] of advice.drops) {
      const [left, top] = this.corner(name);
      const [cx, cy] = [left + 50 + 16 * right, top + 50 + 16 * down];
      const number = svg('text', { class: 'drops', x: cx, y: cy + 9 });
      number.textContent = count;
      parts.push(svg('circle', { class: 'advice-head', cx, cy, r: 19 }), number);
    }
    return parts;
  }

  /** Animates pieces from their former square, or from above it. */
  slide(group, from, to) {
    if (this.still.matches || !group.animate) {
      return;
    }
    const [[fromX, fromY], [toX, toY]] = [this.corner(from), this.corner(to)];
    // A piece that is placed falls.
    const [x, y] = from === to ? [0, -LIFT] : [fromX - toX, fromY - toY];
    group.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: 'none' }], { duration: SLIDE, easing: 'ease-out' });
  }

  /** Shows at once that a square is pressed; the program may be far away. */
  press(name) {
    this.cells.get(name).element.animate([{ opacity: 1 }, { opacity: 0 }], { pseudoElement: '::after', duration: 300 });
  }

  /** Shows visually that an action is refused. */
  shake() {
    if (!this.still.matches) {
      this.grid.parentElement.animate(
        [{ transform: 'none' }, { transform: 'translateX(-5px)' }, { transform: 'translateX(5px)' }, { transform: 'none' }],
        { duration: 160 },
      );
    }
  }
}

/** Sets an attribute if it changes, so that nothing is announced twice. */
function set(element, name, value) {
  if (element.getAttribute(name) !== value) {
    element.setAttribute(name, value);
  }
}
