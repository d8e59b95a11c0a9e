//! Evaluation, search, solver, levels and training.

#[cfg(feature = "cli")]
#[path = "../common/mod.rs"]
mod common;
mod evaluation;
#[cfg(feature = "cli")]
mod levels;
#[path = "../playout/mod.rs"]
mod playout;
mod search;
mod solve;
#[cfg(feature = "cli")]
mod training;
#[cfg(feature = "cli")]
mod weights;
