//! The game that a bot offers, as its operator writes it.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::board::{Color, Komi, Reserve, Size};
use crate::notation::{KomiTextError, SizeTextError};

/// An offer to play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seek {
    /// The board.
    pub size: Size,
    /// 0 to 4.
    pub komi: Komi,
    /// On each clock at the start, in whole seconds.
    pub time: Duration,
    /// Added after each move, in whole seconds.
    pub increment: Duration,
    /// Whom the bot plays; `None` leaves it to the server.
    pub color: Option<Color>,
    /// What each player has to place.
    pub reserve: Reserve,
    /// Whether ratings are left alone.
    pub unrated: bool,
    /// Whether it is a game of a tournament.
    pub tournament: bool,
    /// Added once.
    pub extra: Option<Extra>,
    /// Who alone may accept.
    pub opponent: Option<String>,
}

/// Time that a player gets once, with a certain move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extra {
    /// The number of the player's move, from 1.
    pub at_move: u32,
    /// In whole seconds.
    pub time: Duration,
}

impl Extra {
    /// So many seconds with that move; `None` if either is 0, which is how the server says that there are none.
    #[must_use]
    pub fn new(at_move: u32, seconds: u64) -> Option<Self> {
        (at_move > 0 && seconds > 0).then_some(Self { at_move, time: Duration::from_secs(seconds) })
    }
}

/// Why a text is no offer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SeekError {
    /// A word that is not known.
    #[error(
        "{0:?} is not known, expected size=, komi=, time=, inc=, color=, pieces=, caps=, extra=, opponent=, unrated or tournament"
    )]
    Word(String),
    /// A word that is there twice.
    #[error("{0} is there twice")]
    Twice(&'static str),
    /// What cannot be left out.
    #[error("{0} is missing")]
    Missing(&'static str),
    /// A board of no known size.
    #[error("size: {0}")]
    Size(#[from] SizeTextError),
    /// Komi that is no number.
    #[error("komi: {0}")]
    Komi(#[from] KomiTextError),
    /// Komi that the server does not take.
    #[error("komi: {0} is out of range, expected 0 to 4")]
    KomiRange(Komi),
    /// No time.
    #[error("{name}: {value:?} is no time up to 24 hours, such as 15:00 or a number of seconds")]
    Time {
        /// The word.
        name: &'static str,
        /// What it says.
        value: String,
    },
    /// A number that is none, or that the server or the engine does not take.
    #[error("{name}: {value:?} is not {least} to {most}")]
    Count {
        /// The word.
        name: &'static str,
        /// What it says.
        value: String,
        /// The smallest number.
        least: u8,
        /// The largest number.
        most: u8,
    },
    /// A colour that is none.
    #[error("color: {0:?} is not white, black or random")]
    Color(String),
    /// Not a time and a move.
    #[error("extra: {0:?} is no time and move such as 5:00@30")]
    Extra(String),
    /// What is no name on the server.
    #[error("opponent: {0:?} is no player's name")]
    Opponent(String),
}

/// The fewest pieces that the server takes.
const FEWEST_PIECES: u8 = 10;
/// The most komi that the server takes, in half points.
const MOST_HALF_KOMI: i32 = 8;
/// The longest times in seconds.
const LONGEST_TIME: u64 = 24 * 3600;

/// The words of an offer, each of which may be there once.
#[derive(Default)]
struct Words<'a> {
    values: Vec<(&'static str, &'a str)>,
}

impl<'a> Words<'a> {
    const WITH_VALUE: [&'static str; 9] =
        ["size", "komi", "time", "inc", "color", "pieces", "caps", "extra", "opponent"];
    const ALONE: [&'static str; 2] = ["unrated", "tournament"];

    fn read(text: &'a str) -> Result<Self, SeekError> {
        let mut words = Self::default();
        for word in text.split_whitespace() {
            let (known, name, value) = match word.split_once('=') {
                Some((name, value)) => (&Self::WITH_VALUE[..], name, value),
                None => (&Self::ALONE[..], word, ""),
            };
            let Some(&name) = known.iter().find(|known| **known == name) else {
                return Err(SeekError::Word(word.chars().take(40).collect()));
            };
            if words.get(name).is_some() {
                return Err(SeekError::Twice(name));
            }
            words.values.push((name, value));
        }
        Ok(words)
    }

    fn get(&self, name: &str) -> Option<&'a str> {
        let mut values = self.values.iter();
        values.find(|word| word.0 == name).map(|word| word.1)
    }

    fn count(&self, name: &'static str, least: u8, most: u8) -> Result<Option<u8>, SeekError> {
        let Some(value) = self.get(name) else {
            return Ok(None);
        };
        match value.parse() {
            Ok(count) if (least..=most).contains(&count) => Ok(Some(count)),
            _ => Err(SeekError::Count { name, value: value.to_owned(), least, most }),
        }
    }

    fn time(&self, name: &'static str) -> Result<Option<Duration>, SeekError> {
        let Some(value) = self.get(name) else {
            return Ok(None);
        };
        match read_time(value) {
            Some(time) => Ok(Some(time)),
            None => Err(SeekError::Time { name, value: value.to_owned() }),
        }
    }
}

/// `H:MM:SS`, `M:SS` or seconds.
fn read_time(text: &str) -> Option<Duration> {
    let mut parts = text.split(':');
    let mut total: u64 = parts.next()?.parse().ok()?;
    for (index, part) in parts.enumerate() {
        let part: u64 = part.parse().ok().filter(|_| part.len() == 2)?;
        if part > 59 || index > 1 {
            return None;
        }
        total = total.checked_mul(60)?.checked_add(part)?;
    }
    (total <= LONGEST_TIME).then_some(Duration::from_secs(total))
}

impl FromStr for Seek {
    type Err = SeekError;

    fn from_str(text: &str) -> Result<Self, SeekError> {
        let words = Words::read(text)?;
        let size: Size = words.get("size").ok_or(SeekError::Missing("size"))?.parse()?;
        let komi: Komi = words.get("komi").unwrap_or("0").parse()?;
        if !(0..=MOST_HALF_KOMI).contains(&komi.half()) {
            return Err(SeekError::KomiRange(komi));
        }
        let time = words.time("time")?.ok_or(SeekError::Missing("time"))?;
        if time.is_zero() {
            return Err(SeekError::Time { name: "time", value: words.get("time").unwrap_or_default().to_owned() });
        }
        let standard = Reserve::standard(size);
        let pieces = words.count("pieces", FEWEST_PIECES, Reserve::MAX_STONES)?;
        let caps = words.count("caps", 0, Reserve::MAX_CAPS)?;
        Ok(Self {
            size,
            komi,
            time,
            increment: words.time("inc")?.unwrap_or_default(),
            color: match words.get("color") {
                Some("white") => Some(Color::White),
                Some("black") => Some(Color::Black),
                Some("random") | None => None,
                Some(other) => return Err(SeekError::Color(other.to_owned())),
            },
            reserve: Reserve { stones: pieces.unwrap_or(standard.stones), caps: caps.unwrap_or(standard.caps) },
            unrated: words.get("unrated").is_some(),
            tournament: words.get("tournament").is_some(),
            extra: words.get("extra").map(read_extra).transpose()?,
            opponent: match words.get("opponent") {
                Some(name) if !is_name(name) => return Err(SeekError::Opponent(name.to_owned())),
                opponent => opponent.map(str::to_owned),
            },
        })
    }
}

fn read_extra(text: &str) -> Result<Extra, SeekError> {
    text.split_once('@')
        .and_then(|(time, at_move)| Extra::new(at_move.parse().ok()?, read_time(time)?.as_secs()))
        .ok_or_else(|| SeekError::Extra(text.to_owned()))
}

/// Minutes and seconds: `15:00`.
pub(super) struct Minutes(pub Duration);

impl fmt::Display for Minutes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        let (minutes, seconds) = (seconds / 60, seconds % 60);
        if minutes < 60 {
            return write!(f, "{minutes}:{seconds:02}");
        }
        write!(f, "{}:{:02}:{seconds:02}", minutes / 60, minutes % 60)
    }
}

/// As it is read.
impl fmt::Display for Seek {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "size={} komi={} time={} inc={}",
            self.size,
            self.komi,
            Minutes(self.time),
            self.increment.as_secs()
        )?;
        let color = match self.color {
            Some(Color::White) => "white",
            Some(Color::Black) => "black",
            None => "random",
        };
        write!(f, " color={color}")?;
        let standard = Reserve::standard(self.size);
        if self.reserve.stones != standard.stones {
            write!(f, " pieces={}", self.reserve.stones)?;
        }
        if self.reserve.caps != standard.caps {
            write!(f, " caps={}", self.reserve.caps)?;
        }
        if let Some(extra) = self.extra {
            write!(f, " extra={}@{}", Minutes(extra.time), extra.at_move)?;
        }
        if let Some(opponent) = &self.opponent {
            write!(f, " opponent={opponent}")?;
        }
        if self.unrated {
            write!(f, " unrated")?;
        }
        if self.tournament {
            write!(f, " tournament")?;
        }
        Ok(())
    }
}

/// Whether the server would register a player of this name: a letter, then 3 to 15 letters, digits or `_`.
#[must_use]
pub fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && (4..=16).contains(&text.len())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_is_as_usual() {
        let seek: Seek = "size=6 time=10:00".parse().unwrap();
        assert_eq!(seek.to_string(), "size=6 komi=0 time=10:00 inc=0 color=random");
        assert_eq!(seek.reserve, Reserve::standard(seek.size));
    }

    #[test]
    fn offers_come_back() {
        let texts = [
            "size=3 komi=0.5 time=0:01 inc=0 color=white",
            "size=6 komi=2 time=15:00 inc=10 color=black pieces=60 caps=0 extra=5:00@30 opponent=abcd unrated tournament",
            "size=8 komi=4 time=24:00:00 inc=3600 color=random caps=3",
        ];
        for text in texts {
            let seek: Seek = text.parse().unwrap();
            assert_eq!(seek.to_string().parse(), Ok(seek.clone()));
        }
        let seek: Seek = texts[1].parse().unwrap();
        assert_eq!(seek.to_string(), texts[1]);
    }

    #[test]
    fn errors_name_the_word() {
        let bad = [
            ("time=5:00", "size is missing"),
            ("size=5", "time is missing"),
            ("size=9 time=60", "size: "),
            ("size=5 time=0", "time: \"0\" is no time"),
            ("size=5 time=5:0", "time: \"5:0\" is no time"),
            ("size=5 time=5:60", "is no time"),
            ("size=5 time=1:00:00:00", "is no time"),
            ("size=5 time=99999999999999999999", "is no time"),
            ("size=5 time=86401", "is no time"),
            ("size=5 time=60 inc=x", "inc: \"x\" is no time"),
            ("size=5 time=60 komi=x", "komi: "),
            ("size=5 time=60 komi=-1", "komi: -1 is out of range"),
            ("size=5 time=60 komi=4.5", "komi: 4.5 is out of range"),
            ("size=5 time=60 pieces=9", "pieces: \"9\" is not 10 to 60"),
            ("size=5 time=60 caps=4", "caps: \"4\" is not 0 to 3"),
            ("size=5 time=60 color=red", "color: \"red\""),
            ("size=5 time=60 extra=5:00", "extra: \"5:00\""),
            ("size=5 time=60 extra=0@30", "extra: \"0@30\""),
            ("size=5 time=60 opponent=a-b", "opponent: \"a-b\""),
            ("size=5 time=60 time=60", "time is there twice"),
            ("size=5 time=60 unrated unrated", "unrated is there twice"),
            ("size=5 time=60 rated", "\"rated\" is not known"),
            ("size=5 time=60 unrated=1", "\"unrated=1\" is not known"),
        ];
        for (text, expected) in bad {
            let told = text.parse::<Seek>().unwrap_err().to_string();
            assert!(told.contains(expected), "{text}: {told}");
        }
    }
}
