//! One sequential test over all runners that share a folder.
//!
//! Each runner plays a share of the games, writes a journal of its own, and reads those of the others after its games. So
//! all of them know the pairs of all, and stop when the test is decided. Both games of a pair are of one share, so pairs
//! are whole, and what a runner does not know yet is missing altogether. Nothing here depends on the clocks of machines.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::time::{Duration, Instant};

use super::folder::{Entry, JournalFolder};
use super::settings::TournamentSettings;
use super::verdict::{TestState, Verdict};
use crate::arena::record::GameRecord;
use crate::arena::stats::sprt::{Decision, SprtSettings};
use crate::arena::stats::strength::Pentanomial;
use crate::shard::Shard;

/// The journals of the others are not read more often than this: a folder on the network takes its time.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);

/// The games of a sequential test, each once, whichever journal they are in.
#[derive(Debug)]
pub struct Pool {
    settings: TournamentSettings,
    test: SprtSettings,
    /// The games that this runner plays: copies of them elsewhere do not count.
    share: Shard,
    games: PooledGames,
    /// The journals of the others, if this runner plays a share.
    others: Option<JournalFolder>,
    looked: Option<Instant>,
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
    pub fn new(settings: &TournamentSettings, share: Shard, own: Option<&Path>) -> anyhow::Result<Option<Self>> {
        let Some(test) = settings.sprt else {
            return Ok(None);
        };
        let others = own.map(|own| JournalFolder::beside(own, settings)).transpose()?;
        let (settings, games) = (settings.clone(), PooledGames::default());
        Ok(Some(Self { settings, test, share, games, others, looked: None }))
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
        if let Some(others) = &mut self.others
            && self.looked.is_none_or(|looked| looked.elapsed() >= LOOK_INTERVAL)
        {
            others.read(&mut |entry| match entry {
                Entry::Game(game) if game.pairing.is_in(self.share) => {}
                Entry::Game(game) => self.games.enter(&game),
                Entry::Verdict(verdict) => self.games.decide(verdict),
            });
            self.looked = Some(Instant::now());
        }
        let llr = self.test.log_likelihood_ratio(self.games.pairs);
        if self.is_decided() || self.test.decision(llr) == Decision::Continue {
            return None;
        }
        let verdict = Verdict { settings: self.settings.fingerprint(), pairs: self.games.pairs };
        self.games.decide(verdict.clone());
        self.others.is_some().then_some(verdict)
    }
}
