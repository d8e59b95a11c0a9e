// Undo and redo: of moves, of ends without a move, and of moves that had replaced others.

/** The maximum number of stored continuations. */
const CUTS = 100;

export class Undo {
  constructor(game) {
    this.game = game;
  }

  /** Returns whether the board shows an end without a move. Undo reverts only that. */
  get isEndCut() {
    const { at, moves, cuts, ended } = this.game.state;
    return ended !== null && at === moves.length && cuts.at(-1)?.at === at;
  }

  /** Returns whether redo replays a move that had cut off the later ones here. */
  get isCutUndone() {
    return this.game.state.uncut.at(-1)?.at === this.game.state.at;
  }

  /** The continuation that another move here replaces. */
  get cut() {
    const { at, moves, ended } = this.game.state;
    return { at, moves, ended };
  }

  /** The stored continuations and another one. */
  plus(cut) {
    return [...this.game.state.cuts, cut].slice(-CUTS);
  }

  /** The nearest position in this direction (-1 or 1) with the user to move. */
  async step(direction) {
    // The last action was lifting the pieces in hand.
    if (direction < 0 && this.game.hand.cancel()) {
      return;
    }
    const { moves, mode, human, cuts } = this.game.state;
    const isOurs = (at) => mode !== 'engine' || this.game.turnAfter(at) === human;
    if (direction > 0 && this.isCutUndone) {
      await this.redoCut();
      return;
    }
    if (direction < 0 && this.isEndCut) {
      await this.undoCut();
      return;
    }
    let at = this.game.state.at + direction;
    while (at >= 0 && at < moves.length && !isOurs(at)) {
      at += direction;
    }
    if (at < 0 || at > moves.length) {
      this.game.refuse(direction < 0 ? 'nothing to undo' : 'nothing to redo');
      return;
    }
    if (direction < 0 && at <= cuts.at(-1)?.at) {
      await this.undoCut();
      return;
    }
    const reopened = direction < 0 && mode !== 'analysis' ? this.game.reopened : {};
    const takebacks = this.game.state.takebacks + (direction < 0 && mode === 'engine' ? 1 : 0);
    await this.game.load({ at, present: at, takebacks, ...reopened }, { slides: direction > 0 });
    this.game.say(`${direction < 0 ? 'Undone' : 'Redone'}. ${this.game.turn()}`);
  }

  /** Restores the continuation before another move was played, or before the game ended without a move. */
  async undoCut() {
    const { cuts, uncut } = this.game.state;
    const { at, moves, ended } = cuts.at(-1);
    const undone = { ...this.cut, at, to: this.game.state.at };
    const back = moves.length > at ? 'the earlier moves are restored' : 'the game continues';
    await this.game.load({ ...this.game.reopened, moves, at, ended, present: at, cuts: cuts.slice(0, -1), uncut: [...uncut, undone] });
    this.game.say(`Undone; ${back}. ${this.game.turn()}`);
  }

  /** Redoes the other move. */
  async redoCut() {
    const { cuts, uncut } = this.game.state;
    const { to, moves, ended } = uncut.at(-1);
    await this.game.load({ moves, at: to, ended, present: to, cuts: [...cuts, this.cut], uncut: uncut.slice(0, -1) });
    this.game.say(`Redone. ${this.game.turn()}`);
  }
}
