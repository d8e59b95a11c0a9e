//! Correction history: the error of the static evaluation in similar positions.
//!
//! The difference between search score and evaluation is stored under several partial keys of the position and added to
//! the evaluation of later positions that share one (Caissa and Stormphrax 2023, see
//! chessprogramming.org/Static_Evaluation_Correction_History). Assumes that the error depends on the parts in the key.
//! Fails for stacks with the same top and different pieces below, which no key contains.

use super::params::{correction_most, correction_parts, correction_share, correction_step};
use super::score::Score;
use crate::board::{Color, Move, Position, mix};

/// Parts of a position, each of which corrects the evaluation.
const PARTIAL_KEYS: usize = 5;
/// Entries per key and colour, a power of two.
const ENTRIES_PER_KEY: usize = 1 << 14;

#[derive(Debug, Clone, Copy)]
pub(super) struct CorrectionKeys([usize; PARTIAL_KEYS]);

impl CorrectionKeys {
    /// Keys of the road pieces, of walls and capstones, of stacks, of the `last` move, and of that and the mover's
    /// `own` move before it.
    pub(super) fn of<const N: usize>(position: &Position<N>, last: Option<Move>, own: Option<Move>) -> Self {
        let color = position.to_move();
        let [white, black] = Color::ALL.map(|c| position.road_pieces(c).0);
        let owned = position.owned(Color::White).0;
        let by_owner = |set: u64| pair_key(set & owned, set & !owned);
        // Plus one, since a move may have no bit set.
        let [last, own] = [last, own].map(|mv| mv.map_or(0, |mv| u64::from(mv.bits()) + 1));
        let keys = [
            pair_key(white, black),
            by_owner(position.blockers().0),
            by_owner(position.tall().0),
            pair_key(last, 0),
            pair_key(last, own),
        ];
        Self(std::array::from_fn(|place| {
            (place * 2 + color.index()) * ENTRIES_PER_KEY + keys[place] as usize % ENTRIES_PER_KEY
        }))
    }
}

/// A hash of two sets.
fn pair_key(a: u64, b: u64) -> u64 {
    mix(a, b.rotate_left(32) ^ 0xBF58_476D_1CE4_E5B9)
}

/// The learned errors as parts of the maximum correction, within plus and minus [`correction_parts`].
#[derive(Debug)]
pub(super) struct Corrections(Vec<i16>);

impl Default for Corrections {
    fn default() -> Self {
        Self(vec![0; PARTIAL_KEYS * 2 * ENTRIES_PER_KEY])
    }
}

impl Corrections {
    pub(super) fn clear(&mut self) {
        self.0.fill(0);
    }

    /// Corrects `evaluation` by the errors of positions that share a key.
    pub(super) fn apply(&self, keys: &CorrectionKeys, evaluation: Score) -> Score {
        let sum: i32 = keys.0.iter().map(|&key| i32::from(self.0[key])).sum();
        Score::centiflats(evaluation.value() + sum * correction_share() / correction_parts())
    }

    /// Learns that the corrected evaluation differs by `error` centiflats from a search of `depth` plies.
    pub(super) fn learn(&mut self, keys: &CorrectionKeys, error: i32, depth: i32) {
        let bonus = (error * depth * correction_step()).clamp(-correction_most(), correction_most());
        for &key in &keys.0 {
            pull(&mut self.0[key], bonus, correction_parts());
        }
    }
}

/// History gravity: update towards a bound (as in Stockfish). Adds `bonus`, scaled down as the value approaches plus or
/// minus `limit`, so that it never exceeds it. The bonus must be within the limit.
#[inline]
pub(super) fn pull(value: &mut i16, bonus: i32, limit: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / limit) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_approach_the_limit_and_never_exceed_it() {
        for limit in [1000, 8192, 32_000] {
            for bonus in [1, limit / 7, limit] {
                for sign in [1, -1] {
                    let mut value = 0;
                    for _ in 0..3000 {
                        let before = i32::from(value);
                        pull(&mut value, sign * bonus, limit);
                        let after = i32::from(value);
                        assert!(after.abs() <= limit, "{limit} {bonus}");
                        assert!(sign * after >= sign * before, "{limit} {bonus}");
                    }
                    assert!(i32::from(value).abs() > limit / 20, "{limit} {bonus}");
                }
            }
        }
    }
}
