//! What nodes pass to each other: arguments, moves and results.

use super::score::Score;
use crate::board::Move;

/// Arguments of a node search, passed down by the parent.
#[derive(Debug, Clone, Copy)]
pub(super) struct Visit {
    pub alpha: Score,
    pub beta: Score,
    /// Remaining plies.
    pub depth: i32,
    /// Plies from the root.
    pub ply: usize,
    /// Expected cut node.
    pub cut: bool,
    /// The move that led here, `None` for the root and after a null move.
    pub previous: Option<Move>,
    /// Excluded move (singular extension search).
    pub excluded: Option<Move>,
    /// Reduction applied by late move reduction in the parent.
    pub reduced: i32,
}

/// A move about to be searched.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub mv: Move,
    /// A placement that threatens a road. Always false for spreads and the table move.
    pub is_tak: bool,
    /// Index in the move order, without pruned moves.
    pub number: usize,
    /// It has not been deferred yet.
    pub can_defer: bool,
}

/// The reason why nodes are left without a score, up to the given node or the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unwind {
    /// The search has to end.
    Halted,
    /// The root move is searched, or a root move has reached beta.
    RootDone,
    /// Another worker has settled the node at this ply; this is its score.
    To { ply: u16, score: Score },
}

/// The score of a node for the player to move.
pub(super) type Searched = Result<Score, Unwind>;

// It fits into a register.
const _: () = assert!(size_of::<Searched>() == 8);
