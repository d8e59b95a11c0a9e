//! The other side of a puzzle: whether the opponent still wins in time, and the best move against it.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use serde_json::{Value, json};

use crate::board::{AnyPosition, Color, Move};
use crate::engine::{Engine, HashError};
use crate::search::{Attack, Prover, Verdict};

/// The positions that may be visited for one answer.
const NODES: u64 = 2_000_000;

/// The share of them that may be spent on threats alone, which win most puzzles.
const THREATS: u64 = NODES / 200;

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
            None => match lasts(&mut prover, &next, plies.saturating_sub(1)) {
                Some(Some(plies)) => 1 + plies,
                Some(None) => return Ok(Defence::Holds(mv)),
                None => return Ok(Defence::Unknown),
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

/// In how many plies the attacker, who is to move, wins: at most so many, or not within them. `None` if too many
/// positions are needed.
fn lasts(prover: &mut Prover<'_>, position: &AnyPosition, plies: u32) -> Option<Option<u32>> {
    if plies == 0 {
        return Some(None);
    }
    // A win by threats may not be the shortest.
    let found = prover.shortest(position, Attack::Threats, plies, THREATS);
    if found.is_some_and(|plies| plies <= 2) {
        return Some(found);
    }
    let longest = found.map_or(plies, |found| found - 2);
    let left = |prover: &Prover<'_>| NODES.saturating_sub(prover.nodes());
    let nodes = left(prover);
    match prover.within(position, Attack::EveryMove, longest, nodes)? {
        Verdict::NotWithin | Verdict::Never => Some(found),
        Verdict::Wins => {
            let nodes = left(prover);
            prover.shortest(position, Attack::EveryMove, longest, nodes).map(Some)
        }
    }
}
