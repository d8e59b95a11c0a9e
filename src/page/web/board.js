// The board: a drawing to look at, and a grid of squares for mouse, keyboard and screen readers. It has no
// state of the game.

import { stack, svg } from './pieces.js';

const SLIDE = 120;

/** The name of a square by column and row, counted from White's left. */
export const nameOf = (column, row) => 'abcdefgh'[column] + (row + 1);
export const columnOf = (name) => name.charCodeAt(0) - 97;
export const rowOf = (name) => Number(name[1]) - 1;

export class Board {
  constructor(drawing, grid) {
    this.drawing = drawing;
    this.grid = grid;
    this.size = 0;
    this.flipped = false;
    this.cells = new Map();
    this.advice = svg('g');
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
   * Shows a board. `squares` are [{name, stack, label}]; `marks` maps a class to the names of its squares; `cursor` is
   * the name of a square; `slide` is {from, drops} of a move to animate; `arrow` is {from, to}.
   */
  show({ size, flipped, squares, marks, cursor, slide, arrow }) {
    if (size !== this.size || flipped !== this.flipped) {
      this.size = size;
      this.flipped = flipped;
      this.layOut();
    }
    const marked = new Map(squares.map(({ name }) => [name, []]));
    for (const [mark, names] of Object.entries(marks)) {
      names.forEach((name) => marked.get(name)?.push(mark));
    }
    const dropped = new Map(slide ? slide.drops : []);
    const below = svg('g');
    const above = svg('g');
    for (const square of squares) {
      const [column, row] = this.place(square.name);
      const [x, y] = [column * 100, row * 100];
      const tone = (columnOf(square.name) + rowOf(square.name)) % 2 === 0 ? 'dark' : 'light';
      const names = marked.get(square.name);
      below.append(svg('rect', { class: ['square', tone, ...names].join(' '), x, y, width: 100, height: 100 }));
      if (names.includes('road')) {
        below.append(svg('rect', { class: 'road-edge', x: x + 2.5, y: y + 2.5, width: 95, height: 95 }));
      }
      if (names.includes('next')) {
        below.append(svg('circle', { class: 'target', cx: x + 50, cy: y + 50, r: 40 }));
      }
      const { group, moved } = stack(square.stack, size, x, y, dropped.get(square.name) ?? 0);
      above.append(group);
      if (slide && dropped.has(square.name)) {
        this.slide(moved, slide.from, square.name);
      }
      const cell = this.cells.get(square.name);
      cell.setAttribute('aria-label', square.label);
      cell.setAttribute('aria-selected', String(square.name === cursor));
      cell.className = names.join(' ');
    }
    this.advice = svg('g');
    this.drawing.replaceChildren(below, this.coordinates(), above, this.advice);
    this.point(arrow);
    this.grid.setAttribute('aria-activedescendant', this.cells.get(cursor).id);
  }

  /** Creates the cells of a board of this size. */
  layOut() {
    const span = this.size * 100;
    this.drawing.setAttribute('viewBox', `0 0 ${span} ${span}`);
    this.grid.style.setProperty('--size', this.size);
    this.cells.clear();
    const rows = [];
    for (let up = this.size - 1; up >= 0; up -= 1) {
      const line = document.createElement('div');
      line.setAttribute('role', 'row');
      for (let right = 0; right < this.size; right += 1) {
        const last = this.size - 1;
        const name = this.flipped ? nameOf(last - right, last - up) : nameOf(right, up);
        const cell = document.createElement('div');
        cell.setAttribute('role', 'gridcell');
        cell.id = `square-${name}`;
        cell.dataset.square = name;
        this.cells.set(name, cell);
        line.append(cell);
      }
      rows.push(line);
    }
    this.grid.replaceChildren(...rows);
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

  /** Shows the arrow of a move, or none. */
  point(arrow) {
    this.advice.replaceChildren(...(arrow ? this.arrow(arrow) : []));
  }

  /** The drawing for a move: an arrow, or a ring for a placement. */
  arrow(arrow) {
    const [[fromColumn, fromRow], [toColumn, toRow]] = [this.place(arrow.from), this.place(arrow.to)];
    const [x, y] = [fromColumn * 100 + 50, fromRow * 100 + 50];
    if (arrow.from === arrow.to) {
      return [svg('circle', { class: 'advice', cx: x, cy: y, r: 34 })];
    }
    const [right, down] = [Math.sign(toColumn - fromColumn), Math.sign(toRow - fromRow)];
    const [endX, endY] = [toColumn * 100 + 50 - 14 * right, toRow * 100 + 50 - 14 * down];
    const head = [
      [endX + 24 * right, endY + 24 * down],
      [endX + 18 * down, endY + 18 * right],
      [endX - 18 * down, endY - 18 * right],
    ];
    return [
      svg('line', { class: 'advice', x1: x, y1: y, x2: endX, y2: endY }),
      svg('polygon', { class: 'advice-head', points: head.map((point) => point.join(',')).join(' ') }),
    ];
  }

  /** Animates pieces from their former square. */
  slide(group, from, to) {
    if (this.still.matches || !group.animate) {
      return;
    }
    const [[fromColumn, fromRow], [toColumn, toRow]] = [this.place(from), this.place(to)];
    const [x, y] = [(fromColumn - toColumn) * 100, (fromRow - toRow) * 100];
    group.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: 'none' }], { duration: SLIDE, easing: 'ease-out' });
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
