//! What is said of each move of a game that has been looked at.

use serde::Serialize;

use super::words;
use crate::analysis::annotate::game::{AnnotatedGame, AnnotatedPly};
use crate::analysis::annotate::ptn::{ptn_game, remarks, summary};
use crate::board::{AnyPosition, Color};

/// An annotated game for the page.
#[derive(Debug, Serialize)]
pub struct AnnotationView {
    /// The chances of White in percent: at the start, and after each move.
    chances: Vec<f64>,
    /// One for each move.
    moves: Vec<Remarks>,
    /// How well both played, and which move decided the game.
    summary: String,
    /// The game with all this in it, as `tak-engine annotate` writes it.
    ptn: String,
}

/// What is said of a move.
#[derive(Debug, Serialize)]
struct Remarks {
    /// As in PTN, such as `'?`.
    marks: String,
    says: Vec<String>,
}

impl AnnotationView {
    /// `start` is the position that the game starts from.
    pub fn of(start: &AnyPosition, game: &AnnotatedGame) -> Self {
        let mut position = start.clone();
        let found = game.start.iter().chain(game.plies.iter().map(|ply| &ply.after));
        Self {
            chances: found.map(|found| found.worth.chance(Color::White)).collect(),
            moves: game
                .plies
                .iter()
                .map(|ply| {
                    position.play_unchecked(ply.mv);
                    remarks_on(&position, ply)
                })
                .collect(),
            summary: summary(game),
            ptn: ptn_game(game).to_string(),
        }
    }
}

/// `position` is the one after the move.
fn remarks_on(position: &AnyPosition, ply: &AnnotatedPly) -> Remarks {
    let marks = [ply.threat.map(|threat| threat.to_string()), ply.mark.map(|mark| mark.to_string())];
    let proven = ply.after.worth.proven();
    let proven = proven.filter(|_| position.outcome().is_none());
    let proven = proven.map(|(winner, plies)| words::proven(position, winner, plies, &ply.after.line));
    Remarks { marks: marks.into_iter().flatten().collect(), says: remarks(ply).chain(proven).collect() }
}
