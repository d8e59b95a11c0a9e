// The graph of White's chances from move to move, as far as known, with the current move.

import { movesText } from './game.js';
import { svg } from './pieces.js';

export class Graph {
  /** `value` is the place for what is known at the pointer. */
  constructor(drawing, value, game, engine) {
    Object.assign(this, { drawing, value, game, engine, path: null, annotation: null, news: '', points: [] });
    this.here = svg('line', { class: 'here', y1: 0, y2: 100 });
    this.known = svg('polyline', { class: 'known' });
    this.below = svg('polygon', { class: 'below' });
    this.marks = svg('g');
    const even = svg('line', { class: 'even', x1: 0, y1: 50, x2: 100, y2: 50 });
    drawing.replaceChildren(this.below, even, this.marks, this.here, this.known);
    this.pointed = svg('line', { class: 'pointed', y1: 0, y2: 100 });
    drawing.append(this.pointed);
    drawing.addEventListener('click', (event) => game.do(() => game.walk(this.under(event))));
    drawing.addEventListener('pointermove', (event) => this.tell(this.under(event)));
    drawing.addEventListener('pointerleave', () => this.tell(null));
    this.tell(null);
  }

  /** The number of moves at the pointer. */
  under({ clientX }) {
    const { left, width } = this.drawing.getBoundingClientRect();
    return Math.round(((clientX - left) / width) * this.game.state.moves.length);
  }

  /** Shows the chances after this many moves, with the last one of them; nothing for null. */
  tell(at) {
    const node = at === null ? null : this.game.path[at];
    const point = node && this.points.find((each) => each.at === at);
    this.pointed.toggleAttribute('hidden', !point);
    this.value.textContent = '';
    if (!point) {
      return;
    }
    const { parent } = node;
    const { marks = '' } = (parent && this.game.remarksOn(node)) || {};
    const move = parent?.tps ? `${parent.number}.${parent.turn === 'white' ? '' : '..'} ${node.move}${marks}` : 'Start';
    this.value.textContent = `${move}: White ${Math.round(point.share * 100)} %`;
    for (const end of ['x1', 'x2']) {
      this.pointed.setAttribute(end, this.place(at));
    }
  }

  /** The place of a position from left to right. */
  place(at) {
    const last = this.game.path.length - 1;
    return last === 0 ? 0 : (at / last) * 100;
  }

  /** Shows the current move; all points only if one of them has changed visibly. */
  show() {
    const { game: { path, state: { at, annotation } }, engine: { about, chances } } = this;
    const news = `${about} ${Math.round(200 * chances.get(about))}`;
    if (news !== this.news || path !== this.path || annotation !== this.annotation) {
      Object.assign(this, { path, annotation, news });
      this.draw();
    }
    for (const end of ['x1', 'x2']) {
      this.here.setAttribute(end, this.place(at));
    }
  }

  draw() {
    const { game, engine } = this;
    const points = game.path.map((node, at) => {
      const winner = node.isOver ? node.view?.outcome?.winner : undefined;
      const known = game.remarksOn(node)?.chance ?? engine.chances.get(node.id);
      return { at, share: winner ? Number(winner === 'white') : known };
    }).filter(({ share }) => typeof share === 'number');
    this.points = points;
    const line = points.map(({ at, share }) => `${this.place(at)},${98 - 96 * share}`);
    this.known.setAttribute('points', line.join(' '));
    const [first, last] = [points[0], points.at(-1)].map((point) => this.place(point?.at ?? 0));
    this.below.setAttribute('points', [`${first},100`, ...line, `${last},100`].join(' '));
    // Mistakes, as long as they are bad.
    this.marks.replaceChildren(...game.path.flatMap((node, at) => {
      const { marks = '' } = (at > 0 && game.remarksOn(node)) || {};
      const height = marks.includes('??') ? 16 : 8;
      const x = this.place(at);
      return marks.includes('?') ? [svg('line', { class: 'mistake', x1: x, x2: x, y1: 0, y2: height })] : [];
    }));
    const said = points.map(({ at, share }) => `after ${movesText(at)} ${Math.round(share * 100)} %`).join(', ');
    this.drawing.setAttribute('aria-label', said ? `White’s chances: ${said}` : 'No evaluation yet');
  }
}
