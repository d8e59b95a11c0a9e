//! Games and moves in words.

use maud::{Markup, html};

use crate::analysis::annotate::game::{AnnotatedGame, AnnotatedPly, ForcedWin};
use crate::analysis::annotate::ptn::plies;
use crate::board::{Color, Move};
use crate::html::isolated;

/// Maximum number of moves shown of a line.
const MAX_LINE_MOVES: usize = 8;

/// The name of a player, or the colour.
pub fn name(game: &AnnotatedGame, color: Color) -> String {
    short(&game.name(color))
}

/// A text of a file, truncated if it is very long.
pub fn short(text: &str) -> String {
    const MAX_CHARS: usize = 80;
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The result by the rules, or by the file.
pub fn result(game: &AnnotatedGame) -> String {
    let stated = game.source.result.as_deref().or(game.source.tag("Result"));
    let by_rules = game.outcome.map(|outcome| outcome.to_string());
    by_rules.unwrap_or_else(|| short(stated.unwrap_or("*")))
}

/// Both players and the result.
pub fn headline(game: &AnnotatedGame) -> Markup {
    let [white, black] = Color::ALL.map(|color| isolated(&name(game, color)));
    html! { (white) " – " (black) ", " (isolated(&result(game))) }
}

/// A move with its number and marks: `12. c4?` or `12... c4?`.
pub fn numbered(ply: &AnnotatedPly) -> String {
    let points = match ply.color {
        Color::White => ".",
        Color::Black => "...",
    };
    format!("{}{points} {}", ply.number, marked(ply))
}

/// A move with its marks.
pub fn marked(ply: &AnnotatedPly) -> String {
    let threat = ply.threat.map(|threat| threat.to_string());
    let mark = ply.mark.map(|mark| mark.to_string());
    format!("{}{}{}", ply.mv, threat.unwrap_or_default(), mark.unwrap_or_default())
}

/// Percent of chances, or points.
pub fn percent(chance: f64) -> String {
    format!("{chance:.0} %")
}

/// A number with one digit after the point, or a dash.
pub fn or_dash(number: Option<f64>) -> String {
    number.map_or_else(|| "–".to_owned(), |number| format!("{number:.1}"))
}

/// White's chances after a move, or who has won.
pub fn standing(ply: &AnnotatedPly) -> String {
    match ply.after.value.proven() {
        Some((winner, 0)) => format!("{winner} has won"),
        Some((winner, plies)) => format!("{winner} wins in {plies}"),
        None => format!("White {}", percent(ply.after.value.chance(Color::White))),
    }
}

/// A forced win and its length.
pub fn win(win: &ForcedWin) -> String {
    format!("a win in {}", plies(win.plies))
}

/// The first moves of a line.
pub fn line(moves: &[Move]) -> String {
    let shown: Vec<String> = moves.iter().take(MAX_LINE_MOVES).map(Move::to_string).collect();
    let more = if moves.len() > MAX_LINE_MOVES { " …" } else { "" };
    shown.join(" ") + more
}
