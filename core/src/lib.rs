//! Rules, notation, search and protocol of the Tak engine [tak-engine](https://crates.io/crates/tak-engine).
//!
//! A crate of its own so that it is built beside the programs: `tak-engine` passes on what is documented here, under
//! the same paths. Depend on that one.

// The default program uses all parts.
#![cfg_attr(not(all(feature = "cli", unix)), allow(dead_code, unused_imports))]

// Unit tests share helpers with the tests outside, which know the crate by its name.
#[cfg(test)]
extern crate self as tak_engine;

pub mod board;
pub mod engine;
#[doc(hidden)]
pub mod eval;
#[doc(hidden)]
pub mod files;
pub mod notation;
pub mod search;
pub mod tei;
#[doc(hidden)]
pub mod weights;
