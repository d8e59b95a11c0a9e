//! The common parts of all proofs: the limits, how one fails, and the positions after each move.

use super::puzzle::{Proof, Step};
use crate::board::{AnyPosition, Color, Move};
use crate::engine::HashError;
use crate::search::{Attack, Prover, Verdict};

/// The limits of a search for puzzles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The longest puzzle, in plies. Below three these are roads by a spread that are at hand.
    pub max_plies: u32,
    /// Positions that each step of a proof, or each long search, may visit.
    pub nodes: u64,
}

impl Limits {
    /// For checks of many positions, most of them not puzzles.
    pub fn quick(self) -> u64 {
        self.nodes / 50 + 1
    }

    /// For optional improvements of a puzzle.
    pub fn extra(self) -> u64 {
        self.nodes / 8 + 1
    }
}

/// The reason why a position is not a puzzle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reject {
    /// There is no single right move.
    No,
    /// There may be one, but the limits were reached before that was known.
    Undecided,
    /// There is no memory to look.
    NoMemory(HashError),
}

impl From<HashError> for Reject {
    fn from(error: HashError) -> Self {
        Self::NoMemory(error)
    }
}

/// The proven result of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proven {
    /// In how many plies.
    pub proof: Proof,
    /// The right move, and how the game continues.
    pub solution: Step,
}

pub fn after(position: &AnyPosition, mv: Move) -> AnyPosition {
    let mut next = position.clone();
    next.play_unchecked(mv);
    next
}

/// Proves that `attacker` wins none of `positions`, in which the other player is to move or the game continues with the
/// attacker's move, within `plies`; then continues with more plies, up to `longest`, as long as that is cheap.
///
/// The answer is how many plies that is proven for; `None` for any number.
///
/// # Errors
/// [`Reject::No`] if one of them is won, [`Reject::Undecided`] if that is not known within `plies`.
pub fn none_is_won(
    prover: &mut Prover<'_>,
    positions: Vec<AnyPosition>,
    plies: u32,
    longest: u32,
    limits: Limits,
) -> Result<Option<u32>, Reject> {
    let mut open = positions;
    let mut proven = None;
    let mut wanted = plies;
    loop {
        let nodes = match proven {
            None => limits.nodes,
            Some(_) => limits.extra(),
        };
        let end = prover.nodes().saturating_add(nodes);
        let mut still_open = Vec::new();
        for position in open {
            let left = end.saturating_sub(prover.nodes());
            match (prover.within(&position, Attack::EveryMove, wanted, left), proven) {
                (Some(Verdict::Wins), _) => return Err(Reject::No),
                (Some(Verdict::NotWithin), _) => still_open.push(position),
                (Some(Verdict::Never), _) => {}
                (None, None) => return Err(Reject::Undecided),
                (None, known) => return Ok(known),
            }
        }
        if still_open.is_empty() {
            return Ok(None);
        }
        if proven.is_none() && wins_later(prover, &still_open, longest, limits) {
            return Err(Reject::No);
        }
        proven = Some(wanted);
        if wanted + 2 > longest {
            return Ok(proven);
        }
        open = still_open;
        wanted += 2;
    }
}

/// Returns whether threats are soon seen to win one of `positions` within `longest` plies.
fn wins_later(prover: &mut Prover<'_>, positions: &[AnyPosition], longest: u32, limits: Limits) -> bool {
    let end = prover.nodes().saturating_add(limits.extra());
    positions.iter().any(|position| {
        let left = end.saturating_sub(prover.nodes()).min(limits.quick());
        let shortest = prover.shortest(position, Attack::Threats, longest, left);
        shortest.is_some()
    })
}

/// The positions after all moves but `right` in which the game continues.
///
/// # Errors
/// [`Reject::No`] if one of the moves wins at once.
pub fn after_others(position: &AnyPosition, right: Move, mover: Color) -> Result<Vec<(Move, AnyPosition)>, Reject> {
    let mut others = Vec::new();
    for mv in position.legal_moves() {
        if mv == right {
            continue;
        }
        let next = after(position, mv);
        match next.outcome() {
            None => others.push((mv, next)),
            Some(outcome) if outcome.winner == Some(mover) => return Err(Reject::No),
            Some(_) => {}
        }
    }
    Ok(others)
}
