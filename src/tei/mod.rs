//! TEI, the text protocol of Tak front ends and engines: lines of text in, lines of text out.
//!
//! The text, for both sides of a conversation: [`command`] is what a front end says, [`reply`] what an engine says, with
//! [`handshake`] and [`info`] for the lines that have much to tell. The server: `session` knows what the front end has set
//! up, [`server`] owns threads and bytes, [`output`] makes replies of what the engine has to say, `diagram` draws the board. [`options`] is the one table
//! of everything that can be set.

use std::fmt::{Display, Write};

pub mod command;
pub(crate) mod diagram;
pub mod handshake;
pub mod info;
pub(crate) mod lines;
#[cfg(feature = "tuning")]
mod margins;
pub mod options;
pub mod output;
pub mod reply;
pub mod server;
mod session;

/// Items with one blank between them.
fn joined<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    let mut text = String::new();
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            text.push(' ');
        }
        // Writing to a string cannot fail.
        let _ = write!(text, "{item}");
    }
    text
}
