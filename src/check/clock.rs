//! The clocks of games, and a busy machine.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

/// The time of each player at the start.
const BASE: Duration = Duration::from_secs(1);
/// Added after each move.
const INCREMENT: Duration = Duration::from_millis(10);

#[derive(Debug)]
pub struct Clocks {
    left: [Duration; 2],
    /// The same before the last move.
    before: [Duration; 2],
    /// True if the last answer was over its time.
    pub is_late: bool,
    /// By how much the last move was over its time, in words.
    pub overrun: String,
}

impl Default for Clocks {
    fn default() -> Self {
        Self { left: [BASE; 2], before: [BASE; 2], is_late: false, overrun: String::new() }
    }
}

impl Clocks {
    /// The time of each player in milliseconds.
    pub fn millis(&self) -> [u128; 2] {
        self.left.map(|time| time.as_millis())
    }

    /// The time of each player before the last move, so many times, in milliseconds.
    pub fn longer_millis(&self, scale: f64) -> [u128; 2] {
        self.before.map(|time| time.mul_f64(scale).as_millis())
    }

    /// Takes the time of a move off the clock of its player.
    pub fn charge(&mut self, player: usize, elapsed: Duration) {
        self.before = self.left;
        let left = self.left[player];
        self.is_late = elapsed > left;
        let [over, clock] = [elapsed.saturating_sub(left), left].map(|time| time.as_secs_f64());
        self.overrun = format!("{over:.3} s over its clock of {clock:.3} s");
        self.left[player] = left.saturating_sub(elapsed).max(INCREMENT) + INCREMENT;
    }

    /// Notes whether another answer is late too, on a longer clock.
    pub fn compare_longer(&mut self, player: usize, elapsed: Duration, scale: f64) {
        self.is_late = elapsed > self.before[player].mul_f64(scale);
    }
}

/// Keeps all cores busy with one thread each meanwhile.
pub fn busy<T>(work: impl FnOnce() -> T) -> T {
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while !stop.load(Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let done = work();
        stop.store(true, Relaxed);
        done
    })
}
