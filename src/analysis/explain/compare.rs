//! Why a move is worse than another one. No fact that holds for the better move as well is named.

use super::effect::{does_anything, is_told};
use super::fact::Fact;
use super::lines::loses_flats;
use super::moves;
use super::pair::Pair;
use crate::board::{AnyPosition, Move};
use crate::search::{Line, Score, Solved};

/// The facts about `played`, after which `after` is the best line, and about the move that `better` begins with: those
/// that are a reason, then weaker ones, for which there is room only if no sentence can be made of the first.
pub fn facts(position: &AnyPosition, played: Move, after: &Line, better: &Line) -> Vec<Vec<Fact>> {
    let Some(&best) = better.pv.first().filter(|&&best| best != played) else { return Vec::new() };
    let (of_played, of_best) = (moves::facts(position, played), moves::facts(position, best));
    let mut facts = losses(position, played, after, &of_played);
    // Then the better move has the same fault.
    if of_best.iter().any(|fact| matches!(fact, Fact::Leaves { .. })) {
        facts.clear();
    }
    facts.extend(wins(best, better, &of_best));
    facts.extend(of_best.iter().filter(|fact| is_decisive(fact) && is_told(fact, &of_played)).cloned());
    // What decides the game is enough.
    if !facts.is_empty() {
        return vec![facts];
    }
    let is_open = after.solved.or(better.solved).is_none();
    let pair = Pair::new(position, [played, best], [&after.pv, &better.pv]);
    let mut tiers = pair.map_or_else(Vec::new, |pair| pair.facts(&of_played, &of_best, is_open));
    tiers.push(of_played.iter().filter(|fact| is_other_first(fact, &of_best)).cloned().collect());
    tiers
}

/// The fact that refutes a wrong move: what it allows by itself, else the effect of the answer.
pub fn refutation(position: &AnyPosition, wrong: Move, answer: &[Move]) -> Vec<Fact> {
    let after = Line { score: Score::DRAW, bound: None, solved: None, pv: answer.to_vec() };
    let losses = losses(position, wrong, &after, &moves::facts(position, wrong));
    let mut next = position.clone();
    if !losses.is_empty() || next.play(wrong).is_err() {
        return losses;
    }
    let does = |&reply: &Move| {
        // That groups are joined or a road comes nearer seldom refutes a move.
        let is_usual = |fact: &Fact| matches!(fact, Fact::Nears { .. } | Fact::Joins { .. } | Fact::Separates { .. });
        let facts = moves::facts(&next, reply).into_iter().filter(|fact| does_anything(fact) && !is_usual(fact));
        let effect = facts.min_by_key(Fact::rank)?;
        Some(Fact::Answer { mv: wrong, better: None, reply, effect: Box::new(effect) })
    };
    answer.first().and_then(does).into_iter().collect()
}

/// Returns whether a first turn places the flat in another part of the board than the better one.
fn is_other_first(fact: &Fact, of_best: &[Fact]) -> bool {
    let other = of_best.iter().find_map(|fact| if let Fact::First { place, .. } = fact { Some(*place) } else { None });
    matches!(fact, Fact::First { place, .. } if other.is_some_and(|other| other != *place))
}

fn is_decisive(fact: &Fact) -> bool {
    matches!(fact, Fact::Road { .. } | Fact::Flats { .. } | Fact::Unstoppable { .. })
}

/// What the move played allows.
fn losses(position: &AnyPosition, played: Move, after: &Line, of_played: &[Fact]) -> Vec<Fact> {
    let is_loss = |fact: &&Fact| match fact {
        Fact::Leaves { .. } | Fact::Road { .. } => true,
        Fact::Flats { half_lead, .. } => *half_lead <= 0,
        _ => false,
    };
    match (of_played.iter().find(is_loss), after.solved) {
        (Some(loss), _) => vec![loss.clone()],
        (None, Some(Solved::Win(plies))) if plies > 1 => {
            vec![Fact::Loses { mv: played, moves: plies.div_ceil(2), first: after.pv.first().copied() }]
        }
        _ => loses_flats(position, played, &after.pv).into_iter().collect(),
    }
}

/// What the better move would have won by force.
fn wins(best: Move, better: &Line, of_best: &[Fact]) -> Option<Fact> {
    match better.solved {
        Some(Solved::Win(plies)) if !of_best.iter().any(is_decisive) => {
            Some(Fact::Wins { mv: best, moves: plies.div_ceil(2) })
        }
        _ => None,
    }
}
