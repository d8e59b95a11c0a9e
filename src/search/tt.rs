//! The transposition table: what earlier visits found out about a position, shared by all workers without locks.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::Score;
use crate::board::Move;

/// Which side of the true value a stored score is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// The score is the value at that depth.
    Exact,
    /// The value is at least the score (it failed high).
    Lower,
    /// The value is at most the score (it failed low).
    Upper,
}

/// What the table knows of a position. Decisive scores count plies from the position itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The best move, if one was found; it may be of another position when two hashes collide.
    pub mv: Option<Move>,
    /// The score of the search.
    pub score: Score,
    /// The static evaluation.
    pub evaluation: Score,
    /// The depth of the search, 0 to 127.
    pub depth: i32,
    /// What the score says.
    pub bound: Bound,
}

/// No placement has this number, so it can stand for "no move".
const NO_MOVE: u16 = 0xC000;

impl Entry {
    /// Bits from low to high: move 16, score 16, evaluation 16, depth 8, generation 6, bound 2.
    fn pack(self, generation: u8) -> u64 {
        let mv = self.mv.map_or(NO_MOVE, Move::bits);
        let bound = match self.bound {
            Bound::Exact => 1,
            Bound::Lower => 2,
            Bound::Upper => 3,
        };
        u64::from(mv)
            | u64::from(self.score.value() as u16) << 16
            | u64::from(self.evaluation.value() as u16) << 32
            | u64::from(self.depth.clamp(0, 127) as u8) << 48
            | u64::from(generation & 63) << 56
            | bound << 62
    }

    /// The score of a visit `ply` plies from the root with `depth` plies remaining and the window (alpha, beta), if this
    /// entry is enough to know it.
    #[must_use]
    pub fn settles(&self, depth: i32, ply: usize, (alpha, beta): (Score, Score)) -> Option<Score> {
        let score = self.score.from_table(ply);
        let decides = match self.bound {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
        };
        (self.depth >= depth && decides).then_some(score)
    }

    fn unpack(data: u64) -> Option<Self> {
        let bound = match data >> 62 {
            1 => Bound::Exact,
            2 => Bound::Lower,
            3 => Bound::Upper,
            _ => return None,
        };
        let score = |bits: u64| Score::from_value(i32::from(bits as u16 as i16));
        Some(Self {
            mv: Some(data as u16)
                .filter(|&bits| bits != NO_MOVE)
                .and_then(Move::from_bits),
            score: score(data >> 16),
            evaluation: score(data >> 32),
            depth: i32::from((data >> 48) as u8),
            bound,
        })
    }
}

/// Four entries in one cache line. Each is two words, the first being the hash XORed with the second: a reader that
/// meets half of another worker's write finds that the two don't fit and takes it for a miss (Hyatt and Mann 2002).
#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([[AtomicU64; 2]; 4]);

const _: () = assert!(size_of::<Bucket>() == 64);

/// The table. All methods but [`Table::clear`] and [`Table::next_search`] work from any thread.
#[derive(Debug)]
pub struct Table {
    buckets: Vec<Bucket>,
    generation: u8,
}

impl Table {
    /// An empty table of `mib` MiB (at least 1).
    ///
    /// # Errors
    /// When the allocator has no room for it.
    pub fn new(mib: usize) -> Result<Self, std::collections::TryReserveError> {
        let count = mib.max(1).saturating_mul((1 << 20) / size_of::<Bucket>());
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count)?;
        buckets.resize_with(count, Bucket::default);
        Ok(Self {
            buckets,
            generation: 0,
        })
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.buckets.fill_with(Bucket::default);
        self.generation = 0;
    }

    /// Makes all present entries count as old, so that they are replaced first.
    pub fn next_search(&mut self) {
        self.generation = (self.generation + 1) & 63;
    }

    fn bucket(&self, hash: u64) -> &Bucket {
        // The high bits of the product spread any hash evenly over any number of buckets, without a division.
        &self.buckets[((u128::from(hash) * self.buckets.len() as u128) >> 64) as usize]
    }

    /// Asks the processor to fetch the place of this hash, so that a [`Table::probe`] soon after need not wait for main
    /// memory. Does nothing where there is no such instruction.
    #[inline]
    #[allow(unsafe_code)]
    pub fn prefetch(&self, hash: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let bucket: *const Bucket = self.bucket(hash);
            // SAFETY: prefetching has no effect that a program can see, and the address is that of a live bucket.
            // Measured gain: 0.954 times the user time without it (median of 15 paired searches of a 6x6 middle game to
            // depth 14 with a table of 256 MiB, AMD EPYC, 2026-11-21).
            unsafe { _mm_prefetch::<_MM_HINT_T0>(bucket.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = hash;
    }

    /// What is known about the position with this hash.
    #[must_use]
    pub fn probe(&self, hash: u64) -> Option<Entry> {
        self.bucket(hash).0.iter().find_map(|[check, data]| {
            let data = data.load(Relaxed);
            if check.load(Relaxed) ^ data == hash {
                Entry::unpack(data)
            } else {
                None
            }
        })
    }

    /// Remembers `entry`, in the place of the same position or of what is worth least: shallow and old.
    pub fn store(&self, hash: u64, entry: Entry) {
        let worth = |data: u64| {
            let age = i32::from(self.generation.wrapping_sub((data >> 56) as u8) & 63);
            let depth = i32::from((data >> 48) as u8);
            if data >> 62 == 0 {
                i32::MIN
            } else {
                depth - 8 * age
            }
        };
        let mut entry = entry;
        let mut place = None;
        let mut least = i32::MAX;
        for slot in &self.bucket(hash).0 {
            let data = slot[1].load(Relaxed);
            if slot[0].load(Relaxed) ^ data == hash && data != 0 {
                // A fail-low knows no best move; the one known before is still the best guess.
                entry.mv = entry
                    .mv
                    .or_else(|| Entry::unpack(data).and_then(|known| known.mv));
                place = Some(slot);
                break;
            }
            if worth(data) < least {
                least = worth(data);
                place = Some(slot);
            }
        }
        if let Some([check, data]) = place {
            let packed = entry.pack(self.generation);
            data.store(packed, Relaxed);
            check.store(hash ^ packed, Relaxed);
        }
    }

    /// Entries of the present search, in thousandths of the table (from a sample).
    #[must_use]
    pub fn hashfull(&self) -> u32 {
        let sample = &self.buckets[..self.buckets.len().min(1000)];
        let current = |[_, data]: &&[AtomicU64; 2]| {
            let data = data.load(Relaxed);
            data >> 62 != 0 && (data >> 56) as u8 & 63 == self.generation
        };
        let used = sample
            .iter()
            .flat_map(|bucket| &bucket.0)
            .filter(current)
            .count();
        (used * 1000 / (sample.len() * 4)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{PieceKind, Square};

    fn entry(depth: i32) -> Entry {
        Entry {
            mv: Some(Move::place(PieceKind::Wall, Square::new(3, 4))),
            score: Score::loss_in(7),
            evaluation: Score::centiflats(-321),
            depth,
            bound: Bound::Upper,
        }
    }

    #[test]
    fn entries_survive_packing() {
        for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
            for mv in [None, Some(Move::place(PieceKind::Flat, Square::new(0, 0)))] {
                let entry = Entry {
                    mv,
                    bound,
                    ..entry(9)
                };
                assert_eq!(Entry::unpack(entry.pack(63)), Some(entry));
            }
        }
        assert_eq!(Entry::unpack(0), None);
    }

    #[test]
    fn deep_entries_outlive_shallow_ones_until_they_are_old() {
        let mut table = Table::new(1).unwrap();
        // Hashes with equal high bits fall into one bucket.
        for hash in 1..=5 {
            table.store(hash, entry(10 * hash as i32));
        }
        assert_eq!(table.probe(1), None);
        assert_eq!(table.probe(2), Some(entry(20)));
        for _ in 0..10 {
            table.next_search();
        }
        table.store(6, entry(1));
        assert_eq!(table.probe(2), None);
        assert_eq!(table.probe(6), Some(entry(1)));
        table.store(
            6,
            Entry {
                mv: None,
                ..entry(2)
            },
        );
        assert_eq!(table.probe(6), Some(entry(2)), "the known move stays");
        table.clear();
        assert_eq!(table.probe(6), None);
    }
}
