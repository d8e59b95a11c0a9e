//! Tournaments between TEI engines: playing games, keeping them, and judging the engines by them.
//!
//! `openings` and `stats` know no tournament. `tournament` has the data that is kept of one, `play` plays its games, `report`
//! shows them.
//!
//! Nothing here is promised to other crates, so errors are described where they need it, and results may be ignored.
#![allow(clippy::missing_errors_doc, clippy::must_use_candidate)]

pub mod openings;
#[cfg(unix)]
pub mod play;
pub mod report;
pub mod stats;
pub mod tournament;
