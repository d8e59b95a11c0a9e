//! A small cache of what is known about a position without a search: its evaluation, and whether a road is threatened.
//!
//! Assumes that the same leaf is reached by several orders of the same moves: placements commute. The transposition
//! table does not hold leaves, which would replace the results of searches. Fails to pay only where spreads decide, and
//! then costs little. Each worker has its own cache. It changes the time of a search, never its result.

use super::score::Score;
use super::tt::prefetch;

/// The evaluation and the threat in a position in which no move wins at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Static {
    /// The static evaluation, before correction history.
    pub evaluation: Score,
    /// The player who is not to move threatens a road.
    pub in_tak: bool,
}

/// Slots: 256 KiB, a part of the second-level cache of usual processors.
const SLOTS: usize = 1 << 15;

/// The cache: the last position for each value of the low bits of the hash.
pub(super) struct Statics(Box<[u64]>);

impl Default for Statics {
    fn default() -> Self {
        Self(vec![0; SLOTS].into())
    }
}

/// The bits of the hash that a slot holds. The lower ones, all but two of which are the index, hold the data.
const KEY_MASK: u64 = !0x1_FFFF;

impl Statics {
    /// The data stored for the position with this hash.
    #[inline]
    pub fn get(&self, hash: u64) -> Option<Static> {
        let slot = self.0[hash as usize % SLOTS];
        let is_known = (slot ^ hash) & KEY_MASK == 0;
        let evaluation = Score::from_value(i32::from(slot as u16 as i16));
        is_known.then_some(Static { evaluation, in_tak: slot >> 16 & 1 == 1 })
    }

    /// Loads the slot of a position that is soon asked for.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        prefetch(&self.0[hash as usize % SLOTS]);
    }

    /// Stores the data of a position.
    #[inline]
    pub fn set(&mut self, hash: u64, data: Static) {
        let data = u64::from(data.evaluation.value() as u16) | u64::from(data.in_tak) << 16;
        self.0[hash as usize % SLOTS] = hash & KEY_MASK | data;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_answers_for_its_own_hash_only() {
        let mut statics = Statics::default();
        let hash = 0x0123_4567_89AB_CDEF;
        assert_eq!(statics.get(hash), None);
        for in_tak in [true, false] {
            for evaluation in [-30_000, -1, 0, 1, 30_000].map(Score::from_value) {
                let data = Static { evaluation, in_tak };
                statics.set(hash, data);
                assert_eq!(statics.get(hash), Some(data));
                // The bits above the data.
                for bit in 17..64 {
                    assert_eq!(statics.get(hash ^ 1 << bit), None);
                }
            }
        }
        statics.set(hash ^ 1 << 40, Static { evaluation: Score::DRAW, in_tak: false });
        assert_eq!(statics.get(hash), None, "one slot for both");
    }
}
