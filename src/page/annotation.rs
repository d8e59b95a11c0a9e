//! The remarks on each move of an annotated game.

use serde_json::{Value, json};

use super::view::move_view;
use super::words;
use crate::analysis::annotate::analysis::PositionAnalysis;
use crate::analysis::annotate::game::{AnnotatedGame, AnnotatedPly, ForcedWin, Mark, Summary};
use crate::analysis::annotate::ptn::ptn_game;
use crate::board::{AnyPosition, Color};
use crate::notation::{PtnGame, moves_text};

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
        "players": {
            "white": player(&game.players[Color::White]),
            "black": player(&game.players[Color::Black]),
        },
        // The index of the move that decided the game.
        "decisive": game.decisive,
        // As `tak-engine annotate` writes it.
        "ptn": ptn.to_string(),
        // For the report.
        "looks": analyses,
    })
}

/// A player's part in a game: accuracy and mean loss in points from 0 to 100, and the number of each mark.
fn player(summary: &Summary) -> Value {
    let [blunders, mistakes, good, brilliant] = summary.marks;
    json!({
        "accuracy": summary.accuracy(),
        "loss": summary.mean_loss(),
        "blunders": blunders,
        "mistakes": mistakes,
        "good": good + brilliant,
    })
}

/// The remarks on a move; `position` is the one after it.
fn remarks_on(position: &AnyPosition, ply: &AnnotatedPly) -> Value {
    let marks = [ply.threat.map(|threat| threat.to_string()), ply.mark.map(|mark| mark.to_string())];
    let proven = ply.after.value.proven().filter(|_| position.outcome().is_none());
    let proven = proven.map(|(winner, plies)| words::proven(position, winner, plies, &ply.after.line));
    json!({
        "marks": marks.into_iter().flatten().collect::<String>(),
        "mark": ply.mark.map(|mark| mark.to_string()).unwrap_or_default(),
        "says": judgements(ply).chain(proven).collect::<Vec<_>>(),
    })
}

/// What is said about a move, with White's chances before and after it.
fn judgements(ply: &AnnotatedPly) -> impl Iterator<Item = String> {
    let [before, after] = [ply.before, ply.after.value].map(|value| value.chance(Color::White));
    let judged = ply.mark.and_then(|mark| match mark {
        Mark::Blunder => Some("a blunder"),
        Mark::Mistake => Some("a mistake"),
        Mark::Good | Mark::Brilliant => None,
    });
    let better =
        judged.map(|judged| format!("{judged}: White {before:.0} → {after:.0} %, better {}", moves_text(&ply.best)));
    let only = matches!(ply.mark, Some(Mark::Good | Mark::Brilliant)).then(|| {
        let images = if ply.has_image { " except for its mirror images" } else { "" };
        match ply.avoided {
            Some(_) => format!("the only move{images}, every other loses by force"),
            None => format!("judged to be the only move{images} that keeps the result"),
        }
    });
    let forced = |what: &str, win: &Option<ForcedWin>| {
        let says = |win: &ForcedWin| format!("{what} in {}: {}", words::moves_to_win(win.plies), moves_text(&win.line));
        win.as_ref().map(says)
    };
    let wins = [
        forced("misses a win", &ply.missed),
        forced("allows a win", &ply.allowed),
        forced("avoids a win of the opponent", &ply.avoided),
    ];
    [better, only].into_iter().chain(wins).flatten()
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
        let [kept, left] = [ply.before, ply.after.value].map(|value| value.chance(Color::White));
        format!("With {best} White has {kept:.0} %, with {mv} {left:.0} %")
    };
    let line: Value = ply.best.iter().take(MAX_BETTER_PLIES).map(|&mv| move_view(mv)).collect();
    Some(json!({"line": line, "why": why}))
}
