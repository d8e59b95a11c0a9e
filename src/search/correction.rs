//! Correction history: how far the static evaluation has been off in positions like this one.
//!
//! A search often finds that a whole family of positions is worth more or less than the evaluation says. The difference
//! is kept under several partial keys of the position and added to the evaluation of the next position that shares one
//! (Caissa and Stormphrax 2023, see chessprogramming.org/Static_Evaluation_Correction_History). It bets that the error
//! comes from what the key sees. Tak breaks the bet with stacks that have the same top and differ below: no key looks
//! inside.

use super::params::{correction_most, correction_parts, correction_share, correction_step};
use super::score::Score;
use crate::board::{Color, Move, Position, fold};

/// Partial keys of a position.
const KEYS: usize = 4;
/// Entries for each key and colour, a power of two.
const ENTRIES: usize = 1 << 14;

/// The keys of one position: made once, used to read and to learn.
#[derive(Debug, Clone, Copy)]
pub(super) struct CorrectionKeys([usize; KEYS]);

impl CorrectionKeys {
    /// Where the roads stand, where walls and capstones, where stacks, and which move led here.
    pub(super) fn of<const N: usize>(position: &Position<N>, previous: Option<Move>) -> Self {
        let color = position.to_move();
        let [white, black] = Color::ALL.map(|c| position.road_pieces(c).0);
        let owned = position.owned(Color::White).0;
        let by_owner = |set: u64| mix(set & owned, set & !owned);
        let keys = [
            mix(white, black),
            by_owner(position.blockers().0),
            by_owner(position.tall().0),
            mix(previous.map_or(0, |mv| u64::from(mv.bits())), 0),
        ];
        Self(std::array::from_fn(|place| (place * 2 + color.index()) * ENTRIES + keys[place] as usize % ENTRIES))
    }
}

/// A hash of two sets.
fn mix(a: u64, b: u64) -> u64 {
    fold(a ^ 0x9E37_79B9_7F4A_7C15, b.rotate_left(32) ^ 0xBF58_476D_1CE4_E5B9)
}

/// The errors seen so far, in parts of what a key can add: within plus and minus [`correction_parts`].
#[derive(Debug)]
pub(super) struct Corrections(Vec<i16>);

impl Default for Corrections {
    fn default() -> Self {
        Self(vec![0; KEYS * 2 * ENTRIES])
    }
}

impl Corrections {
    /// `evaluation` with the errors of positions that share a key added.
    pub(super) fn apply(&self, keys: &CorrectionKeys, evaluation: Score) -> Score {
        let sum: i32 = keys.0.iter().map(|&key| i32::from(self.0[key])).sum();
        Score::centiflats(evaluation.value() + sum * correction_share() / correction_parts())
    }

    /// A search `depth` plies deep found the corrected evaluation to be off by `error` centiflats.
    pub(super) fn learn(&mut self, keys: &CorrectionKeys, error: i32, depth: i32) {
        let bonus = (error * depth * correction_step()).clamp(-correction_most(), correction_most());
        for &key in &keys.0 {
            pull(&mut self.0[key], bonus, correction_parts());
        }
    }
}

/// Adds `bonus` to a value that stays within plus and minus `limit`. The nearer the value is to the limit, the less is added,
/// so that it never passes it (known as gravity, as in Stockfish). The bonus must be within the limit.
#[inline]
pub(super) fn pull(value: &mut i16, bonus: i32, limit: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / limit) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_approached_and_never_passed() {
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
