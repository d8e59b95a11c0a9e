//! What the scores of an engine are worth, from the results of its games.

use std::collections::BTreeMap;

use super::strength::Wdl;

/// Centiflats of a band.
const BAND: i32 = 20;
/// Larger scores are left out: they are mostly of wins that the engine has found.
const LARGEST: i32 = 1000;
/// With fewer moves there is no scale.
const FEWEST: u64 = 200;
/// The scales that are considered, in centiflats.
const SCALES: [f64; 2] = [10.0, 2000.0];

/// The results of the games of an engine's moves, by the score of the move in bands of 20 centiflats.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ScoreBands(BTreeMap<i32, Wdl>);

impl ScoreBands {
    /// Adds a move with its score in centiflats and the half points of the player who made it.
    pub fn add(&mut self, score_cp: i32, half_points: u8) {
        if score_cp.unsigned_abs() <= LARGEST.unsigned_abs() {
            let band = (score_cp + BAND / 2).div_euclid(BAND);
            self.0.entry(band).or_default().add_half_points(half_points);
        }
    }

    /// The centiflats that raise the odds of winning by a factor of e: the scale of the logistic function with the
    /// largest likelihood. It assumes that a score of 0 is even, and counts a draw as half a win. `None` with fewer
    /// than 200 moves, or if the scores do not predict the results.
    pub fn scale(&self) -> Option<f64> {
        if self.0.values().map(|wdl| wdl.games()).sum::<u64>() < FEWEST {
            return None;
        }
        // The slope of the likelihood by the inverse of the scale, which falls as that grows.
        let slope = |rate: f64| -> f64 {
            let of = |(&band, wdl): (&i32, &Wdl)| {
                let score = f64::from(band * BAND);
                score * (wdl.points() - wdl.games() as f64 / (1.0 + (-score * rate).exp()))
            };
            self.0.iter().map(of).sum()
        };
        let [mut high, mut low] = SCALES.map(f64::recip);
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
    fn made_up(scale: f64, moves: usize) -> ScoreBands {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut bands = ScoreBands::default();
        for _ in 0..moves {
            let score = random.random_range(-500..=500);
            let chance = 1.0 / (1.0 + (-f64::from(score) / scale).exp());
            bands.add(score, if random.random_bool(chance) { 2 } else { 0 });
        }
        bands
    }

    #[test]
    fn the_scale_is_found_again() {
        for expected in [60.0, 125.0, 300.0] {
            let found = made_up(expected, 50_000).scale().unwrap();
            assert!((found / expected - 1.0).abs() < 0.04, "{found}, not {expected}");
        }
    }

    #[test]
    fn scores_that_predict_nothing_have_no_scale() {
        let mut bands = ScoreBands::default();
        for score in -500..500 {
            bands.add(score, 1);
        }
        assert_eq!(bands.scale(), None);
        assert_eq!(made_up(125.0, 199).scale(), None);
        // A score that always means a win.
        let mut bands = ScoreBands::default();
        (0..300).for_each(|_| bands.add(100, 2));
        assert_eq!(bands.scale(), None);
        // Scores of wins that were found, of i16 and i32.
        for score in [1001, -1001, 29_999, i32::MAX, i32::MIN] {
            bands.add(score, 0);
        }
        assert_eq!(bands.0.len(), 1);
    }
}
