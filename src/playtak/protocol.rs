//! The lines of playtak's protocol: what the server says as [`Message`]s, what it is told as [`Command`]s.
//!
//! Nothing here fails: a line that makes no sense is [`Message::Other`]. Words at the end of a line that are not known here
//! belong to newer versions of the protocol and are left alone.

mod command;
mod message;
mod moves;

pub use command::{Command, Login, Password};
pub use message::{GameEvent, GameStart, Message, OpenSeek, TermsError};
