//! Openings as text: their names, and the first move of a double black stack.

use std::str::FromStr;

use super::leniency::{plain, read_or_fold};
use super::moves::read_move_by;
use super::{Deviations, Leniency, MoveTextError, excerpt, parse_move};
use crate::board::{Move, OpeningRule, Setup};

/// Error of parsing an opening.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("invalid opening {0:?}: expected swap, no-swap or double-black")]
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

/// Reads the first move of a game as [`parse_first_move`] does, and with the leniency of
/// [`read_move`](super::read_move). If `rule_is_given` is false, `2a1` on an empty board makes `start` begin with a
/// double black stack, which is noted.
///
/// # Errors
/// [`MoveTextError`] for any other text.
pub fn read_first_move(
    text: &str,
    start: &mut Setup,
    rule_is_given: bool,
    deviations: &mut Deviations,
) -> Result<Move, MoveTextError> {
    let read = |start: &Setup, deviations: &mut _| read_move_by(text, deviations, |text| parse_first_move(text, start));
    read(start, deviations).or_else(|error| {
        let double = Setup { opening: OpeningRule::DoubleBlack, ..start.clone() };
        if rule_is_given || !double.places_stack() || !double.stacks.is_empty() {
            return Err(error);
        }
        let mv = read(&double, deviations).map_err(|_| error)?;
        deviations.note(Leniency::MissingOpening, text);
        *start = double;
        Ok(mv)
    })
}

/// Reads the name of an opening with blanks or other characters between its words.
pub(super) fn read_opening(text: &str, deviations: &mut Deviations) -> Result<OpeningRule, OpeningTextError> {
    let letters =
        |text: &str| text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    read_or_fold(text, deviations, str::parse, |text| {
        let wanted = letters(&plain(text).unwrap_or_else(|| text.to_owned()));
        let is_named = |rule: &OpeningRule| [opening_tag(*rule), &rule.to_string()].map(letters).contains(&wanted);
        let rule = OpeningRule::ALL.into_iter().find(is_named)?;
        Some((rule.to_string(), Leniency::TagValue))
    })
}

/// The first move of a PTN game from `start`, see [`parse_first_move`].
pub(super) fn format_first_move(mv: Move, start: &Setup) -> String {
    let count = if start.places_stack() && !mv.is_spread() { "2" } else { "" };
    format!("{count}{mv}")
}
