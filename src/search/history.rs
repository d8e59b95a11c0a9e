//! What a worker has learnt about moves while searching: history, killers and countermoves.

use super::Score;
use super::params::HISTORY_MAX;
use crate::board::{Color, Move};

/// A worker's memory. It lives as long as the engine; between searches it is aged, between games cleared.
#[derive(Debug)]
pub struct Memory {
    /// How often each move of each colour was good, `color * 65536 + move bits`, within [`HISTORY_MAX`].
    history: Vec<i16>,
    /// The answer that last refuted each move of each colour.
    counter: Vec<Option<Move>>,
    /// Two moves that last cut off at each ply.
    killers: Vec<[Option<Move>; 2]>,
}

impl Default for Memory {
    fn default() -> Self {
        Self {
            history: vec![0; 2 << 16],
            counter: vec![None; 2 << 16],
            killers: vec![[None; 2]; Score::MAX_PLY + 1],
        }
    }
}

impl Memory {
    /// Makes room for what the next search learns: ply numbers start anew, and old successes count less.
    pub(super) fn age(&mut self) {
        self.killers.fill([None; 2]);
        for value in &mut self.history {
            *value /= 2;
        }
    }

    fn index(color: Color, mv: Move) -> usize {
        color.index() << 16 | usize::from(mv.bits())
    }

    /// The history of `mv`, within plus and minus [`HISTORY_MAX`].
    pub(super) fn history(&self, color: Color, mv: Move) -> i32 {
        i32::from(self.history[Self::index(color, mv)])
    }

    /// The killers of a ply.
    pub(super) fn killers(&self, ply: usize) -> [Option<Move>; 2] {
        self.killers[ply]
    }

    /// The move that last refuted `previous`, a move of the opponent of `color`.
    pub(super) fn counter(&self, color: Color, previous: Option<Move>) -> Option<Move> {
        self.counter[Self::index(color, previous?)]
    }

    /// `best` cut off where `tried` had failed to, with `depth` plies remaining.
    pub(super) fn reward(
        &mut self,
        color: Color,
        best: Move,
        tried: &[Move],
        previous: Option<Move>,
        depth: i32,
        ply: usize,
    ) {
        let bonus = (32 * depth * depth).min(2048);
        self.nudge(color, best, bonus);
        for &mv in tried {
            self.nudge(color, mv, -bonus);
        }
        let killers = &mut self.killers[ply];
        if killers[0] != Some(best) {
            killers[1] = killers[0];
            killers[0] = Some(best);
        }
        if let Some(previous) = previous {
            self.counter[Self::index(color, previous)] = Some(best);
        }
    }

    /// Moves the entry towards its limit by a share of the way, so that it can never pass it ("gravity").
    fn nudge(&mut self, color: Color, mv: Move, bonus: i32) {
        let value = &mut self.history[Self::index(color, mv)];
        let old = i32::from(*value);
        *value = (old + bonus - old * bonus.abs() / HISTORY_MAX) as i16;
    }
}
