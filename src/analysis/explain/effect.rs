//! The effects of a move: threats, captures and flats that are worth telling. Compares them with those of other moves.

use super::fact::Fact;
use super::moves;
use crate::board::{AnyPosition, Move};

/// Flats that a spread has to cover and uncover together: a placement also adds one.
const MIN_FLATS: u32 = 2;

/// The strongest effect of a move, without those that one of `others` is as well; `None` if the move ends the game or
/// leaves the opponent a road.
pub fn effect(position: &AnyPosition, mv: Move, others: &[Fact]) -> Option<Fact> {
    let facts = moves::facts(position, mv);
    let is_end = |fact: &Fact| matches!(fact, Fact::Road { .. } | Fact::Flats { .. } | Fact::Leaves { .. });
    if facts.iter().any(is_end) {
        return None;
    }
    let is_told = |fact: &Fact| is_effect(fact) && !others.iter().any(|other| does_as_much(other, fact));
    facts.into_iter().filter(is_told).min_by_key(Fact::rank)
}

/// Returns whether the player to move has a move with such an effect, as strong or stronger.
pub fn is_possible(position: &AnyPosition, effect: &Fact) -> bool {
    let does = |mv| moves::effect_like(position, mv, effect).is_some_and(|other| does_as_much(&other, effect));
    position.legal_moves().into_iter().any(does)
}

fn is_effect(fact: &Fact) -> bool {
    match fact {
        Fact::Unstoppable { .. } | Fact::Threatens { .. } | Fact::Flattens { .. } | Fact::Captures { .. } => true,
        Fact::Covers { flats, own, .. } => flats + own >= MIN_FLATS,
        _ => false,
    }
}

/// Returns whether a move with the first effect does at least what one with the second does.
pub fn does_as_much(one: &Fact, other: &Fact) -> bool {
    match (one, other) {
        (Fact::Unstoppable { .. }, Fact::Threatens { .. }) => true,
        (Fact::Captures { height: one, .. }, Fact::Captures { height: other, .. }) => one >= other,
        (Fact::Covers { flats: a, own: b, .. }, Fact::Covers { flats: c, own: d, .. }) => a + b >= c + d,
        _ => one.kind() == other.kind(),
    }
}

/// Returns whether a fact says more of a move than where its piece stands.
pub fn does_anything(fact: &Fact) -> bool {
    matches!(
        fact,
        Fact::Stops { .. }
            | Fact::Threatens { .. }
            | Fact::Flattens { .. }
            | Fact::Captures { .. }
            | Fact::Covers { .. }
            | Fact::LocksIn { .. }
            | Fact::Pins { .. }
            | Fact::Frees { .. }
            | Fact::Cuts { .. }
            | Fact::Nears { .. }
            | Fact::Joins { .. }
            | Fact::Separates { .. }
    )
}

/// Returns whether a fact about a move says something that does not hold for another one.
pub fn is_told(fact: &Fact, of_other: &[Fact]) -> bool {
    match fact {
        Fact::Flats { half_lead, .. } => {
            !of_other.iter().any(|other| matches!(other, Fact::Flats { half_lead: lead, .. } if lead >= half_lead))
        }
        // Two moves are compared in these.
        Fact::Covers { .. }
        | Fact::Cuts { .. }
        | Fact::Nears { .. }
        | Fact::Race { .. }
        | Fact::Leaves { .. }
        | Fact::Fills { .. }
        | Fact::First { .. } => false,
        _ => !of_other.iter().any(|other| does_as_much(other, fact)),
    }
}
