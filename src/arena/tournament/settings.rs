//! The settings of a tournament: everything that decides which games it consists of.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::schedule::{Format, OpeningOrder, Schedule};
use crate::arena::record::EngineSettings;
use crate::arena::stats::sprt::SprtSettings;
use crate::board::OpeningRule;

/// All settings that determine the games of a tournament and their meaning. The first line of a journal.
///
/// Journals with equal settings belong to the same tournament: the share of a `--shard`, the number of games at once
/// and the names of output files are therefore not part of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TournamentSettings {
    /// The engines in the order of the command line; games name them by their index.
    pub engines: Vec<EngineSettings>,
    pub format: Format,
    /// Games between any two engines that meet.
    pub games: u64,
    /// Board width.
    pub size: u8,
    pub half_komi: i32,
    /// The rule for each player's first turn; omitted for the usual opening.
    #[serde(default, skip_serializing_if = "OpeningRule::is_swap")]
    pub opening_rule: OpeningRule,
    /// The order in which openings are taken from the suite.
    pub order: OpeningOrder,
    /// For the order of openings.
    pub seed: u64,
    pub openings: usize,
    /// A hash of the openings, to distinguish suites of equal length.
    pub openings_hash: String,
    /// The test that decides an SPRT.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtSettings>,
    /// All other rules that change how games go (adjudication, longest game), as names and values.
    #[serde(default)]
    pub rules: BTreeMap<String, String>,
}

impl TournamentSettings {
    /// A short text that is equal for equal settings and, with a probability of 1 - 2^-64, different for others.
    pub fn fingerprint(&self) -> String {
        crate::journals::hash::fingerprint(self)
    }

    /// The settings that decide the list of pairings.
    pub fn schedule(&self) -> Schedule {
        Schedule {
            format: self.format,
            engines: self.engines.len(),
            games: self.games,
            openings: self.openings,
            order: self.order,
            seed: self.seed,
        }
    }

    /// The name of an engine, `?` for an index beyond the last.
    pub fn name(&self, engine: usize) -> &str {
        self.engines.get(engine).map_or("?", |e| &e.name)
    }
}
