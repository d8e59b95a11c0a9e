//! The reference players that anchor the scale of the levels: random play with a purpose, repeatable by position and
//! seed.

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use tak_engine::board::{AnyPosition, Move, MoveKind, PieceKind};

/// A reference player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reference {
    /// Three moves in four place a flat on a random empty square; the others are random legal moves.
    Placer,
    /// The same, except that it completes a road when it can.
    RoadTaker,
}

impl Reference {
    /// The move in `position`; `None` if there is no legal move.
    pub fn choose(self, position: &AnyPosition, seed: u64) -> Option<Move> {
        if let (Self::RoadTaker, Some(road)) = (self, position.winning_move(position.to_move())) {
            return Some(road);
        }
        let mut rng = StdRng::seed_from_u64(position.hash() ^ u64::from(position.ply()) << 48 ^ seed);
        let moves = position.legal_moves();
        let is_flat = |mv: &&Move| mv.kind() == MoveKind::Place(PieceKind::Flat);
        let flats: Vec<Move> = moves.iter().filter(is_flat).copied().collect();
        let pool = if rng.random_bool(0.75) && !flats.is_empty() { flats } else { moves };
        pool.choose(&mut rng).copied()
    }
}
