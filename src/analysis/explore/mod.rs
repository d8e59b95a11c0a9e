//! The opening explorer: what was played from a position in a collection of games, with which results.
//!
//! [`Query`] looks for the position in one game, [`Tally`] adds up what it finds, and [`Answer`] is its JSON. A
//! [`Collection`] holds games for many queries, and [`Parts`] splits files into them.

mod answer;
mod collection;
mod game;
mod openings;
mod parts;
mod query;
mod tally;

pub use answer::{Answer, left_out, percents, sentence};
pub use collection::Collection;
pub use openings::{Head, OpeningRow, read_openings};
pub use parts::{MAX_GAME_BYTES, Parts};
pub use query::{LeftOut, Query};
pub use tally::Tally;
