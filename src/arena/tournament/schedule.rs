//! The list of pairings: a pure function of the settings, known before any engine starts.
//! Both games of a pair follow each other, and shards never split a pair.

use std::fmt;
use std::str::FromStr;

use anyhow::ensure;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};

/// The format of a tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everyone against everyone.
    #[default]
    RoundRobin,
    /// The first engine against all others.
    Gauntlet,
    /// Two engines, until the test decides.
    Sprt,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::RoundRobin => "round-robin",
            Self::Gauntlet => "gauntlet",
            Self::Sprt => "sprt",
        })
    }
}

/// The order in which openings are taken from the suite. After its last opening it begins again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum OpeningOrder {
    /// As in the file.
    #[default]
    Sequential,
    /// Shuffled by the seed.
    #[serde(alias = "random")]
    #[value(name = "random")]
    Shuffled,
}

/// The settings that decide the list of pairings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Schedule {
    pub format: Format,
    pub engines: usize,
    /// Games between any two engines that meet; even, so that every opening is played with both colours.
    pub games: u64,
    /// Number of openings in the suite.
    pub openings: usize,
    pub order: OpeningOrder,
    /// For a shuffled order.
    pub seed: u64,
}

/// A game to be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pairing {
    /// Index in the whole list, the same for every shard.
    pub game: u64,
    /// Any two engines that meet play one pair of games a round, all from the same opening.
    pub round: u64,
    /// Counts pairs of games with the same engines and opening, colours reversed.
    pub pair: u64,
    /// Engine index of White.
    pub white: usize,
    /// Engine index of Black.
    pub black: usize,
    /// Index of the opening.
    pub opening: usize,
}

impl Schedule {
    pub const MAX_GAMES: u64 = 1_000_000;

    pub const MAX_OPENINGS: usize = 10_000_000;

    /// The whole list in the order of play.
    pub fn pairings(&self) -> anyhow::Result<Vec<Pairing>> {
        // Settings may come from a damaged journal: validate all sizes before allocating.
        let Self { format, engines, games, openings, .. } = *self;
        match format {
            Format::Sprt => ensure!(engines == 2, "{format} needs exactly 2 engines, {engines} given"),
            _ => ensure!(engines >= 2, "{format} needs at least 2 engines, {engines} given"),
        }
        ensure!(
            games > 0 && games % 2 == 0,
            "invalid number of games {games}: expected an even number, at least 2, so that both sides play every opening"
        );
        let others = engines as u64 - 1;
        let meetings = if format == Format::Gauntlet { others } else { (others + 1).saturating_mul(others) / 2 };
        let (total, max) = (games.saturating_mul(meetings), Self::MAX_GAMES);
        ensure!(total <= max, "too many games: {games} for each of {meetings} pairings (maximum {max} in all)");
        ensure!(openings > 0, "the suite has no openings");
        let max = Self::MAX_OPENINGS;
        ensure!(openings <= max, "too many openings: {openings} (maximum {max})");

        let meetings = self.meetings();
        let rounds = (0..games / 2).zip(self.opening_order().into_iter().cycle());
        let mut list = Vec::with_capacity(total as usize);
        for (round, opening) in rounds {
            for &(first, second) in &meetings {
                let game = list.len() as u64;
                let pairing = Pairing { game, round, pair: game / 2, white: first, black: second, opening };
                let reversed = Pairing { game: game + 1, white: second, black: first, ..pairing };
                list.extend([pairing, reversed]);
            }
        }
        Ok(list)
    }

    /// The meetings of two engines, the one with the lower index first.
    fn meetings(&self) -> Vec<(usize, usize)> {
        let firsts = if self.format == Format::Gauntlet { 0..1 } else { 0..self.engines };
        firsts.flat_map(|first| (first + 1..self.engines).map(move |second| (first, second))).collect()
    }

    fn opening_order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.openings).collect();
        if self.order == OpeningOrder::Shuffled {
            // A generator that is the same on every machine: journals depend on the order.
            order.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(self.seed));
        }
        order
    }
}

/// One share of a tournament: share `index` of `count`, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    index: u64,
    count: u64,
}

impl Shard {
    pub const WHOLE: Self = Self { index: 1, count: 1 };

    /// Returns whether this share plays the game. Both games of a pair are in the same share.
    pub fn contains(self, pairing: &Pairing) -> bool {
        self.has(pairing.pair)
    }

    /// Returns whether this share has the piece of work with this number, from 0.
    pub(crate) fn has(self, number: u64) -> bool {
        // They are dealt out to the shares in turn, each time around beginning with another share. Otherwise a share
        // would always get the same engines if the numbers of shares and of meetings have a common factor.
        (number + number / self.count) % self.count == self.index - 1
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parsed = text.split_once('/').and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)));
        match parsed {
            Some((index, count)) if (1..=count).contains(&index) => Ok(Self { index, count }),
            _ => Err(format!("invalid shard {text:?}: expected I/N with I from 1 to N, for example 1/4")),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn schedule(format: Format, engines: usize, games: u64) -> Schedule {
        Schedule { format, engines, games, openings: 5, order: OpeningOrder::Sequential, seed: 1 }
    }

    fn meetings(list: &[Pairing]) -> HashSet<(usize, usize)> {
        list.iter().map(|p| (p.white.min(p.black), p.white.max(p.black))).collect()
    }

    #[test]
    fn pairings_follow_the_format() {
        let list = schedule(Format::RoundRobin, 4, 6).pairings().unwrap();
        assert_eq!(list.len(), 36);
        assert_eq!(meetings(&list).len(), 6);
        let list = schedule(Format::Gauntlet, 4, 6).pairings().unwrap();
        assert_eq!(list.len(), 18);
        assert_eq!(meetings(&list), HashSet::from([(0, 1), (0, 2), (0, 3)]));
        let list = schedule(Format::Sprt, 2, 6).pairings().unwrap();
        assert_eq!(meetings(&list), HashSet::from([(0, 1)]));
    }

    #[test]
    fn colours_swap_in_the_next_game_of_an_opening() {
        let list = schedule(Format::RoundRobin, 3, 14).pairings().unwrap();
        for (number, two) in (0..).zip(list.chunks(2)) {
            let [first, second] = two else { unreachable!() };
            assert_eq!((first.game, second.game), (2 * number, 2 * number + 1));
            assert_eq!((first.pair, second.pair), (number, number));
            assert_eq!((first.white, first.black), (second.black, second.white));
            assert_eq!(first.opening, second.opening);
            // All pairs of a round share the opening, and the suite begins again after its end.
            assert_eq!(first.round, number / 3);
            assert_eq!(first.opening as u64, number / 3 % 5);
        }
    }

    /// Journals depend on the order, so it may change only with a version that says so. Computed by a separate program
    /// from the published generator and the shuffle of rand 0.10.
    #[test]
    fn the_shuffled_order_depends_on_the_seed_alone() {
        let order = |seed| {
            let shuffled =
                Schedule { openings: 8, order: OpeningOrder::Shuffled, seed, ..schedule(Format::Sprt, 2, 16) };
            let list = shuffled.pairings().unwrap();
            list.iter().step_by(2).map(|p| p.opening).collect::<Vec<_>>()
        };
        assert_eq!(order(1), [4, 2, 5, 1, 6, 0, 3, 7]);
        assert_eq!(order(42), [2, 1, 4, 6, 0, 5, 3, 7]);
    }

    #[test]
    fn shards_share_out_whole_pairs() {
        let list = schedule(Format::RoundRobin, 3, 10).pairings().unwrap();
        let shards: Vec<Shard> = ["1/4", "2/4", "3/4", "4/4"].map(|text| text.parse().unwrap()).into();
        for pairing in &list {
            assert_eq!(shards.iter().filter(|shard| shard.contains(pairing)).count(), 1);
        }
        for shard in &shards {
            let own: Vec<&Pairing> = list.iter().filter(|pairing| shard.contains(pairing)).collect();
            assert!(own.len() >= 6, "{shard}");
            assert!(own.chunks(2).all(|two| two[0].pair == two[1].pair), "{shard}");
        }
        assert!(list.iter().all(|pairing| Shard::WHOLE.contains(pairing)));
        let three = schedule(Format::RoundRobin, 3, 18).pairings().unwrap();
        let third: Shard = "1/3".parse().unwrap();
        let own: Vec<Pairing> = three.into_iter().filter(|p| third.contains(p)).collect();
        assert_eq!((own.len(), meetings(&own).len()), (18, 3));
        for bad in ["", "1", "0/4", "5/4", "1/0", "0/0", "-1/4", "a/b", "1/4/2", "1/ 4"] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
    }

    #[test]
    fn impossible_tournaments_are_named() {
        let error = |schedule: Schedule| schedule.pairings().unwrap_err().to_string();
        assert!(error(schedule(Format::RoundRobin, 1, 2)).contains("at least 2 engines, 1 given"));
        assert!(error(schedule(Format::Sprt, 3, 2)).contains("exactly 2 engines, 3 given"));
        assert!(error(schedule(Format::Gauntlet, 3, 7)).starts_with("invalid number of games 7"));
        assert!(error(schedule(Format::Gauntlet, 3, 0)).starts_with("invalid number of games 0"));
        assert!(error(schedule(Format::Sprt, 2, u64::MAX - 1)).contains("too many"));
        assert!(error(schedule(Format::RoundRobin, usize::MAX, 2)).contains("too many"));
        let suite = Schedule { openings: usize::MAX, ..schedule(Format::Sprt, 2, 2) };
        assert!(error(suite).contains("too many openings"));
        let empty = Schedule { openings: 0, ..schedule(Format::Sprt, 2, 2) };
        assert!(error(empty).contains("no openings"));
    }
}
