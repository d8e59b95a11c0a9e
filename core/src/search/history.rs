//! History tables of a worker. Each assumes that a move that was good in one position is good in another:
//!
//! - history (Schaeffer 1989, chessprogramming.org/History_Heuristic): in any other,
//! - continuation history (as in Stockfish): after the same move of the opponent, or after the same own move before
//!   that,
//! - killers (chessprogramming.org/Killer_Heuristic): at the same ply,
//! - countermoves (Uiterwijk 1992, chessprogramming.org/Countermove_Heuristic): after the same move of the opponent.
//!
//! Fails for spreads: the same move has another effect if the stack holds other pieces.

use super::correction::{Corrections, pull};
use super::params::{history_aging, history_bonus, history_limit, history_most};
use super::score::Score;
use crate::board::{Color, Move, MoveKind};

/// History tables of one search thread: decayed before every search and cleared before every game.
#[derive(Debug)]
pub(crate) struct Histories {
    /// History of each move of each colour, at `color * 65536 + move bits`, within plus and minus [`history_limit`].
    history: HistoryTable,
    /// History of pairs of an earlier move and a move, see [`Histories::pairs_index`].
    continuation: HistoryTable,
    /// The last refutation of each move of each colour, as move bits XOR [`Move::NONE`], so that 0 means none.
    counter: Vec<u16>,
    /// The last two moves that cut off, by ply.
    killers: Vec<[Option<Move>; 2]>,
    /// Errors of the evaluation.
    pub(super) corrections: Corrections,
}

/// Values that are updated one by one and aged together. A search of a few thousand nodes changes few of them, so aging
/// skips blocks that are all 0.
#[derive(Debug)]
struct HistoryTable {
    values: Vec<i16>,
    /// For each [`HistoryTable::BLOCK_VALUES`], whether any value is not 0.
    blocks: Vec<bool>,
}

impl HistoryTable {
    /// Values per block, 512 bytes.
    const BLOCK_VALUES: usize = 256;

    fn new(len: usize) -> Self {
        Self { values: vec![0; len], blocks: vec![false; len.div_ceil(Self::BLOCK_VALUES)] }
    }

    #[inline]
    fn pull(&mut self, index: usize, bonus: i32) {
        pull(&mut self.values[index], bonus, history_limit());
        self.blocks[index / Self::BLOCK_VALUES] = true;
    }

    fn clear(&mut self) {
        self.values.fill(0);
        self.blocks.fill(false);
    }

    fn age(&mut self) {
        let aging = history_aging() as i16;
        let blocks = self.values.chunks_mut(Self::BLOCK_VALUES);
        for (block, is_learnt) in blocks.zip(&mut self.blocks) {
            if *is_learnt {
                // The whole block, so that the compiler vectorises the loop.
                for value in &mut *block {
                    *value /= aging;
                }
                *is_learnt = block.iter().any(|&value| value != 0);
            }
        }
    }
}

/// The moves that led to a node.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Earlier {
    /// One ply ago.
    pub last: Option<Move>,
    /// Two plies ago.
    pub own: Option<Move>,
}

/// A node in which a move cut off.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cutoff {
    /// The player to move.
    pub color: Color,
    pub earlier: Earlier,
    /// Remaining plies.
    pub depth: i32,
    pub ply: usize,
}

/// Number of moves that continuation history distinguishes: kind and square of placements, direction and square of
/// spreads. Drops are ignored, so that pairs occur often enough to learn from.
const MOVE_KEYS: usize = 7 * 64;

#[inline]
fn key(mv: Move) -> usize {
    let kind = match mv.kind() {
        MoveKind::Spread(direction, _) => direction as usize,
        MoveKind::Place(kind) => 4 + kind as usize,
    };
    kind * 64 + mv.square().index()
}

/// The continuation history after no move.
static NO_HISTORY: [i16; MOVE_KEYS] = [0; MOVE_KEYS];

/// The histories of all moves in one node, with the places in the tables looked up once.
pub(super) struct NodeHistories<'a> {
    moves: &'a [i16; 1 << 16],
    after: [&'a [i16; MOVE_KEYS]; 2],
}

impl NodeHistories<'_> {
    /// History and continuation history of `mv`, within plus and minus three times [`history_limit`].
    #[inline]
    pub(super) fn of(&self, mv: Move) -> i32 {
        let [last, own] = self.after.map(|after| i32::from(after[key(mv)]));
        i32::from(self.moves[usize::from(mv.bits())]) + last + own
    }
}

impl Default for Histories {
    fn default() -> Self {
        Self {
            history: HistoryTable::new(2 << 16),
            continuation: HistoryTable::new(2 * 2 * MOVE_KEYS * MOVE_KEYS),
            counter: vec![0; 2 << 16],
            killers: vec![[None; 2]; Score::MAX_PLY + 1],
            corrections: Corrections::default(),
        }
    }
}

impl Histories {
    /// Forgets everything: for a new game.
    pub(crate) fn clear(&mut self) {
        self.history.clear();
        self.continuation.clear();
        self.counter.fill(0);
        self.killers.fill([None; 2]);
        self.corrections.clear();
    }

    /// Ages the tables before a search: clears the killers, whose plies change, and decays the histories.
    pub(super) fn age(&mut self) {
        self.killers.fill([None; 2]);
        self.history.age();
        self.continuation.age();
    }

    #[inline]
    fn index(color: Color, mv: Move) -> usize {
        color.index() << 16 | usize::from(mv.bits())
    }

    /// The index of the pairs with an earlier move, in the order of the [`key`] of the other; `own` distinguishes the
    /// mover's own earlier move from the opponent's.
    #[inline]
    fn pairs_index(color: Color, own: bool, earlier: Move) -> usize {
        ((usize::from(own) * 2 + color.index()) * MOVE_KEYS + key(earlier)) * MOVE_KEYS
    }

    /// The histories of the moves of `color` after these moves.
    #[inline]
    pub(super) fn of_node(&self, color: Color, earlier: Earlier) -> NodeHistories<'_> {
        let moves =
            self.history.values[color.index() << 16..].first_chunk().expect("two colours have 65536 moves each");
        let after = |own, earlier: Option<Move>| match earlier {
            Some(earlier) => {
                let start = Self::pairs_index(color, own, earlier);
                self.continuation.values[start..].first_chunk().expect("each move has a value for each key")
            }
            None => &NO_HISTORY,
        };
        NodeHistories { moves, after: [after(false, earlier.last), after(true, earlier.own)] }
    }

    /// The history of `mv`, within plus and minus [`history_limit`].
    #[inline]
    pub(super) fn history(&self, color: Color, mv: Move) -> i32 {
        self.history.values[Self::index(color, mv)].into()
    }

    #[inline]
    pub(super) fn killers(&self, ply: usize) -> [Option<Move>; 2] {
        self.killers[ply]
    }

    /// The move that last refuted `previous`, a move of the opponent of `color`.
    #[inline]
    pub(super) fn counter(&self, color: Color, previous: Option<Move>) -> Option<Move> {
        Move::from_bits(self.counter[Self::index(color, previous?)] ^ Move::NONE)
    }

    /// Updates the tables: `best` cut off after `tried` did not.
    pub(super) fn reward(&mut self, cutoff: &Cutoff, best: Move, tried: impl Iterator<Item = Move>) {
        let &Cutoff { color, earlier, depth, ply } = cutoff;
        let bonus = (history_bonus() * depth * depth).min(history_most());
        self.update(color, best, earlier, bonus);
        for mv in tried {
            self.update(color, mv, earlier, -bonus);
        }
        let killers = &mut self.killers[ply];
        if killers[0] != Some(best) {
            killers[1] = killers[0];
            killers[0] = Some(best);
        }
        if let Some(last) = earlier.last {
            self.counter[Self::index(color, last)] = best.bits() ^ Move::NONE;
        }
    }

    fn update(&mut self, color: Color, mv: Move, earlier: Earlier, bonus: i32) {
        self.history.pull(Self::index(color, mv), bonus);
        for (own, earlier) in [(false, earlier.last), (true, earlier.own)] {
            if let Some(earlier) = earlier {
                let index = Self::pairs_index(color, own, earlier) + key(mv);
                self.continuation.pull(index, bonus);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::board::{PieceKind, Square};

    #[test]
    fn blocks_age_like_a_plain_table() {
        let mut rng = StdRng::seed_from_u64(5);
        // The last block is not full.
        let len = 5 * HistoryTable::BLOCK_VALUES + 7;
        let (mut learnt, mut plain) = (HistoryTable::new(len), vec![0i16; len]);
        let mut forgotten = 0;
        for round in 0..60 {
            // Long pauses, in which blocks decay to 0.
            let count = if round % 20 < 3 { 40 } else { 0 };
            for _ in 0..count {
                let index = rng.random_range(0..len);
                let bonus = rng.random_range(-2000..=2000);
                learnt.pull(index, bonus);
                pull(&mut plain[index], bonus, history_limit());
            }
            learnt.age();
            for value in &mut plain {
                *value /= history_aging() as i16;
            }
            assert_eq!(learnt.values, plain);
            for (block, &is_learnt) in plain.chunks(HistoryTable::BLOCK_VALUES).zip(&learnt.blocks) {
                assert_eq!(is_learnt, block.iter().any(|&value| value != 0));
            }
            forgotten += usize::from(!learnt.blocks.contains(&true));
        }
        assert!((1..50).contains(&forgotten), "{forgotten}");
    }

    #[test]
    fn every_move_can_be_a_countermove() {
        let mut histories = Histories::default();
        let last: Move = "h8<".parse().unwrap();
        assert_eq!(histories.counter(Color::White, Some(last)), None);
        let mut count = 0;
        for best in (0..=u16::MAX).filter_map(Move::from_bits) {
            let earlier = Earlier { last: Some(last), own: None };
            let cutoff = Cutoff { color: Color::White, earlier, depth: 1, ply: 0 };
            histories.reward(&cutoff, best, [].into_iter());
            assert_eq!(histories.counter(Color::White, Some(last)), Some(best));
            count += 1;
        }
        assert!(count > 60_000, "{count}");
        // Flat a1, whose bits are 0.
        let first = Move::place(PieceKind::Flat, Square::new(0, 0));
        assert_eq!(histories.counter(Color::White, Some(first)), None);
        assert_eq!(histories.counter(Color::Black, Some(last)), None);
        assert_eq!(histories.counter(Color::White, None), None);
    }
}
