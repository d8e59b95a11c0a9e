//! All tests of the public interface in one program: it is linked once, and tests that wait leave the processors to
//! tests that compute. `cargo test --test all tei` runs the tests of one module.

mod architecture;
mod arena;
#[cfg(all(feature = "cli", unix))]
mod check;
mod claims;
mod clock;
#[cfg(feature = "page")]
mod defend;
mod engine;
mod explain;
mod explore;
mod lessons;
#[cfg(feature = "cli")]
mod levels;
mod page;
mod program;
#[cfg(feature = "page")]
mod protocol;
mod puzzles;
mod readme;
#[cfg(feature = "cli")]
mod reference;
mod rules;
mod serve;
mod small_boards;
mod support;
mod tei;
#[cfg(all(feature = "cli", unix))]
mod terminal;

#[cfg(feature = "cli")]
use support::{common, folder};
#[cfg(feature = "cli")]
use tak_core::testing::tempo;
use tak_core::testing::{brute_force, cases, dialogue, fast_rules, for_all_sizes, games, local, oracle, playout};
