//! Why a move is worse than another one. No fact that holds for the better move as well is named.

use super::board::missing_squares;
use super::fact::Fact;
use super::lines::quiet_lead;
use super::moves;
use crate::board::{AnyPosition, Color, Move, MoveKind, PieceKind};
use crate::search::{Line, Solved};

/// The facts about `played`, after which `after` is the best line, and about the move that `better` begins with.
pub fn facts(position: &AnyPosition, played: Move, after: &Line, better: &Line) -> Vec<Fact> {
    let Some(&best) = better.pv.first().filter(|&&best| best != played) else { return Vec::new() };
    let mover = position.to_move();
    let (of_played, of_best) = (moves::facts(position, played), moves::facts(position, best));
    let mut facts = losses(played, after, &of_played);
    // Then the better move has the same fault.
    if of_best.iter().any(|fact| matches!(fact, Fact::Leaves { .. })) {
        facts.clear();
    }
    facts.extend(wins(best, better, &of_best));
    let leaves_road = of_played.iter().any(|fact| matches!(fact, Fact::Leaves { .. }));
    let is_other_side = |fact: &Fact| leaves_road && matches!(fact, Fact::Stops { .. });
    facts.extend(of_best.into_iter().filter(|fact| is_told(fact, &of_played) && !is_other_side(fact)));
    facts.extend(leads(position, played, after, better, mover));
    facts.extend(Color::ALL.into_iter().filter_map(|player| needs(position, player, mover, best, played)));
    let is_wall = |mv: Move| mv.kind() == MoveKind::Place(PieceKind::Wall);
    let stops = of_played.iter().any(|fact| matches!(fact, Fact::Stops { .. } | Fact::Cuts { .. }));
    if is_wall(played) && !is_wall(best) && !stops {
        facts.push(Fact::Wall { mv: played });
    }
    facts
}

/// What the move played allows.
fn losses(played: Move, after: &Line, of_played: &[Fact]) -> Vec<Fact> {
    let leaves = of_played.iter().find(|fact| matches!(fact, Fact::Leaves { .. }));
    match (leaves, after.solved) {
        (Some(leaves), _) => vec![leaves.clone()],
        (None, Some(Solved::Win(plies))) if plies > 1 => {
            vec![Fact::Loses { mv: played, moves: plies.div_ceil(2), first: after.pv.first().copied() }]
        }
        _ => Vec::new(),
    }
}

/// What the better move would have won by force.
fn wins(best: Move, better: &Line, of_best: &[Fact]) -> Option<Fact> {
    let ends = of_best.iter().any(|fact| matches!(fact, Fact::Road { .. } | Fact::Flats { .. }));
    match better.solved {
        Some(Solved::Win(plies)) if !ends => Some(Fact::Wins { mv: best, moves: plies.div_ceil(2) }),
        _ => None,
    }
}

/// Returns whether a fact about the better move says something that does not hold for the move played.
fn is_told(fact: &Fact, of_played: &[Fact]) -> bool {
    let same = of_played.iter().find(|other| other.kind() == fact.kind());
    match (fact, same) {
        (Fact::Covers { flats, .. }, Some(Fact::Covers { flats: others, .. })) => flats > others,
        // `Needs` compares both moves in these.
        (Fact::Cuts { .. } | Fact::Nears { .. } | Fact::Race { .. } | Fact::Leaves { .. }, _) => false,
        (_, None) => true,
        _ => false,
    }
}

/// The flats at the quiet ends of both lines, if they differ.
fn leads(position: &AnyPosition, played: Move, after: &Line, better: &Line, mover: Color) -> Option<Fact> {
    if after.solved.is_some() || better.solved.is_some() {
        return None;
    }
    let line: Vec<Move> = [played].into_iter().chain(after.pv.iter().copied()).collect();
    let shown = quiet_lead(position, &line, mover)?;
    let other = quiet_lead(position, &better.pv, mover)?;
    (other > shown).then(|| Fact::Leads { after: [(played, shown), (better.pv[0], other)] })
}

/// The squares that a player needs for a road after either move, if that speaks for the better one.
fn needs(position: &AnyPosition, player: Color, mover: Color, best: Move, played: Move) -> Option<Fact> {
    let after = |mv: Move| {
        let mut position = position.clone();
        position.play(mv).ok()?;
        if position.outcome().is_some() {
            return None;
        }
        Some((mv, missing_squares(&position, player)?.len()))
    };
    let (one, other) = (after(best)?, after(played)?);
    let is_reason = if player == mover { one.1 < other.1 } else { one.1 > other.1 };
    let is_near = one.1.min(other.1) < position.size().width() - 1;
    (position.ply() > 1 && is_reason && is_near).then_some(Fact::Needs { player, after: [one, other] })
}
