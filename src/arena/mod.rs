//! Tournaments between TEI engines: playing games, keeping them, and judging the engines by them.
//!
//! `record` is what is kept of a game, `play` plays games, `stats` judges results. `tournament` has the list of games, the
//! settings and the journal of a tournament, `report` shows it.
//!
//! Nothing here is promised to other crates, so errors are described where they need it, and results may be ignored.
#![allow(clippy::missing_errors_doc)]

pub mod live;
#[cfg(unix)]
pub mod play;
pub mod record;
pub mod report;
pub mod stats;
pub mod tournament;
#[cfg(feature = "serve")]
pub mod watch;
pub mod words;
