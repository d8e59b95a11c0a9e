//! Which move to search first: the table move, then everything else by a quick score.

use super::evasions::Evasions;
use super::history::{Earlier, Histories};
use super::params::{counter_bonus, killer_bonus, policy_weight, second_killer_bonus};
use super::policy::MoveScorer;
use crate::board::{Color, Move};

/// A move and how promising it looks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scored {
    pub mv: Move,
    score: i32,
}

/// What may tell which move of a node is good, besides the position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hints {
    pub table: Option<Move>,
    pub killers: [Option<Move>; 2],
    pub counter: Option<Move>,
    pub earlier: Earlier,
}

/// Fills `list` with the legal moves, or with those of them that are `evasions`, each with a score. The table move is left
/// out.
pub(super) fn score_moves<const N: usize>(
    scorer: &mut MoveScorer<'_, N>,
    histories: &Histories,
    hints: &Hints,
    evasions: Option<Evasions>,
    buffer: &mut Vec<Move>,
    list: &mut Vec<Scored>,
) {
    let position = scorer.position();
    let evasions = evasions.map(|evasions| evasions.narrowed(position));
    buffer.clear();
    position.generate_moves(buffer);
    let wanted = |mv: &Move| Some(*mv) != hints.table && evasions.is_none_or(|evasions| evasions.allow(*mv));
    let moves = buffer.iter().copied().filter(wanted);
    score_these(scorer, histories, hints, moves, list);
}

/// Fills `list` with these moves, each with a score.
pub(super) fn score_these<const N: usize>(
    scorer: &mut MoveScorer<'_, N>,
    histories: &Histories,
    hints: &Hints,
    moves: impl Iterator<Item = Move>,
    list: &mut Vec<Scored>,
) {
    let mover = scorer.position().to_move();
    list.clear();
    list.extend(
        moves.map(|mv| Scored { mv, score: policy_weight() * scorer.score(mv) + known(histories, hints, mover, mv) }),
    );
}

/// Swaps the best of the moves from `from` on to the place `from`. Called for each move in turn this is a selection sort,
/// which pays since the search of a node mostly ends after a few moves.
pub(super) fn pick(list: &mut [Scored], from: usize) -> Option<Move> {
    let left = list.get_mut(from..)?;
    let (mut best, mut score) = (0, left.first()?.score);
    for (place, scored) in left.iter().enumerate() {
        if scored.score > score {
            (best, score) = (place, scored.score);
        }
    }
    left.swap(0, best);
    Some(left[0].mv)
}

/// What this search has found out about a move so far, to correct the learned model.
fn known(histories: &Histories, hints: &Hints, mover: Color, mv: Move) -> i32 {
    let bonus = match Some(mv) {
        killer if hints.killers[0] == killer => killer_bonus(),
        killer if hints.killers[1] == killer => second_killer_bonus(),
        counter if hints.counter == counter => counter_bonus(),
        _ => 0,
    };
    bonus + histories.history(mover, mv) + histories.continuation(mover, hints.earlier, mv)
}
