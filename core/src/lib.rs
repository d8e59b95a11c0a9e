//! Rules, notation, search and protocol of the Tak engine [tak-engine](https://crates.io/crates/tak-engine).
//!
//! Depend on `tak-engine`, which exports all of this under the same paths and documents it. This is a separate crate
//! because the search is fastest as one unit of code, while everything around it is built faster in many.

// The default program uses all parts.
#![cfg_attr(not(all(feature = "cli", unix)), allow(dead_code, unused_imports))]

// Items that only tak-engine uses are public, with `#[doc(hidden)]` where they are declared: its documentation ignores
// the attribute at `pub use`.

// Unit tests share helpers with the tests of tak-engine, which use its name.
#[cfg(test)]
extern crate self as tak_engine;

pub mod board;
pub mod engine;
#[doc(hidden)]
pub mod eval;
#[doc(hidden)]
pub mod files;
#[cfg(feature = "serde")]
mod json;
pub mod notation;
pub mod search;
pub mod tei;
#[doc(hidden)]
pub mod weights;
