//! Komi as text: points with an optional half.

use std::str::FromStr;

use super::leniency::{plain, read_or_fold};
use super::{Deviations, Leniency, excerpt};
use crate::board::{Komi, KomiError};

/// Error of parsing komi.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KomiTextError {
    /// Not a number of whole or half points.
    #[error("invalid komi {0:?}: expected whole or half points, for example 2, 2.5 or -1")]
    NoNumber(String),
    /// A number, but out of range.
    #[error("komi of {} is out of range, expected {} to {}", points(.0.0), points(Komi::MIN_HALF), points(Komi::MAX_HALF))]
    OutOfRange(#[from] KomiError),
}

fn points(half: i64) -> f64 {
    half as f64 / 2.0
}

/// Reads komi in points: `2`, `2.5`, `-1.0`, `+0.5`.
impl FromStr for Komi {
    type Err = KomiTextError;

    fn from_str(text: &str) -> Result<Self, KomiTextError> {
        let no_number = || KomiTextError::NoNumber(excerpt(text));
        let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
        let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, "0"));
        let half = match fraction {
            "0" => 0,
            "5" => 1,
            _ => return Err(no_number()),
        };
        // Four digits are far beyond the range already, and cannot overflow.
        if whole.is_empty() || whole.len() > 4 || !whole.bytes().all(|b| b.is_ascii_digit()) {
            return Err(no_number());
        }
        let points: i64 = whole.parse().map_err(|_| no_number())?;
        let magnitude = 2 * points + half;
        let half_points = if text.starts_with('-') { -magnitude } else { magnitude };
        Ok(Self::from_half(half_points)?)
    }
}

/// Reads komi also as `.5`, `2.`, `2.50`, `2,5` and `2½`.
///
/// # Errors
/// [`KomiTextError`] for any other text.
pub fn read_komi(text: &str, deviations: &mut Deviations) -> Result<Komi, KomiTextError> {
    read_or_fold(text, deviations, str::parse, |text| {
        let text = plain(text).unwrap_or_else(|| text.to_owned()).replace('½', ".5").replace(',', ".");
        let text = text.trim();
        let unsigned = text.trim_start_matches(['-', '+']);
        let sign = if text.starts_with('-') { "-" } else { "" };
        let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
        let has_digits = !(whole.is_empty() && fraction.is_empty()) && text.len() <= unsigned.len() + 1;
        let whole = if whole.is_empty() { "0" } else { whole };
        let fraction = fraction.trim_end_matches('0');
        let fraction = if fraction.is_empty() { "0" } else { fraction };
        has_digits.then(|| (format!("{sign}{whole}.{fraction}"), Leniency::TagValue))
    })
}
