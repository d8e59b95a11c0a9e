//! The remarks on each move of an annotated game.

use serde::Serialize;

use super::words;
use crate::annotate::game::{AnnotatedGame, AnnotatedPly};
use crate::annotate::ptn::{ptn_game, remarks, summary};
use crate::board::{AnyPosition, Color};

/// An annotated game for the page.
#[derive(Debug, Serialize)]
pub struct AnnotationView {
    /// White's chances in percent: at the start, and after each move.
    chances: Vec<f64>,
    /// One per move.
    moves: Vec<Remarks>,
    /// The accuracy of both players and the decisive move.
    summary: String,
    /// The annotated game as `tak-engine annotate` writes it.
    ptn: String,
}

/// The remarks on a move.
#[derive(Debug, Serialize)]
struct Remarks {
    /// Marks as in PTN, such as `'?`.
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
