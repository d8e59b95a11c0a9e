//! Evaluation, search, solver and weights.

mod evaluation;
mod search;
mod solve;
mod weights;
