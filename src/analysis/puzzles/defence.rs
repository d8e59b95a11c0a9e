//! The only move that does not lose.

use super::proof::{Limits, Proven, Reject, after, none_is_won};
use super::puzzle::{Proof, Step};
use crate::board::{AnyPosition, Move};
use crate::engine::Engine;
use crate::search::{Attack, Prover};

/// The fewest plies in which the wrong moves lose, at most, for it to be a puzzle: to answer a threatened road is none.
const MIN_PLIES: u32 = 3;

/// The most wrong moves that are kept with their refutation.
const MAX_WRONG_MOVES: usize = 8;

/// The only move of the player to move that does not lose by force.
///
/// Proven is that every other move loses within the plies against any defence; and that the opponent cannot force
/// a win within the plies after this one. `likely` moves are looked at first: if two of them do not lose, it is soon
/// over.
pub fn defence(
    engine: &mut Engine,
    position: &AnyPosition,
    likely: &[Move],
    limits: Limits,
) -> Result<(Proven, Vec<Move>), Reject> {
    let (size, mover) = (position.size(), position.to_move());
    let mut prover = engine.prover(size, !mover, false)?;
    let mut moves = position.legal_moves();
    moves.sort_by_key(|mv| !likely.contains(mv));
    let mut right = None;
    let mut lost = Vec::new();
    for mv in moves {
        let next = after(position, mv);
        let plies = match next.outcome() {
            Some(outcome) if outcome.winner == Some(mover) => return Err(Reject::No),
            Some(outcome) => outcome.winner.map(|_| 1),
            None => {
                prover.shortest(&next, Attack::Threats, limits.max_plies - 1, limits.quick()).map(|plies| plies + 1)
            }
        };
        match plies {
            Some(plies) => lost.push((plies, mv)),
            None if right.is_some() => return Err(Reject::No),
            None => right = Some((mv, next)),
        }
    }
    let (mv, next) = right.ok_or(Reject::No)?;
    let plies = lost.iter().map(|&(plies, _)| plies).max().unwrap_or(0);
    if plies < MIN_PLIES {
        return Err(Reject::No);
    }
    let settled = if next.outcome().is_some() {
        None
    } else {
        let longest = limits.max_plies.max(plies + 2) - 1;
        none_is_won(&mut prover, vec![next], plies - 1, longest, limits)?
    };
    // The longest resistance first.
    lost.sort_by_key(|&(plies, _)| std::cmp::Reverse(plies));
    let holding = lost.iter().filter(|&&(plies, _)| plies > 2);
    let holding = holding.map(|&(_, mv)| mv).take(MAX_WRONG_MOVES).collect();
    let proven = Proven {
        proof: Proof { plies, settled: settled.map(|plies| plies + 1) },
        solution: Step { mv, answers: Vec::new() },
    };
    Ok((proven, holding))
}

/// The line by which `prover` wins within `plies` from the position after a wrong move.
pub fn refutation(prover: &mut Prover<'_>, next: &AnyPosition, plies: u32, limits: Limits) -> Vec<Move> {
    let shortest = match next.outcome() {
        Some(_) => None,
        None => prover.shortest(next, Attack::Threats, plies - 1, limits.nodes),
    };
    shortest.map_or_else(Vec::new, |plies| prover.line(next, Attack::Threats, plies, limits.nodes))
}
