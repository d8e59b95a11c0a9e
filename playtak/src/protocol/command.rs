//! Commands for the server.

use std::fmt;

use super::layout::{Field, SEEK, Version};
use super::moves::move_text;
use crate::seek::Seek;
use tak_engine::board::{Color, Move, OpeningRule};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Login {
    /// A guest; with the same token it is the same guest after a lost connection.
    Guest {
        /// 20 random lower-case letters.
        token: String,
    },
    /// A registered player.
    User {
        /// As registered.
        name: String,
        /// Only sent to the server.
        password: Password,
    },
}

/// A password, hidden in `Debug` and error messages.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("invalid password: expected 6 to 50 characters of ISO-8859-1 without spaces")]
pub struct PasswordError;

impl Password {
    /// Checks that the server accepts its form.
    pub fn new(text: &str) -> Result<Self, PasswordError> {
        let is_fine = |c: char| c <= '\u{ff}' && !c.is_whitespace() && !c.is_control();
        if !(6..=50).contains(&text.chars().count()) || !text.chars().all(is_fine) {
            return Err(PasswordError);
        }
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(secret)")
    }
}

/// A line for the server. Numbers are those of games, unless stated otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Names this program.
    Client,
    /// Announces the newest version of the protocol that this program knows.
    Protocol,
    Login(Login),
    /// Offers a game, in a version of the protocol. It replaces the previous offer.
    Seek(Seek, Version),
    RemoveSeek,
    /// Accepts the seek of this number.
    Accept(u64),
    Play(u64, Move),
    Resign(u64),
    /// Offers a draw, or accepts one.
    OfferDraw(u64),
    RemoveDraw(u64),
    /// Asks to take the last move back, or agrees to it.
    RequestUndo(u64),
    RemoveUndo(u64),
    /// Sends a message to one player.
    Tell {
        to: String,
        /// One line of up to 256 characters.
        text: String,
    },
    /// Keeps the connection alive.
    Ping,
    Quit,
}

impl Command {
    /// The line without a line break. A login contains the password, so this is for the server only; logs use `Debug`.
    pub fn line(&self) -> String {
        match self {
            Self::Client => format!("Client tak-engine-{}", env!("CARGO_PKG_VERSION")),
            Self::Protocol => format!("Protocol {}", Version::NEWEST.number()),
            Self::Login(Login::Guest { token }) => format!("Login Guest {token}"),
            Self::Login(Login::User { name, password }) => format!("Login {name} {}", password.0),
            Self::Seek(seek, version) => seek_line(seek, *version),
            Self::RemoveSeek => "Seek 0 0 0".to_owned(),
            Self::Accept(seek) => format!("Accept {seek}"),
            Self::Play(game, mv) => format!("Game#{game} {}", move_text(*mv)),
            Self::Resign(game) => format!("Game#{game} Resign"),
            Self::OfferDraw(game) => format!("Game#{game} OfferDraw"),
            Self::RemoveDraw(game) => format!("Game#{game} RemoveDraw"),
            Self::RequestUndo(game) => format!("Game#{game} RequestUndo"),
            Self::RemoveUndo(game) => format!("Game#{game} RemoveUndo"),
            Self::Tell { to, text } => format!("Tell {to} {text}"),
            Self::Ping => "PING".to_owned(),
            Self::Quit => "quit".to_owned(),
        }
    }
}

/// The space before the opponent is required even without one.
fn seek_line(seek: &Seek, version: Version) -> String {
    let (at_move, extra) = seek.extra.map_or((0, 0), |extra| (extra.at_move, extra.time.as_secs()));
    let flag = |flag: bool| u8::from(flag).to_string();
    let words = SEEK.write(version, |field| match field {
        Field::Size => seek.size.to_string(),
        Field::Time => seek.time.as_secs().to_string(),
        Field::Increment => seek.increment.as_secs().to_string(),
        Field::Scales => flag(seek.scales),
        Field::Color => match seek.color {
            Some(Color::White) => "W".to_owned(),
            Some(Color::Black) => "B".to_owned(),
            None => "A".to_owned(),
        },
        Field::HalfKomi => seek.komi.half().to_string(),
        Field::Pieces => seek.reserve.stones.to_string(),
        Field::Caps => seek.reserve.caps.to_string(),
        Field::Unrated => flag(seek.unrated),
        Field::Tournament => flag(seek.tournament),
        Field::ExtraMove => at_move.to_string(),
        Field::ExtraTime => extra.to_string(),
        Field::Opening => flag(seek.opening == OpeningRule::DoubleBlack),
        Field::Opponent => seek.opponent.clone().unwrap_or_default(),
        // The server knows that itself.
        Field::Bot => String::new(),
    });
    format!("Seek {words}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_as_the_server_reads_them() {
        let first = "size=6 komi=2 time=15:00 inc=10 scales color=white extra=5:00@30";
        let second = "size=5 komi=0.5 time=60 pieces=15 caps=2 opening=double-black unrated tournament opponent=alice";
        for (text, version, line) in [
            (first, Version::V2, "Seek 6 900 10 W 4 30 1 0 0 30 300 "),
            (first, Version::V3, "Seek 6 900 10 1 W 4 30 1 0 0 30 300 "),
            (first, Version::V4, "Seek 6 900 10 1 W 4 30 1 0 0 30 300 0 "),
            (second, Version::V2, "Seek 5 60 0 A 1 15 2 1 1 0 0 alice"),
            (second, Version::V3, "Seek 5 60 0 0 A 1 15 2 1 1 0 0 alice"),
            (second, Version::V4, "Seek 5 60 0 0 A 1 15 2 1 1 0 0 1 alice"),
        ] {
            assert_eq!(Command::Seek(text.parse().unwrap(), version).line(), line);
        }
        let spread = Command::Play(4, "4d3<112".parse().unwrap());
        assert_eq!(spread.line(), "Game#4 M D3 A3 1 1 2");
        assert_eq!(Command::Play(4, "Sh8".parse().unwrap()).line(), "Game#4 P H8 W");
    }

    #[test]
    fn passwords_are_hidden() {
        let password = Password::new("open-sesame").unwrap();
        let login = Command::Login(Login::User { name: "alice".into(), password });
        assert!(!format!("{login:?}").contains("sesame"));
        assert_eq!(login.line(), "Login alice open-sesame");
        for bad in ["", "short", "with a blank", "line\nbreak", "eur\u{20ac}euro", &"x".repeat(51)] {
            assert_eq!(Password::new(bad), Err(PasswordError), "{bad:?}");
        }
    }
}
