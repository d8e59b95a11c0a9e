//! A move at the root and what is known of it.

use super::score::{Bound, Score};
use crate::board::Move;

/// A move at the root.
#[derive(Debug, Clone)]
pub(super) struct RootMove {
    pub mv: Move,
    /// What the present pass found, minus infinity if it did not raise alpha.
    pub score: Score,
    /// Whether the score is only a bound.
    pub bound: Option<Bound>,
    /// The score of the last iteration.
    pub previous: Score,
    /// The best line known, `mv` first.
    pub line: Vec<Move>,
    /// Nodes spent on it in this iteration.
    pub nodes: u64,
}

impl RootMove {
    pub fn new(mv: Move) -> Self {
        Self { mv, score: -Score::INFINITE, bound: None, previous: -Score::INFINITE, line: vec![mv], nodes: 0 }
    }
}
