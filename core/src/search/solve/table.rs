//! The solver's table of results. The entry with the least work is replaced first.
//!
//! It uses the slots of the search's table. A slot of the solver has zero in the bits of the bound, so that search and
//! solver each treat the slots of the other as empty.

use std::sync::atomic::Ordering::Relaxed;

use crate::board::Move;
use crate::search::Score;
use crate::search::tt::{Slot, Table};

/// Bounds on the length of a win, for one position, attacker and order of threats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct ProofEntry {
    /// The attacker wins within this many plies; 0 if no win is known.
    pub won: u16,
    /// The attacker does not win within this many plies; [`ANY_PLIES`] for any number.
    pub safe: u16,
    /// The attacker's winning move, or the defender's best reply.
    pub mv: Option<Move>,
}

/// More plies than any search uses.
pub(super) const ANY_PLIES: u16 = u16::MAX;

/// The maximum length of a win in plies: that of a search line, which fits into a slot.
pub(super) const MAX_WIN: u16 = Score::MAX_PLY as u16;
const _: () = assert!(MAX_WIN < MAX_SLOT_PLIES);

/// The largest number of plies in a slot; it means [`ANY_PLIES`].
const MAX_SLOT_PLIES: u16 = (1 << 10) - 1;

/// Largest node count that a slot can store (larger values saturate).
const MAX_SLOT_WORK: u64 = (1 << 20) - 1;

/// Bits from low to high: move 16, plies of a win 10, plies without one 10, work 20, generation 6, and 2 that are zero.
fn pack(entry: ProofEntry, work: u64, generation: u8) -> u64 {
    let plies = |plies: u16| u64::from(plies.min(MAX_SLOT_PLIES));
    u64::from(entry.mv.map_or(Move::NONE, Move::bits))
        | plies(entry.won) << 16
        | plies(entry.safe) << 26
        | work.clamp(1, MAX_SLOT_WORK) << 36
        | u64::from(generation) << 56
}

fn unpack(data: u64) -> ProofEntry {
    let plies = |shift: u32| (data >> shift) as u16 & MAX_SLOT_PLIES;
    let safe = plies(26);
    ProofEntry {
        won: plies(16),
        safe: if safe == MAX_SLOT_PLIES { ANY_PLIES } else { safe },
        mv: Move::from_bits(data as u16),
    }
}

/// The table of the search as one solve uses it, without the entries of others.
#[derive(Debug, Clone, Copy)]
pub(super) struct SolverTable<'a> {
    table: &'a Table,
    /// Separates the keys of this solve from those of earlier ones, which had other histories.
    salt: u64,
}

impl<'a> SolverTable<'a> {
    /// Creates an empty table in `table`, which has been prepared with [`Table::next_search`].
    pub fn new(table: &'a Table) -> Self {
        Self { table, salt: table.searches().wrapping_mul(0xD6E8_FEB8_6659_FD93) }
    }

    /// The entry of a position, empty if there is none.
    pub fn get(&self, key: u64) -> ProofEntry {
        let key = key ^ self.salt;
        self.table.slots(key).iter().find_map(|slot| self.read(slot, key)).map_or_else(ProofEntry::default, unpack)
    }

    /// Stores an entry that took `work` nodes.
    pub fn set(&self, key: u64, work: u64, entry: ProofEntry) {
        let key = key ^ self.salt;
        let slots = self.table.slots(key);
        let known = slots.iter().find(|slot| self.read(slot, key).is_some());
        let before = known.map_or(0, |[_, data]| self.work(data.load(Relaxed)));
        let cheapest = || {
            let work = |[_, data]: &&Slot| self.work(data.load(Relaxed));
            slots.iter().min_by_key(work)
        };
        if let Some([check, data]) = known.or_else(cheapest) {
            let packed = pack(entry, before + work.max(1), self.table.generation());
            data.store(packed, Relaxed);
            check.store(key ^ packed, Relaxed);
        }
    }

    /// Filled slots in thousandths, from a sample.
    pub fn fill(&self) -> u32 {
        self.table.share_of_slots(|data| self.work(data) > 0)
    }

    /// The contents of a slot, if it belongs to this key. All 64 bits are compared, so a wrong hit requires two
    /// positions of one solve with equal hashes: with ten million probes among four million positions, one solve in
    /// 400,000.
    fn read(&self, [check, data]: &Slot, key: u64) -> Option<u64> {
        let data = data.load(Relaxed);
        (check.load(Relaxed) ^ data == key && self.work(data) > 0).then_some(data)
    }

    /// Nodes spent on the entry; 0 if it does not belong to this solve.
    fn work(&self, data: u64) -> u64 {
        let is_own = data >> 62 == 0 && (data >> 56) as u8 == self.table.generation();
        if is_own { data >> 36 & MAX_SLOT_WORK } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{PieceKind, Square, spread};
    use crate::search::score::Score;
    use crate::search::tt::Entry;

    #[test]
    fn values_survive_packing() {
        for mv in [None, Some(Move::place(PieceKind::Flat, Square::new(0, 0)))] {
            for (won, safe) in [(0, ANY_PLIES), (1, 0), (99, 98), (MAX_WIN, MAX_WIN)] {
                let entry = ProofEntry { won, safe, mv };
                assert_eq!(unpack(pack(entry, u64::MAX, 63)), entry);
                assert_eq!(pack(entry, u64::MAX, 63) >> 62, 0);
            }
        }
    }

    #[test]
    fn the_entry_with_least_work_is_replaced() {
        let mut table = Table::new(1).unwrap();
        table.next_search();
        let solver = SolverTable::new(&table);
        let entry = |won| ProofEntry { won, ..ProofEntry::default() };
        // Keys with equal high bits fall into one cache line.
        for key in 1..=5 {
            solver.set(key, 100 * key, entry(key as u16));
        }
        assert_eq!(solver.get(1), ProofEntry::default());
        solver.set(2, 1000, entry(7));
        solver.set(6, 1, entry(6));
        assert_eq!(solver.get(3), ProofEntry::default());
        assert_eq!([2, 6].map(|key| solver.get(key).won), [7, 6]);
    }

    #[test]
    fn search_and_solver_ignore_each_others_entries() {
        let mut table = Table::new(1).unwrap();
        let proof = ProofEntry { won: 3, ..ProofEntry::default() };
        let entry = Entry { mv: None, score: Score::DRAW, evaluation: Score::DRAW, depth: 5, bound: None };
        for number in 0..1000_u64 {
            table.next_search();
            let hash = spread(number);
            table.store(hash, entry);
            let solver = SolverTable::new(&table);
            assert_eq!(solver.get(hash ^ solver.salt), ProofEntry::default());
            assert_eq!(solver.get(hash), ProofEntry::default());
            solver.set(hash, 9, proof);
            assert_eq!(solver.get(hash), proof);
            assert_eq!(table.probe(hash ^ solver.salt), None);
            table.next_search();
            assert_eq!(SolverTable::new(&table).get(hash), ProofEntry::default());
        }
    }
}
