//! The words of the lines that have the terms of a game, for each version of the protocol.
//!
//! The server writes each line in the newest version that both sides know, and never names it. A client tells it by the
//! number of words: each version has one word more.

use std::str::FromStr;

use Field::{
    Bot, Caps, Color, ExtraMove, ExtraTime, HalfKomi, Increment, Opening, Opponent, Pieces, Scales, Size, Time,
    Tournament, Unrated,
};

/// A version of the protocol. The bot announces the newest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Version {
    /// Clocks in milliseconds, all terms in `Game Start`.
    V2 = 2,
    /// Increments that grow with the number of the move.
    V3,
    /// Opening rules.
    V4,
}

impl Version {
    const NEWEST_FIRST: [Self; 3] = [Self::V4, Self::V3, Self::V2];
    pub const NEWEST: Self = Self::NEWEST_FIRST[0];

    /// The number that is announced.
    pub const fn number(self) -> u8 {
        self as u8
    }
}

/// A word with a term of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    Size,
    /// In seconds.
    Time,
    /// In seconds.
    Increment,
    /// 1 if the increment is multiplied by the number of the player's move, else 0.
    Scales,
    /// `W`, `B` or `A`: the colour of the player who offers the game.
    Color,
    HalfKomi,
    /// Flats and walls of each player.
    Pieces,
    /// Capstones of each player.
    Caps,
    Unrated,
    Tournament,
    /// The move at which extra time is added.
    ExtraMove,
    /// The extra time in seconds.
    ExtraTime,
    /// The only player who may accept. If any player may, the server writes 0 and a client writes nothing.
    Opponent,
    /// 1 if a bot offers the game, else 0.
    Bot,
    /// 0 for swap, 1 for a double black stack.
    Opening,
}

impl Field {
    /// The first version with this word.
    const fn since(self) -> Version {
        match self {
            Scales => Version::V3,
            Opening => Version::V4,
            _ => Version::V2,
        }
    }
}

/// The fields of a line, in order.
pub struct Layout(&'static [Field]);

/// `Game Start NUMBER WHITE vs BLACK COLOR`, then these.
pub const GAME_START: Layout = Layout(&[
    Size, Time, Increment, Scales, HalfKomi, Pieces, Caps, Unrated, Tournament, ExtraMove, ExtraTime, Bot, Opening,
]);
/// `Seek new NUMBER OWNER` and `Seek remove NUMBER OWNER`, then these.
pub const OPEN_SEEK: Layout = Layout(&[
    Size, Time, Increment, Scales, Color, HalfKomi, Pieces, Caps, Unrated, Tournament, ExtraMove, ExtraTime, Opponent,
    Bot, Opening,
]);
/// `Seek` of a client, then these.
pub const SEEK: Layout = Layout(&[
    Size, Time, Increment, Scales, Color, HalfKomi, Pieces, Caps, Unrated, Tournament, ExtraMove, ExtraTime, Opening,
    Opponent,
]);

impl Layout {
    /// The fields in a version.
    fn fields(&self, version: Version) -> impl Iterator<Item = Field> {
        self.0.iter().copied().filter(move |field| field.since() <= version)
    }

    /// Assigns words to the fields. Words after the last field belong to later versions and are ignored. `None` if there
    /// are too few.
    pub fn read<'a>(&self, words: &[&'a str]) -> Option<Words<'a>> {
        let version = Version::NEWEST_FIRST.into_iter().find(|&version| self.fields(version).count() <= words.len())?;
        Some(Words { version, words: self.fields(version).zip(words.iter().copied()).collect() })
    }

    /// The words of a line, with a space between them.
    pub fn write(&self, version: Version, value: impl Fn(Field) -> String) -> String {
        self.fields(version).map(value).collect::<Vec<_>>().join(" ")
    }
}

/// The words of a line by their fields.
pub struct Words<'a> {
    pub version: Version,
    words: Vec<(Field, &'a str)>,
}

impl<'a> Words<'a> {
    /// A word; `None` if the version does not have it.
    pub fn get(&self, field: Field) -> Option<&'a str> {
        self.words.iter().find(|(known, _)| *known == field).map(|(_, word)| *word)
    }

    /// A number; `None` if it is missing or invalid.
    pub fn number<T: FromStr>(&self, field: Field) -> Option<T> {
        self.get(field)?.parse().ok()
    }

    /// A code that older versions do not have: 0 if it is missing, `None` if it is not among `known`.
    pub fn code<T: Copy>(&self, field: Field, known: [T; 2]) -> Option<T> {
        match self.get(field) {
            None | Some("0") => Some(known[0]),
            Some("1") => Some(known[1]),
            Some(_) => None,
        }
    }
}
