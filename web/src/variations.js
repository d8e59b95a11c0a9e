// Lines of a game other than the main one: they are shown, continued, promoted and deleted.

export class Variations {
  constructor(game) {
    this.game = game;
  }

  /** Plays a move on an analysis board: the next one of a known line, or the first one of a variation. */
  async branch(move) {
    const { path, state: { at, moves } } = this.game;
    const child = path[at].child(move);
    const line = child ? this.game.tree.lineThrough(child) : [...moves.slice(0, at), move];
    const changes = { moves: child === path[at + 1] ? moves : line, at: at + 1, present: at + 1, uncut: [] };
    await this.game.load(changes, { slides: true, isOwn: true });
  }

  /** Changes to the line of a node. After a game, this is an analysis. */
  async show(node) {
    const moves = this.game.tree.lineThrough(node);
    await this.game.load({ moves, at: node.depth, present: node.depth, mode: 'analysis', clock: null, cuts: [], uncut: [] });
  }

  /** The first node of the variation on the board, or null. */
  get first() {
    return this.game.tree.variationOf(this.game.path[this.game.state.at]);
  }

  /** Makes the variation on the board the main line. */
  promote() {
    this.game.tree.promote(this.game.path[this.game.state.at]);
    this.game.store();
    this.game.keep(this.game.state);
    this.game.changed();
    this.game.say('This is the main line now.');
  }

  /** Removes the variation on the board. */
  async prune() {
    const first = this.first;
    await this.show(first.parent);
    this.game.tree.remove(first);
    this.game.store();
    this.game.keep(this.game.state);
    this.game.changed();
    this.game.say(`The variation ${first.move} is deleted.`);
  }
}
