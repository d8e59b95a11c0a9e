//! The progress of a search as the page shows it.

use serde::Serialize;

use super::words;
use crate::board::{AnyPosition, Color};
use crate::search::{Bound, Line, Players, Report, Solved};

/// The progress or result of a search.
#[derive(Debug, Serialize)]
pub struct ReportView {
    depth: u32,
    nodes: u64,
    nodes_per_second: u64,
    milliseconds: u64,
    lines: Vec<LineView>,
}

/// One of the best moves and its continuation.
#[derive(Debug, Serialize)]
struct LineView {
    /// Probability of a White win, a draw and a Black win, in thousandths.
    chances: [u32; 3],
    /// White's advantage in flats, or the plies of a proven win.
    score: String,
    /// The proven result in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    proven: Option<String>,
    moves: Vec<String>,
    /// The square that the first move comes from, and its last square; for a placement they are the same.
    from: String,
    to: String,
}

impl ReportView {
    /// Describes a report of a search from `position`.
    pub fn of(position: &AnyPosition, report: &Report) -> Self {
        let view = |line| line_view(position, line, report.wdl(line, Players::People));
        Self {
            depth: report.depth,
            nodes: report.nodes,
            nodes_per_second: report.nps(),
            milliseconds: report.time.as_millis().try_into().unwrap_or(u64::MAX),
            lines: report.lines.iter().map(view).collect(),
        }
    }
}

/// `chances` are those of the player to move.
fn line_view(position: &AnyPosition, line: &Line, mut chances: [u32; 3]) -> LineView {
    let to_move = position.to_move();
    let mut centiflats = line.score.value();
    if to_move == Color::Black {
        chances.reverse();
        centiflats = -centiflats;
    }
    let solved = line.solved.or(line.score.solved());
    let proven = solved.map(|solved| {
        let (winner, plies) = match solved {
            Solved::Win(plies) => (to_move, plies),
            Solved::Loss(plies) => (!to_move, plies),
        };
        words::proven(position, winner, plies, &line.pv)
    });
    let bound = match (line.bound, to_move) {
        (None, _) => "",
        (Some(Bound::Lower), Color::White) | (Some(Bound::Upper), Color::Black) => "≥ ",
        (Some(_), _) => "≤ ",
    };
    LineView {
        chances,
        score: match solved {
            Some(solved) => solved.plies().to_string(),
            None => format!("{bound}{:+.2}", f64::from(centiflats) / 100.0),
        },
        proven,
        moves: line.pv.iter().map(ToString::to_string).collect(),
        from: line.pv.first().map_or_else(String::new, |mv| mv.square().to_string()),
        to: line.pv.first().map_or_else(String::new, |mv| mv.target().to_string()),
    }
}
