// The turning points of an annotated game: the moves with question marks, each with its remark.

import { make } from './elements.js';

export class Review {
  constructor(list, game) {
    Object.assign(this, { list, game, nodes: null });
    list.addEventListener('click', (event) => {
      const depth = event.target.closest('button')?.dataset.depth;
      if (depth) {
        game.do(() => game.visit(this.nodes[Number(depth)]));
      }
    });
  }

  show() {
    const { game } = this;
    const nodes = game.annotatedNodes();
    if (nodes !== this.nodes) {
      this.nodes = nodes;
      this.list.replaceChildren(...nodes.slice(1).flatMap((node) => this.row(node)));
    }
    this.list.hidden = this.list.childElementCount === 0;
  }

  /** The row of a move; none if it is no mistake. */
  row(node) {
    const { marks = '', says = [] } = this.game.remarksOn(node) ?? {};
    if (!marks.includes('?') || node.parent.tps === null) {
      return [];
    }
    const { number, turn } = node.parent;
    // The whole line is below the graph, once the move is on the board.
    const why = says.join(', ').replace(/ better (\S+).*/, ' better $1');
    const button = make('button', { type: 'button' },
      make('strong', { textContent: `${number}.${turn === 'white' ? '' : '..'} ${node.move}${marks}` }), ` ${why}`);
    button.dataset.depth = node.depth;
    return [make('li', {}, button)];
  }
}
