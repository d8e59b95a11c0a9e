//! Progress of long work on stderr: a live line on a terminal, elsewhere a plain line now and then.

use std::fmt::{self, Display};
use std::io::{IsTerminal, stderr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use super::stderr::say;

/// Without a terminal the first line comes after this time. Shorter work needs none.
const FIRST_LINE_DELAY: Duration = Duration::from_secs(2);
/// The intervals double up to this one, so that hours of work make no long log.
const MAX_LINE_INTERVAL: Duration = Duration::from_secs(600);
/// The interval in which a live line is redrawn while nothing happens, so that its clock runs.
const REDRAW_INTERVAL: Duration = Duration::from_millis(100);

/// Shows how far the work is. Any thread may report, also through a clone.
#[derive(Clone)]
pub struct Progress {
    bar: ProgressBar,
    unit: &'static str,
    is_live: bool,
    /// Units that an earlier run did. Until there are more, the remaining time is unknown.
    begun: u64,
    /// The time of the next plain line, counted from the start.
    next_line: Arc<Mutex<Duration>>,
}

impl Progress {
    /// Of `total` units, if their number is known; `done` of them were done by an earlier run.
    pub fn resumed(unit: &'static str, total: Option<u64>, done: u64) -> Self {
        let is_live = stderr().is_terminal();
        let target = if is_live { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(total, target).with_position(done);
        set_style(&bar, unit, total.is_some(), done);
        if is_live {
            bar.tick();
            bar.enable_steady_tick(REDRAW_INTERVAL);
        }
        Self { bar, unit, is_live, begun: done, next_line: Arc::new(Mutex::new(FIRST_LINE_DELAY)) }
    }

    /// Of `total` units, if their number is known.
    pub fn new(unit: &'static str, total: Option<u64>) -> Self {
        Self::resumed(unit, total, 0)
    }

    /// The total, once it is known.
    pub fn total(&self) -> Option<u64> {
        self.bar.length()
    }

    /// Tells the total that was unknown before.
    pub fn set_total(&self, total: u64) {
        if !self.bar.is_finished() {
            set_style(&self.bar, self.unit, true, self.begun);
            self.bar.set_length(total);
        }
    }

    pub fn add(&self, units: u64) {
        self.bar.inc(units);
        self.print_due();
    }

    /// Sets how many units are done. Returns whether a plain line was due, on a terminal too.
    pub fn set(&self, done: u64) -> bool {
        self.bar.set_position(done);
        self.print_due()
    }

    /// Shows before the first unit, which may take long, that the work has started.
    pub fn begin(&self, message: &str) {
        self.say_more(message);
        if !self.is_live {
            say(&self.plain_line());
        }
    }

    /// Adds a message after the number of units.
    pub fn say_more(&self, message: &str) {
        self.bar.set_message(format!(", {message}"));
    }

    /// Writes a line to stderr, above the live one.
    pub fn note(&self, line: &dyn Display) {
        self.above(|| say(line));
    }

    /// Writes results to stdout, above the live line if both are shown on one terminal.
    pub fn above<T>(&self, write: impl FnOnce() -> T) -> T {
        if self.is_live { self.bar.suspend(write) } else { write() }
    }

    /// Removes the live line.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn print_due(&self) -> bool {
        let elapsed = self.bar.elapsed();
        let mut next = self.next_line.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = elapsed >= *next;
        if is_due {
            *next = elapsed + elapsed.min(MAX_LINE_INTERVAL);
            if !self.is_live {
                say(&self.plain_line());
            }
        }
        is_due
    }

    /// `12/64 plies, 20 s, 87 s left`.
    fn plain_line(&self) -> String {
        let Self { bar, unit, .. } = self;
        let (done, message, seconds) = (bar.position(), bar.message(), bar.elapsed().as_secs());
        let total = bar.length().map_or_else(String::new, |total| format!("/{total}"));
        let left = left(done.saturating_sub(self.begun), bar.length(), self.begun, bar.elapsed());
        let left = left.map_or_else(String::new, |left| format!(", {} s left", left.as_secs()));
        format!("{done}{total} {unit}{message}, {seconds} s{left}")
    }
}

/// The live line: a bar, or a spinner while the total is unknown. `begun` units were done before.
fn set_style(bar: &ProgressBar, unit: &str, has_total: bool, begun: u64) {
    let template = if has_total {
        format!("{{wide_bar}} {{pos}}/{{len}} {unit}{{msg}}, {{elapsed}}{{left}}")
    } else {
        format!("{{spinner}} {{pos}} {unit}{{msg}}, {{elapsed}}")
    };
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style.with_key("left", move |state: &ProgressState, line: &mut dyn fmt::Write| {
            if let Some(left) = left(state.pos().saturating_sub(begun), state.len(), begun, state.elapsed()) {
                // Writing to a line cannot fail.
                let _ = write!(line, ", {:#} left", HumanDuration(left));
            }
        }));
    }
}

/// The time left at the mean speed so far, with `done` units in `elapsed` and `begun` before. The estimate of indicatif
/// forgets older units: after a stall, such as a suspended laptop, it becomes days or overflows.
fn left(done: u64, total: Option<u64>, begun: u64, elapsed: Duration) -> Option<Duration> {
    let rest = total?.saturating_sub(begun + done);
    (done > 0).then(|| elapsed.mul_f64(rest as f64 / done as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(total: Option<u64>) -> Progress {
        Progress::resumed("plies", total, 3)
    }

    #[test]
    fn a_plain_line_counts_units() {
        let known = progress(Some(64));
        assert_eq!(known.plain_line(), "3/64 plies, 0 s", "nothing is done, so no time is left");
        known.add(9);
        known.say_more("2 games");
        assert!(known.plain_line().starts_with("12/64 plies, 2 games, 0 s, "));
        let unknown = progress(None);
        unknown.set(7);
        assert_eq!(unknown.plain_line(), "7 plies, 0 s");
    }

    #[test]
    fn the_time_left_is_at_the_mean_speed() {
        let left = |done, begun| left(done, Some(100), begun, Duration::from_secs(30)).map(|left| left.as_secs());
        assert_eq!([left(0, 0), left(25, 0), left(25, 50), left(60, 50)], [None, Some(90), Some(30), Some(0)]);
    }

    #[test]
    fn plain_lines_become_rarer() {
        let progress = progress(Some(100));
        progress.bar.set_elapsed(Duration::from_secs(1));
        progress.add(1);
        assert_eq!(*progress.next_line.lock().unwrap(), FIRST_LINE_DELAY);
        for (elapsed, next) in [(2, 4), (3, 4), (5, 10), (3000, 3600)] {
            progress.bar.set_elapsed(Duration::from_secs(elapsed));
            progress.add(1);
            let due = progress.next_line.lock().unwrap().as_secs();
            assert_eq!(due, next);
        }
    }
}
