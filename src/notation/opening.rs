//! Openings as text: their names, and the first move of a double black stack.

use std::str::FromStr;

use super::{MoveTextError, excerpt, parse_move};
use crate::board::{Move, OpeningRule, Setup};

/// A text that names no opening.
///
/// ```
/// use tak_engine::board::OpeningRule;
///
/// let error = "both".parse::<OpeningRule>().unwrap_err();
/// assert_eq!(error.to_string(), "\"both\" is no opening, expected swap, no-swap or double-black");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no opening, expected swap, no-swap or double-black")]
pub struct OpeningTextError(String);

/// In any case: `swap`, `no-swap`, `double-black`, or as [`opening_tag`] writes it.
impl FromStr for OpeningRule {
    type Err = OpeningTextError;

    fn from_str(text: &str) -> Result<Self, OpeningTextError> {
        Self::ALL
            .into_iter()
            .find(|&opening| {
                text.eq_ignore_ascii_case(&opening.to_string()) || text.eq_ignore_ascii_case(opening_tag(opening))
            })
            .ok_or_else(|| OpeningTextError(excerpt(text)))
    }
}

/// The value of the PTN tag `Opening`, as PTN Ninja and playtak write it.
#[must_use]
pub const fn opening_tag(opening: OpeningRule) -> &'static str {
    match opening {
        OpeningRule::Swap => "swap",
        OpeningRule::NoSwap => "no-swap",
        OpeningRule::DoubleBlack => "double black stack",
    }
}

/// Reads the first move of a game from `start`, see [`parse_move`]. The move that places a double black stack may have
/// its count before it, `2a1`, as PTN Ninja and playtak write it.
///
/// # Errors
/// [`MoveTextError`] for any other text.
pub fn parse_first_move(text: &str, start: &Setup) -> Result<Move, MoveTextError> {
    text.strip_prefix('2')
        .filter(|_| start.places_stack())
        .and_then(|placed| parse_move(placed, start.size).ok())
        .filter(|mv| !mv.is_spread())
        .map_or_else(|| parse_move(text, start.size), Ok)
}

/// The first move of a PTN game from `start`, see [`parse_first_move`].
#[must_use]
pub(super) fn format_first_move(mv: Move, start: &Setup) -> String {
    let count = if start.places_stack() { "2" } else { "" };
    format!("{count}{mv}")
}
