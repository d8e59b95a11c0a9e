//! The rules and their texts: against an independent implementation, against reference implementations, and as users
//! see them.

mod any_text;
mod board;
mod leniency;
mod notation;
mod opening;
mod ptn;
mod setups;
mod threats;
