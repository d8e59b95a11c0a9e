// The turning points of an annotated game: the moves with question marks, each with its remark. After a game against the
// engine those of the user come first, and those of the engine are folded.

import { betterOf } from './attempt.js';
import { make } from './elements.js';

export class Review {
  constructor(list, game, attempt) {
    Object.assign(this, { list, game, nodes: null, side: null });
    list.addEventListener('click', (event) => {
      const { depth, again } = event.target.closest('button')?.dataset ?? {};
      if (depth) {
        game.do(() => game.visit(this.nodes[Number(depth)]));
      } else if (again) {
        game.do(() => attempt.begin(this.nodes[Number(again)]));
      }
    });
  }

  show() {
    const { game } = this;
    const [nodes, { side }] = [game.annotatedNodes(), game];
    if (nodes !== this.nodes || side !== this.side) {
      Object.assign(this, { nodes, side });
      const isOwn = ({ parent }) => (side ?? parent.turn) === parent.turn;
      const rows = (from) => from.flatMap((node) => this.row(node));
      const others = rows(nodes.slice(1).filter((node) => !isOwn(node)));
      const folded = make('details', {}, make('summary', { textContent: 'Mistakes of the engine' }), make('ol', {}, ...others));
      this.list.replaceChildren(...rows(nodes.slice(1).filter(isOwn)), ...(others.length > 0 ? [make('li', {}, folded)] : []));
    }
    this.list.hidden = this.list.childElementCount === 0;
  }

  /** The row of a move; none if it is no mistake. */
  row(node) {
    const remarks = this.game.remarksOn(node);
    const { marks = '', says = [] } = remarks ?? {};
    if (!marks.includes('?') || node.parent.tps === null) {
      return [];
    }
    const { number, turn } = node.parent;
    // The better move is below the graph, once this one is on the board: the player may look for it.
    const why = (says[0] ?? '').replace(/, better .*/, '').replace(/chances (\d+) to (\d+)/, 'chances $1\u00a0% to $2\u00a0%');
    const button = make('button', { type: 'button' },
      make('strong', { textContent: `${number}.${turn === 'white' ? '' : '..'} ${node.move}${marks}` }), ` ${why}`);
    button.dataset.depth = node.depth;
    if (!betterOf(remarks)) {
      return [make('li', {}, button)];
    }
    const again = make('button', { type: 'button', textContent: 'Try again', ariaLabel: `Try again: ${node.move}` });
    again.dataset.again = node.depth;
    return [make('li', {}, button, again)];
  }
}
