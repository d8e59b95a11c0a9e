//! Time controls and the clocks that the runner keeps for the engines.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::board::{ByColor, Color};
use crate::tei::command::GoWords;

/// The limits of an engine's thinking. Several limits may hold at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TimeControl {
    /// Time for the game and the increment per move.
    pub clock: Option<(Duration, Duration)>,
    pub move_time: Option<Duration>,
    pub nodes: Option<u64>,
    /// Plies for each move.
    pub depth: Option<u32>,
}

/// Time for a move without a time limit: enough for a search by nodes or depth in a match.
const UNTIMED_MOVE_TIMEOUT: Duration = Duration::from_secs(60);

fn invalid_time(text: &str) -> String {
    format!("invalid time {text:?}: expected seconds such as 10 or 0.1, at least 0.001")
}

/// A time of at most a million seconds, at least a millisecond unless 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seconds(pub Duration);

impl FromStr for Seconds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let seconds = text.parse::<f64>().ok();
        // Clock times are sent in whole milliseconds, so smaller values would be 0.
        let seconds = seconds.filter(|seconds| *seconds == 0.0 || (1e-3..=1e6).contains(seconds));
        let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        time.map(Self).ok_or_else(|| invalid_time(text))
    }
}

/// Time for the game, more than 0, and the increment: `SECONDS` or `SECONDS+INCREMENT`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockTime(pub (Duration, Duration));

impl FromStr for ClockTime {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.contains('/') {
            let reason = "a clock with a number of moves is not supported";
            return Err(format!(
                "invalid time {text:?}: {reason}; expected seconds for the whole game, such as 10+0.1"
            ));
        }
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        let [base, increment] = [base.parse::<Seconds>()?.0, increment.parse::<Seconds>()?.0];
        if base.is_zero() { Err(invalid_time(text)) } else { Ok(Self((base, increment))) }
    }
}

/// As on the command line: `tc=10+0.1 nodes=2000`.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let clock = self.clock.map(|(base, increment)| {
            let (base, increment) = (base.as_secs_f64(), increment.as_secs_f64());
            format!("tc={base}+{increment}")
        });
        let parts = [
            clock,
            self.move_time.map(|t| format!("st={}", t.as_secs_f64())),
            self.nodes.map(|nodes| format!("nodes={nodes}")),
            self.depth.map(|depth| format!("depth={depth}")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        f.write_str(&parts.join(" "))
    }
}

/// What is left of a time control.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameClock {
    control: TimeControl,
    margin: Duration,
    remaining: Duration,
}

impl GameClock {
    /// A clock at the start of a game. `margin` is how much later than allowed an answer may come.
    pub fn new(control: TimeControl, margin: Duration) -> Self {
        Self { control, margin, remaining: control.clock.map_or(Duration::ZERO, |(base, _)| base) }
    }

    /// What is left of the clock; `None` without one.
    pub fn left(&self) -> Option<Duration> {
        self.control.clock.map(|_| self.remaining)
    }

    /// The longest the next move may take, if its time is limited.
    pub fn allowance(&self) -> Option<Duration> {
        let clock = self.control.clock.map(|_| self.remaining);
        let limits = [clock, self.control.move_time].into_iter().flatten();
        limits.min().map(|limit| limit + self.margin)
    }

    /// Time until the next move is due, whether its time is limited or not.
    pub fn due(&self) -> Duration {
        self.allowance().unwrap_or(UNTIMED_MOVE_TIMEOUT)
    }

    /// Takes the time of a move off and adds the increment.
    pub fn spend(&mut self, elapsed: Duration) -> Result<(), Duration> {
        let late = self.allowance().map(|limit| elapsed.saturating_sub(limit));
        if let Some(late) = late.filter(|late| !late.is_zero()) {
            return Err(late);
        }
        if let Some((_, increment)) = self.control.clock {
            self.remaining = self.remaining.saturating_sub(elapsed) + increment;
        }
        Ok(())
    }
}

/// The limits that the engine to move is told.
pub fn go_words(clocks: &ByColor<GameClock>, to_move: Color) -> GoWords<'static> {
    let own = &clocks[to_move];
    let mut go = GoWords {
        movetime: own.control.move_time.map(millis),
        nodes: own.control.nodes.map(within),
        depth: own.control.depth.map(i64::from),
        ..GoWords::default()
    };
    if own.control.clock.is_some() {
        // Some engines need both clocks. For an opponent without a clock the player's own is sent.
        let [white, black] = Color::ALL.map(|color| {
            let clock = &clocks[color];
            let shown = if clock.control.clock.is_some() { clock } else { own };
            let increment = shown.control.clock.map_or(Duration::ZERO, |(_, inc)| inc);
            (millis(shown.remaining), millis(increment))
        });
        (go.wtime, go.winc) = (Some(white.0), Some(white.1));
        (go.btime, go.binc) = (Some(black.0), Some(black.1));
    }
    go
}

fn millis(time: Duration) -> i64 {
    within(time.as_millis())
}

/// The number, or the largest that `go` takes.
fn within(number: impl TryInto<i64>) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tei::command::Command;

    const SECOND: Duration = Duration::from_secs(1);

    fn milliseconds(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    #[test]
    fn clocks_count_down_and_up() {
        let control = TimeControl { clock: Some((SECOND, milliseconds(100))), ..TimeControl::default() };
        let mut clock = GameClock::new(control, milliseconds(50));
        assert_eq!(clock.spend(milliseconds(400)), Ok(()));
        assert_eq!(clock.allowance(), Some(milliseconds(750)));
        // Within the margin the clock is at zero, not below, before the increment.
        assert_eq!(clock.spend(milliseconds(750)), Ok(()));
        assert_eq!(clock.allowance(), Some(milliseconds(150)));
        assert_eq!(clock.spend(milliseconds(151)), Err(milliseconds(1)));
    }

    #[test]
    fn the_shorter_limit_counts() {
        let control = TimeControl {
            clock: Some((10 * SECOND, Duration::ZERO)),
            move_time: Some(SECOND),
            ..TimeControl::default()
        };
        let mut clock = GameClock::new(control, Duration::ZERO);
        assert_eq!(clock.due(), SECOND);
        assert!(clock.spend(milliseconds(1001)).is_err());
        let nodes = TimeControl { nodes: Some(5), ..TimeControl::default() };
        let mut clock = GameClock::new(nodes, Duration::ZERO);
        assert_eq!(clock.allowance(), None);
        assert_eq!(clock.spend(1000 * SECOND), Ok(()));
    }

    #[test]
    fn go_sends_each_engine_its_own_limits() {
        let white = TimeControl {
            clock: Some("10+0.1".parse::<ClockTime>().unwrap().0),
            nodes: Some(7),
            ..TimeControl::default()
        };
        let black = TimeControl { move_time: Some(milliseconds(100)), depth: Some(3), ..TimeControl::default() };
        let clocks = ByColor([white, black].map(|control| GameClock::new(control, SECOND)));
        let go = |color| Command::Go(go_words(&clocks, color)).to_string();
        assert_eq!(go(Color::White), "go wtime 10000 btime 10000 winc 100 binc 100 nodes 7");
        assert_eq!(go(Color::Black), "go movetime 100 depth 3");
        assert_eq!(white.to_string(), "tc=10+0.1 nodes=7");
        assert_eq!(black.to_string(), "st=0.1 depth=3");
    }

    #[test]
    fn times_that_are_none_are_refused() {
        for text in ["", "-1", "x", "1+", "0", "0+1", "nan", "inf", "1e9", "1+-1", "0.0009", "1+0.0004"] {
            assert!(text.parse::<ClockTime>().is_err(), "{text}");
        }
        assert!("0.0004".parse::<Seconds>().is_err());
        assert_eq!("0.001".parse(), Ok(Seconds(milliseconds(1))));
        assert_eq!("0".parse(), Ok(Seconds(Duration::ZERO)));
        assert_eq!("1.5".parse(), Ok(ClockTime((milliseconds(1500), Duration::ZERO))));
    }
}
