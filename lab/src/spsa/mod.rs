//! SPSA: parameters of the search tuned by games of the program against itself.
//!
//! Simultaneous perturbation stochastic approximation (J. C. Spall, chessprogramming.org/SPSA) as fishtest and OpenBench
//! use it. Every iteration is a pair of games from one opening with colours swapped. One side plays with every parameter
//! moved by its step into a random direction, the other side with all of them moved the opposite way. The side that scores
//! more pulls all parameters a little its way. Parameters without effect are pulled both ways alike; useful changes add
//! up.
//!
//! `parameter` holds the tuned values, `step` the arithmetic of an iteration, `run` the values after every pair and the
//! journal, `play` plays the games, `words` prints the run.

mod parameter;
mod play;
mod run;
mod step;
pub mod words;

pub use parameter::{DEFAULT_RATE, choose};
pub use play::{options, play};
pub use run::{BoardSettings, ROUND_PAIRS, SpsaRun, SpsaSettings, resume};
