//! TEI, the text protocol of Tak front ends and engines: lines of text in, lines of text out.
//!
//! The text of both sides: [`command`] has the lines of front ends, [`reply`] and [`info`] those of engines. The
//! engine's side: `session` is the state that a front end has set up, [`options`] the table of its options, [`output`]
//! makes replies, `diagram` draws the board. [`conversation`] puts them together without threads and streams,
//! [`server`] adds those.

use std::fmt::{Display, Write};

pub mod command;
pub mod conversation;
pub(crate) mod diagram;
pub mod info;
pub(crate) mod lines;
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
