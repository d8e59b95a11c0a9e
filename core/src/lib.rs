//! Rules, notation, search and protocol of the Tak engine [tak-engine](https://crates.io/crates/tak-engine).
//!
//! Depend on `tak-engine`, which has all of this under the same paths, and the documentation. This is a crate of its own
//! because it needs one unit of code to be fast, while everything around it is built faster in many.

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
