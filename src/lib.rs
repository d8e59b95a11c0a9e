//! A Tak engine as a library.

pub mod board;
pub mod engine;
