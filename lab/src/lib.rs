//! Learning from self-play: making games, keeping them in a compact file, fitting weights to them, and tuning parameters
//! of the search by games. Public are the command line, and the games and their files for tests.

pub mod cli;
mod fit;
pub mod games;
mod spsa;
