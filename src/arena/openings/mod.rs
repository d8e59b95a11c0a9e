//! The openings that games begin with: suites read from files, and random ones.

pub mod book;
pub mod random;
pub mod style;
