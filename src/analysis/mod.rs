//! Whole games: annotation, puzzles, the page about annotated games, and what was played in collections of them.

pub mod annotate;
pub mod explain;
// Hidden, but public for the program that makes the table of openings.
#[doc(hidden)]
pub mod explore;
#[cfg(feature = "cli")]
pub mod games;
#[cfg(feature = "cli")]
pub(crate) mod puzzles;
#[cfg(feature = "draw")]
pub(crate) mod review;

pub use annotate::annotate;
