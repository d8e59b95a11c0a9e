//! The progress of a search as the page shows it.

use serde_json::{Value, json};

use super::view::move_view;
use super::words;
use crate::board::{AnyPosition, Color};
use crate::search::{Bound, Line, Players, Report, Solved};

/// Describes a report of a search from `position`.
pub fn search_view(position: &AnyPosition, report: &Report) -> Value {
    let view = |line| line_view(position, line, report.wdl(line, Players::People));
    json!({
        "depth": report.depth,
        "nodes": report.nodes,
        "nodes_per_second": report.nps(),
        "milliseconds": u64::try_from(report.time.as_millis()).unwrap_or(u64::MAX),
        "lines": report.lines.iter().map(view).collect::<Value>(),
    })
}

/// Describes one of the best moves and its continuation. `chances` are those of the player to move.
fn line_view(position: &AnyPosition, line: &Line, mut chances: [u32; 3]) -> Value {
    let to_move = position.to_move();
    let mut centiflats = line.score.value();
    if to_move == Color::Black {
        chances.reverse();
        centiflats = -centiflats;
    }
    let solved = line.solved.or(line.score.solved());
    let result = solved.map(|solved| match solved {
        Solved::Win(plies) => (to_move, plies),
        Solved::Loss(plies) => (!to_move, plies),
    });
    let proven = result.map(|(winner, plies)| words::proven(position, winner, plies, &line.pv));
    let bound = match (line.bound, to_move) {
        (None, _) => "",
        (Some(Bound::Lower), Color::White) | (Some(Bound::Upper), Color::Black) => "≥ ",
        (Some(_), _) => "≤ ",
    };
    json!({
        // Probability of a White win, a draw and a Black win, in thousandths.
        "chances": chances,
        // White's score, or the winner's moves to a proven win.
        "score": match solved {
            Some(solved) => solved.plies().div_ceil(2).to_string(),
            None => format!("{bound}{:+.2}", f64::from(centiflats) / 100.0),
        },
        "centiflats": centiflats,
        "proven": proven,
        "winner": result.map(|(winner, _)| words::adjective(winner)),
        "moves": line.pv.iter().map(ToString::to_string).collect::<Vec<_>>(),
        // The first move, to be drawn.
        "first": line.pv.first().map(|&mv| move_view(mv)),
    })
}
