//! When a search has to stop.

use std::time::Duration;

/// Everything that can end a search besides its stop flag. Whichever is reached first counts. With all of them `None` the
/// search runs until it is stopped, or the result is proven.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct SearchLimits {
    /// The last iteration to complete, in plies.
    pub depth: Option<u32>,
    /// Visit no more than this many positions.
    pub nodes: Option<u64>,
    /// Begin no further iteration after this time (scaled by how long the best move has stood).
    pub soft: Option<Duration>,
    /// Return within this time.
    pub hard: Option<Duration>,
    /// Until depth 3 is reached this counts in the place of both: a machine that stalls may leave a search no processor before.
    pub shallow: Option<Duration>,
    /// When these times begin, after the search was asked for. What a search on the opponent's time has done before is
    /// gained.
    pub begun: Duration,
}

impl SearchLimits {
    /// Below this depth [`SearchLimits::shallow`] counts.
    const SHALLOW: u32 = 3;

    /// When a search has to return that has completed `depth` iterations.
    pub fn latest(&self, depth: u32) -> Option<Duration> {
        let shallow = self.shallow.filter(|_| depth < Self::SHALLOW);
        shallow.or(self.hard)
    }
}
