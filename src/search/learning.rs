//! What a worker knows of a node from earlier ones, and what it keeps for later ones.

use super::history::Earlier;
use super::ordering::Hints;
use super::score::{Bound, Score};
use super::searcher::{Node, Searcher, Visit};
use super::tt::Entry;
use crate::board::Move;

impl<const N: usize> Searcher<'_, N> {
    /// What the search has learnt that may tell which move of a node is good.
    pub(super) fn hints(&self, node: &Node) -> Hints {
        let mover = self.position.to_move();
        let Visit { ply, previous, .. } = node.visit;
        let own = ply.checked_sub(1);
        Hints {
            table: node.table_move,
            killers: self.histories.killers(ply),
            counter: self.histories.counter(mover, previous),
            earlier: Earlier { last: previous, own: own.and_then(|before| self.played[before]) },
        }
    }

    /// Remembers that `mv` cut off where the moves that were `tried` before it failed to.
    pub(super) fn reward(&mut self, node: &Node, hints: &Hints, mv: Move, tried: impl Iterator<Item = Move>) {
        let mover = self.position.to_move();
        let Visit { depth, ply, .. } = node.visit;
        self.histories.reward(mover, mv, tried, hints.earlier, depth, ply);
    }

    /// Remembers the result of a node: in the table, and how wrong the evaluation was.
    pub(super) fn conclude(&mut self, node: &Node, best: Score, best_move: Option<Move>) {
        let Visit { alpha, beta, ply, .. } = node.visit;
        let bound = match () {
            () if best >= beta => Some(Bound::Lower),
            () if best > alpha => None,
            () => Some(Bound::Upper),
        };
        let entry =
            Entry { mv: best_move, score: best.to_table(ply), evaluation: node.raw, depth: node.store_depth, bound };
        self.shared.given.table.store(node.key, entry);
        self.learn(node, best, bound);
    }

    /// Remembers how wrong the evaluation was, where the result says so. A bound does not if the evaluation is on its
    /// open side, nor does what a position is worth without its best move.
    fn learn(&mut self, node: &Node, best: Score, bound: Option<Bound>) {
        let tells = match bound {
            None => true,
            Some(Bound::Lower) => best > node.evaluation,
            Some(Bound::Upper) => best < node.evaluation,
        };
        if tells && node.visit.excluded.is_none() && !node.in_tak && !best.is_decisive() {
            let error = best.value() - node.evaluation.value();
            self.histories.corrections.learn(&node.keys, error, node.visit.depth);
        }
    }
}
