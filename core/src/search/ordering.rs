//! Move ordering: the table move, then the others by their score.

use super::history::{Earlier, Histories};
use super::params::{counter_bonus, killer_bonus, policy_weight, second_killer_bonus};
use super::policy::MoveScorer;
use crate::board::Move;

/// A move with its ordering score.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scored {
    pub mv: Move,
    score: i32,
}

/// Information for move ordering besides the position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hints {
    pub table: Option<Move>,
    pub killers: [Option<Move>; 2],
    pub counter: Option<Move>,
    pub earlier: Earlier,
}

/// All that scores the moves of a position.
pub(super) struct Ordering<'a, const N: usize> {
    pub scorer: MoveScorer<'a, N>,
    pub histories: &'a Histories,
    pub hints: &'a Hints,
}

impl<const N: usize> Ordering<'_, N> {
    /// Replaces the contents of `list`.
    pub fn fill(mut self, moves: impl Iterator<Item = Move>, list: &mut Vec<Scored>) {
        let histories = self.histories.of_node(self.scorer.position().to_move(), self.hints.earlier);
        list.clear();
        list.extend(moves.map(|mv| Scored {
            mv,
            score: policy_weight() * self.scorer.score(mv) + bonus(self.hints, mv) + histories.of(mv),
        }));
    }
}

/// Swaps the first of the best moves from `from` on to the index `from`. This is a selection sort, which is cheaper than
/// sorting because most nodes end after a few moves. The compiler makes vector instructions of the first loop.
pub(super) fn pick(list: &mut [Scored], from: usize) -> Option<Move> {
    let left = list.get_mut(from..)?;
    let most = left.iter().fold(i32::MIN, |most, scored| most.max(scored.score));
    let best = left.iter().position(|scored| scored.score == most)?;
    left.swap(0, best);
    Some(left[0].mv)
}

/// The bonus of killers and countermoves.
fn bonus(hints: &Hints, mv: Move) -> i32 {
    match Some(mv) {
        killer if hints.killers[0] == killer => killer_bonus(),
        killer if hints.killers[1] == killer => second_killer_bonus(),
        counter if hints.counter == counter => counter_bonus(),
        _ => 0,
    }
}
