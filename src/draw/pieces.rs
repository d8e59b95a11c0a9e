//! Stacks: the pieces within the carry limit as a pile seen slightly from above, deeper ones as a strip beside it.

use maud::{Markup, html};

use super::glyphs::{self, Anchor};
use super::layout::{Layout, SQUARE};
use super::shapes::{Point, units};
use crate::board::{AnyPosition, Color, PieceKind, Square};

/// Width of a flat.
const FLAT: f64 = 58.0;
/// The part of it that is seen from above, in height.
const FACE: f64 = 42.0;
/// The thickness of a flat in a low pile.
const MAX_FLAT_THICKNESS: f64 = 9.0;
/// Maximum thickness of all flats of a pile together.
const MAX_PILE_THICKNESS: f64 = 52.0;
/// The height of the upper side of a wall or capstone above the ground.
const STANDING_HEIGHT: f64 = 6.0;
/// Length and width of a wall.
const WALL: (f64, f64) = (60.0, 17.0);
/// Radius of a capstone.
const CAP: f64 = 23.0;
/// Left and right end of the strip in a square.
const STRIP: (f64, f64) = (82.0, 93.0);
/// Upper and lower end of the strip.
const STRIP_ENDS: (f64, f64) = (24.0, 94.0);
/// Thickness of a piece in a short strip.
const MAX_BURIED_THICKNESS: f64 = 6.0;
/// Shift of the pile to the left, to make room for the strip.
const PILE_SHIFT: f64 = 8.0;
/// Height of the number beside a stack.
const COUNT: f64 = 13.0;

/// The name of a colour in the classes.
pub fn color_class(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

fn kind_class(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Flat => "flat",
        PieceKind::Wall => "wall",
        PieceKind::Cap => "cap",
    }
}

/// The pieces on a square.
pub fn stack(layout: &Layout, position: &AnyPosition, square: Square) -> Markup {
    let Some((_, top)) = position.top(square) else {
        return Markup::default();
    };
    let height = position.height(square);
    let color = |level: usize| position.color_at(square, height - level);
    let carried = height.min(layout.side());
    let buried = height - carried;
    let aside = if buried > 0 { -PILE_SHIFT } else { 0.0 };
    let centre = layout.centre(square).moved(aside, 0.0);
    let pile = Pile::new(centre, carried, top);
    html! {
        @for level in 1..=buried {
            (buried_piece(layout.corner(square), square, level, buried, color(level)))
        }
        @if buried > 0 {
            @let at = layout.corner(square).moved(STRIP.1 + 3.0, STRIP_ENDS.0 - 12.0);
            (glyphs::text(&height.to_string(), at, COUNT, Anchor::End, "count"))
        }
        @for level in buried + 1..=height {
            @let kind = if level == height { top } else { PieceKind::Flat };
            g.piece.(kind_class(kind)).(color_class(color(level)))
                data-square=(square) data-level=(level) {
                @match kind {
                    PieceKind::Flat => {
                        (pile.flat(level - buried))
                        @if level == height { (pile.face()) }
                    },
                    _ => (standing(kind, color(level), pile.top())),
                }
            }
            // A wall or capstone is on top of a face.
            @if top != PieceKind::Flat && level + 1 == height {
                g.under.(color_class(color(level))) { (pile.face()) }
            }
        }
    }
}

/// A single piece around `centre`, as on an empty square.
pub fn lone(kind: PieceKind, color: Color, centre: Point) -> Markup {
    let pile = Pile::new(centre, 1, kind);
    html! {
        @match kind {
            PieceKind::Flat => { (pile.flat(1)) (pile.face()) },
            _ => (standing(kind, color, pile.top())),
        }
    }
}

struct Pile {
    /// The middle of its lower edge.
    foot: Point,
    flats: usize,
    thickness: f64,
}

impl Pile {
    /// A pile of this many pieces around `centre`.
    fn new(centre: Point, pieces: usize, top: PieceKind) -> Self {
        let flats = match top {
            PieceKind::Flat => pieces,
            _ => pieces - 1,
        };
        // A wall or capstone on the pile reaches beyond its face.
        let above = match top {
            PieceKind::Flat => 0.0,
            _ => 10.0,
        };
        let thickness = ((MAX_PILE_THICKNESS - above) / flats.max(1) as f64).min(MAX_FLAT_THICKNESS);
        let height = above + FACE + thickness * flats as f64;
        Self { foot: centre.moved(0.0, height / 2.0), flats, thickness }
    }

    /// The flat on this level, 1 for the lowest; those above it hide all but its front.
    fn flat(&self, level: usize) -> Markup {
        let height = FACE + self.thickness;
        let y = self.foot.y - FACE - self.thickness * level as f64;
        tile(self.foot.x, y, height, false)
    }

    /// The upper side of the highest flat.
    fn face(&self) -> Markup {
        let y = self.foot.y - FACE - self.thickness * self.flats as f64;
        tile(self.foot.x, y, FACE, true)
    }

    /// The middle of the upper side.
    fn top(&self) -> Point {
        let rise = FACE / 2.0 + self.thickness * self.flats as f64;
        self.foot.moved(0.0, -rise)
    }
}

/// A flat tile below y, with its middle at x.
fn tile(x: f64, y: f64, height: f64, face: bool) -> Markup {
    let class = face.then_some("face");
    html! {
        rect class=[class] x=(units(x - FLAT / 2.0)) y=(units(y)) width=(units(FLAT)) height=(units(height)) rx="5" {}
    }
}

/// A wall or capstone at `at`. The walls of both players lean to different sides.
fn standing(kind: PieceKind, color: Color, at: Point) -> Markup {
    // On the board a piece looks centred if its side is taken into account.
    let upper = at.moved(0.0, -STANDING_HEIGHT / 2.0);
    let lower = at.moved(0.0, STANDING_HEIGHT / 2.0);
    let lean = match color {
        Color::White => 45,
        Color::Black => -45,
    };
    let bar = |at: Point, class: Option<&str>| {
        html! {
            rect class=[class] x=(units(at.x - WALL.0 / 2.0)) y=(units(at.y - WALL.1 / 2.0))
                width=(units(WALL.0)) height=(units(WALL.1)) rx="3"
                transform={ "rotate(" (lean) " " (at) ")" } {}
        }
    };
    let disc = |at: Point, radius: f64, class: Option<&str>| {
        html! { circle class=[class] cx=(units(at.x)) cy=(units(at.y)) r=(units(radius)) {} }
    };
    html! {
        @if kind == PieceKind::Wall {
            (bar(lower, None)) (bar(upper, Some("face")))
        } @else {
            (disc(lower, CAP, None)) (disc(upper, CAP, Some("face"))) (disc(upper, CAP * 0.45, Some("ring")))
        }
    }
}

/// A piece of the strip: below the carry limit.
fn buried_piece(corner: Point, square: Square, level: usize, buried: usize, color: Color) -> Markup {
    let (top, bottom) = STRIP_ENDS;
    let thickness = ((bottom - top) / buried as f64).min(MAX_BURIED_THICKNESS);
    let at = corner.moved(STRIP.0, bottom - thickness * level as f64);
    // The edges would hide very thin pieces.
    let edge = if thickness < 2.0 { 0.0 } else { (thickness / 4.0).min(1.5) };
    html! {
        rect.piece.flat.buried.(color_class(color)) data-square=(square) data-level=(level)
            x=(units(at.x)) y=(units(at.y)) width=(units(STRIP.1 - STRIP.0)) height=(units(thickness))
            style={ "stroke-width:" (units(edge)) } {}
    }
}

/// A mark on the whole square, below its stack.
pub fn square_mark(layout: &Layout, square: Square, class: &str) -> Markup {
    let inset = 2.5;
    let at = layout.corner(square).moved(inset, inset);
    let side = SQUARE - 2.0 * inset;
    html! { rect class=(class) x=(units(at.x)) y=(units(at.y)) width=(units(side)) height=(units(side)) {} }
}
