//! The other side of a puzzle: whether the opponent still wins in time, and the best move against it.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use serde_json::{Value, json};

use crate::board::{AnyPosition, Color, Move};
use crate::engine::{Engine, HashError};
use crate::search::{Attack, Prover, Verdict};

/// The positions that may be visited for one answer.
const MAX_NODES: u64 = 2_000_000;

/// The share of them that may be spent on threats alone, which win most puzzles.
const MAX_THREAT_NODES: u64 = MAX_NODES / 200;

/// The result of looking at all moves of the defender.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Defence {
    /// Every move loses within the plies. This one loses as late as possible, after so many plies.
    Lost(Move, u32),
    /// This move does not lose within the plies.
    Holds(Move),
    /// More positions are needed.
    Unknown,
}

impl Defence {
    /// The answer to the page.
    pub fn view(self) -> Value {
        match self {
            Self::Lost(mv, plies) => json!({"is_lost": true, "move": mv.to_string(), "plies": plies}),
            Self::Holds(mv) => json!({"is_lost": false, "move": mv.to_string()}),
            Self::Unknown => json!({"is_lost": null}),
        }
    }
}

/// Finds the best defence in `position`, in which the game must not be over, against a win within `plies`. The history
/// is ignored. Once `stop` is set, the result is unknown.
pub fn defend(
    position: &AnyPosition,
    plies: u32,
    engine: &mut Engine,
    stop: &AtomicBool,
) -> Result<Defence, HashError> {
    let attacker = !position.to_move();
    // To win at once is the best defence.
    if let Some(mv) = position.winning_move(!attacker) {
        return Ok(Defence::Holds(mv));
    }
    let mut prover = engine.prover(position.size(), attacker, false)?;
    let mut best: Option<(Move, (u32, bool))> = None;
    for mv in position.legal_moves() {
        if stop.load(Relaxed) {
            return Ok(Defence::Unknown);
        }
        let mut next = position.clone();
        next.play_unchecked(mv);
        let lasts = match next.outcome() {
            Some(outcome) if outcome.winner == Some(attacker) => 1,
            Some(_) => return Ok(Defence::Holds(mv)),
            None => match resistance(&mut prover, &next, plies.saturating_sub(1)) {
                Resistance::Plies(plies) => 1 + plies,
                Resistance::Longer => return Ok(Defence::Holds(mv)),
                Resistance::Unknown => return Ok(Defence::Unknown),
            },
        };
        // Of equally long defences, one that answers a road in one move.
        let worth = (lasts, !is_threatened(&next, attacker));
        if best.is_none_or(|(_, least)| worth > least) {
            best = Some((mv, worth));
        }
    }
    Ok(best.map_or(Defence::Unknown, |(mv, (plies, _))| Defence::Lost(mv, plies)))
}

fn is_threatened(position: &AnyPosition, attacker: Color) -> bool {
    position.outcome().is_none() && position.winning_move(attacker).is_some()
}

/// In how many plies the attacker wins.
enum Resistance {
    Plies(u32),
    /// Not within the plies asked for.
    Longer,
    /// More positions are needed.
    Unknown,
}

/// In how many plies, at most so many, the attacker wins a position with the attacker to move.
fn resistance(prover: &mut Prover<'_>, position: &AnyPosition, plies: u32) -> Resistance {
    let known = |found: Option<u32>, otherwise| found.map_or(otherwise, Resistance::Plies);
    if plies == 0 {
        return Resistance::Longer;
    }
    // A win by threats may not be the shortest.
    let found = prover.shortest(position, Attack::Threats, plies, MAX_THREAT_NODES);
    if found.is_some_and(|plies| plies <= 2) {
        return known(found, Resistance::Unknown);
    }
    let longest = found.map_or(plies, |found| found - 2);
    let left = MAX_NODES.saturating_sub(prover.nodes());
    match prover.within(position, Attack::EveryMove, longest, left) {
        None => Resistance::Unknown,
        Some(Verdict::NotWithin | Verdict::Never) => known(found, Resistance::Longer),
        Some(Verdict::Wins) => {
            let left = MAX_NODES.saturating_sub(prover.nodes());
            known(prover.shortest(position, Attack::EveryMove, longest, left), Resistance::Unknown)
        }
    }
}
