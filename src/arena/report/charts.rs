//! The charts of the report.

use std::ops::Range;

use maud::{Markup, html};

use crate::arena::stats::strength::{Estimate, Wdl};
use crate::html::chart::Field;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 300.0;
const ROW_HEIGHT: f64 = 30.0;
const MARGIN: f64 = 8.0;
/// Height of the x axis with its labels and title.
const AXIS_HEIGHT: f64 = 40.0;
/// An axis of counts is at least this long, so that its labels are whole numbers.
const MIN_AXIS_COUNT: f64 = 8.0;
/// Width of a y axis with numbers.
const NUMBERS_WIDTH: f64 = 60.0;
/// Width of a y axis with names.
const NAMES_WIDTH: f64 = 170.0;
/// Series have as many colours.
pub const COLOURS: usize = 6;

/// A line of a chart; each has a colour of its own.
pub struct Curve {
    /// (x, y), in the order of x.
    pub points: Vec<(f64, f64)>,
    /// The same x with lower and upper limits; empty for none.
    pub band: Vec<(f64, f64, f64)>,
}

/// A field of this height, beside a y axis of this width.
fn field(height: f64, y_axis: f64, x: Range<f64>, y: Range<f64>) -> Field {
    let (across, down) = (MARGIN + y_axis..WIDTH - 20.0, MARGIN..MARGIN + height);
    Field { width: WIDTH, height: height + 2.0 * MARGIN + AXIS_HEIGHT, across, down, x, y }
}

fn picture(field: &Field, title: &str, content: &Markup) -> Markup {
    field.svg("chart", title, &html! { (field.x_axis(title)) (content) (field.frame()) })
}

/// Lines over a common x axis, with horizontal levels to compare them with.
pub fn lines(title: &str, lines: &[Curve], levels: &[f64], y: Range<f64>, y_label: &dyn Fn(f64) -> String) -> Markup {
    let last = lines.iter().filter_map(|line| line.points.last());
    let end = last.map(|&(x, _)| x).fold(MIN_AXIS_COUNT, f64::max);
    let field = field(HEIGHT - 2.0 * MARGIN - AXIS_HEIGHT, NUMBERS_WIDTH, 0.0..end, y);
    let curve = |number: usize, Curve { points, band }: &Curve| {
        let class = format!("series-{}", number % COLOURS + 1);
        let upper = band.iter().map(|&(x, _, high)| (x, high));
        let lower = band.iter().rev().map(|&(x, low, _)| (x, low));
        html! {
            @if !band.is_empty() { (field.area(&format!("band {class}"), upper.chain(lower))) }
            @match points[..] {
                [only] => (field.dot(&class, only, 3.0)),
                _ => (field.line(&class, points.iter().copied())),
            }
        }
    };
    let content = html! {
        (field.y_axis(y_label))
        @for &level in levels { (field.line("level", [(0.0, level), (end, level)])) }
        @for (number, line) in lines.iter().enumerate() { (curve(number, line)) }
    };
    picture(&field, title, &content)
}

/// Columns of equal width: `(start, end, count)`.
pub fn columns(title: &str, columns: &[(f64, f64, u64)]) -> Markup {
    let begin = columns.first().map_or(0.0, |column| column.0);
    let end = columns.last().map_or(0.0, |column| column.1).max(begin + MIN_AXIS_COUNT);
    let most = columns.iter().map(|column| column.2 as f64).fold(MIN_AXIS_COUNT, f64::max);
    let field = field(HEIGHT - 2.0 * MARGIN - AXIS_HEIGHT, NUMBERS_WIDTH, begin..end, 0.0..most * 1.05);
    let content = html! {
        (field.y_axis(&|count| format!("{count:.0}")))
        @for &(start, end, count) in columns.iter().filter(|column| column.2 > 0) {
            (field.bar("column series-1", start..end, 0.0..count as f64))
        }
    };
    picture(&field, title, &content)
}

/// A bar for each row, split by result.
pub fn results(title: &str, rows: &[(String, Wdl)]) -> Markup {
    let most = rows.iter().map(|(_, wdl)| wdl.games() as f64).fold(MIN_AXIS_COUNT, f64::max);
    rows_chart(title, rows, 0.0..most * 1.02, |field, wdl, middle| {
        let mut end = 0.0;
        let parts = [("white", wdl.wins), ("drawn", wdl.draws), ("black", wdl.losses)];
        let parts = parts.map(|(class, count)| {
            let start = end;
            end += count as f64;
            (class, start..end)
        });
        html! {
            @for (class, part) in parts.into_iter().filter(|(_, part)| !part.is_empty()) {
                (field.bar(class, part, middle - 0.32..middle + 0.32))
            }
        }
    })
}

/// A point with its error for each row; rows without an estimate stay empty. An engine that won or lost everything has an
/// infinite estimate, drawn at the edge.
pub fn estimates(title: &str, rows: &[(String, Option<Estimate>)]) -> Markup {
    let error = |estimate: &Estimate| estimate.error.filter(|error| error.is_finite()).unwrap_or(0.0);
    let finite = rows.iter().filter_map(|(_, estimate)| *estimate).filter(|estimate| estimate.value.is_finite());
    let reach = 1.08 * finite.map(|estimate| estimate.value.abs() + error(&estimate)).fold(10.0, f64::max);
    rows_chart(title, rows, -reach..reach, |field, estimate, middle| {
        html! {
            (field.line("level", [(0.0, middle - 0.5), (0.0, middle + 0.5)]))
            @if let Some(estimate) = estimate {
                @let (value, error) = (estimate.value, error(estimate));
                (field.line("error series-1", [(value - error, middle), (value + error, middle)]))
                (field.dot("series-1", (value, middle), 5.0))
            }
        }
    })
}

/// A chart with a named row for each entry, the first at the top. `draw` gets the middle of the row on the y axis.
fn rows_chart<T>(title: &str, rows: &[(String, T)], x: Range<f64>, draw: impl Fn(&Field, &T, f64) -> Markup) -> Markup {
    let count = rows.len() as f64;
    let field = field(ROW_HEIGHT * count, NAMES_WIDTH, x, 0.0..count);
    let content = html! {
        @for (row, (name, entry)) in rows.iter().enumerate() {
            @let middle = count - row as f64 - 0.5;
            (field.y_label(middle, name))
            (draw(&field, entry, middle))
        }
    };
    picture(&field, title, &content)
}
