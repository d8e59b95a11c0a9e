//! The list of pairings: a pure function of the settings, known before any engine starts.
//! Both games of a pair follow each other, and shards never split a pair.

use std::fmt;

use anyhow::ensure;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};

use crate::arena::record::Pairing;

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

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::shard::Shard;

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
        for (games, shards) in [(10, 4), (18, 3)] {
            let list = schedule(Format::RoundRobin, 3, games).pairings().unwrap();
            for index in 1..=shards {
                let shard: Shard = format!("{index}/{shards}").parse().unwrap();
                let own: Vec<Pairing> = list.iter().copied().filter(|pairing| pairing.is_in(shard)).collect();
                assert!(own.len() >= 6 && own.chunks(2).all(|two| two[0].pair == two[1].pair), "{shard}");
                assert!(shards == 4 || meetings(&own).len() == 3, "{shard}");
            }
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
