//! Evaluation noise, for reduced playing strength.

use crate::board::fold;

/// An error added to the evaluation. It depends only on the position and the seed, so the search stays consistent.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct EvalNoise {
    /// Seed of the errors.
    pub seed: u64,
    /// The standard deviation in centiflats; 0 for no error.
    pub spread: i32,
}

/// Half the mean, and the standard deviation, of the sum of four uniformly distributed bytes.
const HALF_MEAN: i32 = 255;
const DEVIATION: i32 = 148;

impl EvalNoise {
    /// The error in centiflats for the position with this hash, approximately normally distributed.
    #[inline]
    pub fn of(self, hash: u64) -> i32 {
        if self.spread == 0 {
            return 0;
        }
        let bits = fold(self.seed ^ 0x9E37_79B9_7F4A_7C15, hash ^ 0xD1B5_4A32_D192_ED03);
        let bytes = bits.to_le_bytes();
        let sum: i32 = bytes[..4].iter().map(|&byte| i32::from(byte)).sum();
        (sum - 2 * HALF_MEAN) * self.spread / DEVIATION
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hashes as different as those of positions.
    fn hashes() -> impl Iterator<Item = u64> {
        (1..=20_000u64).map(|number| fold(number, 0xBF58_476D_1CE4_E5B9))
    }

    #[test]
    fn noise_has_the_given_deviation_and_mean_zero() {
        for spread in [50, 400] {
            let noise = EvalNoise { seed: 7, spread };
            let all: Vec<f64> = hashes().map(|hash| f64::from(noise.of(hash))).collect();
            let mean = all.iter().sum::<f64>() / all.len() as f64;
            let square = all.iter().map(|n| n * n).sum::<f64>() / all.len() as f64;
            let spread = f64::from(spread);
            // Five standard deviations of each.
            assert!(mean.abs() < spread * 0.04, "{mean}");
            assert!((square.sqrt() / spread - 1.0).abs() < 0.03, "{square}");
        }
    }

    #[test]
    fn noise_depends_only_on_position_and_seed() {
        let [one, other] = [1, 2].map(|seed| EvalNoise { seed, spread: 100 });
        assert_eq!(one.of(5), one.of(5));
        let same = hashes().filter(|&hash| one.of(hash) == other.of(hash));
        assert!(same.count() < 200);
        assert!(hashes().all(|hash| EvalNoise::default().of(hash) == 0));
    }
}
