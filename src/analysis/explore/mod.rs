//! The opening explorer: what was played from a position in a collection of games, with which results.
//!
//! [`Query`] looks for the position in one game, [`Tally`] adds up what it finds, and [`Answer`] is its JSON. A
//! [`Collection`] holds games for many queries, and [`Parts`] splits files into them.
//!
//! Without games there is a table of [`Openings`], each with the result of a search, and [`Known`] is its answer.

mod answer;
mod collection;
mod game;
mod known;
mod openings;
mod parts;
mod query;
mod tally;

pub use answer::{Answer, left_out, percents, sentence};
pub use collection::Collection;
pub use known::{Known, KnownMove};
pub use openings::{OpeningRow, Openings, OpeningsHead};
pub use parts::{MAX_GAME_BYTES, Parts};
pub use query::{LeftOut, Query};
pub use tally::Tally;

/// The table of openings that comes with the program.
#[cfg(feature = "cli")]
pub const OPENINGS: &str = include_str!("../../../web/openings.tsv");
