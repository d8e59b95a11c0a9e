//! The journal of a tournament: its settings, and every game as soon as it is finished.

use std::collections::HashSet;
use std::path::Path;

pub use crate::journals::journal::JournalError;

use super::settings::TournamentSettings;
use super::verdict::Verdict;
use crate::arena::record::{GameRecord, Pairing};
use crate::arena::stats::sprt::SprtSettings;
use crate::journals::journal::{self, Span, Visitor, Work};

#[derive(Debug, Clone, PartialEq)]
pub struct Contents {
    pub settings: TournamentSettings,
    /// Each game once, in the order of the file. All are games of the tournament's list of pairings.
    pub games: Vec<GameRecord>,
    /// Further records of games that were there already.
    pub duplicates: usize,
    /// The decision of a sequential test on several machines.
    pub verdict: Option<Verdict>,
    /// Bytes of an incomplete last line, 0 if the file ends as it should.
    pub incomplete_bytes: u64,
}

/// A journal open for writing. No other process can open it until this value is dropped.
pub type Journal = journal::Journal<Tournament>;

/// Continues a journal, or starts it if there is none or it has no games. Returns its contents as well. An incomplete last
/// line is cut off the file. The number of games may differ from that of the journal.
pub fn resume(path: &Path, settings: &TournamentSettings) -> Result<(Journal, Contents), JournalError> {
    let mut reader = Reader::default();
    let (journal, incomplete_bytes) = Journal::resume(path, settings, &mut reader)?;
    Ok((journal, reader.contents(settings.clone(), incomplete_bytes)))
}

/// Reads a journal without changing it; another process may be writing it meanwhile.
pub fn read(path: &Path) -> Result<Contents, JournalError> {
    let mut reader = Reader::default();
    let (settings, incomplete_bytes) = journal::read(path, &mut reader)?;
    Ok(reader.contents(settings, incomplete_bytes))
}

/// The work that these journals are of.
#[derive(Debug)]
pub struct Tournament;

impl Work for Tournament {
    type Settings = TournamentSettings;
    type Record = GameRecord;
    type Note = Verdict;
    const KEY: &'static str = "tournament";
    const NOTE_KEY: &'static str = "decided";
    const WHAT: &'static str = "a tournament";

    /// The number of games is not among them: a tournament can be extended.
    fn compare(one: &TournamentSettings, other: &TournamentSettings) -> Vec<(&'static str, bool)> {
        let openings = one.openings != other.openings || one.openings_hash != other.openings_hash;
        vec![
            ("engines", one.engines != other.engines),
            ("format", one.format != other.format),
            ("size", one.size != other.size),
            ("komi", one.half_komi != other.half_komi),
            ("opening rule", one.opening_rule != other.opening_rule),
            ("opening order", one.order != other.order),
            ("seed", one.seed != other.seed),
            ("openings", openings),
            ("sprt", one.sprt != other.sprt),
            ("rules", one.rules != other.rules),
        ]
    }
}

/// Collects the games of a journal, each once.
#[derive(Default)]
struct Reader {
    pairings: Vec<Pairing>,
    test: Option<SprtSettings>,
    fingerprint: String,
    games: Vec<GameRecord>,
    seen: HashSet<u64>,
    duplicates: usize,
    verdict: Option<Verdict>,
}

impl Reader {
    fn contents(self, settings: TournamentSettings, incomplete_bytes: u64) -> Contents {
        let Self { games, duplicates, verdict, .. } = self;
        Contents { settings, games, duplicates, verdict, incomplete_bytes }
    }
}

impl Visitor<Tournament> for Reader {
    fn begin(&mut self, settings: &TournamentSettings) -> Result<(), String> {
        self.fingerprint = settings.fingerprint();
        self.test = settings.sprt;
        let pairings = settings.schedule().pairings().map_err(|e| e.to_string())?;
        if let Some(last) = self.seen.iter().max().filter(|&&last| last >= pairings.len() as u64) {
            // Each round has two games for every two engines that meet.
            let rounds = self.pairings.get(*last as usize).map_or(0, |pairing| pairing.round + 1);
            let games = settings.games;
            return Err(format!(
                "invalid number of games {games}: expected at least {}, since game {} has been played",
                2 * rounds,
                last + 1
            ));
        }
        self.pairings = pairings;
        Ok(())
    }

    fn record(&mut self, game: GameRecord, _: Span) -> Result<(), String> {
        check(&game, &self.pairings, &self.fingerprint)?;
        if self.seen.insert(game.pairing.game) {
            self.games.push(game);
        } else {
            self.duplicates += 1;
        }
        Ok(())
    }

    /// Of several the first counts.
    fn note(&mut self, verdict: Verdict) -> Result<(), String> {
        verdict.check(self.test.as_ref(), self.pairings.len() as u64 / 2, &self.fingerprint)?;
        self.verdict.get_or_insert(verdict);
        Ok(())
    }
}

/// Checks that the game is the one that the tournament has under this number.
pub(super) fn check(game: &GameRecord, pairings: &[Pairing], fingerprint: &str) -> Result<(), String> {
    if game.settings != fingerprint {
        return Err(format!("it is of a tournament with other settings ({}, not {fingerprint})", game.settings));
    }
    let planned = usize::try_from(game.pairing.game).ok().and_then(|index| pairings.get(index));
    if planned == Some(&game.pairing) {
        Ok(())
    } else {
        Err(format!("game {} of this tournament is another", game.pairing.game))
    }
}
