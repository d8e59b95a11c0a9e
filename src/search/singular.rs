//! Singular extension (Anantharaman, Campbell and Hsu 1988; in the form of Stockfish, chessprogramming.org/Singular_Extensions).
//!
//! Where the table says that its move is good, all others are searched less deeply against a somewhat lower score. If none
//! comes up to it, the table move is the only good one, and is searched a ply deeper: it bets that what is forced deserves a
//! closer look. If others do, there are two signs more: that the node cuts off anyway (multicut, Björnsson and Marsland
//! 2001), and that the table move needs no full depth. Tak breaks the bet in quiet openings, where one placement is a little
//! better than all the rest without being forced; answers to taks, which mostly are forced, are left out, since they are
//! searched in full and quiescence looks on.

use super::params::{
    singular_board, singular_depth, singular_divisor, singular_entry, singular_margin, singular_plies, singular_relief,
};
use super::score::{Bound, Score};
use super::searcher::{Node, Searcher, Visit};
use super::tt::Entry;
use crate::board::Move;

/// What the moves besides the table's say.
pub(super) enum Singular {
    /// How many plies deeper to search the table move.
    Deeper(i32),
    /// The score of the node.
    Settled(Score),
}

/// The key in the table of what a position is worth without a move.
pub(super) fn excluded_key(key: u64, excluded: Option<Move>) -> u64 {
    match excluded {
        None => key,
        // One more, since a move may have no bit set.
        Some(mv) => key ^ (u64::from(mv.bits()) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15),
    }
}

impl Node {
    /// The score of the table move, if it is worth asking whether it is the only good one.
    fn may_be_singular(&self, known: Option<Entry>, root_depth: i32) -> Option<Score> {
        let entry = known?;
        let Visit { depth, ply, excluded, .. } = self.visit;
        let wanted = depth >= singular_depth()
            && excluded.is_none()
            && self.table_move.is_some()
            && !self.in_tak
            && self.may_extend(root_depth)
            && entry.bound != Some(Bound::Upper)
            && entry.depth >= depth - singular_entry();
        let score = entry.score.from_table(ply);
        (wanted && !score.is_decisive()).then_some(score)
    }
}

impl<const N: usize> Searcher<'_, N> {
    /// Asks whether the table move is the only good one; `known` is what the table says of the node.
    pub(super) fn singular<const PV: bool>(&mut self, node: &Node, known: Option<Entry>) -> Singular {
        if N as i32 > singular_board() {
            return Singular::Deeper(0);
        }
        let Some(score) = node.may_be_singular(known, self.root_depth) else {
            return Singular::Deeper(0);
        };
        let bound = score - singular_margin() * node.visit.depth;
        let others = self.node::<false>(Visit {
            alpha: bound - 1,
            beta: bound,
            depth: (node.visit.depth - 1) / singular_divisor(),
            excluded: node.table_move,
            reduced: 0,
            ..node.visit
        });
        match () {
            () if self.stopped => Singular::Settled(Score::DRAW),
            () if others < bound => Singular::Deeper(singular_plies()),
            // A decisive score is none here: moves have been left out that nothing was proven of.
            () if !PV && others >= node.visit.beta && !others.is_decisive() => Singular::Settled(others),
            () if score >= node.visit.beta || node.visit.cut => Singular::Deeper(-singular_relief()),
            () => Singular::Deeper(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    #[test]
    fn every_move_left_out_has_a_key_of_its_own() {
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
