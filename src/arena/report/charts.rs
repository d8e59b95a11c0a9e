//! The charts of the report as SVG.
//!
//! Every colour here stands for a role. The page's style sheet gives each role its real colour, light or dark, by
//! selecting on these values; without it the charts are still legible.

use std::fmt::Display;
use std::ops::Range;

use plotters::chart::{ChartBuilder, ChartContext};
use plotters::coord::ranged1d::{AsRangedCoord, Ranged, SegmentValue, ValueFormatter};
use plotters::coord::types::RangedCoordf64;
use plotters::coord::Shift;
use plotters::prelude::*;

use crate::arena::stats::{Estimate, Wdl};

/// Texts and axes.
const INK: RGBColor = RGBColor(0x11, 0x11, 0x11);
/// Lines of the grid.
const GRID: RGBColor = RGBColor(0xdd, 0xdd, 0xdd);
/// Levels to compare with: equal chances, bounds.
const LEVEL: RGBColor = RGBColor(0xcc, 0x33, 0x33);
/// Series, told apart by these colours.
const SERIES: [RGBColor; 6] = [
    RGBColor(0x1f, 0x6f, 0xb4),
    RGBColor(0xd9, 0x7b, 0x0f),
    RGBColor(0x2e, 0x8f, 0x4e),
    RGBColor(0x8a, 0x4f, 0xb5),
    RGBColor(0x9c, 0x6b, 0x3f),
    RGBColor(0x17, 0x9a, 0xa6),
];
/// Games won by White, drawn, and won by Black.
const RESULTS: [RGBColor; 3] = [
    RGBColor(0xe8, 0xc9, 0x8a),
    RGBColor(0x9a, 0x9a, 0x9a),
    RGBColor(0x4a, 0x3b, 0x2e),
];

const WIDTH: u32 = 640;
const HEIGHT: u32 = 300;
/// Height of a row in a chart of rows.
const ROW: u32 = 30;
const LABEL: u32 = 13;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), Box<dyn std::error::Error>>;

/// A line through (x, y), in the order of x.
pub struct Line {
    pub name: String,
    pub points: Vec<(f64, f64)>,
    /// The same x with lower and upper limits; empty for none.
    pub band: Vec<(f64, f64, f64)>,
}

/// Draws with `draw` on an area of this height. What fails to be drawn is left out; only a bug can be the reason.
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
pub fn lines(
    title: &str,
    lines: &[Line],
    levels: &[f64],
    y: Range<f64>,
    y_label: &dyn Fn(&f64) -> String,
) -> String {
    let last = lines.iter().filter_map(|line| line.points.last());
    let end = last.map(|&(x, _)| x).fold(1.0, f64::max);
    svg(HEIGHT, |area| {
        let mut chart = ChartBuilder::on(area)
            .margin(8)
            .margin_right(20)
            .x_label_area_size(36)
            .y_label_area_size(60)
            .build_cartesian_2d(0.0..end, y.clone())?;
        mesh(&mut chart, title, y_label)?;
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
            let drawn = chart.draw_series([PathElement::new(points, color.stroke_width(2))])?;
            if lines.len() > 1 {
                drawn.label(&line.name).legend(move |(x, y)| {
                    Rectangle::new([(x, y - 4), (x + 10, y + 4)], color.filled())
                });
            }
        }
        legend(&mut chart, lines.len() > 1)
    })
}

/// Columns of equal width: `(start, end, count)`.
pub fn columns(title: &str, columns: &[(f64, f64, u64)]) -> String {
    let begin = columns.first().map_or(0.0, |column| column.0);
    let end = columns.last().map_or(1.0, |column| column.1);
    let most = columns.iter().map(|column| column.2).max().unwrap_or(1);
    svg(HEIGHT, |area| {
        let mut chart = ChartBuilder::on(area)
            .margin(8)
            .margin_right(20)
            .x_label_area_size(36)
            .y_label_area_size(60)
            .build_cartesian_2d(begin..end, 0.0..most as f64 * 1.05)?;
        mesh(&mut chart, title, &|y| format!("{y:.0}"))?;
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
pub fn results(rows: &[(String, Wdl)]) -> String {
    let most = rows.iter().map(|(_, wdl)| wdl.games()).max().unwrap_or(1);
    rows_chart(rows, 0.0..most as f64 * 1.02, "games", |chart| {
        let sides = ["White wins", "draws", "Black wins"];
        for (index, (side, color)) in sides.into_iter().zip(RESULTS).enumerate() {
            let bars = rows.iter().enumerate().map(|(row, (_, wdl))| {
                let counts = [wdl.wins, wdl.draws, wdl.losses];
                let before: u64 = counts[..index].iter().sum();
                let corners = [
                    (before as f64, SegmentValue::Exact(row)),
                    ((before + counts[index]) as f64, SegmentValue::Exact(row + 1)),
                ];
                let mut bar = Rectangle::new(corners, color.filled());
                bar.set_margin(5, 5, 0, 0);
                bar
            });
            chart.draw_series(bars)?.label(side).legend(move |(x, y)| {
                Rectangle::new([(x, y - 4), (x + 10, y + 4)], color.filled())
            });
        }
        legend(chart, true)
    })
}

/// A point with its error for each row; rows without an estimate stay empty.
pub fn estimates(title: &str, rows: &[(String, Option<Estimate>)]) -> String {
    let known = rows.iter().filter_map(|(_, estimate)| *estimate);
    let known = known.filter(|estimate| estimate.value.is_finite());
    let error = |estimate: &Estimate| estimate.error.filter(|e| e.is_finite()).unwrap_or(0.0);
    let reach = known.map(|e| e.value.abs() + error(&e)).fold(10.0, f64::max) * 1.08;
    rows_chart(rows, -reach..reach, title, |chart| {
        let bottom = SegmentValue::Exact(0);
        let top = SegmentValue::Exact(rows.len());
        let zero = [(0.0, bottom), (0.0, top)];
        chart.draw_series([PathElement::new(zero, LEVEL.stroke_width(1))])?;
        for (row, estimate) in rows.iter().enumerate() {
            let Some(estimate) = estimate.1 else { continue };
            // Someone who won or lost everything stands at the edge.
            let value = estimate.value.clamp(-reach, reach);
            let error = error(&estimate);
            let at = |x: f64| (x.clamp(-reach, reach), SegmentValue::CenterOf(row));
            let bar = [at(value - error), at(value + error)];
            chart.draw_series([PathElement::new(bar, SERIES[0].stroke_width(3))])?;
            chart.draw_series([Circle::new(at(value), 5, SERIES[0].filled())])?;
        }
        Ok(())
    })
}

type RowsChart<'a, 'b> = ChartContext<
    'a,
    SVGBackend<'b>,
    Cartesian2d<RangedCoordf64, plotters::coord::ranged1d::SegmentedCoord<<Range<usize> as AsRangedCoord>::CoordDescType>>,
>;

/// A chart with a named row for each entry, the first at the top.
fn rows_chart<T>(
    rows: &[(String, T)],
    x: Range<f64>,
    title: &str,
    draw: impl FnOnce(&mut RowsChart) -> Drawn,
) -> String {
    todo!()
}
