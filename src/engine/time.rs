//! Where an engine reads the time.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A clock that never goes back. It is the system's unless another one is given, as tests do.
#[derive(Clone)]
pub struct TimeSource(Arc<dyn Fn() -> Duration + Send + Sync>);

impl TimeSource {
    /// `now` tells the time passed since some moment in the past, and may be asked from any thread.
    pub fn new(now: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }

    /// Begins to measure a request that has waited for some time already.
    pub(super) fn measure(&self, waited: Duration) -> Stopwatch {
        Stopwatch {
            source: self.clone(),
            begun: (self.0)(),
            waited,
        }
    }
}

impl Default for TimeSource {
    fn default() -> Self {
        let origin = Instant::now();
        Self::new(move || origin.elapsed())
    }
}

impl fmt::Debug for TimeSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TimeSource").field(&(self.0)()).finish()
    }
}

/// The time since a request was made.
#[derive(Debug)]
pub(super) struct Stopwatch {
    source: TimeSource,
    begun: Duration,
    waited: Duration,
}

impl Stopwatch {
    pub fn elapsed(&self) -> Duration {
        self.waited + (self.source.0)().saturating_sub(self.begun)
    }
}
