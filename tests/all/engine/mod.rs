//! Evaluation, search, solver and weights.

mod evaluation;
mod search;
mod solve;
#[cfg(feature = "cli")]
mod weights;
