//! The opening explorer: what was played from a position in a collection of games, with which results.
//!
//! [`Query`] looks for the position in one game, [`Tally`] adds up what it finds.

mod query;
mod tally;

pub use query::{LeftOut, Query};
pub use tally::{Sums, Tally};
