//! Digits and letters as strokes, so that no font is needed and a picture looks the same everywhere.

use maud::{Markup, html};

use super::shapes::{Point, units};

/// Between two letters, in the units of the glyphs.
const SPACING: f64 = 2.6;
/// Height of capital letters and digits in the units of the glyphs.
const HEIGHT: f64 = 10.0;

/// The end of a text that stands at its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// It begins there.
    Start,
    Middle,
    End,
}

/// The width of a text whose capital letters are `height` high.
pub fn width(text: &str, height: f64) -> f64 {
    let widths: f64 = text.chars().map(|c| glyph(c).0 + SPACING).sum();
    (widths - SPACING).max(0.0) * height / HEIGHT
}

/// A text whose capital letters are `height` high and stand around `at` vertically. Its colour is the stroke that a
/// style sheet gives to `class`.
pub fn text(text: &str, at: Point, height: f64, anchor: Anchor, class: &str) -> Markup {
    let scale = height / HEIGHT;
    let before = match anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => width(text, height) / 2.0,
        Anchor::End => width(text, height),
    };
    let start = at.moved(-before, -height / 2.0);
    let mut x = 0.0;
    let strokes: Vec<(f64, &str)> = text
        .chars()
        .map(|c| {
            let (width, path) = glyph(c);
            let start = x;
            x += width + SPACING;
            (start, path)
        })
        .collect();
    let place = format!("translate({start}) scale({})", units(scale));
    html! {
        g.text.(class) data-text=(text) transform=(place) {
            @for (x, path) in strokes {
                @if x > 0.0 {
                    path d=(path) transform={ "translate(" (units(x)) ")" } {}
                } @else {
                    path d=(path) {}
                }
            }
        }
    }
}

/// Width and strokes of a character; a blank if there is none. Capital letters are 10 high, the line they stand on
/// is at y = 10.
fn glyph(character: char) -> (f64, &'static str) {
    match character {
        '0' => (6.0, "M3 0C1 0 0 2 0 5S1 10 3 10 6 8 6 5 5 0 3 0Z"),
        '1' => (3.4, "M0 2.2 3 0V10"),
        '2' => (6.0, "M.2 2.8C.2 1.1 1.4 0 3 0S5.8 1.1 5.8 2.7C5.8 4.2 5 5.2 3.6 6.6L.2 10H6"),
        '3' => (
            6.0,
            "M.4 1.5C1 .5 1.9 0 3 0 4.6 0 5.6 1 5.6 2.4S4.5 4.7 3 4.7H2.2M3 4.7C4.8 4.7 6 5.7 6 7.3S4.7 10 3 10C1.7 10 .6 9.3 0 8.2",
        ),
        '4' => (6.4, "M4.7 10V0L0 7H6.4"),
        '5' => (6.0, "M5.4 0H1L.6 4.6C1.2 4 2 3.7 3 3.7 4.8 3.7 6 5 6 6.8S4.8 10 3 10C1.7 10 .6 9.4 0 8.3"),
        '6' => (
            6.0,
            "M5.4 1.3C4.9.4 4.1 0 3.2 0 1.2 0 0 2 0 5.4V6.8C0 8.8 1.2 10 3 10S6 8.7 6 6.9 4.8 3.8 3 3.8 0 5 0 6.8",
        ),
        '7' => (5.8, "M0 0H5.8L2 10"),
        '8' => (
            6.0,
            "M3 4.7C1.5 4.7.5 3.8.5 2.4S1.5 0 3 0 5.5 1 5.5 2.4 4.5 4.7 3 4.7C1.2 4.7 0 5.7 0 7.3S1.2 10 3 10 6 8.9 6 7.3 4.8 4.7 3 4.7Z",
        ),
        '9' => (
            6.0,
            "M.6 8.7C1.1 9.6 1.9 10 2.8 10 4.8 10 6 8 6 4.6V3.2C6 1.2 4.8 0 3 0S0 1.3 0 3.1 1.2 6.2 3 6.2 6 5 6 3.2",
        ),
        'a' => (5.0, "M5 4V10M5 7C5 5.2 4 4 2.5 4S0 5.2 0 7 1 10 2.5 10 5 8.8 5 7"),
        'b' => (5.0, "M0 0V10M0 7C0 5.2 1 4 2.5 4S5 5.2 5 7 4 10 2.5 10 0 8.8 0 7"),
        'c' => (4.6, "M4.6 5.1C4.2 4.4 3.5 4 2.6 4 1 4 0 5.2 0 7S1 10 2.6 10C3.5 10 4.2 9.6 4.6 8.9"),
        'd' => (5.0, "M5 0V10M5 7C5 5.2 4 4 2.5 4S0 5.2 0 7 1 10 2.5 10 5 8.8 5 7"),
        'e' => (5.0, "M0 7H5C5 5.2 4 4 2.5 4S0 5.2 0 7 1 10 2.6 10C3.5 10 4.3 9.6 4.7 8.9"),
        'f' => (3.8, "M3.8.2C3.5 0 3.2 0 2.9 0 1.8 0 1.3.7 1.3 1.9V10M0 4H3.5"),
        'g' => (
            5.0,
            "M5 4V10.4C5 12 4.1 13 2.5 13 1.6 13 .9 12.7.4 12.1M5 7C5 5.2 4 4 2.5 4S0 5.2 0 7 1 10 2.5 10 5 8.8 5 7",
        ),
        'h' => (4.8, "M0 0V10M0 6.6C.4 5 1.3 4 2.6 4 4 4 4.8 4.9 4.8 6.4V10"),
        'A' => (7.0, "M0 10 3.5 0 7 10M1.2 6.7H5.8"),
        'B' => (6.0, "M0 0V10H3.2C5 10 6 9 6 7.4S5 4.8 3.2 4.8H0 3C4.6 4.8 5.5 3.9 5.5 2.4S4.6 0 3 0Z"),
        'C' => (6.4, "M6.4 2C5.8.8 4.8 0 3.5 0 1.4 0 0 2 0 5S1.4 10 3.5 10C4.8 10 5.8 9.2 6.4 8"),
        'D' => (6.2, "M0 0V10H2.6C5 10 6.2 8 6.2 5S5 0 2.6 0Z"),
        'E' => (5.0, "M5 0H0V10H5M0 4.8H4.4"),
        'F' => (5.0, "M5 0H0V10M0 4.8H4.4"),
        'R' => (6.0, "M0 10V0H3C4.7 0 5.8 1 5.8 2.7S4.7 5.4 3 5.4H0M3 5.4 6 10"),
        'S' => (
            6.0,
            "M5.6 1.6C5 .6 4.1 0 3 0 1.4 0 .3 1 .3 2.4.3 4 1.6 4.5 3 4.9 4.6 5.3 6 6 6 7.6 6 9.1 4.7 10 3 10 1.7 10 .6 9.4 0 8.3",
        ),
        '+' => (5.0, "M0 5.5H5M2.5 3V8"),
        '-' => (4.0, "M0 5.5H4"),
        '<' => (4.0, "M4 2.5 0 5.5 4 8.5"),
        '>' => (4.0, "M0 2.5 4 5.5 0 8.5"),
        '/' => (4.0, "M0 10.5 4-.5"),
        '.' => (0.6, "M.3 9.8h.01"),
        _ => (2.0, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_that_is_ever_written_has_strokes() {
        // Counts and komi, squares, moves, letters of the legend, results.
        let written = "0123456789abcdefghABCDEFSR+-<>/.";
        for character in written.chars() {
            let (width, path) = glyph(character);
            assert!(width > 0.0 && path.starts_with('M'), "{character}");
        }
        assert!((width("11", 10.0) - (2.0 * 3.4 + SPACING)).abs() < 1e-9);
        assert!(width("", 10.0).abs() < 1e-9);
    }
}
