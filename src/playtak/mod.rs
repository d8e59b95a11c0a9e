//! A bot on playtak.com, or on any server with its protocol.
//!
//! [`protocol`] is lines and their meaning, [`seek`] an offer to play. [`bot`] decides everything and does nothing: it is
//! told what happens and says what is to be done. [`book`] is what it plays without thinking, `chat` what players may say
//! to it. [`run`] does what it says, with a connection and the engine in threads of their own.

pub mod book;
pub mod bot;
mod chat;
pub mod connection;
pub mod protocol;
pub mod run;
pub mod seek;
mod server_game;
mod thinker;
