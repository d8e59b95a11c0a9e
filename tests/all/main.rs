//! All tests of the public interface except those in core/tests, in one program: it is linked once, and tests that wait
//! leave the processors to tests that compute. `cargo test --test all tei` runs the tests of one module, and those of
//! the same name in core/tests.

mod architecture;
mod arena;
#[cfg(all(feature = "cli", unix))]
mod check;
mod clock;
#[cfg(feature = "page")]
mod defend;
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
mod serve;
mod small_boards;
mod support;
mod tei;
#[cfg(all(feature = "cli", unix))]
mod terminal;

#[cfg(feature = "cli")]
use support::{common, folder};
use tak_core::testing::{brute_force, cases};
#[cfg(feature = "cli")]
use tak_core::testing::{dialogue, games, local, oracle, tempo};
#[cfg(feature = "annotate")]
use tak_core::testing::{fast_rules, for_all_sizes, playout};
