//! Which move to search first: the table move, then everything else by a quick score.

use super::history::{Earlier, Memory};
use super::params::{counter_bonus, killer_bonus, policy_weight, second_killer_bonus};
use super::policy::Opinion;
use crate::board::{Bitboard, Color, Move, MoveKind, Position};

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

/// What the opponent threatens to do at once.
#[derive(Debug, Clone, Copy)]
pub(super) struct Threat {
    /// Squares where a placement would complete a road.
    placements: Bitboard,
    /// Where there is no such square: a spread that would complete a road, if there is one.
    spread: Option<Move>,
    /// A spread over all of these may fill the board and so end the game on flats.
    empty: Bitboard,
    /// Whether some spread may come back to a position that is a draw.
    spreads_draw: bool,
}

impl Threat {
    /// The threats of `color` against the player to move, for whom some spread may come back to a drawn position if
    /// `spreads_draw`.
    pub(super) fn of<const N: usize>(
        position: &Position<N>,
        color: Color,
        spreads_draw: bool,
    ) -> Self {
        let critical = position.critical_squares(color);
        let placements = position.winning_placements(color, critical);
        let spread = if placements.is_empty() {
            position.winning_spread(color, critical)
        } else {
            None
        };
        Self {
            placements,
            spread,
            empty: position.empty(),
            spreads_draw,
        }
    }

    /// Whether there is any.
    pub(super) fn exists(self) -> bool {
        self.spread.is_some() || !self.placements.is_empty()
    }

    /// Whether `mv` can be an answer at all. What is refused here loses to the very threat that was found; what passes
    /// may still fail. The caller has made sure that no placement ends the game on flats.
    pub(super) fn may_answer<const N: usize>(self, position: &Position<N>, mv: Move) -> bool {
        // The squares that the threat needs as they are, besides the road pieces that stand already.
        let (needed, source) = match self.spread {
            Some(threat) => (threat.covered(), threat.square().bit()),
            None => (self.placements, Bitboard::EMPTY),
        };
        match mv.kind() {
            // A spread runs over a flat in its way. Of two squares a placement can fill only one.
            MoveKind::Place(kind) => match self.spread {
                Some(_) => kind.blocks() && needed.contains(mv.square()),
                None => needed == mv.square().bit(),
            },
            MoveKind::Spread(..) => {
                let covered = mv.covered();
                covered.intersects(needed | source | position.road_pieces(!position.to_move()))
                    || self.empty.without(covered).is_empty()
                    || self.spreads_draw
            }
        }
    }
}

/// Fills `list` with the legal moves that may answer `threat`, the table move left out, each with a score.
pub(super) fn score_moves<const N: usize>(
    opinion: &mut Opinion<'_, N>,
    memory: &Memory,
    hints: &Hints,
    threat: Option<Threat>,
    buffer: &mut Vec<Move>,
    list: &mut Vec<Scored>,
) {
    let position = opinion.position();
    buffer.clear();
    position.generate_moves(buffer);
    let wanted =
        |mv: &Move| Some(*mv) != hints.table && threat.is_none_or(|t| t.may_answer(position, *mv));
    let moves = buffer.iter().copied().filter(wanted);
    score_these(opinion, memory, hints, moves, list);
}

/// Fills `list` with these moves, each with a score.
pub(super) fn score_these<const N: usize>(
    opinion: &mut Opinion<'_, N>,
    memory: &Memory,
    hints: &Hints,
    moves: impl Iterator<Item = Move>,
    list: &mut Vec<Scored>,
) {
    let mover = opinion.position().to_move();
    list.clear();
    list.extend(moves.map(|mv| Scored {
        mv,
        score: policy_weight() * opinion.of(mv) + known(memory, hints, mover, mv),
    }));
}

/// Swaps the best of the moves from `from` on to the place `from`. Called for each move in turn this is a selection sort,
/// which pays since the search of a node mostly ends after a few moves.
pub(super) fn pick(list: &mut [Scored], from: usize) -> Option<Move> {
    let best = (from..list.len()).max_by_key(|&i| (list[i].score, std::cmp::Reverse(i)))?;
    list.swap(from, best);
    Some(list[from].mv)
}

/// What this search has found out about a move so far, to correct the learned model.
fn known(memory: &Memory, hints: &Hints, mover: Color, mv: Move) -> i32 {
    let bonus = match Some(mv) {
        killer if hints.killers[0] == killer => killer_bonus(),
        killer if hints.killers[1] == killer => second_killer_bonus(),
        counter if hints.counter == counter => counter_bonus(),
        _ => 0,
    };
    bonus + memory.history(mover, mv) + memory.continuation(mover, hints.earlier, mv)
}
