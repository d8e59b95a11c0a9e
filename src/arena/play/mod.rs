//! Playing the games of a tournament: engines as processes, clocks, judgement.

mod adjudicate;
pub(crate) mod clock;
pub mod config;
pub(crate) mod cores;
pub(crate) mod identity;
pub(crate) mod player;
pub(crate) mod process;
mod referee;
pub(crate) mod runner;
mod search_info;
