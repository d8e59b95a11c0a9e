//! The clock of an engine.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// A monotonic clock. The default is that of the system; another one can be used without a system, or in a test.
///
/// ```
/// use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
/// use std::time::Duration;
/// # use tak_engine_core as tak_engine;
/// use tak_engine::board::{AnyPosition, Game, Komi, Size};
/// use tak_engine::engine::{Engine, Limits, Settings, TimeSource};
///
/// // A millisecond passes with every call.
/// let calls = AtomicU64::new(0);
/// let time = TimeSource::new(move || Duration::from_millis(calls.fetch_add(1, Relaxed)));
/// let mut engine = Engine::with_time(Settings { hash_mib: 1, ..Settings::default() }, time);
/// let game = Game::new(AnyPosition::start(Size::new(6)?, Komi::ZERO));
/// let report = engine.analyse(&game, Limits::move_time(Duration::from_millis(30)))?;
/// assert!(report.time <= Duration::from_millis(40));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct TimeSource(Arc<dyn Fn() -> Duration + Send + Sync>);

impl TimeSource {
    /// `now` returns the time since some moment in the past, and may be called from any thread. A search calls it
    /// whenever it looks at its stop flag, and before that, so it may also set the flag.
    pub fn new(now: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }

    /// The time since some moment in the past.
    #[must_use]
    pub fn now(&self) -> Duration {
        (self.0)()
    }

    /// Starts a stopwatch for a request that has already waited.
    pub(super) fn measure(&self, waited: Duration) -> Stopwatch {
        Stopwatch {
            source: self.clone(),
            begun: (self.0)(),
            waited,
            last_call: AtomicU64::new(u64::MAX),
            longest_gap: AtomicU64::new(0),
        }
    }
}

/// The time since the call, by the system's clock.
impl Default for TimeSource {
    fn default() -> Self {
        Instant::now().into()
    }
}

/// The time since `begun`, by the system's clock.
impl From<Instant> for TimeSource {
    fn from(begun: Instant) -> Self {
        Self::new(move || begun.elapsed())
    }
}

impl fmt::Debug for TimeSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TimeSource").field(&(self.0)()).finish()
    }
}

/// The time since a request. Records the longest time between two calls: a search calls it about once a millisecond,
/// unless it is stalled.
#[derive(Debug)]
pub(super) struct Stopwatch {
    source: TimeSource,
    begun: Duration,
    waited: Duration,
    /// In nanoseconds; `u64::MAX` before the first call.
    last_call: AtomicU64,
    longest_gap: AtomicU64,
}

impl Stopwatch {
    /// The time so far, without recording the call.
    pub fn now(&self) -> Duration {
        self.waited + (self.source.0)().saturating_sub(self.begun)
    }

    pub fn elapsed(&self) -> Duration {
        let elapsed = self.now();
        let now = u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX);
        let gap = now.saturating_sub(self.last_call.swap(now, Relaxed));
        self.longest_gap.fetch_max(gap, Relaxed);
        elapsed
    }

    /// Resets the longest time between two calls.
    pub fn reset_longest_gap(&self) {
        self.last_call.store(u64::MAX, Relaxed);
        self.longest_gap.store(0, Relaxed);
    }

    /// The longest time between two calls.
    pub fn longest_gap(&self) -> Duration {
        Duration::from_nanos(self.longest_gap.load(Relaxed))
    }
}
