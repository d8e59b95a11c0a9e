//! Playing the games of a tournament: engines as processes, clocks, judgement.

mod adjudicate;
pub mod clock;
pub mod config;
pub(crate) mod identity;
pub mod player;
pub mod process;
mod referee;
pub mod resources;
pub mod runner;
mod search_info;
