//! TEI, the text protocol of Tak front ends: lines of text in, lines of text out.
//!
//! [`command`] reads a line, [`session`] knows what the front end has set up, [`server`] owns threads and bytes,
//! [`reply`] writes the answers. [`options`] is the one table of everything that can be set.

pub mod command;
pub(crate) mod lines;
#[cfg(feature = "tuning")]
mod margins;
pub mod options;
pub mod reply;
pub mod server;
pub mod session;
