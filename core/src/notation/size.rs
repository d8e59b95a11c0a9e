//! Board sizes as text: their width.

use std::str::FromStr;

use super::leniency::{plain, read_or_fold};
use super::{Deviations, Leniency, excerpt};
use crate::board::{Size, SizeError};

/// Error of parsing a board size.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SizeTextError {
    /// Not a whole number.
    #[error("invalid board size {0:?}: expected 3 to 8")]
    NoNumber(String),
    /// A number, but of no board.
    #[error(transparent)]
    Unsupported(#[from] SizeError),
}

/// The width: `3` to `8`.
impl FromStr for Size {
    type Err = SizeTextError;

    fn from_str(text: &str) -> Result<Self, SizeTextError> {
        let width = text.parse().map_err(|_| SizeTextError::NoNumber(excerpt(text)))?;
        Ok(Self::new(width)?)
    }
}

/// Reads a size also as `5x5` and `5.0`, and in full-width digits.
pub(super) fn read_size(text: &str, deviations: &mut Deviations) -> Result<Size, SizeTextError> {
    read_or_fold(text, deviations, str::parse, |text| {
        let text = plain(text).unwrap_or_else(|| text.to_owned()).to_ascii_lowercase().replace('×', "x");
        let width = match text.split_once('x') {
            Some((width, height)) => (width.trim() == height.trim()).then_some(width)?,
            None => &text,
        };
        let width = width.trim();
        let whole = width.split_once('.').filter(|(_, fraction)| fraction.bytes().all(|digit| digit == b'0'));
        Some((whole.map_or(width, |(whole, _)| whole).to_owned(), Leniency::TagValue))
    })
}
