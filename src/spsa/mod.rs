//! SPSA: margins of the search tuned by games of the program against itself.
//!
//! Simultaneous perturbation stochastic approximation (J. C. Spall, chessprogramming.org/SPSA) as fishtest and OpenBench
//! use it. Every iteration is a pair of games from one opening with colours swapped: in both, one side has every margin
//! moved by its step into a random direction, the other side by as much into the opposite one. The side that scores more
//! pulls all margins a little its way. Margins that do nothing are pulled both ways alike; what helps adds up.
//!
//! `margin` says what is tuned, `step` is the arithmetic, `course` the values after every pair, `journal` keeps the pairs,
//! `desk` hands out the games, `text` and `report` show the course.

mod course;
mod desk;
mod journal;
mod margin;
pub mod report;
mod step;
pub mod text;

pub use course::Course;
pub use desk::{Desk, options};
pub use journal::{Board, Spsa, SpsaSettings, resume};
pub use margin::{DEFAULT_RATE, choose};
