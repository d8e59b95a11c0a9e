//! Charts as SVG: a field with two axes, and the lines, areas and bars in it. The style sheet of the page has the
//! colours, light and dark, by class.

use std::ops::Range;

use maud::{Markup, html};

/// Labels along an axis are at least this far apart.
const LABEL_WIDTH: f64 = 60.0;
const LABEL_HEIGHT: f64 = 36.0;

/// The field of a chart. Lengths are in units of the picture, places in units of the axes; what is outside of these is
/// drawn at the edge.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// The size of the picture.
    pub width: f64,
    pub height: f64,
    /// Where the field begins and ends in it.
    pub across: Range<f64>,
    pub down: Range<f64>,
    /// The ranges of the axes; the one of y counts upwards.
    pub x: Range<f64>,
    pub y: Range<f64>,
}

/// A length of the picture: one digit after the point is enough.
pub fn rounded(length: f64) -> f64 {
    (length * 10.0).round() / 10.0
}

/// The share of a value in a range, from 0 to 1.
fn share(value: f64, range: &Range<f64>) -> f64 {
    ((value - range.start) / (range.end - range.start)).clamp(0.0, 1.0)
}

/// Round numbers in a range at equal distances, about `count` of them at most.
pub fn ticks(range: &Range<f64>, count: f64) -> Vec<f64> {
    let least = (range.end - range.start) / count.max(1.0);
    let power = 10f64.powf(least.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|digit| digit * power).into_iter().find(|&step| step >= least * 0.999);
    let step = step.unwrap_or(least);
    let [first, last] = [(range.start / step).ceil(), (range.end / step).floor()];
    (first as i64..=last as i64).map(|number| number as f64 * step).collect()
}

impl Field {
    pub fn x(&self, value: f64) -> f64 {
        rounded(self.across.start + (self.across.end - self.across.start) * share(value, &self.x))
    }

    pub fn y(&self, value: f64) -> f64 {
        rounded(self.down.end - (self.down.end - self.down.start) * share(value, &self.y))
    }

    /// The picture with a name for those who cannot see it.
    pub fn svg(&self, class: &str, name: &str, content: &Markup) -> Markup {
        html! {
            svg class=(class) viewBox={ "0 0 " (self.width) " " (self.height) } role="group" aria-label=(name) {
                (content)
            }
        }
    }

    /// The lines of both axes, which belong above anything else.
    pub fn frame(&self) -> Markup {
        let Self { across, down, .. } = self;
        html! { path.frame d={ "M" (across.start) " " (down.start) "V" (down.end) "H" (across.end) } {} }
    }

    /// A grid with whole numbers along the lower edge, and the title of the axis below.
    pub fn x_axis(&self, title: &str) -> Markup {
        let Self { across, down, .. } = self;
        let middle = f64::midpoint(across.start, across.end);
        html! {
            @for value in ticks(&self.x, (across.end - across.start) / LABEL_WIDTH) {
                path.grid d={ "M" (self.x(value)) " " (down.start) "V" (down.end) } {}
                (self.x_label(value, &format!("{value:.0}")))
            }
            text x=(middle) y=(down.end + 36.0) text-anchor="middle" { (title) }
        }
    }

    /// A grid with labels along the left edge.
    pub fn y_axis(&self, label: &dyn Fn(f64) -> String) -> Markup {
        html! {
            @for value in ticks(&self.y, (self.down.end - self.down.start) / LABEL_HEIGHT) {
                path.grid d={ "M" (self.across.start) " " (self.y(value)) "H" (self.across.end) } {}
                (self.y_label(value, &label(value)))
            }
        }
    }

    pub fn x_label(&self, value: f64, label: &str) -> Markup {
        html! { text.axis x=(self.x(value)) y=(self.down.end + 18.0) text-anchor="middle" { (label) } }
    }

    pub fn y_label(&self, value: f64, label: &str) -> Markup {
        html! { text.axis x=(self.across.start - 6.0) y=(self.y(value) + 4.0) text-anchor="end" { (label) } }
    }

    pub fn line(&self, class: &str, points: impl IntoIterator<Item = (f64, f64)>) -> Markup {
        html! { path.line.(class) d={ "M" (self.path(points)) } {} }
    }

    /// The area inside of these points.
    pub fn area(&self, class: &str, outline: impl IntoIterator<Item = (f64, f64)>) -> Markup {
        html! { path.area.(class) d={ "M" (self.path(outline)) "Z" } {} }
    }

    /// A bar between two corners.
    pub fn bar(&self, class: &str, x: Range<f64>, y: Range<f64>) -> Markup {
        let (left, top) = (self.x(x.start), self.y(y.end));
        let (width, height) = (self.x(x.end) - left, self.y(y.start) - top);
        html! { rect.area.(class) x=(left) y=(top) width=(rounded(width)) height=(rounded(height)) {} }
    }

    pub fn dot(&self, class: &str, (x, y): (f64, f64), radius: f64) -> Markup {
        html! { circle.area.(class) cx=(self.x(x)) cy=(self.y(y)) r=(radius) {} }
    }

    fn path(&self, points: impl IntoIterator<Item = (f64, f64)>) -> String {
        let points = points.into_iter().map(|(x, y)| format!("{} {}", self.x(x), self.y(y)));
        points.collect::<Vec<_>>().join("L")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_in_the_range() {
        for (range, count, expected) in [
            (0.0..100.0, 5.0, vec![0.0, 20.0, 40.0, 60.0, 80.0, 100.0]),
            (0.43..0.57, 4.0, vec![0.45, 0.5, 0.55]),
            (-3.2..3.2, 6.0, vec![-2.0, 0.0, 2.0]),
            (0.0..8.0, 8.0, (0..=8).map(f64::from).collect()),
            (17.0..160.0, 8.0, vec![20.0, 40.0, 60.0, 80.0, 100.0, 120.0, 140.0, 160.0]),
        ] {
            let found = ticks(&range, count);
            assert_eq!(found.len(), expected.len(), "{range:?}: {found:?}");
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9), "{range:?}: {found:?}");
        }
    }

    #[test]
    fn values_outside_of_the_axes_are_at_the_edge() {
        let field =
            Field { width: 100.0, height: 50.0, across: 10.0..90.0, down: 5.0..45.0, x: 0.0..4.0, y: -1.0..1.0 };
        let places = [-1.0, 0.0, 1.0, 4.0, 9.0].map(|x| field.x(x).to_string());
        assert_eq!(places, ["10", "10", "30", "90", "90"]);
        let heights = [-2.0, -1.0, 0.0, 1.0, f64::INFINITY].map(|y| field.y(y).to_string());
        assert_eq!(heights, ["45", "45", "25", "5", "5"]);
        let line = field.line("even", [(0.0, 0.0), (4.0, 0.5)]).into_string();
        assert_eq!(line, "<path class=\"line even\" d=\"M10 25L90 15\"></path>");
    }
}
