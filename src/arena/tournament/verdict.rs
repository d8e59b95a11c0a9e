//! Where a sequential test stands, and its end.

use serde::{Deserialize, Serialize};

use crate::arena::stats::sprt::{Decision, SprtSettings};
use crate::arena::stats::strength::Pentanomial;

/// The end of a sequential test, as a journal keeps it. Games that were in progress elsewhere may still be entered, and
/// bring the ratio back between the bounds; the decision stays.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// The [`TournamentSettings::fingerprint`](super::settings::TournamentSettings::fingerprint) of the tournament.
    pub settings: String,
    /// The pairs of the first engine with which it was decided.
    pub pairs: Pentanomial,
}

impl Verdict {
    /// Checks that it decides the test of this tournament, which has so many pairs.
    pub fn check(&self, test: Option<&SprtSettings>, pairs: u64, fingerprint: &str) -> Result<(), String> {
        if self.settings != fingerprint {
            return Err(format!("it is of a tournament with other settings ({}, not {fingerprint})", self.settings));
        }
        let found = self.pairs.pairs();
        if found > pairs {
            return Err(format!("it has {found} pairs, but the tournament {pairs}"));
        }
        match test.map(|test| test.decision(test.log_likelihood_ratio(self.pairs))) {
            Some(Decision::AcceptH0 | Decision::AcceptH1) => Ok(()),
            Some(Decision::Continue) | None => Err("these pairs decide no test".to_owned()),
        }
    }
}

/// What is known about a sequential test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TestState {
    /// Complete pairs of the first engine.
    pub pairs: Pentanomial,
    /// The pairs with which the test was decided.
    pub decided: Option<Pentanomial>,
}

impl TestState {
    /// The decision, which later pairs do not change.
    pub fn decision(&self, test: &SprtSettings) -> Decision {
        test.decision(test.log_likelihood_ratio(self.decided.unwrap_or(self.pairs)))
    }

    /// `LLR 3.01 (-2.94, 2.94): H1 accepted`. Names the pairs that decided if there are others by now.
    pub fn describe(&self, test: &SprtSettings) -> String {
        let llr = test.log_likelihood_ratio(self.pairs);
        let (lower, upper) = (test.lower_bound(), test.upper_bound());
        let decided = self.decided.filter(|&pairs| pairs != self.pairs).map(|pairs| {
            let llr = test.log_likelihood_ratio(pairs);
            format!(" with LLR {llr:.2} after {} of {} pairs", pairs.pairs(), self.pairs.pairs())
        });
        format!("LLR {llr:.2} ({lower:.2}, {upper:.2}): {}{}", self.decision(test), decided.unwrap_or_default())
    }
}
