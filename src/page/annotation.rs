//! The remarks on each move of an annotated game.

use serde_json::{Value, json};

use super::words;
use crate::analysis::annotate::game::{AnnotatedGame, AnnotatedPly};
use crate::analysis::annotate::ptn::{ptn_game, remarks, summary};
use crate::board::{AnyPosition, Color};
use crate::notation::PtnGame;

/// Describes an annotated game that starts from `start`.
pub fn annotation_view(start: &AnyPosition, game: &AnnotatedGame) -> Value {
    let mut position = start.clone();
    let found = game.start.iter().chain(game.plies.iter().map(|ply| &ply.after));
    let remarks = game.plies.iter().map(|ply| {
        position.play_unchecked(ply.mv);
        remarks_on(&position, ply)
    });
    // Its variations may change until it is written.
    let ptn = PtnGame { variations: Vec::new(), ..ptn_game(game) };
    json!({
        // White's chances in percent: at the start, and after each move.
        "chances": found.map(|found| found.worth.chance(Color::White)).collect::<Vec<_>>(),
        "moves": remarks.collect::<Value>(),
        // The accuracy of both players and the decisive move.
        "summary": summary(game),
        // As `tak-engine annotate` writes it.
        "ptn": ptn.to_string(),
    })
}

/// The remarks on a move; `position` is the one after it.
fn remarks_on(position: &AnyPosition, ply: &AnnotatedPly) -> Value {
    let marks = [ply.threat.map(|threat| threat.to_string()), ply.mark.map(|mark| mark.to_string())];
    let proven = ply.after.worth.proven().filter(|_| position.outcome().is_none());
    let proven = proven.map(|(winner, plies)| words::proven(position, winner, plies, &ply.after.line));
    json!({
        "marks": marks.into_iter().flatten().collect::<String>(),
        "says": remarks(ply).chain(proven).collect::<Vec<_>>(),
    })
}
