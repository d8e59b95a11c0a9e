//! The board in the browser, and TEI over WebSockets, on one port of this computer.
//!
//! [`http`] accepts connections and answers requests, [`origin`] decides who may connect, and [`socket`] connects a
//! WebSocket to a session: a function on its own thread that reads and writes texts, [`tei`] for programs or [`play`]
//! for the page, perhaps with a [`second`] engine. Only `http` and `socket` use tokio. The page itself is in
//! [`crate::page`].

use std::str::FromStr;
use std::sync::Arc;

mod http;
mod origin;
mod play;
#[cfg_attr(not(unix), path = "no_second.rs")]
mod second;
mod socket;
mod tei;

pub use http::{Server, TokenMissing};
pub use origin::Origin;
pub use second::SecondEngine;

#[derive(Debug, Clone)]
pub struct Config {
    /// The name or address to listen on.
    pub host: String,
    /// The port; 0 for any free one.
    pub port: u16,
    /// The maximum number of open WebSockets.
    pub sessions: usize,
    /// The maximum number of threads per session.
    pub threads: u32,
    /// The maximum table size per session in MiB.
    pub hash_mib: u32,
    /// Further sites whose pages may connect.
    pub origins: Vec<Origin>,
    /// The token that clients must send. Required if other computers can connect.
    pub token: Option<Token>,
    /// The second engine of each page.
    pub second: Option<SecondEngine>,
    /// Other pages in the place of the board.
    pub pages: Option<Pages>,
}

/// Makes the page at a path, if there is one.
pub type MakePage = dyn Fn(&str) -> Option<MadePage> + Send + Sync;

/// Pages that are made when they are asked for.
#[derive(Clone)]
pub struct Pages(pub Arc<MakePage>);

/// A page or a script, with its media type.
#[derive(Debug, Clone)]
pub struct MadePage {
    pub kind: &'static str,
    pub text: String,
}

impl std::fmt::Debug for Pages {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Pages(..)")
    }
}

/// A secret in the address, of characters that need no escaping there.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

/// Hides the secret from logs.
impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(..)")
    }
}

impl FromStr for Token {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        if (8..=100).contains(&text.len()) && text.bytes().all(plain) {
            Ok(Self(text.to_owned()))
        } else {
            Err("expected 8 to 100 letters, digits, - or _")
        }
    }
}

impl Token {
    /// The end of an address with it.
    pub fn query(&self) -> String {
        format!("?token={}", self.0)
    }

    /// Compares with a text, in a time that depends on its length only.
    fn matches(&self, text: &str) -> bool {
        let differences = self.0.bytes().zip(text.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b));
        self.0.len() == text.len() && differences == 0
    }
}
