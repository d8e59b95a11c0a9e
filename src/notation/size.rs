//! Board sizes as text: their width.

use std::str::FromStr;

use super::excerpt;
use crate::board::{Size, SizeError};

/// Why a text is no board size.
///
/// ```
/// use tak_engine::board::{Size, SizeError};
/// use tak_engine::notation::SizeTextError;
///
/// assert_eq!("six".parse::<Size>(), Err(SizeTextError::NoNumber("six".into())));
/// assert_eq!("9".parse::<Size>(), Err(SizeTextError::Unsupported(SizeError(9))));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SizeTextError {
    /// Not a whole number.
    #[error("{0:?} is no board size, expected 3 to 8")]
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
