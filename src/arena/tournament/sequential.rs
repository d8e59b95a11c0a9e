//! One sequential test over all runners that share a folder.
//!
//! Each runner plays a share of the games, writes a journal of its own, and reads those of the others after its games. So
//! all of them know the pairs of all, and stop when the test is decided. Both games of a pair are of one share, so pairs
//! are whole, and what a runner does not know yet is missing altogether. Nothing here depends on the clocks of machines.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::journal::{JournalError, Tournament, check};
use super::settings::TournamentSettings;
use super::verdict::{TestState, Verdict};
use crate::arena::record::{GameRecord, Pairing};
use crate::arena::stats::sprt::{Decision, SprtSettings};
use crate::arena::stats::strength::Pentanomial;
use crate::files::text::open_regular;
use crate::journals::journal::{Follower, Span, Visitor, Work, line_start};

/// The journals of the others are not read more often than this: a folder on the network takes its time.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);

/// The games of a sequential test, each once, whichever journal they are in.
#[derive(Debug)]
pub struct Pool {
    settings: TournamentSettings,
    test: SprtSettings,
    pairings: Vec<Pairing>,
    games: PooledGames,
    /// The journal of this runner, whose folder has the others.
    own: Option<PathBuf>,
    others: BTreeMap<PathBuf, Other>,
    looked: Option<Instant>,
}

/// Another journal of the folder.
#[derive(Debug)]
enum Other {
    /// It was not of this test when it had so many bytes.
    Foreign(u64),
    Runner(Box<Runner>),
    /// A line of it cannot be read.
    Damaged,
}

#[derive(Debug)]
struct Runner {
    journal: Follower<Tournament>,
    /// That of the settings read last.
    fingerprint: String,
}

#[derive(Debug, Default)]
struct PooledGames {
    seen: HashSet<u64>,
    /// First games of pairs whose second game is still to come: half points of the first engine.
    open: HashMap<u64, u8>,
    pairs: Pentanomial,
    verdict: Option<Verdict>,
}

impl PooledGames {
    fn enter(&mut self, game: &GameRecord) {
        if !self.seen.insert(game.pairing.game) {
            return;
        }
        let points = game.half_points(0).unwrap_or_default();
        match self.open.remove(&game.pairing.pair) {
            Some(first) => self.pairs.0[usize::from(first + points)] += 1,
            None => drop(self.open.insert(game.pairing.pair, points)),
        }
    }

    /// Takes over a decision. Of two that were found at the same time the one with fewer pairs was first.
    fn decide(&mut self, verdict: Verdict) {
        if self.verdict.as_ref().is_none_or(|known| verdict.pairs.pairs() < known.pairs.pairs()) {
            self.verdict = Some(verdict);
        }
    }
}

impl Pool {
    /// The pool of a tournament; `None` if it is no sequential test. `own` is this runner's journal if it plays a share.
    pub fn new(settings: &TournamentSettings, own: Option<&Path>) -> anyhow::Result<Option<Self>> {
        let Some(test) = settings.sprt else {
            return Ok(None);
        };
        let pairings = settings.schedule().pairings()?;
        Ok(Some(Self {
            settings: settings.clone(),
            test,
            pairings,
            games: PooledGames::default(),
            own: own.map(Path::to_owned),
            others: BTreeMap::new(),
            looked: None,
        }))
    }

    /// Enters a game of this runner's journal.
    pub fn enter(&mut self, game: &GameRecord) {
        self.games.enter(game);
    }

    /// Enters a decision that is in this runner's journal.
    pub fn decide(&mut self, verdict: Verdict) {
        self.games.decide(verdict);
    }

    pub fn state(&self) -> TestState {
        let decided = self.games.verdict.as_ref().map(|verdict| verdict.pairs);
        TestState { pairs: self.games.pairs, decided }
    }

    pub fn is_decided(&self) -> bool {
        self.games.verdict.is_some()
    }

    /// Reads the games that the others have played meanwhile. Returns the decision if it is this runner that finds the test
    /// decided, to be written down for the others.
    pub fn look(&mut self) -> Option<Verdict> {
        if self.is_decided() {
            return None;
        }
        if let Some(own) = self.own.clone()
            && self.looked.is_none_or(|looked| looked.elapsed() >= LOOK_INTERVAL)
        {
            self.read_others(&own);
            self.looked = Some(Instant::now());
        }
        let llr = self.test.log_likelihood_ratio(self.games.pairs);
        if self.is_decided() || self.test.decision(llr) == Decision::Continue {
            return None;
        }
        let verdict = Verdict { settings: self.settings.fingerprint(), pairs: self.games.pairs };
        self.games.decide(verdict.clone());
        self.own.is_some().then_some(verdict)
    }

    /// Reads the other journals in the folder of this one. What cannot be read now is read again later: the folder may be on
    /// the network.
    fn read_others(&mut self, own: &Path) {
        let folder = own.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let files = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
        let is_other = |path: &PathBuf| {
            path.extension().is_some_and(|extension| extension == "jsonl") && path.file_name() != own.file_name()
        };
        for path in files.filter(is_other).collect::<Vec<_>>() {
            let known = self.others.remove(&path);
            if let Some(state) = self.read_other(&path, known) {
                self.others.insert(path, state);
            }
        }
    }

    /// The next state of another journal; `None` if it cannot be read now.
    fn read_other(&mut self, path: &Path, known: Option<Other>) -> Option<Other> {
        let mut runner = match known {
            Some(Other::Runner(runner)) => runner,
            Some(Other::Damaged) => return known,
            Some(Other::Foreign(_)) | None => {
                let length = fs::metadata(path).ok()?.len();
                if matches!(known, Some(Other::Foreign(bytes)) if bytes == length) || !begins_as_journal(path)? {
                    return Some(Other::Foreign(length));
                }
                Box::new(Runner { journal: Follower::new(path.to_owned()), fingerprint: String::new() })
            }
        };
        let mut reader = OtherReader {
            settings: &self.settings,
            pairings: &self.pairings,
            fingerprint: &mut runner.fingerprint,
            games: &mut self.games,
        };
        match runner.journal.read(&mut reader) {
            Ok(()) | Err(JournalError::Io { .. }) => Some(Other::Runner(runner)),
            // It is read again when it has changed.
            Err(JournalError::NoHeader { .. }) => Some(Other::Foreign(fs::metadata(path).ok()?.len())),
            Err(error) => {
                log::warn!("the test goes on without further games of another runner: {error}");
                Some(Other::Damaged)
            }
        }
    }
}

/// Returns whether a file begins as the journal of a tournament, so that no long line of another file is read. `None` if
/// it cannot be read.
fn begins_as_journal(path: &Path) -> Option<bool> {
    let start = line_start(Tournament::KEY);
    let mut found = Vec::new();
    open_regular(path).ok()?.take(start.len() as u64).read_to_end(&mut found).ok()?;
    Some(found == start.as_bytes())
}

/// Enters what is in the journal of another runner of the same test.
struct OtherReader<'a> {
    settings: &'a TournamentSettings,
    pairings: &'a [Pairing],
    fingerprint: &'a mut String,
    games: &'a mut PooledGames,
}

impl Visitor<Tournament> for OtherReader<'_> {
    fn begin(&mut self, settings: &TournamentSettings) -> Result<(), String> {
        let fields = Tournament::differences(self.settings, settings);
        if !fields.is_empty() {
            return Err("it is of another tournament".to_owned());
        }
        *self.fingerprint = settings.fingerprint();
        Ok(())
    }

    fn record(&mut self, game: GameRecord, _: Span) -> Result<(), String> {
        // The other run may have been extended.
        if game.pairing.game < self.pairings.len() as u64 {
            check(&game, self.pairings, self.fingerprint)?;
            self.games.enter(&game);
        }
        Ok(())
    }

    fn note(&mut self, verdict: Verdict) -> Result<(), String> {
        verdict.check(self.settings.sprt.as_ref(), self.fingerprint)?;
        self.games.decide(verdict);
        Ok(())
    }
}
