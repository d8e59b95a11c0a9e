//! Whole games, move by move: annotation, puzzles and the page about annotated games.

pub mod annotate;
pub(crate) mod puzzles;
pub(crate) mod review;

pub use annotate::annotate;
