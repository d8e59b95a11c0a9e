//! The rules and their texts: against an independent implementation, against reference implementations, and as users
//! see them.

mod board;
mod leniency;
mod notation;
mod opening;
mod oracle;
#[cfg(feature = "cli")]
mod perft;
#[cfg(feature = "cli")]
mod replay;
mod threats;
