//! Evaluation, search, solver, levels and training.

mod evaluation;
#[cfg(feature = "cli")]
mod levels;
mod search;
mod solve;
#[cfg(feature = "cli")]
mod weights;
