//! All tests of the core's public interface in one program: it is linked once. `cargo test --test all claims` runs the
//! tests of one module.

mod claims;
mod engine;
mod rules;
mod tei;

use tak_engine_core::testing::{
    brute_force, cases, dialogue, fast_rules, for_all_sizes, games, local, oracle, playout, tempo,
};
