//! The course of a game in three sentences: who was ahead and by what, what decided it, how it ended.

use super::game::{AnnotatedGame, AnnotatedPly};
use crate::analysis::explain::advantage;
use crate::board::{AnyPosition, Color, EndReason};

/// Percent from which on a player is ahead.
const AHEAD_PERCENT: f64 = 60.0;

/// The course of a game in sentences: who led, by what and until which move; what decided the game; how it ended. Empty
/// without moves.
pub fn course(game: &AnnotatedGame) -> Vec<String> {
    let turn = game.decisive.unwrap_or(game.plies.len().saturating_sub(1));
    let Some((ply, last)) = game.plies.get(turn).zip(game.plies.last()) else { return Vec::new() };
    [lead(game, turn, ply), Some(decision(game, ply)), end(game, last)].into_iter().flatten().collect()
}

/// The player who was ahead before a move, and since when.
fn lead(game: &AnnotatedGame, turn: usize, ply: &AnnotatedPly) -> Option<String> {
    let until = numbered(ply);
    let Some(leader) = Color::ALL.into_iter().find(|&color| ply.before.chance(color) >= AHEAD_PERCENT) else {
        return Some(format!("By the engine’s judgement the game was level before {until}."));
    };
    let earlier = game.plies[..turn].iter().rposition(|ply| ply.after.value.chance(leader) < AHEAD_PERCENT);
    let since = earlier.map_or_else(|| "the start".to_owned(), |index| numbered(&game.plies[index]));
    let mut position = AnyPosition::from_setup(&game.source.start).ok()?;
    for ply in &game.plies[..turn] {
        position.play_unchecked(ply.mv);
    }
    let why = advantage(&position, leader).map_or_else(String::new, |why| format!(", {why}"));
    Some(format!("By the engine’s judgement {leader} was ahead from {since} to {until}{why}."))
}

fn decision(game: &AnnotatedGame, ply: &AnnotatedPly) -> String {
    if game.decisive.is_none() {
        return "No single move decided the game.".to_owned();
    }
    let [before, after] = [ply.before, ply.after.value].map(|value| value.chance(ply.color));
    let better = ply.best.first().map_or_else(String::new, |best| format!("; {best} was better"));
    format!("{} decided it: {}’s chances fell from {before:.0} to {after:.0} %{better}.", numbered(ply), ply.color)
}

fn end(game: &AnnotatedGame, last: &AnnotatedPly) -> Option<String> {
    let after = numbered(last);
    Some(match (game.outcome, game.winner) {
        (Some(outcome), _) => {
            let way = match outcome.reason {
                EndReason::Road => "completed a road",
                EndReason::BoardFull => "won on flats, with a full board",
                EndReason::Reserves => "won on flats, when a reserve was empty",
            };
            match outcome.winner {
                Some(winner) => format!("With {after} {winner} {way}."),
                None => format!("With {after} the game ended level in flats."),
            }
        }
        (None, Some(winner)) => format!("After {after} the record gives the win to {winner}."),
        (None, None) => return None,
    })
}

/// `12. c4` or `12... c4`.
fn numbered(ply: &AnnotatedPly) -> String {
    let points = if ply.color == Color::White { "." } else { "..." };
    format!("{}{points} {}", ply.number, ply.mv)
}
