//! The surroundings of the pieces: squares, coordinates, flat counts and reserves above, a legend below.

use std::fmt::Write as _;

use maud::{Markup, html};

use super::arrows::{self, disc};
use super::diagram::Drawn;
use super::glyphs::{self, Anchor};
use super::layout::{HEADER, LEGEND_TEXT, Layout, ORIGIN, SQUARE, SWATCH};
use super::pieces::color_class;
use super::shapes::{Point, units};
use super::words;
use crate::board::{AnyPosition, Color, Komi, Square};

/// Height of letters and digits beside the board.
const COORDINATE: f64 = 14.0;
const HEADER_MIDDLE: f64 = -HEADER / 2.0 - 4.0;
/// Height of a flat count.
const COUNT: f64 = 18.0;
/// Height of komi beside it and of the reserves.
const RESERVE_HEIGHT: f64 = 13.0;
/// Height of the plate of a flat count, and its margin left and right of the count.
const PLATE: (f64, f64) = (38.0, 12.0);
/// Between a picture of a piece and its number.
const NUMBER_GAP: f64 = 6.0;
/// Between the parts of the header.
const PART_GAP: f64 = 18.0;

/// The background.
pub fn paper(layout: &Layout) -> Markup {
    let (at, width, height) = (ORIGIN, units(layout.width()), units(layout.height()));
    html! { rect.paper x=(units(at.x)) y=(units(at.y)) width=(width) height=(height) {} }
}

/// The empty board with its coordinates.
pub fn board(layout: &Layout) -> Markup {
    let (side, step) = (layout.board(), units(SQUARE));
    let length = units(side);
    let is_dark = |square: &Square| (square.column() + square.row()).is_multiple_of(2);
    let mut dark = String::new();
    for square in layout.squares().filter(is_dark) {
        let at = layout.corner(square);
        // Writing to a string cannot fail.
        let _ = write!(dark, "M{at}h{step}v{step}h-{step}z");
    }
    html! {
        rect.light x="0" y="0" width=(length) height=(length) {}
        path.dark d=(dark) {}
        rect.frame x="0" y="0" width=(length) height=(length) {}
        @for index in 0..layout.side() {
            @let square = Square::new(index, index).to_string();
            @let centre = layout.centre(Square::new(index, index));
            (glyphs::text(&square[..1], Point { x: centre.x, y: side + 18.0 }, COORDINATE, Anchor::Middle, "soft"))
            (glyphs::text(&square[1..], Point { x: -18.0, y: centre.y }, COORDINATE, Anchor::Middle, "soft"))
        }
    }
}

enum Part {
    /// Flats on top, with komi.
    Flats(String, Option<String>),
    /// Stones in reserve.
    Stones(String),
    /// Capstones in reserve.
    Caps(String),
}

impl Part {
    fn width(&self) -> f64 {
        match self {
            Self::Flats(count, None) => glyphs::width(count, COUNT) + 2.0 * PLATE.1,
            Self::Flats(count, Some(komi)) => {
                glyphs::width(count, COUNT) + NUMBER_GAP + glyphs::width(komi, RESERVE_HEIGHT) + 2.0 * PLATE.1
            }
            Self::Stones(count) => 24.0 + NUMBER_GAP + glyphs::width(count, RESERVE_HEIGHT),
            Self::Caps(count) => 20.0 + NUMBER_GAP + glyphs::width(count, RESERVE_HEIGHT),
        }
    }

    fn draw(&self, color: Color, x: f64) -> Markup {
        let at = Point { x, y: HEADER_MIDDLE };
        let on_plate = match color {
            Color::White => "on-white",
            Color::Black => "on-black",
        };
        let y = units(at.y);
        html! {
            @match self {
                Self::Flats(count, komi) => {
                    rect.face x=(units(x)) y=(units(at.y - PLATE.0 / 2.0)) width=(units(self.width()))
                        height=(units(PLATE.0)) rx="8" {}
                    (glyphs::text(count, at.moved(PLATE.1, 0.0), COUNT, Anchor::Start, on_plate))
                    @if let Some(komi) = komi {
                        @let after = glyphs::width(count, COUNT) + PLATE.1 + NUMBER_GAP;
                        (glyphs::text(komi, at.moved(after, 0.0), RESERVE_HEIGHT, Anchor::Start, on_plate))
                    }
                },
                Self::Stones(count) => {
                    rect x=(units(x)) y=(units(at.y - 11.0)) width="24" height="22" rx="3" {}
                    rect.face x=(units(x)) y=(units(at.y - 11.0)) width="24" height="17" rx="3" {}
                    (glyphs::text(count, at.moved(24.0 + NUMBER_GAP, 0.0), RESERVE_HEIGHT, Anchor::Start, "ink"))
                },
                Self::Caps(count) => {
                    circle.face cx=(units(x + 10.0)) cy=(y) r="10" {}
                    circle.ring cx=(units(x + 10.0)) cy=(y) r="4.5" {}
                    (glyphs::text(count, at.moved(20.0 + NUMBER_GAP, 0.0), RESERVE_HEIGHT, Anchor::Start, "ink"))
                },
            }
        }
    }
}

/// The parts of the header for a player, from the outside to the middle.
fn parts(position: &AnyPosition, color: Color) -> Vec<Part> {
    let komi = (color == Color::Black && position.komi() != Komi::ZERO).then(|| {
        let sign = if position.komi() > Komi::ZERO { "+" } else { "" };
        format!("{sign}{}", position.komi())
    });
    let reserve = position.reserves()[color];
    let mut parts =
        vec![Part::Flats(position.flat_count(color).to_string(), komi), Part::Stones(reserve.stones.to_string())];
    if position.start_reserves()[color].caps > 0 {
        parts.push(Part::Caps(reserve.caps.to_string()));
    }
    parts
}

/// Both players' flats, komi and reserves, whose turn it is, or the result.
pub fn header(layout: &Layout, position: &AnyPosition) -> Markup {
    let halves = Color::ALL.map(|color| {
        let mut parts = parts(position, color);
        if color == Color::Black {
            parts.reverse();
        }
        let widths: f64 = parts.iter().map(Part::width).sum();
        let width = widths + PART_GAP * (parts.len() - 1) as f64;
        (color, parts, width)
    });
    let result = position.outcome().map(|outcome| outcome.to_string());
    let middle = result.as_ref().map_or(0.0, |result| glyphs::width(result, COUNT) + PART_GAP);
    let needed = halves.iter().map(|half| half.2).sum::<f64>() + PART_GAP + middle;
    // On the smallest boards the longest numbers do not fit.
    let scale = (layout.board() / needed).min(1.0);
    let board = layout.board() / scale;
    let y = HEADER_MIDDLE * (1.0 - scale);
    let place =
        (scale < 1.0).then(|| format!("translate(0 {}) scale({})", units(y), units((scale * 100.0).floor() / 100.0)));
    html! {
        g.header transform=[place] {
            @for (color, parts, width) in &halves {
                @let start = if *color == Color::White { 0.0 } else { board - width };
                g class=(color_class(*color)) {
                    title { (words::standing(position, *color)) }
                    @for (index, part) in parts.iter().enumerate() {
                        @let before: f64 = parts[..index].iter().map(|part| part.width() + PART_GAP).sum();
                        (part.draw(*color, start + before))
                    }
                }
            }
            @if let Some(result) = &result {
                @let spare = (halves[0].2 - halves[1].2) / 2.0;
                @let at = Point { x: board / 2.0 + spare, y: HEADER_MIDDLE };
                (glyphs::text(result, at, COUNT, Anchor::Middle, "ink"))
            }
        }
        @if result.is_none() { (turn(layout, position.to_move())) }
    }
}

/// A triangle that points to the player to move.
fn turn(layout: &Layout, color: Color) -> Markup {
    let (outer, inner) = match color {
        Color::White => (-28.0, -10.0),
        Color::Black => (layout.board() + 28.0, layout.board() + 10.0),
    };
    let [above, tip, below] =
        [(outer, -10.0), (inner, 0.0), (outer, 10.0)].map(|(x, y)| Point { x, y: HEADER_MIDDLE + y });
    let path = format!("M{above}L{tip}L{below}Z");
    html! { path.turn d=(path) data-to-move=(color_class(color)) {} }
}

/// The moves below the board.
pub fn legend(layout: &Layout, moves: &[Drawn]) -> Markup {
    html! {
        @for (drawn, at) in moves.iter().zip(layout.legend()) {
            g {
                @match &drawn.class {
                    Some(class) => g class=(class) {
                        (disc(at.moved(arrows::DISC, 0.0), &drawn.letter.map_or_else(String::new, String::from)))
                    },
                    None => rect.last x=(units(at.x + 2.0)) y=(units(at.y - 12.0)) width="24" height="24" {},
                }
                (glyphs::text(&drawn.mv.to_string(), at.moved(SWATCH, 0.0), LEGEND_TEXT, Anchor::Start, "ink"))
            }
        }
    }
}
