//! The openings that games begin with: suites read from files, and random ones.

pub mod book;
pub(crate) mod random;
pub(crate) mod style;
