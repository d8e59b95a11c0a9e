//! Whole games: annotation, puzzles, the page about annotated games, and what was played in collections of them.

pub mod annotate;
pub mod explain;
pub(crate) mod explore;
#[cfg(feature = "cli")]
pub mod games;
#[cfg(feature = "cli")]
pub(crate) mod puzzles;
#[cfg(feature = "draw")]
pub(crate) mod review;

pub use annotate::annotate;
// Hidden, but public for the program that makes the table.
#[doc(hidden)]
pub use explore::{OpeningRow, Openings, OpeningsHead};
