//! Tournaments between TEI engines: playing games, keeping them, and judging the engines by them.
//! [`settings`] and [`record`] are the data both halves share.

#[cfg(unix)]
mod adjudicate;
pub mod book;
pub(crate) mod clock;
#[cfg(unix)]
pub mod config;
#[cfg(unix)]
mod end;
mod identity;
pub mod journal;
pub(crate) mod openings;
#[cfg(unix)]
pub(crate) mod player;
#[cfg(unix)]
pub(crate) mod process;
pub(crate) mod progress;
pub(crate) mod ptn;
pub mod record;
#[cfg(unix)]
mod referee;
pub mod report;
#[cfg(unix)]
pub(crate) mod runner;
pub mod schedule;
mod search_info;
pub mod settings;
pub(crate) mod splitmix;
pub mod sprt;
pub mod standings;
pub mod stats;
pub mod strength;
