//! A bot on playtak.com, or on any server with its protocol.
//!
//! [`protocol`] reads and writes the lines of the server, [`seek`] is an offer to play. [`bot`] is a state machine:
//! events in, requests out. [`book`] has its opening moves, `chat` the requests of players. [`run`] connects it to the
//! server, the engine and the clock.

pub mod book;
pub mod bot;
mod chat;
pub mod connection;
pub mod protocol;
pub mod run;
pub mod seek;
mod server_game;
mod thinker;
