//! Opening lines from files, for programs that play them without a search, and the openings that matches begin with.

#[doc(hidden)]
pub mod book;
#[doc(hidden)]
pub mod random;
#[doc(hidden)]
pub mod style;

pub use book::{BookError, BookLine, load_lines, parse_lines};
