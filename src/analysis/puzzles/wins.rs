//! Forced wins with one first move: roads, and wins on flats.

use super::proof::{Limits, Proven, Reject, after, after_others, none_is_won};
use super::puzzle::{Proof, Step};
use super::tree;
use crate::board::{AnyPosition, Color, Move};
use crate::engine::Engine;
use crate::search::{Attack, Prover, Verdict};

/// The shortest win that is usually a puzzle, in plies.
pub const MIN_PLIES: u32 = 3;

/// A road that the player to move completes at once by a spread, if no other move wins at once. Placements are found too
/// easily.
pub fn at_hand(position: &AnyPosition) -> Option<Proven> {
    let mover = position.to_move();
    // A placement is reported first.
    if position.outcome().is_some() || !position.winning_move(mover).is_some_and(Move::is_spread) {
        return None;
    }
    let wins = |&mv: &Move| after(position, mv).outcome().is_some_and(|outcome| outcome.winner == Some(mover));
    let mut winning = position.legal_moves().into_iter().filter(wins);
    let (first, second) = (winning.next()?, winning.next());
    let solution = Step { mv: first, answers: Vec::new() };
    second.is_none().then_some(Proven { proof: Proof { plies: 1, settled: Some(1) }, solution })
}

/// A road that the player to move forces in at least three plies, by one first move alone.
///
/// Proven is that this move forces a road within the plies; that no sooner win of any kind can be forced; and that no
/// other move forces a win of any kind within the plies.
pub fn tinue(engine: &mut Engine, position: &AnyPosition, limits: Limits) -> Result<Proven, Reject> {
    let (size, mover) = (position.size(), position.to_move());
    let mut roads = engine.prover(size, mover, true)?;
    let plies = roads
        .shortest(position, Attack::Threats, limits.max_plies, limits.quick())
        .filter(|&plies| plies >= MIN_PLIES)
        .ok_or(Reject::No)?;
    let first = roads.winning_move(position, Attack::Threats, plies, limits.nodes).ok_or(Reject::Undecided)?;
    // Most candidates fail here: another threat does as well.
    for (_, next) in after_others(position, first, mover)? {
        let verdict = roads.within(&next, Attack::Threats, plies - 1, limits.quick());
        if verdict == Some(Verdict::Wins) {
            return Err(Reject::No);
        }
    }
    let mut any = engine.prover(size, mover, false)?;
    let settled = only_move(&mut any, position, first, plies, limits)?;
    let mut roads = engine.prover(size, mover, true)?;
    let solution = tree::solution(&mut roads, position, first, plies, Attack::Threats, limits.nodes)?;
    Ok(Proven { proof: Proof { plies, settled }, solution })
}

/// A win that the player to move forces in at least three plies by one first move alone, if the opponent can prevent
/// a road, so that flats are counted in the end.
///
/// Proven is that this move forces a win within the plies; that no sooner win can be forced, and no road within the
/// plies; and that no other move forces a win within the plies.
pub fn flats(engine: &mut Engine, position: &AnyPosition, limits: Limits) -> Result<Proven, Reject> {
    let (size, mover) = (position.size(), position.to_move());
    let mut any = engine.prover(size, mover, false)?;
    let plies = any
        .shortest(position, Attack::EveryMove, limits.max_plies, 2 * limits.quick())
        .filter(|&plies| plies >= MIN_PLIES)
        .ok_or(Reject::No)?;
    let first = any.winning_move(position, Attack::EveryMove, plies, limits.nodes).ok_or(Reject::Undecided)?;
    let settled = only_move(&mut any, position, first, plies, limits)?;
    let solution = tree::solution(&mut any, position, first, plies, Attack::EveryMove, limits.nodes)?;
    let mut roads = engine.prover(size, mover, true)?;
    match roads.within(position, Attack::EveryMove, plies, limits.nodes) {
        Some(Verdict::Wins) => Err(Reject::No),
        None => Err(Reject::Undecided),
        Some(_) => Ok(Proven { proof: Proof { plies, settled }, solution }),
    }
}

/// Proves that no move but `first` wins within `plies`, and that `first` does not win sooner. See [`none_is_won`] for
/// the answer.
fn only_move(
    prover: &mut Prover<'_>,
    position: &AnyPosition,
    first: Move,
    plies: u32,
    limits: Limits,
) -> Result<Option<u32>, Reject> {
    let others = after_others(position, first, position.to_move())?;
    let others = others.into_iter().map(|(_, next)| next).collect();
    let settled = none_is_won(prover, others, plies - 1, limits.max_plies - 1, limits)?;
    let next = after(position, first);
    match prover.within(&next, Attack::EveryMove, plies - 2, limits.nodes) {
        Some(Verdict::Wins) => Err(Reject::No),
        None => Err(Reject::Undecided),
        Some(_) => Ok(settled.map(|plies| plies + 1)),
    }
}

/// An answer to a wrong move after which `mover`, for whom `prover` attacks, does not win within `plies`.
pub fn refutation(
    prover: &mut Prover<'_>,
    next: &AnyPosition,
    mover: Color,
    plies: u32,
    limits: Limits,
) -> Option<Move> {
    next.legal_moves().into_iter().find(|&answer| {
        let position = after(next, answer);
        match position.outcome() {
            Some(outcome) => outcome.winner != Some(mover),
            None => matches!(
                prover.within(&position, Attack::EveryMove, plies - 2, limits.extra()),
                Some(Verdict::NotWithin | Verdict::Never)
            ),
        }
    })
}
