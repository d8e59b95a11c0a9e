//! Tournaments between TEI engines: playing games, keeping them, and judging the engines by them.
//!
//! `openings` and `stats` know no tournament. `tournament` has the data that is kept of one, `play` plays its games, `report`
//! shows them.

pub mod openings;
#[cfg(unix)]
pub mod play;
pub mod report;
pub mod stats;
pub mod tournament;
