//! Search limits of a front end.

use std::time::Duration;

use crate::search::Clock;

/// Search limits. The first limit reached ends the search; without limits it runs until it is stopped or the result is
/// known.
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
    /// The clock of the player to move, from which the engine allots time. Ignored if `move_time` is set.
    pub clock: Option<Clock>,
}

impl Limits {
    /// Only this depth, in plies.
    #[must_use]
    pub fn depth(plies: u32) -> Self {
        Self { depth: Some(plies), ..Self::default() }
    }

    /// Only this number of positions; on one thread the result is deterministic.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// Only this time.
    #[must_use]
    pub fn move_time(time: Duration) -> Self {
        Self { move_time: Some(time), ..Self::default() }
    }

    /// Only the clock of the player to move.
    #[must_use]
    pub fn clock(clock: Clock) -> Self {
        Self { clock: Some(clock), ..Self::default() }
    }
}
