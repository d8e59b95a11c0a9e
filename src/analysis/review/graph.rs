//! The chances over a game as a graph: White's share light from below, Black's dark from above.

use maud::{Markup, html};

use super::words;
use crate::analysis::annotate::game::{AnnotatedGame, AnnotatedPly, Mark};
use crate::board::Color;
use crate::html::chart::{Field, rounded};

/// Numbers along the lower edge are at least this far apart.
const NUMBER_WIDTH: f64 = 46.0;
/// Points that can be distinguished and clicked. In a longer game each represents several moves.
const MAX_POINTS: usize = 350;
/// Columns of the field in which the line is drawn, each from its lowest to its highest point.
const MAX_COLUMNS: usize = 700;

/// The class of a mark in the style sheet.
pub fn mark_class(mark: Mark) -> &'static str {
    match mark {
        Mark::Blunder => "blunder",
        Mark::Mistake => "mistake",
        Mark::Good => "good",
        Mark::Brilliant => "brilliant",
    }
}

/// White's chances in percent after each number of plies, with room for a line of text above.
fn field(plies: usize) -> Field {
    let (across, down) = (44.0..750.0, 26.0..204.0);
    Field { width: 760.0, height: 230.0, across, down, x: 0.0..plies.max(1) as f64, y: 0.0..100.0 }
}

/// The plies that have a point in the graph: all of them, or of each part of a long game the one that stands out.
pub fn points(plies: &[AnnotatedPly]) -> Vec<usize> {
    let each = plies.len().div_ceil(MAX_POINTS).max(1);
    let rank = |ply: &AnnotatedPly| (ply.mark.is_some(), ply.loss);
    let parts = plies.chunks(each).enumerate();
    parts
        .filter_map(|(part, plies)| {
            let ranked = plies.iter().map(rank).enumerate();
            let (index, _) =
                ranked.max_by(|(_, one), (_, other)| (one.0.cmp(&other.0)).then(one.1.total_cmp(&other.1)))?;
            Some(part * each + index)
        })
        .collect()
}

/// The indices of `chances` that make the line: all of them, or of each column of a long game the lowest and the
/// highest.
pub fn outline(chances: &[f64]) -> Vec<usize> {
    let each = chances.len().div_ceil(MAX_COLUMNS).max(1);
    let columns = chances.chunks(each).enumerate();
    let mut kept: Vec<usize> = columns
        .flat_map(|(column, chances)| {
            let in_order = || chances.iter().enumerate();
            let extremes = [
                in_order().min_by(|(_, one), (_, other)| one.total_cmp(other)),
                in_order().max_by(|(_, one), (_, other)| one.total_cmp(other)),
            ];
            let extremes = extremes.into_iter().flatten();
            extremes.map(move |(index, _)| column * each + index)
        })
        .chain(chances.len().checked_sub(1))
        .collect();
    kept.sort_unstable();
    kept.dedup();
    kept
}

/// The graph with these points; `link` returns the target of the one of a ply.
pub fn graph(game: &AnnotatedGame, points: &[usize], link: &dyn Fn(usize) -> String) -> Markup {
    let field = field(game.plies.len());
    let begin = game.plies.first().map(|ply| ply.before);
    let begin = begin.map_or(50.0, |value| value.chance(Color::White));
    let chances: Vec<f64> = std::iter::once(begin).chain(game.plies.iter().map(chance)).collect();
    let kept = outline(&chances);
    let line = || kept.iter().map(|&ply| (ply as f64, chances[ply]));
    let end = game.plies.len() as f64;
    let apart = (field.across.end - field.across.start) / points.len().max(1) as f64;
    let content = html! {
        (field.bar("black-share", field.x.clone(), field.y.clone()))
        (field.area("white-share", std::iter::once((0.0, 0.0)).chain(line()).chain([(end, 0.0)])))
        @for level in [0.0, 50.0, 100.0] { (field.y_label(level, &level.to_string())) }
        (field.line("even", [(field.x.start, 50.0), (field.x.end, 50.0)]))
        (field.line("chances", line()))
        @for (plies, number) in numbers(game, &field) { (field.x_label(plies, &number.to_string())) }
        @for &index in points { (point(&field, game, index, apart, &link(index))) }
    };
    field.svg("chart graph", "White's chances after each move", &content)
}

/// White's chance after a ply.
fn chance(ply: &AnnotatedPly) -> f64 {
    ply.after.value.chance(Color::White)
}

/// The numbers of moves along the lower edge, and the plies played after White's part of them.
fn numbers(game: &AnnotatedGame, field: &Field) -> Vec<(f64, u32)> {
    let mut next = field.across.start;
    let mut shown = Vec::new();
    for (plies, ply) in (1..).zip(&game.plies) {
        let plies = f64::from(plies);
        let at = field.x(plies);
        if ply.color == Color::White && at >= next && at < field.across.end - 8.0 {
            shown.push((plies, ply.number));
            next = at + NUMBER_WIDTH;
        }
    }
    shown
}

/// The point of a move, with a part of the field around it that is easy to hit.
fn point(field: &Field, game: &AnnotatedGame, index: usize, apart: f64, link: &str) -> Markup {
    let ply = &game.plies[index];
    let (x, y) = (field.x((index + 1) as f64), field.y(chance(ply)));
    let Field { across, down, width, .. } = field;
    let wide = rounded(apart.max(3.0));
    let text = format!("{}: {}", words::numbered(ply), words::standing(ply));
    let (anchor, at) = if x < width / 4.0 {
        ("start", across.start)
    } else if x > width * 0.75 {
        ("end", across.end)
    } else {
        ("middle", x)
    };
    let class = ply.mark.map(mark_class);
    html! {
        a.point.(class.unwrap_or("plain")) href={ "#" (link) } aria-label=(text) {
            title { (text) }
            rect.hit x=(rounded(x - wide / 2.0)) y=(down.start) width=(wide) height=(down.end - down.start) {}
            circle cx=(x) cy=(y) r={ @if class.is_some() { "5" } @else { "2" } } {}
            @if let Some(mark) = ply.mark {
                // Above the point if there is room.
                @let above = if y > down.start + 24.0 { y - 9.0 } else { y + 19.0 };
                text.sign x=(x) y=(above) text-anchor="middle" { (mark) }
            }
            text.label x=(at) y="16" text-anchor=(anchor) { (text) }
        }
    }
}
