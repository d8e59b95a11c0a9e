//! Where an engine reads the time.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// A clock that never goes back. By default it is the system's; an engine is given another one where there is no system,
/// or in a test.
///
/// ```
/// use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
/// use std::time::Duration;
/// use tak_engine::board::{AnyPosition, Game, Komi, Size};
/// use tak_engine::engine::{Engine, Limits, Settings, TimeSource};
///
/// // A millisecond passes at every look.
/// let looks = AtomicU64::new(0);
/// let time = TimeSource::new(move || Duration::from_millis(looks.fetch_add(1, Relaxed)));
/// let mut engine = Engine::with_time(Settings { hash_mib: 1, ..Settings::default() }, time);
/// let game = Game::new(AnyPosition::start(Size::new(6)?, Komi::ZERO));
/// let report = engine.analyse(&game, Limits::move_time(Duration::from_millis(30)))?;
/// assert!(report.time <= Duration::from_millis(40));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct TimeSource(Arc<dyn Fn() -> Duration + Send + Sync>);

impl TimeSource {
    /// `now` tells the time passed since some moment in the past, and may be asked from any thread.
    pub fn new(now: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }

    /// The time passed since some moment in the past.
    #[must_use]
    pub fn now(&self) -> Duration {
        (self.0)()
    }

    /// Begins to measure a request that has waited for some time already.
    pub(super) fn measure(&self, waited: Duration) -> Stopwatch {
        Stopwatch {
            source: self.clone(),
            begun: (self.0)(),
            waited,
            last_look: AtomicU64::new(u64::MAX),
            longest_silence: AtomicU64::new(0),
        }
    }
}

/// The time from now on, by the system's clock.
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

/// The time since a request was made. Notes the longest time between two looks: a search looks about once a
/// millisecond, as long as it has a processor.
#[derive(Debug)]
pub(super) struct Stopwatch {
    source: TimeSource,
    begun: Duration,
    waited: Duration,
    /// In nanoseconds; the largest number before the first look.
    last_look: AtomicU64,
    longest_silence: AtomicU64,
}

impl Stopwatch {
    /// The time so far, for one who does not look regularly.
    pub fn now(&self) -> Duration {
        self.waited + (self.source.0)().saturating_sub(self.begun)
    }

    pub fn elapsed(&self) -> Duration {
        let elapsed = self.now();
        let now = u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX);
        let silence = now.saturating_sub(self.last_look.swap(now, Relaxed));
        self.longest_silence.fetch_max(silence, Relaxed);
        elapsed
    }

    /// Begins anew to note the longest time between two looks.
    pub fn forget_silence(&self) {
        self.last_look.store(u64::MAX, Relaxed);
        self.longest_silence.store(0, Relaxed);
    }

    /// The longest time between two looks.
    pub fn longest_silence(&self) -> Duration {
        Duration::from_nanos(self.longest_silence.load(Relaxed))
    }
}
