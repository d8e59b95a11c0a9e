//! Tournaments between TEI engines: playing games, keeping them, and judging the engines by them.
//! [`record`] is the data both halves share.

// Counts of games, plies and milliseconds are far below 2^52, so they are exact as floats.
#![allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss
)]

pub mod record;
pub mod schedule;
pub mod sprt;
pub mod stats;
