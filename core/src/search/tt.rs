//! The transposition table: results of earlier visits to a position, shared by all workers without locks
//! (chessprogramming.org/Transposition_Table).
//!
//! Assumes that the score of a position does not depend on the path. Fails for draws by repetition: `repetition`
//! separates positions for which the game's history matters, and `Searcher::repeats` describes the remaining cases.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use super::params::table_aging;
use super::score::{Bound, Score};
use crate::board::Move;

/// The entry of a position. Decisive scores count plies from the position itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[doc(hidden)]
pub struct Entry {
    /// The best move, if one was found; it may be of another position when two hashes collide.
    pub mv: Option<Move>,
    /// The score of the search.
    pub score: Score,
    /// The static evaluation.
    pub evaluation: Score,
    /// The depth of the search, 0 to 127.
    pub depth: i32,
    /// The side of the exact value if the score is only a bound.
    pub bound: Option<Bound>,
}

impl Entry {
    /// Bits from low to high: move 16, score 16, evaluation 16, depth 8, generation 6, bound 2.
    fn pack(self, generation: u8) -> u64 {
        let mv = self.mv.map_or(Move::NONE, Move::bits);
        let bound = match self.bound {
            None => 1,
            Some(Bound::Lower) => 2,
            Some(Bound::Upper) => 3,
        };
        u64::from(mv)
            | u64::from(self.score.value() as u16) << 16
            | u64::from(self.evaluation.value() as u16) << 32
            | u64::from(self.depth.clamp(0, 127) as u8) << 48
            | u64::from(generation & 63) << 56
            | bound << 62
    }

    /// The score that this entry gives a visit `ply` plies from the root, with `depth` plies remaining and the window
    /// (alpha, beta). `None` if the entry does not settle the node.
    pub fn settles(&self, depth: i32, ply: usize, (alpha, beta): (Score, Score)) -> Option<Score> {
        let score = self.score.from_table(ply);
        let decides = match self.bound {
            None => true,
            Some(Bound::Lower) => score >= beta,
            Some(Bound::Upper) => score <= alpha,
        };
        (self.depth >= depth && decides).then_some(score)
    }

    /// Returns whether a search of at least `depth` plies, and at least one, found this score or more. False for
    /// decisive scores, which need no margin.
    pub(super) fn reaches(&self, score: Score, depth: i32, ply: usize) -> bool {
        let own = self.score.from_table(ply);
        let is_from_below = self.bound != Some(Bound::Upper);
        is_from_below && self.depth >= depth.max(1) && own >= score && !own.is_decisive()
    }

    /// The score if it is exact or a bound that `evaluation` violates, otherwise `evaluation`. A decisive score does
    /// not replace the evaluation.
    pub(super) fn refine(&self, evaluation: Score, ply: usize) -> Score {
        let score = self.score.from_table(ply);
        let corrects = match self.bound {
            None => true,
            Some(Bound::Lower) => score > evaluation,
            Some(Bound::Upper) => score < evaluation,
        };
        if corrects && !score.is_decisive() { score } else { evaluation }
    }

    fn unpack(data: u64) -> Option<Self> {
        let bound = match data >> 62 {
            1 => None,
            2 => Some(Bound::Lower),
            3 => Some(Bound::Upper),
            _ => return None,
        };
        let score = |bits: u64| Score::from_value(i32::from(bits as u16 as i16));
        Some(Self {
            mv: Move::from_bits(data as u16),
            score: score(data >> 16),
            evaluation: score(data >> 32),
            depth: i32::from((data >> 48) as u8),
            bound,
        })
    }
}

/// A slot of two words, the first being the key XOR the second. A reader between the two writes of another worker finds
/// words that do not match, which is a miss (Hyatt and Mann, "A lock-less transposition table implementation for
/// parallel search chess engines", 2002).
pub(super) type Slot = [AtomicU64; 2];

/// Words of a cache line, which holds four slots.
const LINE_WORDS: usize = 8;

/// The table. All methods except [`Table::next_search`] work from any thread.
///
/// The solver stores its results in the same memory, see `solve/table.rs`. Its slots are empty for the search, and
/// those of the search are empty for the solver.
#[derive(Debug)]
#[doc(hidden)]
pub struct Table {
    /// Zeroed pages use no memory before they are written to, so a table of any size is created at once.
    words: Box<[AtomicU64]>,
    is_written: bool,
    /// The first word that begins a cache line.
    start: usize,
    searches: u64,
}

/// Words that a thread clears at a time: 4 MiB.
const PORTION_WORDS: usize = 1 << 19;

impl Table {
    /// Creates an empty table of `mib` MiB (at least 1); `None` if it cannot be allocated.
    pub fn new(mib: usize) -> Option<Self> {
        let count = mib.max(1).checked_mul((1 << 20) / size_of::<u64>())?;
        let count = count.checked_add(LINE_WORDS - 1)?;
        let words = bytemuck::try_zeroed_slice_box::<AtomicU64>(count).ok()?;
        let start = words.as_ptr().align_offset(LINE_WORDS * size_of::<u64>());
        Some(Self { words, is_written: false, start: start.min(LINE_WORDS - 1), searches: 0 })
    }

    /// Clears the table. This writes to all of it, on the threads of `pool`, so that a system that allocates memory at
    /// the first write does so now and not during a search.
    pub(crate) fn clear(&mut self, pool: Option<&rayon::ThreadPool>) {
        self.clear_until(&AtomicBool::new(false), pool);
    }

    /// The same for a table that has never been used, but ends soon after `stop` becomes true.
    pub(crate) fn clear_until(&mut self, stop: &AtomicBool, pool: Option<&rayon::ThreadPool>) {
        let portions = self.words.chunks_mut(PORTION_WORDS);
        let clear = |portion: &mut [AtomicU64]| {
            if !stop.load(Relaxed) {
                portion.fill_with(AtomicU64::default);
            }
        };
        match pool {
            Some(pool) => pool.scope(|scope| portions.for_each(|portion| scope.spawn(move |_| clear(portion)))),
            None => portions.for_each(clear),
        }
        self.is_written = !stop.load(Relaxed);
        self.searches = 0;
    }

    /// Returns whether all of the memory has been allocated by the system.
    pub(crate) fn is_written(&self) -> bool {
        self.is_written
    }

    /// Returns whether a search has used the table, so that it may hold entries.
    pub fn is_used(&self) -> bool {
        self.searches > 0
    }

    pub(crate) fn memory(&self) -> &[AtomicU64] {
        &self.words
    }

    /// Marks all entries as old, so that they are replaced first. Call it before every search and solve.
    pub fn next_search(&mut self) {
        self.searches += 1;
    }

    /// The number of the current search or solve, unique since the table was cleared.
    pub(super) fn searches(&self) -> u64 {
        self.searches
    }

    /// The part of that number that fits into a slot.
    pub(super) fn generation(&self) -> u8 {
        (self.searches & 63) as u8
    }

    /// All slots, by cache line.
    fn lines(&self) -> &[[AtomicU64; LINE_WORDS]] {
        self.words[self.start..].as_chunks().0
    }

    /// The slots that can hold this key.
    pub(super) fn slots(&self, key: u64) -> &[Slot] {
        let lines = self.lines();
        // The high half of the product spreads keys evenly over any number of lines, without a division.
        let index = ((u128::from(key) * lines.len() as u128) >> 64) as usize;
        lines[index].as_chunks().0
    }

    /// Prefetches the slots of this hash, so that a [`Table::probe`] soon after need not wait for main memory.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        prefetch(self.slots(hash));
    }

    /// `None` if the position was not stored, or has been replaced.
    pub fn probe(&self, hash: u64) -> Option<Entry> {
        self.slots(hash).iter().find_map(|[check, data]| {
            let data = data.load(Relaxed);
            if check.load(Relaxed) ^ data == hash { Entry::unpack(data) } else { None }
        })
    }

    /// Stores `entry`. It replaces the entry of the same position or the one of least value, which is shallow and old.
    pub fn store(&self, hash: u64, entry: Entry) {
        let value = |data: u64| {
            let age = i32::from(self.generation().wrapping_sub((data >> 56) as u8) & 63);
            let depth = i32::from((data >> 48) as u8);
            if data >> 62 == 0 { i32::MIN } else { depth - table_aging() * age }
        };
        let mut entry = entry;
        let mut place = None;
        let mut least = i32::MAX;
        for slot in self.slots(hash) {
            let data = slot[1].load(Relaxed);
            if slot[0].load(Relaxed) ^ data == hash && data != 0 {
                // A fail-low entry has no best move: keep the old one.
                entry.mv = entry.mv.or_else(|| Entry::unpack(data).and_then(|known| known.mv));
                place = Some(slot);
                break;
            }
            if value(data) < least {
                least = value(data);
                place = Some(slot);
            }
        }
        if let Some([check, data]) = place {
            let packed = entry.pack(self.generation());
            data.store(packed, Relaxed);
            check.store(hash ^ packed, Relaxed);
        }
    }

    /// Entries of the current search, in thousandths of the table (from a sample).
    pub fn hashfull(&self) -> u32 {
        self.share_of_slots(|data| data >> 62 != 0 && (data >> 56) as u8 & 63 == self.generation())
    }

    /// The slots whose data `counts`, in thousandths of the table (from a sample).
    pub(super) fn share_of_slots(&self, counts: impl Fn(u64) -> bool) -> u32 {
        let lines = self.lines();
        let sample = lines[..lines.len().min(1000)].as_flattened().as_chunks().0;
        let counted = |[_, data]: &&Slot| counts(data.load(Relaxed));
        let count = sample.iter().filter(counted).count();
        (count * 1000 / sample.len()) as u32
    }
}

/// Asks the processor to load the beginning of `data` into its cache. Does nothing on processors without such an
/// instruction.
#[inline]
#[allow(unsafe_code)]
pub(super) fn prefetch<T: ?Sized>(data: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let place = std::ptr::from_ref(data);
        // SAFETY: prefetching has no observable effect, and the address is that of live data.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(place.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = data;
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
            bound: Some(Bound::Upper),
        }
    }

    #[test]
    fn entries_survive_packing() {
        for bound in [None, Some(Bound::Lower), Some(Bound::Upper)] {
            for mv in [None, Some(Move::place(PieceKind::Flat, Square::new(0, 0)))] {
                let entry = Entry { mv, bound, ..entry(9) };
                assert_eq!(Entry::unpack(entry.pack(63)), Some(entry));
            }
        }
        assert_eq!(Entry::unpack(0), None);
    }

    #[test]
    fn a_stopped_table_is_not_written() {
        let mut table = Table::new(64).unwrap();
        for stop in [true, false] {
            table.clear_until(&AtomicBool::new(stop), None);
            assert_eq!(table.is_written(), !stop);
        }
    }

    #[test]
    fn entry_cutoff_depends_on_depth_and_bound() {
        let cp = Score::centiflats;
        let of = |bound, depth| Entry { score: cp(300), bound, ..entry(depth) };
        assert!(of(Some(Bound::Lower), 6).reaches(cp(300), 6, 0));
        assert!(of(None, 6).reaches(cp(200), 2, 0));
        assert!(!of(None, 6).reaches(cp(301), 2, 0), "less");
        assert!(!of(None, 6).reaches(cp(200), 7, 0), "shallow");
        assert!(!of(Some(Bound::Upper), 6).reaches(cp(200), 2, 0), "at most");
        assert!(!of(None, 0).reaches(cp(200), -4, 0), "no search");
        let win = Entry { score: Score::win_in(9), ..of(None, 6) };
        assert!(!win.reaches(cp(200), 2, 0), "decisive");
    }

    #[test]
    fn entry_refines_a_contradicting_evaluation() {
        let cp = Score::centiflats;
        let refined = |bound, evaluation| {
            let entry = Entry { score: cp(50), bound, ..entry(3) };
            entry.refine(cp(evaluation), 0)
        };
        assert_eq!([10, 90].map(|value| refined(None, value)), [cp(50); 2]);
        let at_least = [10, 90].map(|value| refined(Some(Bound::Lower), value));
        assert_eq!(at_least, [cp(50), cp(90)]);
        let at_most = [10, 90].map(|value| refined(Some(Bound::Upper), value));
        assert_eq!(at_most, [cp(10), cp(50)]);
        // A decisive table score does not replace the evaluation.
        assert_eq!(entry(3).refine(cp(10), 0), cp(10));
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
        table.store(6, Entry { mv: None, ..entry(2) });
        assert_eq!(table.probe(6), Some(entry(2)), "the known move stays");
    }
}
