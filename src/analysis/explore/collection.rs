//! A collection of games in memory, for pages, which ask for one position after another.

use std::collections::BTreeMap;

use super::game::{Ending, ExploredGame, Start};
use super::parts::{MAX_GAME_BYTES, Parts};
use super::query::{Found, Query, Visit};
use super::tally::Tally;
use crate::board::{ByColor, Komi, Move, OpeningRule, Reserve, Setup, Size};
use crate::notation::{Deviations, GameText, read_game, read_setup};

/// Damaged games that are named.
const MAX_NAMED_GAMES: usize = 5;

/// The legal games of any number of files. A game takes some 30 bytes, and two for each of its moves.
#[derive(Debug, Default)]
pub struct Collection {
    parts: Parts,
    games: Vec<Entry>,
    /// The moves of all games.
    moves: Vec<Move>,
    /// Starts other than the empty board, as TPS, which takes less than a setup.
    starts: Vec<String>,
    pub damaged: u64,
    /// Reasons why games are damaged, of the first of them.
    pub faults: Vec<String>,
    /// The games that are not, by the size of the board.
    pub sizes: BTreeMap<Size, u64>,
}

#[derive(Debug)]
struct Entry {
    rules: Rules,
    /// The place in `starts`.
    start: Option<u32>,
    /// The end of its moves.
    end: u32,
    ratings: [u32; 2],
    ending: Ending,
}

/// The rules of a game that its TPS does not contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Rules {
    size: Size,
    komi: Komi,
    reserves: ByColor<Reserve>,
    opening: OpeningRule,
}

impl Rules {
    fn empty(self) -> Setup {
        Setup { reserves: self.reserves, opening: self.opening, ..Setup::empty(self.size, self.komi) }
    }
}

impl Collection {
    /// Games so far, damaged ones too.
    pub fn read(&self) -> u64 {
        self.games.len() as u64 + self.damaged
    }

    /// Takes the next part of a file, which may end anywhere.
    pub fn push(&mut self, text: &str) {
        self.parts.push(text);
        self.take_games();
    }

    /// The end of a file.
    pub fn finish(&mut self) {
        self.parts.finish();
        self.take_games();
    }

    fn take_games(&mut self) {
        while let Some(text) = self.parts.take() {
            if let Err(fault) = self.add(&text) {
                self.damaged += 1;
                if self.faults.len() < MAX_NAMED_GAMES {
                    self.faults.push(format!("game {}: {fault}", self.read()));
                }
            }
        }
    }

    fn add(&mut self, text: &GameText) -> Result<(), String> {
        if text.text.len() > MAX_GAME_BYTES {
            return Err(format!("longer than {} MiB", MAX_GAME_BYTES >> 20));
        }
        let read = read_game(text, None);
        if let Some(fault) = &read.fault {
            return Err(fault.to_string());
        }
        let game = ExploredGame::read(&read)?;
        let Setup { size, komi, reserves, opening, .. } = read.game.start;
        let rules = Rules { size, komi, reserves, opening };
        let start = (read.game.start != rules.empty()).then(|| read.game.start.to_string());
        if start.is_some() && start.as_ref() != self.starts.last() {
            self.starts.extend(start.clone());
        }
        self.moves.extend(read.game.moves.iter().map(|played| played.mv));
        self.games.push(Entry {
            rules,
            start: start.map(|_| self.starts.len() as u32 - 1),
            end: self.moves.len() as u32,
            ratings: game.ratings.map(Option::unwrap_or_default),
            ending: game.ending,
        });
        *self.sizes.entry(size).or_default() += 1;
        Ok(())
    }

    /// Counts the moves that were played from a position. `visited` gets each game that has it, counted from 0 without
    /// damaged ones.
    pub fn tally(&self, query: &Query, mut visited: impl FnMut(usize, &Visit)) -> Tally {
        let mut tally = Tally { read: self.damaged, damaged: self.damaged, ..Tally::default() };
        let mut from = 0;
        // Most games have the start of the one before.
        let mut known = None;
        for (index, entry) in self.games.iter().enumerate() {
            let moves = &self.moves[from..entry.end as usize];
            from = entry.end as usize;
            let key = (entry.rules, entry.start);
            if known.as_ref().is_none_or(|(before, _)| *before != key) {
                known = self.start(entry).map(|start| (key, start));
            }
            let Some((_, (setup, start))) = &known else { continue };
            let found = query.check(setup).map(|()| {
                let ratings = entry.ratings.map(|rating| (rating > 0).then_some(rating));
                Found { ending: entry.ending, visit: query.visit(start, moves.iter().copied(), ratings) }
            });
            if let Ok(Found { visit: Some(visit), .. }) = &found {
                visited(index, visit);
            }
            tally.add(&found);
        }
        tally
    }

    /// The start of a game. It could be set up before.
    fn start(&self, entry: &Entry) -> Option<(Setup, Start)> {
        let Rules { komi, reserves, opening, .. } = entry.rules;
        let setup = match entry.start {
            None => entry.rules.empty(),
            Some(place) => {
                let setup = read_setup(&self.starts[place as usize], &mut Deviations::default()).ok()?;
                Setup { komi, reserves, opening, ..setup }
            }
        };
        let start = Start::new(&setup).ok()?;
        Some((setup, start))
    }
}
