//! Whole games, move by move: annotation, puzzles and the page about annotated games.

pub mod annotate;
#[cfg(feature = "cli")]
pub(crate) mod puzzles;
#[cfg(feature = "cli")]
pub(crate) mod review;

pub use annotate::annotate;
