//! Singular extension (Anantharaman, Campbell and Hsu 1988; in the form of Stockfish,
//! chessprogramming.org/Singular_Extensions).
//!
//! If the table move is good, all other moves are searched less deeply against a slightly lower score. If all of them
//! fail low, the table move is the only good one and is extended. If the others reach beta, the node is cut (multicut,
//! Björnsson and Marsland 2001); otherwise the table move may be reduced. Assumes that forced moves need more depth.
//! Fails in quiet openings, where one placement is a little better than the others without being forced. Not used in
//! tak: those moves are usually forced, are searched in full, and quiescence continues after them.

use super::params::{
    singular_board, singular_depth, singular_divisor, singular_entry, singular_margin, singular_plies, singular_relief,
};
use super::score::{Bound, Score};
use super::searcher::{Node, Searcher};
use super::tt::Entry;
use super::visit::{Unwind, Visit};
use crate::board::{Move, spread};

/// Result of the search without the table move.
pub(super) enum Singular {
    /// Extension of the table move in plies; negative for a reduction.
    Deeper(i32),
    Settled(Score),
}

/// The table key of a search with an excluded move.
pub(super) fn excluded_key(key: u64, excluded: Option<Move>) -> u64 {
    match excluded {
        None => key,
        // Plus one, since a move may have no bit set.
        Some(mv) => key ^ spread(u64::from(mv.bits()) + 1),
    }
}

impl Node {
    /// The score of the table move, if it is a candidate for extension.
    fn may_be_singular(&self, known: Option<Entry>, root_depth: i32) -> Option<Score> {
        let entry = known?;
        let Visit { depth, ply, excluded, .. } = self.visit;
        let is_candidate = depth >= singular_depth()
            && excluded.is_none()
            && self.table_move.is_some()
            && !self.in_tak
            && self.may_extend(root_depth)
            && entry.bound != Some(Bound::Upper)
            && entry.depth >= depth - singular_entry();
        let score = entry.score.from_table(ply);
        (is_candidate && !score.is_decisive()).then_some(score)
    }
}

impl<const N: usize> Searcher<'_, N> {
    /// Determines whether the table move is the only good one; `known` is the table entry of the node.
    pub(super) fn singular<const PV: bool>(&mut self, node: &Node, known: Option<Entry>) -> Result<Singular, Unwind> {
        let score = if N as i32 > singular_board() { None } else { node.may_be_singular(known, self.root_depth) };
        let Some(score) = score else {
            return Ok(Singular::Deeper(0));
        };
        let bound = score - singular_margin() * node.visit.depth;
        let others = self.node::<false>(Visit {
            alpha: bound - 1,
            beta: bound,
            depth: (node.visit.depth - 1) / singular_divisor(),
            excluded: node.table_move,
            reduced: 0,
            ..node.visit
        })?;
        Ok(match () {
            () if others < bound => Singular::Deeper(singular_plies()),
            // A decisive score is not a proof here, because moves were excluded.
            () if !PV && others >= node.visit.beta && !others.is_decisive() => Singular::Settled(others),
            () if score >= node.visit.beta || node.visit.cut => Singular::Deeper(-singular_relief()),
            () => Singular::Deeper(0),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    #[test]
    fn excluded_moves_have_distinct_keys() {
        let position: Position<6> = "x6/x3,1,x2/x2,2C,121,x2/x,2,1,1,x2/x,1,2,x3/1,x4,2 1 6".parse().unwrap();
        let mut moves = Vec::new();
        position.generate_moves(&mut moves);
        let keys = moves.iter().map(|&mv| excluded_key(42, Some(mv)));
        let mut keys: Vec<u64> = keys.chain([excluded_key(42, None)]).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), moves.len() + 1);
        assert!(keys.contains(&42));
    }
}
