//! Strength estimated from pairs of games: Elo, its error, the likelihood of superiority.
//!
//! Games of a pair share their opening and are therefore not independent, so every error here comes from the spread
//! of pair scores (the pentanomial counts), never from single games.

use std::fmt;
use std::ops::{Add, AddAssign};

use serde::{Deserialize, Serialize};

/// Standard deviations on each side of the mean that hold 95 % of a normal distribution.
const Z95: f64 = 1.959_963_984_540_054;

/// The expected score per game of a player who is `elo` stronger, on the logistic scale.
pub(crate) fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The inverse of [`expected_score`]; infinite for scores of 0 and 1.
pub(crate) fn elo_of_score(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    400.0 * (score / (1.0 - score)).log10()
}

/// Elo for one unit of normalised strength: the slope of the Elo scale at equal strength, for games without draws.
pub(super) const ELO_PER_UNIT: f64 = 800.0 / std::f64::consts::LN_10;

/// Wins, draws and losses of an engine or a colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(missing_docs)]
pub struct Wdl {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

impl Wdl {
    /// Counts a game of 2, 1 or 0 half points.
    pub fn add_half_points(&mut self, half_points: u8) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    pub fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// A point for a win, half a point for a draw.
    pub fn points(self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Points a game, `None` without games.
    pub fn score(self) -> Option<f64> {
        ratio(self.points(), self.games())
    }

    /// Share of drawn games, `None` without games.
    pub fn draw_rate(self) -> Option<f64> {
        ratio(self.draws as f64, self.games())
    }
}

impl Add for Wdl {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { wins: self.wins + other.wins, draws: self.draws + other.draws, losses: self.losses + other.losses }
    }
}

/// `+3 =1 -2`.
impl fmt::Display for Wdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("+{} ={} -{}", self.wins, self.draws, self.losses))
    }
}

/// `None` for a count of 0.
pub(crate) fn ratio(sum: f64, count: u64) -> Option<f64> {
    (count > 0).then(|| sum / count as f64)
}

/// Pairs of games by the points of one side: 0, 0.5, 1, 1.5 and 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    pub fn pairs(self) -> u64 {
        // Counts may come from a damaged journal.
        self.0.iter().fold(0, |sum, &count| sum.saturating_add(count))
    }

    /// Mean points a game, `None` without pairs.
    pub fn mean(self) -> Option<f64> {
        let quarters: u64 = (0..).zip(self.0).map(|(i, count)| i * count).sum();
        ratio(quarters as f64 / 4.0, self.pairs())
    }

    /// Variance of a pair's mean points a game, `None` without pairs. 0 while all pairs were equal.
    pub fn variance(self) -> Option<f64> {
        let mean = self.mean()?;
        let squares = (0..5).map(|i| self.0[i] as f64 * (i as f64 / 4.0 - mean).powi(2));
        ratio(squares.sum(), self.pairs())
    }

    /// The deviation of the mean, `None` without pairs or while all pairs were equal, so that the spread is unknown.
    fn error_of_mean(self) -> Option<f64> {
        let variance = self.variance().filter(|&v| v > 0.0)?;
        Some((variance / self.pairs() as f64).sqrt())
    }

    /// With 95 % certainty the true mean is this close. `None` without pairs or while all pairs were equal.
    pub fn margin(self) -> Option<f64> {
        self.error_of_mean().map(|deviation| Z95 * deviation)
    }

    /// The difference in strength on the logistic Elo scale, `None` without pairs.
    pub fn elo(self) -> Option<Estimate> {
        let mean = self.mean()?;
        let error = self.margin().map(|margin| (elo_of_score(mean + margin) - elo_of_score(mean - margin)) / 2.0);
        Some(Estimate { value: elo_of_score(mean), error })
    }

    /// The difference in strength on the normalised scale (a game's mean lead over its deviation, in Elo units), which
    /// does not shrink with the draw rate as Elo does. `None` without pairs or while all pairs were equal.
    pub fn normalized_elo(self) -> Option<Estimate> {
        let deviation = self.variance().filter(|&v| v > 0.0)?.sqrt();
        // A pair's mean of two independent games has a deviation smaller by the root of two than a game's.
        let unit = ELO_PER_UNIT / std::f64::consts::SQRT_2;
        Some(Estimate {
            value: (self.mean()? - 0.5) / deviation * unit,
            error: Some(Z95 * unit / (self.pairs() as f64).sqrt()),
        })
    }

    /// The likelihood of superiority: the chance that the side is the stronger one. `None` without pairs.
    pub fn superiority(self) -> Option<f64> {
        let lead = self.mean()? - 0.5;
        // While all pairs were equal, their spread is unknown. It is then taken to be that of a fair coin for each pair.
        let deviation = self.error_of_mean().unwrap_or_else(|| 0.5 / (self.pairs() as f64).sqrt());
        Some(normal_distribution(lead / deviation))
    }
}

impl AddAssign for Pentanomial {
    fn add_assign(&mut self, other: Self) {
        for (count, more) in self.0.iter_mut().zip(other.0) {
            *count += more;
        }
    }
}

/// `[1, 0, 5, 2, 3]`.
impl fmt::Display for Pentanomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{:?}", self.0))
    }
}

/// The share of a standard normal distribution below `z`.
fn normal_distribution(z: f64) -> f64 {
    libm::erfc(-z / std::f64::consts::SQRT_2) / 2.0
}

/// A value with its 95 % error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The most likely value; infinite when one side won everything.
    pub value: f64,
    /// With 95 % certainty the truth is this close; `None` if there are too few games.
    pub error: Option<f64>,
}

/// `+12.3 ± 4.5`, with `?` for an unknown error.
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Adding zero turns a negative zero, which would print as -0.0, into a positive one.
        let value = (self.value * 10.0).round() / 10.0 + 0.0;
        let text = match self.error {
            Some(error) if error.is_finite() => format!("{value:+.1} ± {error:.1}"),
            _ => format!("{value:+.1} ± ?"),
        };
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_pairs_claim_no_error() {
        assert_eq!(Pentanomial::default().elo(), None);
        assert_eq!(Pentanomial::default().superiority(), None);
        let level = Pentanomial([0, 0, 7, 0, 0]);
        assert_eq!(level.elo().unwrap().to_string(), "+0.0 ± ?");
        assert_eq!(level.superiority(), Some(0.5));
        let won = Pentanomial([0, 0, 0, 0, 4]);
        assert_eq!(won.elo().unwrap().to_string(), "+inf ± ?");
        assert_eq!(won.normalized_elo(), None);
        assert!((won.superiority().unwrap() - 0.977_25).abs() < 1e-5);
    }
}
