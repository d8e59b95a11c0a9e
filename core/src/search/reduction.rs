//! Late move reduction (chessprogramming.org/Late_Move_Reductions): one formula, with separate parameters for the root
//! and for all other nodes.
//!
//! Assumes that late moves do not raise alpha, so they are searched less deeply, and again with full depth (or a ply
//! more) only if the reduced search raises alpha. Placements that threaten a road and all evasions are not reduced,
//! except at the root. A threat by a spread is detected only after the move; the node then undoes part of the
//! reduction. Fails for a quiet move that prepares a tinue, which is found later.

use super::ordering::Hints;
use super::params::{
    history_per_ply, reduction_cut, reduction_depth, reduction_divisor, reduction_first, reduction_first_pv,
    reduction_number, reduction_offset, reduction_product, reduction_trusted, reduction_worsening,
    root_reduction_depth, root_reduction_divisor, root_reduction_first, root_reduction_most, root_reduction_number,
    root_reduction_offset, root_reduction_product,
};
use super::searcher::{Node, Searcher};
use super::visit::Candidate;

/// The parameters of the formula.
struct Scale {
    /// Minimum depth of a node whose moves are reduced.
    depth: i32,
    /// Number of the first move that is reduced.
    first: i32,
    /// Maximum reduction in plies.
    max: i32,
    offset: i32,
    /// Weight of the logarithm of the number.
    number: i32,
    /// Weight of the product of the logarithms of number and depth.
    product: i32,
    divisor: i32,
}

impl Scale {
    /// The reduction in plies of the move with this `number` in a node of `depth` plies. `more` adjusts it by other
    /// criteria.
    #[inline]
    fn reduction(&self, depth: i32, number: usize, more: impl FnOnce() -> i32) -> i32 {
        if depth < self.depth || number < self.first as usize {
            return 0;
        }
        // Binary, rounded down, plus one.
        let log = |x: usize| (usize::BITS - x.leading_zeros()) as i32;
        let weight = self.number + self.product * log(depth as usize);
        let plies = (self.offset + weight * log(number)) / self.divisor;
        (plies + more()).clamp(0, self.max)
    }
}

impl<const N: usize> Searcher<'_, N> {
    /// The reduction of a move in plies.
    pub(super) fn reduction<const PV: bool>(&self, node: &Node, hints: &Hints, candidate: Candidate) -> i32 {
        let Candidate { mv, is_tak, number, .. } = candidate;
        if is_tak || node.in_tak {
            return 0;
        }
        let scale = Scale {
            depth: reduction_depth(),
            first: reduction_first() + if PV { reduction_first_pv() } else { 0 },
            max: node.visit.depth - 1,
            offset: reduction_offset(),
            number: reduction_number(),
            product: reduction_product(),
            divisor: reduction_divisor(),
        };
        scale.reduction(node.visit.depth, number, || {
            let mut more = 0;
            if !PV && node.visit.cut {
                more += reduction_cut();
            }
            if !node.improving {
                more += reduction_worsening();
            }
            if PV || hints.killers.contains(&Some(mv)) || hints.counter == Some(mv) {
                more -= reduction_trusted();
            }
            more - self.histories.history(self.position.to_move(), mv) / history_per_ply()
        })
    }
}

/// The reduction of the root move with this `number` in an iteration of `depth` plies. Root moves are reduced less than
/// others: a good move missed here is a move not played.
pub(super) fn root_reduction(depth: i32, number: usize) -> i32 {
    let scale = Scale {
        depth: root_reduction_depth(),
        first: root_reduction_first(),
        max: root_reduction_most(),
        offset: root_reduction_offset(),
        number: root_reduction_number(),
        product: root_reduction_product(),
        divisor: root_reduction_divisor(),
    };
    scale.reduction(depth, number, || 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_root_moves_lose_at_most_two_plies() {
        assert_eq!(root_reduction(2, 100), 0);
        for depth in [3, 9, 40] {
            let reductions = [4, 5, 7, 8, 31, 32, 500].map(|n| root_reduction(depth, n));
            assert_eq!(reductions, [0, 1, 1, 2, 2, 2, 2]);
        }
    }

    #[test]
    fn reductions_grow_with_depth_and_number() {
        let scale = Scale { depth: 2, first: 2, max: 9, offset: 1, number: 0, product: 1, divisor: 4 };
        let of = |depth, number| scale.reduction(depth, number, || 0);
        for depth in 2..30 {
            for number in 2..200 {
                assert!(of(depth, number) <= of(depth + 1, number).min(of(depth, number + 1)));
            }
        }
        assert_eq!([of(1, 9), of(9, 1), of(9, 9)], [0, 0, 4]);
        assert_eq!(scale.reduction(9, 9, || -5), 0);
        assert_eq!(scale.reduction(9, 9, || 6), 9);
    }
}
