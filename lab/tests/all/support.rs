//! Helpers that the tests of `tak-engine` use too.

#![allow(dead_code)]

/// The program under test.
pub const BINARY: &str = env!("CARGO_BIN_EXE_tak-lab");

#[path = "../../../fuzz/src/damage.rs"]
pub mod damage;
#[path = "../../../tests/all/support/folder.rs"]
pub mod folder;
#[path = "../../../tests/all/terminal.rs"]
pub mod terminal;
