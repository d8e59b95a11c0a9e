//! Strength and sequential tests, from numbers alone.

pub mod scale;
pub mod sprt;
pub mod strength;
