//! The board in the browser, and TEI over WebSockets, on one port of this computer.
//!
//! [`http`] takes connections and answers requests, [`origin`] decides who may ask at all, and [`socket`] ties a WebSocket
//! to a session: a function on a thread of its own that reads texts and writes texts, [`tei`] for programs or [`play`]
//! for the page. Nothing but `http` and `socket` knows of tokio.
//!
//! For the page the rules are asked, never copied: [`record`] makes a game of what the page keeps, [`view`] tells what
//! there is to see and to do in a position, [`draft`] how a spread may go on, [`words`] says all this in words, [`files`]
//! reads and writes PTN and TPS, [`thinker`] is the engine, and [`annotation`] what it says of whole games.

use std::str::FromStr;

mod annotation;
mod draft;
mod files;
mod http;
mod origin;
mod page;
mod play;
mod record;
mod socket;
mod tei;
mod thinker;
mod view;
mod warnings;
mod words;

pub use http::Server;
pub use origin::Origin;

/// What to serve, where, and to whom.
#[derive(Debug, Clone)]
pub struct Config {
    /// Name or address of the network card to listen on.
    pub host: String,
    /// 0 for any port that is free.
    pub port: u16,
    /// How many WebSockets may be open at once.
    pub sessions: usize,
    /// The most search workers of one session.
    pub threads: u32,
    /// The largest table of one session in MiB.
    pub hash_mib: u32,
    /// Origins that may connect besides those that always may.
    pub origins: Vec<Origin>,
    /// What everybody must know. Needed where others than this computer can connect.
    pub token: Option<Token>,
}

/// A secret that is part of the address, so it holds only what needs no escaping there.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

/// Nobody finds it in a log.
impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(..)")
    }
}

/// A text that cannot be a [`Token`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a token has 8 to 100 letters, digits, - or _")]
pub struct TokenTextError;

impl FromStr for Token {
    type Err = TokenTextError;

    fn from_str(text: &str) -> Result<Self, TokenTextError> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        if (8..=100).contains(&text.len()) && text.bytes().all(plain) {
            Ok(Self(text.to_owned()))
        } else {
            Err(TokenTextError)
        }
    }
}

impl Token {
    /// Whether this is the same text. Takes as long for any text of this length, so that time tells nothing of it.
    fn matches(&self, text: &str) -> bool {
        let differences = self.0.bytes().zip(text.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b));
        self.0.len() == text.len() && differences == 0
    }
}
