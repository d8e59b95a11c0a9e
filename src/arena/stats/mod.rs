//! Strength and sequential tests, from numbers alone.

pub mod sprt;
pub mod strength;
