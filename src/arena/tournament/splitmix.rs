//! Random numbers that journals depend on: the same for ever.

use crate::board::split_mix;

/// Steele, Lea and Flood's generator. Written out because a journal must find the same list after any update of any
/// crate, which no general generator promises.
#[derive(Debug)]
pub(crate) struct SplitMix64(pub u64);

impl SplitMix64 {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        split_mix(self.0)
    }

    /// A number below `bound`; uneven by less than `bound` in 2^64.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }
}
