//! The terms of games in the lines of protocol 4, as the server's sources read and write them.

use super::referee::{Referee, referee};

/// The words of a seek.
#[derive(Clone)]
pub struct Terms {
    /// Size, time, increment, colour, half komi, flats, capstones, two flags, move and seconds of the extra time.
    common: [String; 11],
    pub scales: bool,
    pub is_double: bool,
    /// Empty for any player.
    pub opponent: String,
}

impl Terms {
    /// Reads a seek in the form of protocol 4, or in that of 2. The blank before the last word is required even without an
    /// opponent.
    pub fn read(line: &str) -> Option<Self> {
        let mut words: Vec<&str> = line.strip_prefix("Seek ")?.split(' ').collect();
        let is_newest = words.len() == 14;
        let scales = is_newest && words.remove(3) == "1";
        let is_double = is_newest && words.remove(11) == "1";
        let opponent = words.pop()?.to_owned();
        let common: [String; 11] = words.into_iter().map(str::to_owned).collect::<Vec<_>>().try_into().ok()?;
        let are_numbers = common[..3].iter().chain(&common[4..]).all(|word| word.parse::<u64>().is_ok());
        let is_valid = are_numbers && ["W", "B", "A"].contains(&common[3].as_str());
        is_valid.then_some(Self { common, scales, is_double, opponent })
    }

    pub fn number(&self, place: usize) -> u64 {
        self.common[place].parse().unwrap()
    }

    pub fn color(&self) -> &str {
        &self.common[3]
    }

    pub fn referee(&self) -> Box<dyn Referee> {
        referee(self.number(0), self.number(4))
    }

    /// Size, time and increment.
    fn clock(&self) -> String {
        format!("{} {}", self.common[..3].join(" "), u8::from(self.scales))
    }

    /// After `Seek new NUMBER OWNER`.
    pub fn seek_words(&self) -> String {
        let opponent = if self.opponent.is_empty() { "0" } else { &self.opponent };
        format!("{} {} {opponent} 0 {}", self.clock(), self.common[3..].join(" "), u8::from(self.is_double))
    }

    /// After `Game Start NUMBER WHITE vs BLACK COLOR`.
    pub fn game_words(&self) -> String {
        format!("{} {} 0 {}", self.clock(), self.common[4..].join(" "), u8::from(self.is_double))
    }
}
