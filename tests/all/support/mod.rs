//! Helpers of the tests, each of which uses a part of them.

#![allow(dead_code)]

/// The program under test.
#[cfg(feature = "cli")]
pub const BINARY: &str = env!("CARGO_BIN_EXE_tak-engine");

#[cfg(feature = "cli")]
pub mod common;
#[cfg(feature = "cli")]
pub mod folder;
#[cfg(feature = "cli")]
pub mod review_page;
#[cfg(all(feature = "serve", target_os = "linux"))]
pub mod serving;
