//! The clock of a search.

use std::time::Duration;

/// The clock of a search, which hears from the workers.
pub(crate) trait Pulse: Sync {
    /// The time since the search was asked for.
    ///
    /// A worker calls this whenever it is about to look at the stop flag, before every portion of nodes and even
    /// without a limit of time. So the clock may set that flag.
    fn poll(&self) -> Duration;

    /// Hears that the worker of this number begins its part of an iteration on this thread, which ends there too.
    fn begin(&self, _worker: usize) {}

    /// Hears that the worker on this thread has ended its part.
    fn end(&self) {}
}

impl<F: Fn() -> Duration + Sync> Pulse for F {
    fn poll(&self) -> Duration {
        self()
    }
}
