//! Whole games: annotation, puzzles, the page about annotated games, and what was played in collections of them.

pub mod annotate;
#[cfg(any(feature = "cli", feature = "page"))]
// The command looks through games once; a page, which holds them, does not need that.
#[cfg_attr(not(feature = "cli"), allow(dead_code))]
pub(crate) mod explore;
#[cfg(feature = "cli")]
pub(crate) mod puzzles;
#[cfg(feature = "draw")]
// Pages have reports on one game.
#[cfg_attr(not(feature = "cli"), allow(dead_code))]
pub(crate) mod review;

pub use annotate::annotate;
