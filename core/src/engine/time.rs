//! The clock of an engine.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crate::search::Pulse;

/// A monotonic clock, which searches poll. The default is that of the system; another one can be used without a system,
/// or in a test.
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
pub struct TimeSource {
    now: Arc<dyn Fn() -> Duration + Send + Sync>,
    poll: Option<Arc<dyn Fn() + Send + Sync>>,
}

impl TimeSource {
    /// `now` returns the time since some moment in the past, and may be called from any thread.
    pub fn new(now: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        Self { now: Arc::new(now), poll: None }
    }

    /// The same clock for searches that nobody can interrupt: a search calls `poll` before each look at its stop flag,
    /// about once a millisecond, so that it may set the flag.
    #[must_use]
    pub fn polled_by(self, poll: impl Fn() + Send + Sync + 'static) -> Self {
        Self { poll: Some(Arc::new(poll)), ..self }
    }

    /// The time since some moment in the past.
    pub fn now(&self) -> Duration {
        (self.now)()
    }

    /// Starts a stopwatch for a request that has already waited.
    pub(super) fn measure(&self, waited: Duration) -> Stopwatch {
        Stopwatch {
            source: self.clone(),
            begun: self.now(),
            waited,
            last_poll: AtomicU64::new(u64::MAX),
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
        f.debug_tuple("TimeSource").field(&self.now()).finish()
    }
}

/// The time since a request. Records the longest time between two polls: a search polls about once a millisecond,
/// unless it is stalled.
#[derive(Debug)]
pub(super) struct Stopwatch {
    source: TimeSource,
    begun: Duration,
    waited: Duration,
    /// The time of the last poll in nanoseconds; `u64::MAX` before the first one.
    last_poll: AtomicU64,
    longest_gap: AtomicU64,
}

impl Stopwatch {
    /// The time so far, without a poll.
    pub fn now(&self) -> Duration {
        self.waited + self.source.now().saturating_sub(self.begun)
    }

    /// Resets the longest time between two polls.
    pub fn reset_longest_gap(&self) {
        self.last_poll.store(u64::MAX, Relaxed);
        self.longest_gap.store(0, Relaxed);
    }

    /// The longest time between two polls.
    pub fn longest_gap(&self) -> Duration {
        Duration::from_nanos(self.longest_gap.load(Relaxed))
    }
}

impl Pulse for Stopwatch {
    fn poll(&self) -> Duration {
        if let Some(poll) = &self.source.poll {
            poll();
        }
        let elapsed = self.now();
        let now = u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX);
        let gap = now.saturating_sub(self.last_poll.swap(now, Relaxed));
        self.longest_gap.fetch_max(gap, Relaxed);
        elapsed
    }
}
