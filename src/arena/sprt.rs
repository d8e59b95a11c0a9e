//! The sequential probability ratio test on pairs of games.

use serde::{Deserialize, Serialize};

/// What the two hypotheses are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SprtModel {
    /// Elo divided by how much pair scores spread, so that it does not depend on the draw rate or the openings.
    #[default]
    Normalized,
    /// Elo of the logistic scale, as rating lists use.
    Logistic,
}

/// A test of H1, "the first engine is `elo1` stronger", against H0, "it is `elo0` stronger".
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SprtSettings {
    /// Elo of H0.
    pub elo0: f64,
    /// Elo of H1, more than `elo0`.
    pub elo1: f64,
    /// Chance to accept H1 when H0 holds.
    pub alpha: f64,
    /// Chance to accept H0 when H1 holds.
    pub beta: f64,
    /// The scale of `elo0` and `elo1`.
    pub model: SprtModel,
}
