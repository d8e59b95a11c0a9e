//! The rules and their texts: against an independent implementation, against reference implementations, and as users
//! see them.

mod any_text;
mod board;
mod leniency;
mod notation;
mod opening;
#[cfg(feature = "cli")]
mod perft;
mod ptn;
#[cfg(feature = "cli")]
mod replay;
mod setups;
mod threats;
