//! What a search has found: plain data, handed to an observer while it runs and returned at its end.

use std::time::Duration;

use super::{Score, Solved};
use crate::board::Move;

/// One line of play with its score. In MultiPV searches the k-th best root move has the k-th line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// For the player to move at the root.
    pub score: Score,
    /// The proven result, where there is one.
    pub solved: Option<Solved>,
    /// The moves of the line, all legal; the first is the root move.
    pub pv: Vec<Move>,
}

/// The state of a search after an iteration (or after its end).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    /// Plies of the last completed iteration; 0 if none was.
    pub depth: u32,
    /// The deepest ply looked at.
    pub seldepth: u32,
    /// Best first; as many as MultiPV asks for, where there are as many legal moves. Empty when the game is over.
    pub lines: Vec<Line>,
    /// Positions visited.
    pub nodes: u64,
    /// Since the search began.
    pub time: Duration,
    /// Fill of the transposition table in thousandths.
    pub hashfull: u32,
}

impl Report {
    /// The move to play, unless the game is over.
    #[must_use]
    pub fn best(&self) -> Option<Move> {
        self.lines.first()?.pv.first().copied()
    }

    /// Nodes a second so far, 0 when no time has passed.
    #[must_use]
    pub fn nps(&self) -> u64 {
        let nanos = self.time.as_nanos().max(1);
        u64::try_from(u128::from(self.nodes) * 1_000_000_000 / nanos).unwrap_or(u64::MAX)
    }
}
