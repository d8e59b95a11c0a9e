//! Rules, notation, search and protocol of the Tak engine [tak-engine](https://crates.io/crates/tak-engine).
//!
//! Depend on `tak-engine`, which exports all of this under the same paths and documents it. This is a separate crate
//! because the search is fastest as one unit of code, while everything around it is built faster in many.

// The default program uses all parts.
#![cfg_attr(not(all(feature = "cli", unix)), allow(dead_code, unused_imports))]

// What is hidden is so where it is declared: the documentation of tak-engine ignores the attribute at `pub use`.

pub mod board;
pub mod engine;
#[doc(hidden)]
pub mod eval;
#[cfg(feature = "serde")]
mod json;
pub mod lines;
pub mod notation;
pub mod search;
pub mod tei;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[doc(hidden)]
pub mod weights;
