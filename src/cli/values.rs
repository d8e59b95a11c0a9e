//! Values that several subcommands take from the command line.

use std::num::NonZeroUsize;

use crate::board::{Komi, Size};
use crate::notation::parse_komi;

/// A board size.
pub(super) fn size(text: &str) -> Result<Size, String> {
    let width = text.parse().map_err(|_| format!("{text:?} is no number"))?;
    Size::new(width).map_err(|error| error.to_string())
}

/// Komi in flats.
pub(super) fn komi(text: &str) -> Result<Komi, String> {
    parse_komi(text).map_err(|error| error.to_string())
}

/// Processors this program may use.
pub(super) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get)
}
