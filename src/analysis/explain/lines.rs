//! What the line of a search says: a proven result, the answer that the engine expects, the flats at its end.

use super::board::flat_lead;
use super::fact::Fact;
use crate::board::{AnyPosition, Color, Move};
use crate::search::Solved;

/// Plies at the end of a line in which a quiet position is looked for.
const MAX_CUT_PLIES: usize = 4;

/// The facts of a line that begins in `position`.
pub fn facts(position: &AnyPosition, line: &[Move], solved: Option<Solved>) -> Vec<Fact> {
    let Some((&mv, rest)) = line.split_first() else { return Vec::new() };
    if position.check_legal(mv).is_err() {
        return Vec::new();
    }
    match solved {
        Some(Solved::Win(plies)) if plies > 1 => vec![Fact::Wins { mv, moves: plies.div_ceil(2) }],
        Some(Solved::Loss(plies)) if plies > 2 => {
            vec![Fact::Loses { mv, moves: plies / 2, first: rest.first().copied() }]
        }
        Some(_) => Vec::new(),
        None => rest.first().map(|&reply| Fact::Expects { mv, reply }).into_iter().collect(),
    }
}

/// The lead in flats of `color` at the end of a line, or a few plies before it: where nobody completes a road next.
/// `None` if there is no such position with the same player to move as at the start of the line.
pub fn quiet_lead(position: &AnyPosition, line: &[Move], color: Color) -> Option<i32> {
    let mut position = position.clone();
    let mut leads = Vec::new();
    for &mv in line {
        position.play(mv).ok()?;
        let is_quiet =
            position.outcome().is_none() && Color::ALL.into_iter().all(|color| position.winning_move(color).is_none());
        leads.push(is_quiet.then(|| flat_lead(&position)));
    }
    // After as many moves of each player.
    let pairs = leads.iter().enumerate().rev().filter(|(index, _)| index % 2 == 1);
    let lead = pairs.take(MAX_CUT_PLIES / 2).find_map(|(_, lead)| *lead)?;
    Some(if color == Color::White { lead } else { -lead })
}
