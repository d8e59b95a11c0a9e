//! What a front end allows a search.

use std::time::Duration;

use crate::search::Clock;

/// How long to search. Whatever comes first ends the search; with no limit at all it goes on until it is stopped or the
/// result is known.
///
/// ```
/// use std::time::Duration;
/// use tak_engine::engine::Limits;
///
/// let limits = Limits { nodes: Some(1_000_000), ..Limits::move_time(Duration::from_secs(3)) };
/// assert_eq!(limits.depth, None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// The last iteration to complete, in plies.
    pub depth: Option<u32>,
    /// Positions to visit.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// The clock of the player to move, from which the engine decides how much to use. Does not count beside
    /// `move_time`.
    pub clock: Option<Clock>,
}

impl Limits {
    /// Only this depth, in plies.
    #[must_use]
    pub fn depth(plies: u32) -> Self {
        Self { depth: Some(plies), ..Self::default() }
    }

    /// Only this number of positions: on one thread a search that always gives the same result.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// Only this time.
    #[must_use]
    pub fn move_time(time: Duration) -> Self {
        Self { move_time: Some(time), ..Self::default() }
    }

    /// Only what the clock of the player to move allows.
    #[must_use]
    pub fn clock(clock: Clock) -> Self {
        Self { clock: Some(clock), ..Self::default() }
    }
}
