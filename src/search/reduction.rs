//! How much less deeply late moves are searched.
//!
//! Late move reduction (chessprogramming.org/Late_Move_Reductions). It bets that moves late in the order do not raise
//! alpha, so they are searched less deeply, and again in full only if the shallower search says that they do. Tak breaks
//! the bet where a move threatens a road: taks and the answers to them are searched in full. A quiet move that prepares a
//! tinue is still found later than it could be.

use super::ordering::Hints;
use super::params::{
    history_per_ply, reduction_depth, reduction_divisor, reduction_first, reduction_offset,
    root_reduction_depth, root_reduction_first, root_reduction_second,
};
use super::searcher::{Candidate, Node, Searcher};

impl<const N: usize> Searcher<'_, N> {
    /// How many plies less deeply a move of a node is searched.
    pub(super) fn reduction<const PV: bool>(
        &self,
        node: &Node,
        hints: &Hints,
        candidate: Candidate,
    ) -> i32 {
        let Candidate { mv, is_tak, number } = candidate;
        let first = reduction_first() as usize + usize::from(PV);
        if is_tak || node.in_tak || node.depth < reduction_depth() || number < first {
            return 0;
        }
        let log = |x: usize| (usize::BITS - x.leading_zeros()) as i32;
        let product = log(node.depth as usize) * log(number);
        let mut reduction = (product + reduction_offset()) / reduction_divisor();
        if !PV && node.cut {
            reduction += 1;
        }
        if !node.improving {
            reduction += 1;
        }
        if PV || hints.killers.contains(&Some(mv)) || hints.counter == Some(mv) {
            reduction -= 1;
        }
        reduction -= self.memory.history(self.position.to_move(), mv) / history_per_ply();
        reduction.clamp(0, node.depth - 1)
    }
}

/// How many plies less deeply a root move with this place in the order is searched, in an iteration of `depth` plies. The
/// root is reduced less than other nodes: a good move missed here is a move not played.
pub(super) fn root_reduction(depth: i32, number: usize) -> i32 {
    if depth < root_reduction_depth() || number < root_reduction_first() as usize {
        return 0;
    }
    1 + i32::from(number >= root_reduction_second() as usize)
}
