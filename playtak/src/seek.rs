//! Offers to play, as the operator of a bot writes them.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use crate::protocol::Version;
use tak_engine::board::{Color, Komi, OpeningRule, Reserve, Size};

/// An offer to play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seek {
    pub size: Size,
    /// 0 to 4.
    pub komi: Komi,
    /// On each clock at the start, in whole seconds.
    pub time: Duration,
    /// Added after each move, in whole seconds.
    pub increment: Duration,
    /// True if the increment is multiplied by the number of the player's move, from 1.
    pub scales: bool,
    /// Swap or a double black stack; the server has no other rules.
    pub opening: OpeningRule,
    /// The colour of the bot; `None` leaves it to the server.
    pub color: Option<Color>,
    /// The pieces of each player.
    pub reserve: Reserve,
    /// True if the game does not count for ratings.
    pub unrated: bool,
    /// True for a game of a tournament.
    pub tournament: bool,
    /// Added once.
    pub extra: Option<Extra>,
    /// The only player who may accept.
    pub opponent: Option<String>,
}

/// Time that a player gets once, at a certain move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extra {
    /// The number of the player's move, from 1.
    pub at_move: u32,
    /// In whole seconds.
    pub time: Duration,
}

impl Extra {
    /// `None` if either is 0, which for the server means no extra time.
    pub fn new(at_move: u32, seconds: u64) -> Option<Self> {
        (at_move > 0 && seconds > 0).then_some(Self { at_move, time: Duration::from_secs(seconds) })
    }
}

impl Seek {
    /// The oldest version of the protocol that has all these terms.
    pub fn needs(&self) -> Version {
        match (self.opening, self.scales) {
            (OpeningRule::Swap, false) => Version::V2,
            (OpeningRule::Swap, true) => Version::V3,
            _ => Version::V4,
        }
    }
}

/// The words of an offer, each of them at most once.
struct Words<'a>(Vec<(&'a str, &'a str)>);

impl<'a> Words<'a> {
    const KEYS_WITH_VALUE: [&'static str; 10] =
        ["size", "komi", "time", "inc", "opening", "color", "pieces", "caps", "extra", "opponent"];
    const KEYS_WITHOUT_VALUE: [&'static str; 3] = ["scales", "unrated", "tournament"];

    fn read(text: &'a str) -> Result<Self, String> {
        let mut words = Self(Vec::new());
        for word in text.split_whitespace() {
            let (is_known, name, value) = match word.split_once('=') {
                Some((name, value)) => (Self::KEYS_WITH_VALUE.contains(&name), name, value),
                None => (Self::KEYS_WITHOUT_VALUE.contains(&word), word, ""),
            };
            if !is_known {
                let known =
                    format!("{}=, {}", Self::KEYS_WITH_VALUE.join("=, "), Self::KEYS_WITHOUT_VALUE.join(" or "));
                return Err(format!("unknown word \"{word:.40}\": expected {known}"));
            }
            if words.get(name).is_some() {
                return Err(format!("duplicate word {name}"));
            }
            words.0.push((name, value));
        }
        Ok(words)
    }

    fn get(&self, name: &str) -> Option<&'a str> {
        self.0.iter().find(|word| word.0 == name).map(|word| word.1)
    }

    /// The value of a word, if present.
    fn value<T>(&self, name: &str, expected: &str, read: impl Fn(&str) -> Option<T>) -> Result<Option<T>, String> {
        let fault = |value: &str| format!("{name}: invalid value \"{value:.40}\", expected {expected}");
        self.get(name).map(|value| read(value).ok_or_else(|| fault(value))).transpose()
    }
}

const TIME_FORM: &str = "a time up to 24 hours, for example 15:00, or a number of seconds";

/// The maximum of all times in seconds.
const MAX_TIME: u64 = 24 * 3600;

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
    (total <= MAX_TIME).then_some(Duration::from_secs(total))
}

fn read_extra(text: &str) -> Option<Extra> {
    let (time, at_move) = text.split_once('@')?;
    Extra::new(at_move.parse().ok()?, read_time(time)?.as_secs())
}

/// A number within these bounds.
fn within(range: RangeInclusive<u8>) -> impl Fn(&str) -> Option<u8> {
    move |text| text.parse().ok().filter(|count| range.contains(count))
}

impl FromStr for Seek {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let words = Words::read(text)?;
        let size = words.value("size", "3 to 8", |text| text.parse::<Size>().ok())?;
        let size = size.ok_or("missing word size")?;
        // The range of the server.
        let komi = |text: &str| text.parse::<Komi>().ok().filter(|komi| (0..=8).contains(&komi.half()));
        let time = words.value("time", TIME_FORM, |text| read_time(text).filter(|time| !time.is_zero()))?;
        let standard = Reserve::standard(size);
        let pieces = words.value("pieces", "10 to 60", within(10..=Reserve::MAX_STONES))?;
        let caps = words.value("caps", "0 to 3", within(0..=Reserve::MAX_CAPS))?;
        let increment = words.value("inc", TIME_FORM, read_time)?.unwrap_or_default();
        let scales = words.get("scales").is_some();
        if scales && increment.is_zero() {
            return Err("scales: missing word inc".to_owned());
        }
        let opening = |text: &str| text.parse().ok().filter(|&opening| opening != OpeningRule::NoSwap);
        Ok(Self {
            size,
            komi: words.value("komi", "0 to 4, halves allowed", komi)?.unwrap_or_default(),
            time: time.ok_or("missing word time")?,
            increment,
            scales,
            opening: words.value("opening", "swap or double-black", opening)?.unwrap_or_default(),
            color: words
                .value("color", "white, black or random", |text| match text {
                    "white" => Some(Some(Color::White)),
                    "black" => Some(Some(Color::Black)),
                    "random" => Some(None),
                    _ => None,
                })?
                .flatten(),
            reserve: Reserve { stones: pieces.unwrap_or(standard.stones), caps: caps.unwrap_or(standard.caps) },
            unrated: words.get("unrated").is_some(),
            tournament: words.get("tournament").is_some(),
            extra: words.value("extra", "TIME_FORM@MOVE, for example 5:00@30", read_extra)?,
            opponent: words.value("opponent", "a player's name", |text| is_name(text).then(|| text.to_owned()))?,
        })
    }
}

/// Minutes and seconds: `15:00`.
pub struct Minutes(pub Duration);

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

/// The same form as is read.
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
        if self.scales {
            write!(f, " scales")?;
        }
        if self.opening != OpeningRule::Swap {
            write!(f, " opening={}", self.opening)?;
        }
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

/// Returns whether the server registers a player of this name: a letter, then 3 to 15 letters, digits or `_`.
pub fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && (4..=16).contains(&text.len())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_words_have_usual_values() {
        let seek: Seek = "size=6 time=10:00".parse().unwrap();
        assert_eq!(seek.to_string(), "size=6 komi=0 time=10:00 inc=0 color=random");
        assert_eq!(seek.reserve, Reserve::standard(seek.size));
    }

    #[test]
    fn offers_are_read_as_written() {
        let texts = [
            "size=3 komi=0.5 time=0:01 inc=0 color=white",
            "size=6 komi=2 time=15:00 inc=10 color=black pieces=60 caps=0 extra=5:00@30 opponent=abcd unrated tournament",
            "size=8 komi=4 time=24:00:00 inc=3600 color=random caps=3",
            "size=5 komi=0 time=3:00 inc=2 scales opening=double-black color=random",
        ];
        for text in texts {
            let seek: Seek = text.parse().unwrap();
            assert_eq!(seek.to_string().parse(), Ok(seek.clone()));
        }
        for text in &texts[1..] {
            assert_eq!(text.parse::<Seek>().unwrap().to_string(), *text);
        }
    }

    #[test]
    fn errors_name_the_word() {
        let bad = [
            ("time=5:00", "missing word size"),
            ("size=5", "missing word time"),
            ("size=9 time=60", "size: "),
            ("size=5 time=0", "time: invalid value \"0\", expected a time"),
            ("size=5 time=5:0", "time: invalid value \"5:0\""),
            ("size=5 time=5:60", "time: "),
            ("size=5 time=1:00:00:00", "time: "),
            ("size=5 time=99999999999999999999", "time: "),
            ("size=5 time=86401", "time: "),
            ("size=5 time=60 inc=x", "inc: invalid value \"x\""),
            ("size=5 time=60 komi=x", "komi: "),
            ("size=5 time=60 komi=-1", "komi: invalid value \"-1\", expected 0 to 4"),
            ("size=5 time=60 komi=4.5", "komi: invalid value \"4.5\""),
            ("size=5 time=60 opening=no-swap", "opening: invalid value \"no-swap\", expected swap or double-black"),
            ("size=5 time=60 scales", "scales: missing word inc"),
            ("size=5 time=60 pieces=9", "pieces: invalid value \"9\", expected 10 to 60"),
            ("size=5 time=60 caps=4", "caps: invalid value \"4\", expected 0 to 3"),
            ("size=5 time=60 color=red", "color: invalid value \"red\""),
            ("size=5 time=60 extra=5:00", "extra: invalid value \"5:00\""),
            ("size=5 time=60 extra=0@30", "extra: invalid value \"0@30\""),
            ("size=5 time=60 opponent=a-b", "opponent: invalid value \"a-b\""),
            ("size=5 time=60 time=60", "duplicate word time"),
            ("size=5 time=60 unrated unrated", "duplicate word unrated"),
            ("size=5 time=60 rated", "unknown word \"rated\": expected size="),
            ("size=5 time=60 unrated=1", "unknown word \"unrated=1\""),
        ];
        for (text, expected) in bad {
            let error = text.parse::<Seek>().unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
