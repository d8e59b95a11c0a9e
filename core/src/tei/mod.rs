//! TEI, the text protocol of Tak front ends and engines: lines of text in, lines of text out.
//!
//! [`conversation`] is an engine's side of it without threads and streams.

// The text of both sides: `command` has the lines of front ends (`go_words` those of `go`, `number` their numbers,
// `fault` what is wrong with them), `reply` and `info` those of engines. The engine's side: `session` is the state that
// a front end has set up (`game` its game), `options` the table of its options, `output` makes replies, `diagram` draws
// the board. `order` is what a line asks for in a session. `conversation` obeys orders, `action` has its requests,
// `lines` reads lines from streams, `server` adds threads and streams.
//
// Hidden modules promise nothing: tests and fuzz targets use them.

use std::fmt::Display;

mod action;
pub mod command;
pub mod conversation;
#[doc(hidden)]
pub mod diagram;
mod fault;
mod game;
mod go_words;
pub mod info;
#[doc(hidden)]
pub mod lines;
mod number;
pub mod options;
mod order;
pub mod output;
pub mod reply;
#[doc(hidden)]
pub mod server;
mod session;

/// Items with one blank between them.
fn joined<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(" ")
}
