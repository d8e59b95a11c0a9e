//! What the line of a search says: a proven result, the answer that the engine expects, the flats at its end.

use super::fact::Fact;
use crate::board::{AnyPosition, Color, EndReason, Move};
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
        Some(Solved::Loss(_)) => loses_flats(position, mv, rest).into_iter().collect(),
        Some(_) => Vec::new(),
        None => rest
            .first()
            .map(|&reply| Fact::Expects { path: vec![mv], later: reply, effect: None })
            .into_iter()
            .collect(),
    }
}

/// The fact that the first answer after a move ends the game and wins it on flats.
pub fn loses_flats(position: &AnyPosition, mv: Move, answer: &[Move]) -> Option<Fact> {
    let (&reply, opponent) = (answer.first()?, !position.to_move());
    let mut position = position.clone();
    position.play(mv).ok()?;
    position.play(reply).ok()?;
    let outcome = position.outcome()?;
    let is_loss = outcome.winner == Some(opponent) && outcome.reason != EndReason::Road;
    is_loss.then_some(Fact::LosesFlats { mv, reply })
}

/// Quiet positions at the ends of two lines, in which nobody completes a road next: after the same number of plies, or a
/// few plies earlier. `None` if a line has no such position with the same player to move as at its start.
pub fn quiet_ends(position: &AnyPosition, lines: [&[Move]; 2]) -> Option<[AnyPosition; 2]> {
    let plies = lines.map(<[Move]>::len).into_iter().min()?;
    let [one, other] = lines.map(|line| quiet_end(position, &line[..plies]));
    Some([one?, other?])
}

fn quiet_end(position: &AnyPosition, line: &[Move]) -> Option<AnyPosition> {
    let mut position = position.clone();
    let mut quiet = None;
    for (index, &mv) in line.iter().enumerate() {
        position.play(mv).ok()?;
        let is_quiet = || Color::ALL.into_iter().all(|color| position.winning_move(color).is_none());
        // After as many moves of each player.
        let is_late = index % 2 == 1 && index + MAX_CUT_PLIES >= line.len();
        if is_late && position.outcome().is_none() && is_quiet() {
            quiet = Some(position.clone());
        }
    }
    quiet
}
