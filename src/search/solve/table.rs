//! The solver's memory: what is known of a position, the cheapest to find again replaced first.

use std::collections::TryReserveError;

use crate::board::Move;

/// What is known of a position for one attacker and order of threats.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Reach {
    /// The attacker wins within so many plies; 0 if no win is known.
    pub won: u16,
    /// No such win was found within so many plies; [`NEVER`] if no number of plies helps.
    pub safe: u16,
    /// The attacker's winning move, or the defender's best answer.
    pub mv: Option<Move>,
}

/// More plies than any search tries.
pub(super) const NEVER: u16 = u16::MAX;

/// Positions in one bucket.
const WAYS: usize = 4;

#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    /// The whole 64-bit key, so that a wrong hit takes two equal hashes among the positions of one solve: one in 10^10
    /// solves of 10^9 look-ups each.
    key: u64,
    /// Nodes that went into the value; 0 for an empty slot.
    work: u32,
    reach: Reach,
}

/// The memory of a solver.
#[derive(Debug)]
pub struct SolverTable {
    slots: Vec<Slot>,
}

impl SolverTable {
    /// An empty table of `mib` MiB (at least 1).
    ///
    /// # Errors
    /// When the allocator has no room for it.
    pub fn new(mib: usize) -> Result<Self, TryReserveError> {
        let buckets = mib.max(1).saturating_mul(1 << 20) / (WAYS * size_of::<Slot>());
        let mut slots = Vec::new();
        slots.try_reserve_exact(WAYS * buckets)?;
        slots.resize(WAYS * buckets, Slot::default());
        Ok(Self { slots })
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.slots.fill(Slot::default());
    }

    fn bucket(&self, key: u64) -> usize {
        let buckets = (self.slots.len() / WAYS) as u128;
        WAYS * ((u128::from(key) * buckets) >> 64) as usize
    }

    /// What is known of a position.
    pub(super) fn get(&self, key: u64) -> Reach {
        let first = self.bucket(key);
        self.slots[first..first + WAYS]
            .iter()
            .find(|slot| slot.key == key && slot.work > 0)
            .map_or_else(Reach::default, |slot| slot.reach)
    }

    /// Remembers a value that took so many nodes.
    pub(super) fn set(&mut self, key: u64, work: u64, reach: Reach) {
        let first = self.bucket(key);
        let bucket = &mut self.slots[first..first + WAYS];
        let place = bucket
            .iter()
            .position(|slot| slot.key == key)
            .or_else(|| (0..WAYS).min_by_key(|&way| bucket[way].work));
        let work = u32::try_from(work).unwrap_or(u32::MAX).max(1);
        if let Some(way) = place {
            let before = if bucket[way].key == key {
                bucket[way].work
            } else {
                0
            };
            bucket[way] = Slot {
                key,
                work: before.saturating_add(work),
                reach,
            };
        }
    }

    /// Filled slots in thousandths, from a sample.
    pub(super) fn fill(&self) -> u32 {
        let sample = &self.slots[..self.slots.len().min(4000)];
        let used = sample.iter().filter(|slot| slot.work > 0).count();
        (used * 1000 / sample.len().max(1)) as u32
    }
}
