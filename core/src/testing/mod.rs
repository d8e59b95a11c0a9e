//! What tests of several crates share: random games and boards, the number of cases, forced wins by trying everything.

#![allow(clippy::missing_panics_doc)]

pub mod brute_force;
pub mod cases;
pub mod playout;

pub use crate::for_all_sizes;
