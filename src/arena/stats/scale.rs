//! The scale of an engine's scores, fitted to the results of its games.

use std::collections::BTreeMap;

use super::strength::Wdl;

/// Larger scores are left out: they are mostly of wins that the engine has found.
const MAX_SCORE: u32 = 1000;
/// The smallest and the largest scale considered, in centiflats.
const SCALE_LIMITS: [f64; 2] = [10.0, 2000.0];

/// The results of the games of an engine's moves, by the score of the move in centiflats.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Scores(BTreeMap<i32, Wdl>);

impl Scores {
    /// Adds a move with its score in centiflats and the half points of the player who made it.
    pub fn add(&mut self, score_cp: i32, half_points: u8) {
        if score_cp.unsigned_abs() <= MAX_SCORE {
            self.0.entry(score_cp).or_default().add_half_points(half_points);
        }
    }

    /// The centiflats that raise the odds of winning by a factor of e: the scale of the logistic function with the
    /// largest likelihood. It assumes that a score of 0 is even, and counts a draw as half a win. `None` without
    /// scores, or if it is not from 10 to 2000, as when the scores do not predict the results.
    pub fn scale(&self) -> Option<f64> {
        // The derivative of the log likelihood with respect to 1/scale. It decreases.
        let slope = |rate: f64| -> f64 {
            let of = |(&score, wdl): (&i32, &Wdl)| {
                let score = f64::from(score);
                score * (wdl.points() - wdl.games() as f64 / (1.0 + (-score * rate).exp()))
            };
            self.0.iter().map(of).sum()
        };
        let [mut high, mut low] = SCALE_LIMITS.map(f64::recip);
        if slope(low) <= 0.0 || slope(high) >= 0.0 {
            return None;
        }
        for _ in 0..40 {
            let middle = f64::midpoint(low, high);
            *if slope(middle) > 0.0 { &mut low } else { &mut high } = middle;
        }
        Some(low.recip())
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt, SeedableRng};

    use super::*;

    /// Moves whose games are won with the odds of this scale.
    fn made_up(scale: f64) -> Scores {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut scores = Scores::default();
        for _ in 0..50_000 {
            let score = random.random_range(-500..=500);
            let chance = 1.0 / (1.0 + (-f64::from(score) / scale).exp());
            scores.add(score, if random.random_bool(chance) { 2 } else { 0 });
        }
        scores
    }

    #[test]
    fn the_scale_is_found_again() {
        for expected in [60.0, 125.0, 300.0] {
            let found = made_up(expected).scale().unwrap();
            assert!((found / expected - 1.0).abs() < 0.04, "{found}, not {expected}");
        }
    }

    #[test]
    fn scores_that_predict_nothing_have_no_scale() {
        let mut scores = Scores::default();
        for score in -500..500 {
            scores.add(score, 1);
        }
        assert_eq!(scores.scale(), None);
        assert_eq!(Scores::default().scale(), None);
        // A score that always means a win.
        let mut scores = Scores::default();
        (0..300).for_each(|_| scores.add(100, 2));
        assert_eq!(scores.scale(), None);
        // Scores of wins that were found, of i16 and i32.
        for score in [1001, -1001, 29_999, i32::MAX, i32::MIN] {
            scores.add(score, 0);
        }
        assert_eq!(scores.0.len(), 1);
    }
}
