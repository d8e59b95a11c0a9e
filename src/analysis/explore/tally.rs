//! Sums over games.

use std::collections::BTreeMap;

use super::game::Ending;
use super::query::{Found, LeftOut};
use crate::board::{Color, Komi, Move, Size};

/// Games by their results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Sums {
    pub white: u64,
    #[serde(rename = "draw")]
    pub draws: u64,
    pub black: u64,
    /// Games without a known result.
    pub unknown: u64,
}

impl Sums {
    pub const fn games(&self) -> u64 {
        self.white + self.draws + self.black + self.unknown
    }

    const fn add(&mut self, ending: Ending) {
        match ending {
            Some(Some(Color::White)) => self.white += 1,
            Some(Some(Color::Black)) => self.black += 1,
            Some(None) => self.draws += 1,
            None => self.unknown += 1,
        }
    }

    const fn extend(&mut self, other: &Self) {
        self.white += other.white;
        self.draws += other.draws;
        self.black += other.black;
        self.unknown += other.unknown;
    }
}

/// A move from the position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Row {
    pub sums: Sums,
    /// Games with a rating of the player who made it, and the sum of those.
    pub rated: u64,
    pub ratings: u64,
}

impl Row {
    /// The mean rating of the players who made the move.
    pub fn rating(&self) -> Option<f64> {
        (self.rated > 0).then(|| self.ratings as f64 / self.rated as f64)
    }
}

/// The counts of a collection.
#[derive(Debug, Default)]
pub struct Tally {
    /// Games that were read.
    pub read: u64,
    /// Those with the position.
    pub sums: Sums,
    pub moves: BTreeMap<Move, Row>,
    /// Games that ended in the position.
    pub ended: u64,
    /// Games that do not count, by the reason.
    pub sizes: BTreeMap<Size, u64>,
    pub openings: u64,
    pub reserves: u64,
    pub komis: BTreeMap<Komi, u64>,
    pub damaged: u64,
}

impl Tally {
    pub fn add(&mut self, game: &Result<Found, LeftOut>) {
        self.read += 1;
        match game {
            Ok(found) => self.add_found(*found),
            Err(LeftOut::Size(size)) => *self.sizes.entry(*size).or_default() += 1,
            Err(LeftOut::Opening) => self.openings += 1,
            Err(LeftOut::Reserves) => self.reserves += 1,
            Err(LeftOut::Komi(komi)) => *self.komis.entry(*komi).or_default() += 1,
            Err(LeftOut::Damaged(_)) => self.damaged += 1,
        }
    }

    fn add_found(&mut self, found: Found) {
        let Some(visit) = found.visit else { return };
        self.sums.add(found.ending);
        let Some(mv) = visit.mv else {
            self.ended += 1;
            return;
        };
        let row = self.moves.entry(mv).or_default();
        row.sums.add(found.ending);
        row.rated += u64::from(visit.rating.is_some());
        row.ratings += u64::from(visit.rating.unwrap_or(0));
    }

    /// Adds the games of another part of the collection.
    pub fn extend(&mut self, other: Self) {
        self.read += other.read;
        self.sums.extend(&other.sums);
        for (mv, row) in other.moves {
            let mine = self.moves.entry(mv).or_default();
            mine.sums.extend(&row.sums);
            mine.rated += row.rated;
            mine.ratings += row.ratings;
        }
        self.ended += other.ended;
        add_counts(&mut self.sizes, other.sizes);
        self.openings += other.openings;
        self.reserves += other.reserves;
        add_counts(&mut self.komis, other.komis);
        self.damaged += other.damaged;
    }

    /// The moves, the most frequent first.
    pub fn ranked(&self) -> Vec<(Move, Row)> {
        let mut rows: Vec<_> = self.moves.iter().map(|(&mv, &row)| (mv, row)).collect();
        rows.sort_by_key(|(_, row)| std::cmp::Reverse(row.sums.games()));
        rows
    }
}

fn add_counts<K: Ord>(counts: &mut BTreeMap<K, u64>, more: BTreeMap<K, u64>) {
    for (kind, count) in more {
        *counts.entry(kind).or_default() += count;
    }
}
