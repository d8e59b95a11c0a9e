//! Tournaments between TEI engines: playing games, keeping them, and judging the engines by them.
//! [`record`] is the data both halves share.

#[cfg(unix)]
mod adjudicate;
pub mod book;
pub mod clock;
#[cfg(unix)]
pub mod config;
#[cfg(unix)]
mod end;
pub mod identity;
pub mod journal;
pub mod merge;
pub mod openings;
#[cfg(unix)]
pub mod player;
#[cfg(unix)]
pub mod process;
pub mod progress;
pub mod ptn;
pub mod record;
#[cfg(unix)]
pub mod referee;
pub mod remarks;
pub mod report;
#[cfg(unix)]
pub mod runner;
pub mod schedule;
pub mod sprt;
pub mod standings;
pub mod stats;
pub mod strength;
