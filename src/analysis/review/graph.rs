//! The chances over a game as a graph: White's share light from below, Black's dark from above.

use maud::{Markup, html};

use super::words;
use crate::analysis::annotate::game::{AnnotatedGame, AnnotatedPly, Mark};
use crate::board::Color;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 230.0;
/// The field of the graph: left, right, upper and lower end.
const LEFT: f64 = 44.0;
const RIGHT: f64 = WIDTH - 10.0;
const TOP: f64 = 26.0;
const BOTTOM: f64 = HEIGHT - 26.0;
/// Numbers along the lower edge are at least this far apart.
const APART: f64 = 46.0;
/// Points that can be distinguished and clicked. In a longer game each represents several moves.
const MOST_POINTS: usize = 350;
/// Columns of the field in which the line is drawn, each from its lowest to its highest point.
const MOST_COLUMNS: usize = 700;

/// The class of a mark in the style sheet.
pub fn mark_class(mark: Mark) -> &'static str {
    match mark {
        Mark::Blunder => "blunder",
        Mark::Mistake => "mistake",
        Mark::Good => "good",
        Mark::Brilliant => "brilliant",
    }
}

/// One digit after the point is enough.
fn round(length: f64) -> f64 {
    (length * 10.0).round() / 10.0
}

fn height(chance: f64) -> f64 {
    round(BOTTOM - (BOTTOM - TOP) * chance / 100.0)
}

/// The plies that have a point in the graph: all of them, or of each part of a long game the one that stands out.
pub fn points(plies: &[AnnotatedPly]) -> Vec<usize> {
    let each = plies.len().div_ceil(MOST_POINTS).max(1);
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
    let each = chances.len().div_ceil(MOST_COLUMNS).max(1);
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
    let plies = game.plies.len().max(1);
    let step = (RIGHT - LEFT) / plies as f64;
    let apart = (RIGHT - LEFT) / points.len().max(1) as f64;
    let x = |ply: usize| round(LEFT + step * ply as f64);
    let begin = game.plies.first().map(|ply| ply.before);
    let begin = begin.map_or(50.0, |worth| worth.chance(Color::White));
    let after = |ply: &AnnotatedPly| ply.after.worth.chance(Color::White);
    let chances = std::iter::once(begin).chain(game.plies.iter().map(after));
    let chances: Vec<f64> = chances.collect();
    let line: Vec<String> =
        outline(&chances).into_iter().map(|ply| format!("{} {}", x(ply), height(chances[ply]))).collect();
    let line = line.join("L");
    let area = format!("M{LEFT} {BOTTOM}L{line}L{} {BOTTOM}Z", x(game.plies.len()));
    html! {
        svg.graph viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="group" aria-label="White's chances after each move" {
            rect.black-share x=(LEFT) y=(TOP) width=(RIGHT - LEFT) height=(BOTTOM - TOP) {}
            path.white-share d=(area) {}
            @for level in [0.0, 50.0, 100.0] {
                text.axis x=(LEFT - 6.0) y=(height(level) + 4.0) text-anchor="end" { (level) }
            }
            path.even d={ "M" (LEFT) " " (height(50.0)) "H" (RIGHT) } {}
            path.chances d={ "M" (line) } {}
            (numbers(game, &x))
            @for &index in points {
                (point(&game.plies[index], x(index + 1), apart, &link(index)))
            }
        }
    }
}

/// The numbers of moves along the lower edge.
fn numbers(game: &AnnotatedGame, x: &dyn Fn(usize) -> f64) -> Markup {
    let mut next = LEFT;
    let mut shown = Vec::new();
    for (index, ply) in game.plies.iter().enumerate() {
        let at = x(index + 1);
        if ply.color == Color::White && at >= next && at < RIGHT - 8.0 {
            shown.push((at, ply.number));
            next = at + APART;
        }
    }
    html! {
        @for (at, number) in shown {
            text.axis x=(at) y=(HEIGHT - 8.0) text-anchor="middle" { (number) }
        }
    }
}

/// The point of a move, with a field around it that is easy to hit.
fn point(ply: &AnnotatedPly, x: f64, apart: f64, link: &str) -> Markup {
    let y = height(ply.after.worth.chance(Color::White));
    let wide = round(apart.max(3.0));
    let text = format!("{}: {}", words::numbered(ply), words::standing(ply));
    let (anchor, at) = if x < WIDTH / 4.0 {
        ("start", LEFT)
    } else if x > WIDTH * 0.75 {
        ("end", RIGHT)
    } else {
        ("middle", x)
    };
    let class = ply.mark.map(mark_class);
    html! {
        a.point.(class.unwrap_or("plain")) href={ "#" (link) } aria-label=(text) {
            title { (text) }
            rect.hit x=(round(x - wide / 2.0)) y=(TOP) width=(wide) height=(BOTTOM - TOP) {}
            circle cx=(x) cy=(y) r={ @if class.is_some() { "5" } @else { "2" } } {}
            @if let Some(mark) = ply.mark {
                // Above the point if there is room.
                @let above = if y > TOP + 24.0 { y - 9.0 } else { y + 19.0 };
                text.sign x=(x) y=(above) text-anchor="middle" { (mark) }
            }
            text.label x=(at) y="16" text-anchor=(anchor) { (text) }
        }
    }
}
