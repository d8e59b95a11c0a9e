//! Late move reduction (chessprogramming.org/Late_Move_Reductions): a formula for the root and one for all other nodes.
//!
//! Assumes that late moves do not raise alpha, so they are searched less deeply, and again with full depth (or a ply
//! more) only if the reduced search raises alpha. Placements that threaten a road and all evasions are not reduced,
//! except at the root. A threat by a spread is detected only after the move; the node then undoes part of the
//! reduction. Fails for a quiet move that prepares a tinue, which is found later.

use super::ordering::Hints;
use super::params::{
    history_per_ply, reduction_cut, reduction_depth, reduction_divisor, reduction_first, reduction_first_pv,
    reduction_offset, reduction_trusted, reduction_worsening, root_reduction_depth, root_reduction_divisor,
    root_reduction_first, root_reduction_most,
};
use super::searcher::{Node, Searcher};
use super::visit::Candidate;

/// The binary logarithm, rounded down, plus one.
fn log(x: usize) -> i32 {
    (usize::BITS - x.leading_zeros()) as i32
}

/// The reduction in plies of the move with this `number` in a node of `depth` plies, before other criteria.
#[inline]
fn base_reduction(depth: i32, number: usize) -> i32 {
    (reduction_offset() + log(depth as usize) * log(number)) / reduction_divisor()
}

impl<const N: usize> Searcher<'_, N> {
    /// The reduction of a move in plies.
    pub(super) fn reduction<const PV: bool>(&self, node: &Node, hints: &Hints, candidate: Candidate) -> i32 {
        let Candidate { mv, is_tak, number, .. } = candidate;
        let depth = node.visit.depth;
        let first = reduction_first() + if PV { reduction_first_pv() } else { 0 };
        if is_tak || node.in_tak || depth < reduction_depth() || number < first as usize {
            return 0;
        }
        let mut plies = base_reduction(depth, number);
        if !PV && node.visit.cut {
            plies += reduction_cut();
        }
        if !node.improving {
            plies += reduction_worsening();
        }
        if PV || hints.killers.contains(&Some(mv)) || hints.counter == Some(mv) {
            plies -= reduction_trusted();
        }
        plies -= self.histories.history(self.position.to_move(), mv) / history_per_ply();
        plies.clamp(0, depth - 1)
    }
}

/// The reduction of the root move with this `number` in an iteration of `depth` plies. Root moves are reduced less than
/// others: a good move missed here is a move not played.
pub(super) fn root_reduction(depth: i32, number: usize) -> i32 {
    if depth < root_reduction_depth() || number < root_reduction_first() as usize {
        return 0;
    }
    (log(number) / root_reduction_divisor()).min(root_reduction_most())
}
