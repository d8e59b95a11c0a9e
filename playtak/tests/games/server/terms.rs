//! The terms of games in the lines of each version of the protocol, as the server's sources read and write them.

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
    /// Reads a seek as a server of this version does: without the words that it does not know, and by an old short form
    /// if it does not know them at all. The blank before the last word is required even without an opponent.
    pub fn read(line: &str, version: u8) -> Option<Self> {
        let mut words: Vec<&str> = line.strip_prefix("Seek ")?.split(' ').collect();
        let is_color = |word: Option<&&str>| word.is_some_and(|word| ["W", "B", "A"].contains(word));
        let is_flag = |word: Option<&&str>| word.is_some_and(|word| ["0", "1"].contains(word));
        let is_newest = version >= 4 && words.len() >= 14 && is_flag(words.get(12));
        let has_scales = is_flag(words.get(3)) && is_color(words.get(4)) && (is_newest || version == 3);
        let scales = has_scales && words.remove(3) == "1";
        let is_double = has_scales && is_newest && words.remove(11) == "1";
        if !is_color(words.get(3)) || words.len() < 12 {
            let numbers = words[..3].join(" ");
            words = numbers.split(' ').chain("A 0 21 1 0 0 0 0 ".split(' ')).collect();
            return Self::new(&words, false, false);
        }
        Self::new(&words, scales, is_double)
    }

    fn new(words: &[&str], scales: bool, is_double: bool) -> Option<Self> {
        let common: Vec<String> = words[..11].iter().map(|word| (*word).to_owned()).collect();
        let is_number = |word: &String| word.parse::<u64>().is_ok();
        let are_numbers = common[..3].iter().chain(&common[4..]).all(is_number);
        let common = common.try_into().ok()?;
        are_numbers.then(|| Self { common, scales, is_double, opponent: words[11].to_owned() })
    }

    /// The first version that shows these terms to a client, which would else play another game.
    pub fn needs(&self) -> u8 {
        if self.is_double { 4 } else { 2 }
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
    fn clock(&self, version: u8) -> String {
        let scales = if version >= 3 { format!(" {}", u8::from(self.scales)) } else { String::new() };
        format!("{}{scales}", self.common[..3].join(" "))
    }

    fn opening(&self, version: u8) -> String {
        if version >= 4 { format!(" {}", u8::from(self.is_double)) } else { String::new() }
    }

    /// After `Seek new NUMBER OWNER`.
    pub fn seek_words(&self, version: u8) -> String {
        let opponent = if self.opponent.is_empty() { "0" } else { &self.opponent };
        format!("{} {} {opponent} 0{}", self.clock(version), self.common[3..].join(" "), self.opening(version))
    }

    /// After `Game Start NUMBER WHITE vs BLACK COLOR`.
    pub fn game_words(&self, version: u8) -> String {
        format!("{} {} 0{}", self.clock(version), self.common[4..].join(" "), self.opening(version))
    }
}
