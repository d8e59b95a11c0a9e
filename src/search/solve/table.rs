//! The solver's memory: what is known of a position. What is cheapest to find again is replaced first.
//!
//! It uses the table of the search. A slot of the solver has zero where the search writes which bound an entry is, so that
//! each takes the slots of the other for empty ones.

use std::sync::atomic::Ordering::Relaxed;

use crate::board::Move;
use crate::search::Score;
use crate::search::tt::{Slot, Table};

/// What is known of a position for one attacker and order of threats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
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

/// The longest win looked for, in plies: what a search can hold, which a slot can remember.
pub(super) const MAX_WIN: u16 = Score::MAX_PLY as u16;
const _: () = assert!(MAX_WIN < PLIES);

/// The largest number of plies in a slot, where it stands for [`NEVER`].
const PLIES: u16 = (1 << 10) - 1;

/// The most work that is told apart.
const WORK: u64 = (1 << 20) - 1;

/// Bits from low to high: move 16, plies of a win 10, plies without one 10, work 20, generation 6, and 2 that are zero.
fn pack(reach: Reach, work: u64, generation: u8) -> u64 {
    let plies = |plies: u16| u64::from(plies.min(PLIES));
    u64::from(reach.mv.map_or(Move::NONE, Move::bits))
        | plies(reach.won) << 16
        | plies(reach.safe) << 26
        | work.clamp(1, WORK) << 36
        | u64::from(generation) << 56
}

fn unpack(data: u64) -> Reach {
    let plies = |shift: u32| (data >> shift) as u16 & PLIES;
    let safe = plies(26);
    Reach { won: plies(16), safe: if safe == PLIES { NEVER } else { safe }, mv: Move::from_bits(data as u16) }
}

/// The memory of one solve.
#[derive(Debug, Clone, Copy)]
pub(super) struct SolverTable<'a> {
    table: &'a Table,
    /// Makes the keys of this solve unlike those of earlier ones, which are not to be found: they had other histories.
    salt: u64,
}

impl<'a> SolverTable<'a> {
    /// A memory in which nothing is known yet. `table` has been prepared with [`Table::next_search`].
    pub fn new(table: &'a Table) -> Self {
        Self { table, salt: table.searches().wrapping_mul(0xD6E8_FEB8_6659_FD93) }
    }

    /// What is known of a position.
    pub fn get(&self, key: u64) -> Reach {
        let key = key ^ self.salt;
        self.table.slots(key).iter().find_map(|slot| self.read(slot, key)).map_or_else(Reach::default, unpack)
    }

    /// Remembers a value that took so many nodes.
    pub fn set(&self, key: u64, work: u64, reach: Reach) {
        let key = key ^ self.salt;
        let slots = self.table.slots(key);
        let known = slots.iter().find(|slot| self.read(slot, key).is_some());
        let before = known.map_or(0, |[_, data]| self.work(data.load(Relaxed)));
        let cheapest = || {
            let work = |[_, data]: &&Slot| self.work(data.load(Relaxed));
            slots.iter().min_by_key(work)
        };
        if let Some([check, data]) = known.or_else(cheapest) {
            let packed = pack(reach, before + work.max(1), self.table.generation());
            data.store(packed, Relaxed);
            check.store(key ^ packed, Relaxed);
        }
    }

    /// Filled slots in thousandths, from a sample.
    pub fn fill(&self) -> u32 {
        self.table.share_of_slots(|data| self.work(data) > 0)
    }

    /// What is in a slot, if it is about this key. All 64 bits are compared, so that a wrong hit takes two positions of one
    /// solve with equal hashes. With ten million look-ups among four million positions, more than a solve makes with a
    /// table of 64 MiB, that is one solve in 400,000.
    fn read(&self, [check, data]: &Slot, key: u64) -> Option<u64> {
        let data = data.load(Relaxed);
        (check.load(Relaxed) ^ data == key && self.work(data) > 0).then_some(data)
    }

    /// Nodes that went into what stands there; 0 for what this solve can overwrite without loss.
    fn work(&self, data: u64) -> u64 {
        let is_own = data >> 62 == 0 && (data >> 56) as u8 == self.table.generation();
        if is_own { data >> 36 & WORK } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{PieceKind, Square};
    use crate::search::score::Score;
    use crate::search::tt::Entry;

    #[test]
    fn values_survive_packing() {
        for mv in [None, Some(Move::place(PieceKind::Flat, Square::new(0, 0)))] {
            for (won, safe) in [(0, NEVER), (1, 0), (99, 98), (MAX_WIN, MAX_WIN)] {
                let reach = Reach { won, safe, mv };
                assert_eq!(unpack(pack(reach, u64::MAX, 63)), reach);
                assert_eq!(pack(reach, u64::MAX, 63) >> 62, 0);
            }
        }
    }

    #[test]
    fn the_cheapest_goes_first_and_what_took_more_stays() {
        let mut table = Table::new(1).unwrap();
        table.next_search();
        let solver = SolverTable::new(&table);
        let reach = |won| Reach { won, ..Reach::default() };
        // Keys with equal high bits fall into one cache line.
        for key in 1..=5 {
            solver.set(key, 100 * key, reach(key as u16));
        }
        assert_eq!(solver.get(1), Reach::default());
        solver.set(2, 1000, reach(7));
        solver.set(6, 1, reach(6));
        assert_eq!(solver.get(3), Reach::default());
        assert_eq!([2, 6].map(|key| solver.get(key).won), [7, 6]);
    }

    #[test]
    fn search_and_solves_do_not_see_each_other() {
        let mut table = Table::new(1).unwrap();
        let reach = Reach { won: 3, ..Reach::default() };
        let entry = Entry { mv: None, score: Score::DRAW, evaluation: Score::DRAW, depth: 5, bound: None };
        for number in 0..1000_u64 {
            table.next_search();
            let hash = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
            table.store(hash, entry);
            let solver = SolverTable::new(&table);
            assert_eq!(solver.get(hash ^ solver.salt), Reach::default());
            assert_eq!(solver.get(hash), Reach::default());
            solver.set(hash, 9, reach);
            assert_eq!(solver.get(hash), reach);
            assert_eq!(table.probe(hash ^ solver.salt), None);
            table.next_search();
            assert_eq!(SolverTable::new(&table).get(hash), Reach::default());
        }
    }
}
