//! The sequential probability ratio test on pairs of games.
//!
//! Pair scores follow an unknown distribution over five values, so the test is the generalised one: each hypothesis
//! fixes one number of that distribution (the mean, or the mean over the deviation), the rest is chosen as the pairs
//! seen make most likely, and the two maximum likelihoods are compared. The mathematics is Michel Van den Bergh's,
//! "Comments on Normalized Elo" and "A practical introduction to the GSPRT"; fishtest and fastchess use the same.

use std::fmt;

use anyhow::ensure;
use serde::{Deserialize, Serialize};

use super::strength::{ELO_PER_UNIT, Pentanomial, expected_score};
use crate::arena::words::typed;

/// The quantity that both hypotheses are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SprtModel {
    /// Elo divided by how much pair scores spread, so that it does not depend on the draw rate or the openings.
    #[default]
    #[serde(alias = "normalised")]
    Normalized,
    /// Elo of the logistic scale, as rating lists use.
    Logistic,
}

impl fmt::Display for SprtModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Normalized => "normalized",
            Self::Logistic => "logistic",
        })
    }
}

/// A test of H1, "the first engine is `elo1` stronger", against H0, "it is `elo0` stronger".
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SprtSettings {
    #[serde(deserialize_with = "typed")]
    pub elo0: f64,
    /// Elo of H1, more than `elo0`.
    #[serde(deserialize_with = "typed")]
    pub elo1: f64,
    /// Chance to accept H1 when H0 holds.
    #[serde(deserialize_with = "typed")]
    pub alpha: f64,
    /// Chance to accept H0 when H1 holds.
    #[serde(deserialize_with = "typed")]
    pub beta: f64,
    /// The scale of `elo0` and `elo1`.
    pub model: SprtModel,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    Continue,
    /// The first engine is weaker than H1.
    AcceptH0,
    /// The first engine is stronger than H0.
    AcceptH1,
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Continue => "undecided",
            Self::AcceptH0 => "H0 accepted",
            Self::AcceptH1 => "H1 accepted",
        })
    }
}

impl Default for SprtSettings {
    fn default() -> Self {
        Self { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: SprtModel::default() }
    }
}

impl SprtSettings {
    /// The largest Elo, either way, that a hypothesis may name.
    pub const MAX_ELO: f64 = 200.0;

    /// Checks that these settings make a test.
    pub fn check(&self) -> anyhow::Result<()> {
        let max = Self::MAX_ELO;
        for (name, value) in [("elo0", self.elo0), ("elo1", self.elo1)] {
            ensure!((-max..=max).contains(&value), "invalid {name} {value}: expected {} to {max}", -max);
        }
        for (name, value) in [("alpha", self.alpha), ("beta", self.beta)] {
            ensure!(value > 0.0 && value < 0.5, "invalid {name} {value}: expected more than 0 and less than 0.5");
        }
        let Self { elo0, elo1, .. } = self;
        ensure!(elo0 < elo1, "elo0 ({elo0}) must be less than elo1 ({elo1})");
        Ok(())
    }

    /// The log-likelihood ratio at or below which H0 is accepted. Wald's bound.
    pub fn lower_bound(&self) -> f64 {
        (self.beta / (1.0 - self.alpha)).ln()
    }

    /// The log-likelihood ratio at or above which H1 is accepted. Wald's bound.
    pub fn upper_bound(&self) -> f64 {
        ((1.0 - self.beta) / self.alpha).ln()
    }

    /// The log-likelihood ratio of H1 to H0 for the pairs of the first engine; 0 without pairs.
    pub fn log_likelihood_ratio(&self, pairs: Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let sample = Distribution::of(pairs);
        let fit = |elo: f64| match self.model {
            SprtModel::Logistic => sample.fit_mean(PAIR_SCORES, expected_score(elo)),
            SprtModel::Normalized => {
                // The mean of a pair of independent games has the same lead, and a deviation smaller by the root of
                // two.
                sample.fit_lead(elo / ELO_PER_UNIT * std::f64::consts::SQRT_2)
            }
        };
        let (h0, h1) = (fit(self.elo0), fit(self.elo1));
        let terms = (0..5).map(|i| sample.chances[i] * (h1[i] / h0[i]).ln());
        sample.count * terms.sum::<f64>()
    }

    pub fn decision(&self, llr: f64) -> Decision {
        if llr >= self.upper_bound() {
            Decision::AcceptH1
        } else if llr <= self.lower_bound() {
            Decision::AcceptH0
        } else {
            Decision::Continue
        }
    }
}

/// `[0, 5] normalized Elo, alpha 0.05, beta 0.05`.
impl fmt::Display for SprtSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { elo0, elo1, alpha, beta, model } = self;
        write!(f, "[{elo0}, {elo1}] {model} Elo, alpha {alpha}, beta {beta}")
    }
}

/// Points a game of the five kinds of pair.
const PAIR_SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The pairs seen, as shares.
struct Distribution {
    chances: [f64; 5],
    count: f64,
}

impl Distribution {
    /// The count of a kind of pair that has not occurred. With a chance of zero, no hypothesis could expect a kind
    /// that has not been seen yet.
    const UNSEEN_PAIRS: f64 = 1e-3;

    fn of(pairs: Pentanomial) -> Self {
        let counts = pairs.0.map(|count| (count as f64).max(Self::UNSEEN_PAIRS));
        let count = counts.iter().sum();
        Self { chances: counts.map(|c| c / count), count }
    }

    /// Of all distributions over `values` with this mean, the one under which the sample is most likely.
    ///
    /// With a Lagrange multiplier `x` for the mean, its chances are `sample / (1 + x (value - mean))`, and `x` is the
    /// one root of a falling function between two poles, provided that the mean lies between the extreme values.
    fn fit_mean(&self, values: [f64; 5], mean: f64) -> [f64; 5] {
        let leads = values.map(|value| value - mean);
        let most = leads.into_iter().fold(f64::MIN, f64::max);
        let least = leads.into_iter().fold(f64::MAX, f64::min);
        let (mut low, mut high) = (-1.0 / most, -1.0 / least);
        let mut x = 0.0;
        // Newton's steps, and halving if a step would leave the interval. Both converge long before the limit.
        for _ in 0..100 {
            let (mut value, mut slope) = (0.0, 0.0);
            for (lead, chance) in leads.into_iter().zip(self.chances) {
                let term = lead / (1.0 + x * lead);
                value += chance * term;
                slope -= chance * term * term;
            }
            let newton = x - value / slope;
            let newton_stays = low < newton && newton < high;
            if value > 0.0 {
                low = x;
            } else {
                high = x;
            }
            let next = if newton_stays { newton } else { f64::midpoint(low, high) };
            let step = (next - x).abs();
            x = next;
            if step <= 1e-12 * (1.0 + x.abs()) {
                break;
            }
        }
        let mut fitted = [0.0; 5];
        for ((fitted, chance), lead) in fitted.iter_mut().zip(self.chances).zip(leads) {
            *fitted = chance / (1.0 + x * lead);
        }
        fitted
    }

    /// Of all distributions whose mean leads an equal score by `ratio` deviations, the one under which the sample is
    /// most likely.
    ///
    /// The condition is not linear in the chances. Its linear approximation around the last guess is a condition on a
    /// mean of other values, so that [`Distribution::fit_mean`] gives the next guess.
    fn fit_lead(&self, ratio: f64) -> [f64; 5] {
        let mut fitted = [0.2; 5];
        // Converges within a few steps for likely data; the limit is for data that no hypothesis comes near.
        for _ in 0..50 {
            let mean: f64 = (0..5).map(|i| fitted[i] * PAIR_SCORES[i]).sum();
            let variance: f64 = (0..5).map(|i| fitted[i] * (PAIR_SCORES[i] - mean).powi(2)).sum();
            let deviation = variance.sqrt();
            let values = PAIR_SCORES.map(|score| {
                let spread = ((score - mean) / deviation).powi(2);
                score - 0.5 - ratio * deviation * (1.0 + spread) / 2.0
            });
            let next = self.fit_mean(values, 0.0);
            let change = (0..5).map(|i| (next[i] - fitted[i]).abs()).fold(0.0, f64::max);
            fitted = next;
            if change < 1e-9 {
                break;
            }
        }
        fitted
    }
}
