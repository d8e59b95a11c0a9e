//! The remarks on each move of an annotated game.

use serde_json::{Value, json};

use super::view::move_view;
use super::words;
use crate::analysis::annotate::analysis::PositionAnalysis;
use crate::analysis::annotate::game::{AnnotatedGame, AnnotatedPly, Mark};
use crate::analysis::annotate::ptn::{ptn_game, remarks, summary};
use crate::board::{AnyPosition, Color};
use crate::notation::PtnGame;

/// Describes an annotated game that starts from `start`, and the analyses that it was judged by.
pub fn annotation_view(start: &AnyPosition, game: &AnnotatedGame, analyses: &[PositionAnalysis]) -> Value {
    let mut position = start.clone();
    let found = game.start.iter().chain(game.plies.iter().map(|ply| &ply.after));
    let remarks = game.plies.iter().map(|ply| {
        let before = position.clone();
        position.play_unchecked(ply.mv);
        let mut remarks = remarks_on(&position, ply);
        if let Some(better) = better(&before, &position, ply) {
            remarks["better"] = better;
        }
        remarks
    });
    // Its variations may change until it is written.
    let ptn = PtnGame { variations: Vec::new(), ..ptn_game(game) };
    json!({
        // White's chances in percent: at the start, and after each move.
        "chances": found.map(|found| found.value.chance(Color::White)).collect::<Vec<_>>(),
        "moves": remarks.collect::<Value>(),
        // The accuracy of both players and the decisive move.
        "summary": summary(game),
        // As `tak-engine annotate` writes it.
        "ptn": ptn.to_string(),
        // For the report.
        "looks": analyses,
    })
}

/// The remarks on a move; `position` is the one after it.
fn remarks_on(position: &AnyPosition, ply: &AnnotatedPly) -> Value {
    let marks = [ply.threat.map(|threat| threat.to_string()), ply.mark.map(|mark| mark.to_string())];
    let proven = ply.after.value.proven().filter(|_| position.outcome().is_none());
    let proven = proven.map(|(winner, plies)| words::proven(position, winner, plies, &ply.after.line));
    json!({
        "marks": marks.into_iter().flatten().collect::<String>(),
        "says": remarks(ply).chain(proven).collect::<Vec<_>>(),
    })
}

/// The moves of a better line that are shown.
const MAX_BETTER_PLIES: usize = 6;

/// The better line in the place of a mistake, ready to be drawn, and in one sentence why it is better.
fn better(before: &AnyPosition, after: &AnyPosition, ply: &AnnotatedPly) -> Option<Value> {
    ply.mark.filter(|mark| matches!(mark, Mark::Blunder | Mark::Mistake))?;
    let (best, mv, mover) = (ply.best.first()?, ply.mv, ply.color);
    let why = if let Some(win) = &ply.missed {
        format!("With {best} {}", words::proven(before, mover, win.plies, &win.line))
    } else if let Some(win) = &ply.allowed {
        format!("After {mv} {}, and {best} avoids that", words::proven(after, !mover, win.plies, &win.line))
    } else {
        let [kept, left] = [ply.before.chance(mover), ply.after.value.chance(mover)];
        format!("With {best} {mover} has chances of {kept:.0} %, with {mv} of {left:.0} %")
    };
    let line: Value = ply.best.iter().take(MAX_BETTER_PLIES).map(|&mv| move_view(mv)).collect();
    Some(json!({"line": line, "why": why}))
}
