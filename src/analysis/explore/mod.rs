//! The opening explorer: what was played from a position in a collection of games, with which results.
//!
//! [`Query`] looks for the position in one game, [`Tally`] adds up what it finds, and [`Answer`] is its JSON. A
//! [`Collection`] holds games for many queries.

mod answer;
#[cfg(feature = "page")]
mod collection;
mod game;
mod query;
mod tally;

#[cfg(feature = "cli")]
pub use answer::percents;
pub use answer::{Answer, left_out, sentence};
#[cfg(feature = "page")]
pub use collection::Collection;
#[cfg(feature = "cli")]
pub use query::LeftOut;
pub use query::Query;
#[cfg(feature = "cli")]
pub use tally::Tally;
