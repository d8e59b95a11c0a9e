//! Alpha-beta search. Knows positions, limits and the table it is given; no text, no protocol.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss
)]

mod limits;
mod report;
mod score;

pub use limits::{Clock, Limits};
pub use report::{Line, Report};
pub use score::{Score, Solved};
