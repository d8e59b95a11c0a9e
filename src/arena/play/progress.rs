//! Progress of a run of many games: a live line on a terminal, elsewhere a plain line from time to time.
//! Both go to stderr, so that stdout holds the results alone.

use std::fmt::{self, Write as _};
use std::io::{IsTerminal, Write as _, stderr};
use std::time::{Duration, Instant};

use indicatif::{FormattedDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::arena::tournament::settings::TournamentSettings;
use crate::arena::tournament::standings::{elo, shown_name};
use crate::arena::tournament::statistics::Statistics;

/// Shown until the first result.
const FIRST: &str = "the first games are being played";

/// Shows how far a run is.
#[derive(Debug)]
pub struct ProgressLine {
    /// On a terminal only.
    bar: Option<ProgressBar>,
    /// The unit: games or pairs of games.
    unit: &'static str,
    /// The number when all are played.
    total: u64,
    /// The number at the start.
    resumed: u64,
    began: Instant,
}

impl ProgressLine {
    /// Without a terminal a line is printed at least once in this many.
    const MOST_SILENT: u64 = 100;

    /// Of `total` games, or whatever the `unit` is, `resumed` were played by an earlier run. Without a terminal it prints
    /// a first line.
    #[must_use]
    pub fn new(unit: &'static str, total: u64, resumed: u64) -> Self {
        let bar = stderr().is_terminal().then(|| {
            let target = ProgressDrawTarget::stderr();
            let bar = ProgressBar::with_draw_target(Some(total), target);
            let bar = bar.with_position(resumed);
            // The message comes last: a terminal too narrow for the line cuts it.
            if let Ok(style) = ProgressStyle::with_template("{pos}/{len} {unit}, {time}: {wide_msg}") {
                // Writing to a line cannot fail.
                let unit = move |_: &ProgressState, line: &mut dyn fmt::Write| {
                    let _ = line.write_str(unit);
                };
                let time = move |state: &ProgressState, line: &mut dyn fmt::Write| {
                    let played = state.pos().saturating_sub(resumed);
                    let left = state.len().unwrap_or(total).saturating_sub(state.pos());
                    let _ = line.write_str(&time_text(state.elapsed(), played, left));
                };
                bar.set_style(style.with_key("unit", unit).with_key("time", time));
            }
            bar.set_message(FIRST);
            bar.enable_steady_tick(Duration::from_secs(1));
            bar
        });
        let line = Self { bar, unit, total, resumed, began: Instant::now() };
        if line.bar.is_none() {
            line.note(&format!("{resumed}/{total} {unit}: {FIRST}"));
        }
        line
    }

    /// Shows the state after another one, `done` in all. Returns whether a plain line was due, on a terminal too.
    pub fn show(&self, done: u64, summary: impl FnOnce() -> String) -> bool {
        let is_due = is_due(done, self.total);
        if let Some(bar) = &self.bar {
            bar.set_position(done);
            bar.set_message(summary());
        } else if is_due {
            let time = time_text(self.began.elapsed(), done - self.resumed, self.total - done);
            self.note(&format!("{done}/{} {}, {time}: {}", self.total, self.unit, summary()));
        }
        is_due
    }

    /// Writes a line, above the live one if there is one.
    pub fn note(&self, line: &str) {
        match &self.bar {
            Some(bar) => bar.println(line),
            // If stderr is closed, the tournament continues.
            None => drop(writeln!(stderr(), "{line}")),
        }
    }

    /// Restores the terminal and keeps the last state of the live line.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.abandon();
        }
    }
}

/// Returns whether a plain line is due. There are twenty in all, more for long runs; the last one comes at the end.
fn is_due(done: u64, total: u64) -> bool {
    let every = total.div_ceil(20).clamp(1, ProgressLine::MOST_SILENT);
    done == total || done.is_multiple_of(every)
}

/// The time left at the pace so far; before the first result, the time that has passed.
fn time_text(elapsed: Duration, played: u64, left: u64) -> String {
    if played == 0 {
        return format!("{} so far", FormattedDuration(elapsed));
    }
    format!("{} left", FormattedDuration(elapsed.mul_f64(left as f64 / played as f64)))
}

/// The score of the first engine: `engine +5 =1 -3, Elo +78.4 ± 45.0, LLR 0.31 (-2.94, 2.94)`.
#[must_use]
pub fn summary(settings: &TournamentSettings, statistics: &Statistics) -> String {
    let score = statistics.total(0);
    let mut text = format!("{} {}, Elo {}", shown_name(settings, 0), score.wdl(), elo(score.pairs.elo()));
    if let Some(test) = &settings.sprt {
        let llr = test.log_likelihood_ratio(score.pairs);
        let (lower, upper) = (test.lower_bound(), test.upper_bound());
        // Writing to a string cannot fail.
        let _ = write!(text, ", LLR {llr:.2} ({lower:.2}, {upper:.2})");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_lines_are_neither_rare_nor_many() {
        let lines = |total: u64| (1..=total).filter(|&games| is_due(games, total)).count();
        assert_eq!(lines(4), 4);
        assert_eq!(lines(200), 20);
        assert_eq!(lines(20_000), 200);
        assert!(is_due(77, 77));
    }

    #[test]
    fn time_left_follows_the_pace_so_far() {
        let half_a_minute = Duration::from_secs(30);
        assert_eq!(time_text(half_a_minute, 10, 20), "00:01:00 left");
        assert_eq!(time_text(half_a_minute, 10, 2000), "01:40:00 left");
        assert_eq!(time_text(half_a_minute, 0, 20), "00:00:30 so far");
    }
}
