//! The lines of playtak's protocol: [`Message`]s from the server, [`Command`]s to it.
//!
//! An invalid line is [`Message::Other`], not an error. Unknown words at the end of a line belong to newer versions of
//! the protocol and are ignored.

mod command;
mod layout;
mod message;
mod moves;

pub use command::{Command, Login, Password};
pub use layout::Version;
pub use message::{GameEvent, GameStart, MAX_TIME, Message};
