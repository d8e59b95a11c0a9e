//! The charts of the report as SVG.
//!
//! Every colour here stands for a role. The page's style sheet selects on these values to give each role its real colour,
//! light or dark. Without it the charts are legible too.

use std::ops::Range;

use plotters::chart::{ChartBuilder, ChartContext};
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::arena::stats::strength::{Estimate, Wdl};

/// Texts and axes.
const INK: RGBColor = RGBColor(0x11, 0x11, 0x11);
/// Lines of the grid.
const GRID: RGBColor = RGBColor(0xdd, 0xdd, 0xdd);
/// Levels to compare with: equal chances, bounds.
const LEVEL: RGBColor = RGBColor(0xcc, 0x33, 0x33);
/// Series, distinguished by these colours.
const SERIES: [RGBColor; 6] = [
    RGBColor(0x1f, 0x6f, 0xb4),
    RGBColor(0xd9, 0x7b, 0x0f),
    RGBColor(0x2e, 0x8f, 0x4e),
    RGBColor(0x8a, 0x4f, 0xb5),
    RGBColor(0x9c, 0x6b, 0x3f),
    RGBColor(0x17, 0x9a, 0xa6),
];
/// Games won by White, drawn, and won by Black.
const RESULTS: [RGBColor; 3] = [RGBColor(0xe8, 0xc9, 0x8a), RGBColor(0x9a, 0x9a, 0x9a), RGBColor(0x4a, 0x3b, 0x2e)];

const WIDTH: u32 = 640;
const HEIGHT: u32 = 300;
/// Height of a row in a chart of rows.
const ROW: u32 = 30;
const MARGIN: u32 = 8;
/// Height of the x axis with its labels and title.
const AXIS: u32 = 40;
/// An axis of counts is at least this long, so that its labels are whole numbers.
const FEWEST: f64 = 8.0;
/// Width of a y axis with numbers.
const NUMBERS: u32 = 60;
/// Width of a y axis with names.
const NAMES: u32 = 170;
const LABEL: u32 = 13;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;
type Drawn<T = ()> = Result<T, Box<dyn std::error::Error>>;

/// A line of a chart; each has a colour of its own.
pub struct Curve {
    /// (x, y), in the order of x.
    pub points: Vec<(f64, f64)>,
    /// The same x with lower and upper limits; empty for none.
    pub band: Vec<(f64, f64, f64)>,
}

/// Draws with `draw` on an area of this height. An error is logged: only a bug can be the reason.
fn svg(height: u32, draw: impl FnOnce(&Area) -> Drawn) -> String {
    let mut text = String::new();
    let drawn = {
        let area = SVGBackend::with_string(&mut text, (WIDTH, height)).into_drawing_area();
        draw(&area).and_then(|()| Ok(area.present()?))
    };
    if let Err(error) = drawn {
        log::error!("a chart cannot be drawn: {error}");
    }
    text
}

/// Lines over a common x axis, with horizontal levels to compare them with.
pub fn lines(title: &str, lines: &[Curve], levels: &[f64], y: Range<f64>, y_label: &dyn Fn(&f64) -> String) -> String {
    let last = lines.iter().filter_map(|line| line.points.last());
    let end = last.map(|&(x, _)| x).fold(FEWEST, f64::max);
    svg(HEIGHT, |area| {
        let mut chart = axes(area, NUMBERS, 0.0..end, y.clone())?;
        mesh(&mut chart, title, Some(y_label))?;
        let inside = |value: f64| value.clamp(y.start, y.end);
        for &level in levels {
            let ends = [(0.0, inside(level)), (end, inside(level))];
            chart.draw_series([PathElement::new(ends, LEVEL.stroke_width(1))])?;
        }
        for (line, color) in lines.iter().zip(SERIES.iter().cycle()) {
            let upper = line.band.iter().map(|&(x, _, high)| (x, inside(high)));
            let lower = line.band.iter().rev().map(|&(x, low, _)| (x, inside(low)));
            let outline: Vec<_> = upper.chain(lower).collect();
            if !outline.is_empty() {
                chart.draw_series([Polygon::new(outline, color.mix(0.18))])?;
            }
            let points: Vec<_> = line.points.iter().map(|&(x, y)| (x, inside(y))).collect();
            if let [only] = points[..] {
                chart.draw_series([Circle::new(only, 3, color.filled())])?;
            }
            chart.draw_series([PathElement::new(points, color.stroke_width(2))])?;
        }
        Ok(())
    })
}

/// Columns of equal width: `(start, end, count)`.
pub fn columns(title: &str, columns: &[(f64, f64, u64)]) -> String {
    let begin = columns.first().map_or(0.0, |column| column.0);
    let end = columns.last().map_or(0.0, |column| column.1).max(begin + FEWEST);
    let counts = columns.iter().map(|column| column.2 as f64);
    let most = counts.fold(FEWEST, f64::max);
    svg(HEIGHT, |area| {
        let mut chart = axes(area, NUMBERS, begin..end, 0.0..most * 1.05)?;
        mesh(&mut chart, title, Some(&|y| format!("{y:.0}")))?;
        chart.draw_series(columns.iter().filter(|column| column.2 > 0).map(|column| {
            let corners = [(column.0, 0.0), (column.1, column.2 as f64)];
            let mut bar = Rectangle::new(corners, SERIES[0].filled());
            bar.set_margin(0, 0, 1, 1);
            bar
        }))?;
        Ok(())
    })
}

/// A bar for each row, split by result.
pub fn results(title: &str, rows: &[(String, Wdl)]) -> String {
    let counts = rows.iter().map(|(_, wdl)| wdl.games() as f64);
    let most = counts.fold(FEWEST, f64::max);
    row_chart(title, rows, 0.0..most * 1.02, |chart| {
        for (index, color) in RESULTS.into_iter().enumerate() {
            let bars = rows.iter().enumerate().filter_map(|(row, (_, wdl))| {
                let counts = [wdl.wins, wdl.draws, wdl.losses];
                let before: u64 = counts[..index].iter().sum();
                let (start, end) = (before as f64, (before + counts[index]) as f64);
                let middle = height_of(row, rows.len());
                let corners = [(start, middle - 0.32), (end, middle + 0.32)];
                (counts[index] > 0).then(|| Rectangle::new(corners, color.filled()))
            });
            chart.draw_series(bars)?;
        }
        Ok(())
    })
}

/// A point with its error for each row; rows without an estimate stay empty.
pub fn estimates(title: &str, rows: &[(String, Option<Estimate>)]) -> String {
    let error = |estimate: &Estimate| estimate.error.filter(|e| e.is_finite()).unwrap_or(0.0);
    let reach = rows
        .iter()
        .filter_map(|(_, estimate)| *estimate)
        .filter(|estimate| estimate.value.is_finite())
        .map(|estimate| estimate.value.abs() + error(&estimate))
        .fold(10.0, f64::max)
        * 1.08;
    row_chart(title, rows, -reach..reach, |chart| {
        let zero = [(0.0, 0.0), (0.0, rows.len() as f64)];
        chart.draw_series([PathElement::new(zero, LEVEL.stroke_width(1))])?;
        for (row, (_, estimate)) in rows.iter().enumerate() {
            let Some(estimate) = estimate else { continue };
            // An engine that won or lost everything has an infinite estimate, drawn at the edge.
            let at = |x: f64| (x.clamp(-reach, reach), height_of(row, rows.len()));
            let error = error(estimate);
            let bar = [at(estimate.value - error), at(estimate.value + error)];
            chart.draw_series([PathElement::new(bar, SERIES[0].stroke_width(3))])?;
            let point = Circle::new(at(estimate.value), 5, SERIES[0].filled());
            chart.draw_series([point])?;
        }
        Ok(())
    })
}

/// A chart with a named row for each entry, the first at the top.
fn row_chart<T>(title: &str, rows: &[(String, T)], x: Range<f64>, draw: impl FnOnce(&mut Chart) -> Drawn) -> String {
    let height = ROW * rows.len() as u32;
    svg(height + 2 * MARGIN + AXIS, |area| {
        let mut chart = axes(area, NAMES, x, 0.0..rows.len() as f64)?;
        mesh(&mut chart, title, None)?;
        let right = Pos::new(HPos::Right, VPos::Center);
        for (row, (name, _)) in rows.iter().enumerate() {
            let middle = MARGIN + ROW * row as u32 + ROW / 2;
            let at = (MARGIN + NAMES - 8, middle);
            let at = (at.0.cast_signed(), at.1.cast_signed());
            area.draw(&Text::new(name.as_str(), at, text_style().pos(right)))?;
        }
        draw(&mut chart)
    })
}

/// The middle of a row on the y axis, which counts upwards.
fn height_of(row: usize, rows: usize) -> f64 {
    (rows - row) as f64 - 0.5
}

fn text_style() -> TextStyle<'static> {
    ("sans-serif", LABEL).into_font().color(&INK)
}

/// Room for a chart with these ranges and a y axis of this width.
fn axes<'a, 'b>(
    area: &'a DrawingArea<SVGBackend<'b>, Shift>,
    y_axis: u32,
    x: Range<f64>,
    y: Range<f64>,
) -> Drawn<Chart<'a, 'b>> {
    let mut chart = ChartBuilder::on(area);
    chart.margin(MARGIN).margin_right(20).x_label_area_size(AXIS).y_label_area_size(y_axis);
    Ok(chart.build_cartesian_2d(x, y)?)
}

/// Axes and grid; without `y_label` there is none for y.
fn mesh(chart: &mut Chart, title: &str, y_label: Option<&dyn Fn(&f64) -> String>) -> Drawn {
    let mut mesh = chart.configure_mesh();
    mesh.x_desc(title)
        .x_labels(8)
        .x_label_formatter(&|x| format!("{x:.0}"))
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRID)
        .axis_style(INK)
        .label_style(text_style());
    match y_label {
        Some(y_label) => mesh.y_labels(6).y_label_formatter(y_label),
        None => mesh.y_labels(0).disable_y_mesh(),
    };
    Ok(mesh.draw()?)
}
