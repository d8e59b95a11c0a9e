//! Playing the games of a tournament: engines as processes, clocks, judgement.

#[cfg(unix)]
mod adjudicate;
pub(crate) mod clock;
#[cfg(unix)]
pub mod config;
#[cfg(unix)]
pub(crate) mod cores;
#[cfg(unix)]
mod end;
mod identity;
#[cfg(unix)]
pub(crate) mod player;
#[cfg(unix)]
pub(crate) mod process;
pub(crate) mod progress;
#[cfg(unix)]
mod referee;
#[cfg(unix)]
pub(crate) mod runner;
mod search_info;
