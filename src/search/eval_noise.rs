//! A judgement that is off: for a player who is not to see everything.

use crate::board::fold;

/// By how much positions are misjudged. A position is always misjudged in the same way, so that a search makes sense, and
/// with another seed in another way.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct EvalNoise {
    /// Which way.
    pub seed: u64,
    /// The standard deviation in centiflats; 0 for a judgement that is as good as the evaluation.
    pub spread: i32,
}

/// Four bytes that are equally likely to have any value add up to twice this on average, and with this deviation.
const HALF_MEAN: i32 = 255;
const DEVIATION: i32 = 148;

impl EvalNoise {
    /// What the judgement of the position with this hash is off by, in centiflats: nearly normally distributed.
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
    fn it_has_the_spread_that_is_asked_for_and_no_side() {
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
    fn it_depends_on_the_seed_and_on_nothing_else() {
        let [one, other] = [1, 2].map(|seed| EvalNoise { seed, spread: 100 });
        assert_eq!(one.of(5), one.of(5));
        let same = hashes().filter(|&hash| one.of(hash) == other.of(hash));
        assert!(same.count() < 200);
        assert!(hashes().all(|hash| EvalNoise::default().of(hash) == 0));
    }
}
