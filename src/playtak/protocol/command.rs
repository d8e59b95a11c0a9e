//! What the server is told.

use std::fmt;

use super::moves::MoveText;
use crate::board::{Color, Move};
use crate::playtak::seek::Seek;

/// Who logs in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Login {
    /// A guest; the token brings the same guest back after a lost connection.
    Guest {
        /// 20 random lower-case letters.
        token: String,
    },
    /// A registered player.
    User {
        /// As registered.
        name: String,
        /// Goes to the server and nowhere else.
        password: Password,
    },
}

/// A password, which neither `Debug` nor an error message shows.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

/// A text that the server would take for no password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the password has to have 6 to 50 characters of ISO-8859-1, none of them blank")]
pub struct PasswordError;

impl Password {
    /// Checks that the server can read it.
    ///
    /// # Errors
    /// [`PasswordError`] when it cannot.
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

/// A line for the server. Numbers are those of games, where nothing else is said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Names this program.
    Client,
    /// Chooses the version of the protocol: clocks in milliseconds and the long form of `Game Start`.
    Protocol,
    /// Logs in.
    Login(Login),
    /// Offers a game, in the place of the one offered before.
    Seek(Seek),
    /// Offers no game any more.
    RemoveSeek,
    /// Accepts the seek of this number.
    Accept(u64),
    /// Plays a move.
    Play(u64, Move),
    /// Gives up.
    Resign(u64),
    /// Offers a draw, or accepts one.
    OfferDraw(u64),
    /// Takes the offer back.
    RemoveDraw(u64),
    /// Asks to take the last move back, or agrees to it.
    RequestUndo(u64),
    /// Does not ask any more.
    RemoveUndo(u64),
    /// Says something to one player.
    Tell {
        /// The player's name.
        to: String,
        /// One line of up to 256 characters.
        text: String,
    },
    /// Shows that this program is there.
    Ping,
    /// Ends the connection.
    Quit,
}

impl Command {
    /// The line, without a line break. That of a login has the password in it, so it is for the server only; `Debug` is
    /// for the log.
    #[must_use]
    pub fn line(&self) -> String {
        match self {
            Self::Client => format!("Client tak-engine-{}", env!("CARGO_PKG_VERSION")),
            Self::Protocol => "Protocol 2".to_owned(),
            Self::Login(Login::Guest { token }) => format!("Login Guest {token}"),
            Self::Login(Login::User { name, password }) => format!("Login {name} {}", password.0),
            Self::Seek(seek) => seek_line(seek),
            Self::RemoveSeek => "Seek 0 0 0".to_owned(),
            Self::Accept(seek) => format!("Accept {seek}"),
            Self::Play(game, mv) => format!("Game#{game} {}", MoveText(*mv)),
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

/// The move that brings extra time stands before the time itself, though the server's list of commands has them the other
/// way round. The blank before an opponent has to be there even without one.
fn seek_line(seek: &Seek) -> String {
    let color = match seek.color {
        Some(Color::White) => 'W',
        Some(Color::Black) => 'B',
        None => 'A',
    };
    let (at_move, extra) = seek.extra.map_or((0, 0), |extra| (extra.at_move, extra.time.as_secs()));
    format!(
        "Seek {size} {time} {increment} {color} {komi} {pieces} {caps} {unrated} {tournament} {at_move} {extra} {opponent}",
        size = seek.size,
        time = seek.time.as_secs(),
        increment = seek.increment.as_secs(),
        komi = seek.komi.half(),
        pieces = seek.reserve.stones,
        caps = seek.reserve.caps,
        unrated = u8::from(seek.unrated),
        tournament = u8::from(seek.tournament),
        opponent = seek.opponent.as_deref().unwrap_or_default(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_as_the_server_reads_them() {
        let seek: Seek = "size=6 komi=2 time=15:00 inc=10 color=white extra=5:00@30".parse().unwrap();
        assert_eq!(Command::Seek(seek).line(), "Seek 6 900 10 W 4 30 1 0 0 30 300 ");
        let seek: Seek =
            "size=5 komi=0.5 time=60 color=random pieces=15 caps=2 unrated tournament opponent=alice".parse().unwrap();
        assert_eq!(Command::Seek(seek).line(), "Seek 5 60 0 A 1 15 2 1 1 0 0 alice");
        let spread = Command::Play(4, "4d3<112".parse().unwrap());
        assert_eq!(spread.line(), "Game#4 M D3 A3 1 1 2");
        assert_eq!(Command::Play(4, "Sh8".parse().unwrap()).line(), "Game#4 P H8 W");
    }

    #[test]
    fn passwords_are_shown_to_nobody() {
        let password = Password::new("open-sesame").unwrap();
        let login = Command::Login(Login::User { name: "alice".into(), password });
        assert!(!format!("{login:?}").contains("sesame"));
        assert_eq!(login.line(), "Login alice open-sesame");
        for bad in ["", "short", "with a blank", "line\nbreak", "eur\u{20ac}euro", &"x".repeat(51)] {
            assert_eq!(Password::new(bad), Err(PasswordError), "{bad:?}");
        }
    }
}
