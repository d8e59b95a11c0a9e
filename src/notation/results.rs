//! Results as PTN writes them.

use std::fmt;

use crate::board::{Color, EndReason, Outcome};

/// Every way to write a result; `*` is a game without one.
const RESULTS: [&str; 9] = ["R-0", "0-R", "F-0", "0-F", "1-0", "0-1", "1/2-1/2", "0-0", "*"];

/// The result that `text` says in one of PTN's forms, or as the short form of a draw.
pub(super) fn result_of(text: &str) -> Option<&'static str> {
    let text = if text == "1/2" { "1/2-1/2" } else { text };
    RESULTS.into_iter().find(|&result| result == text)
}

/// Who has won according to a result in one of PTN's forms; `None` for a draw, no result, or any other text.
#[cfg(feature = "cli")]
pub(crate) fn winner_of(text: &str) -> Option<Color> {
    match text {
        "R-0" | "F-0" | "1-0" => Some(Color::White),
        "0-R" | "0-F" | "0-1" => Some(Color::Black),
        _ => None,
    }
}

/// As in PTN: `R-0`, `0-R`, `F-0`, `0-F` or `1/2-1/2`.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (self.winner, self.reason) {
            (Some(Color::White), EndReason::Road) => "R-0",
            (Some(Color::Black), EndReason::Road) => "0-R",
            (Some(Color::White), _) => "F-0",
            (Some(Color::Black), _) => "0-F",
            (None, _) => "1/2-1/2",
        })
    }
}
