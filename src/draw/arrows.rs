//! Moves on a diagram: spreads as arrows with their drops, placements as pale pieces.

use maud::{Markup, html};

use super::diagram::{Diagram, Drawn};
use super::glyphs::{self, Anchor};
use super::layout::{Layout, SQUARE};
use super::pieces;
use super::shapes::{Point, units};
use crate::board::{Direction, Move, MoveKind, Pattern};

/// Radius of a disc with a number or letter.
pub const DISC: f64 = 14.0;
/// Radius of the start of an arrow.
const START: f64 = 8.0;
/// The distance of an arrow's letter from its start: beside those of arrows to other sides.
const LETTER: f64 = 40.0;
/// Length and half width of the head of an arrow.
const HEAD: (f64, f64) = (17.0, 14.0);
/// Between arrows on the same squares.
const LANE: f64 = 27.0;
/// Height of numbers in discs.
const TEXT: f64 = 13.0;

impl Diagram<'_> {
    /// The moves that might be played; without any, the last move if it was a spread.
    pub(super) fn arrows(&self, layout: &Layout) -> Markup {
        let mut drawn = self.drawn();
        drawn.retain(|drawn| drawn.class.is_some() || drawn.mv.is_spread() && self.moves.is_empty());
        let lanes = lanes(&drawn.iter().map(|drawn| drawn.mv).collect::<Vec<_>>());
        // Arrows are drawn over the pale pieces.
        let (spreads, placements): (Vec<_>, Vec<_>) =
            drawn.iter().zip(lanes).partition(|(drawn, _)| drawn.mv.is_spread());
        html! {
            @for (drawn, lane) in placements.into_iter().chain(spreads) {
                g.move.(drawn.class.as_deref().unwrap_or("last-move")) data-move=(drawn.mv) {
                    @match drawn.mv.kind() {
                        MoveKind::Place(_) => (self.ghost(layout, drawn, lane)),
                        MoveKind::Spread(direction, pattern) => {
                            (arrow(layout, drawn, direction, pattern, lane))
                        },
                    }
                }
            }
        }
    }

    /// The piece that a placement would place.
    fn ghost(&self, layout: &Layout, drawn: &Drawn, lane: i32) -> Markup {
        let square = drawn.mv.square();
        // The colour of the piece depends on the opening.
        let mut after = self.game.position().clone();
        after.play_unchecked(drawn.mv);
        let Some((color, kind)) = after.top(square) else {
            return Markup::default();
        };
        let inset = 9.0;
        let at = layout.corner(square).moved(inset, inset);
        let side = SQUARE - 2.0 * inset;
        // Letters of several placements on one square are along its upper edge.
        let badge =
            layout.centre(square).moved(SQUARE / 2.0 - DISC - 4.0 - LANE * f64::from(lane), DISC + 4.0 - SQUARE / 2.0);
        html! {
            g.pale.(pieces::color_class(color)) {
                (pieces::lone(kind, color, layout.centre(square)))
            }
            rect.ring x=(units(at.x)) y=(units(at.y)) width=(units(side)) height=(units(side)) rx="10" {}
            @if let Some(letter) = drawn.letter { (disc(badge, &letter.to_string())) }
        }
    }
}

/// An arrow along a spread, with the number of pieces dropped on each square.
fn arrow(layout: &Layout, drawn: &Drawn, direction: Direction, pattern: Pattern, lane: i32) -> Markup {
    let (direction, aside) = (layout.direction(direction), LANE * f64::from(lane));
    let start = match direction {
        Direction::North | Direction::South => layout.centre(drawn.mv.square()).moved(aside, 0.0),
        Direction::East | Direction::West => layout.centre(drawn.mv.square()).moved(0.0, -aside),
    };
    let end = start.towards(direction, SQUARE * f64::from(pattern.squares()));
    let tip = end.towards(direction, -DISC);
    let base = tip.towards(direction, -HEAD.0);
    let line = format!("M{start}L{base}");
    let (left, right) = match direction {
        Direction::North | Direction::South => (base.moved(-HEAD.1, 0.0), base.moved(HEAD.1, 0.0)),
        Direction::East | Direction::West => (base.moved(0.0, -HEAD.1), base.moved(0.0, HEAD.1)),
    };
    let head = format!("M{left}L{tip}L{right}Z");
    let steps = (1..).map(|step| start.towards(direction, SQUARE * f64::from(step)));
    html! {
        path.casing d=(line) {}
        path.head d=(head) {}
        path.line d=(line) {}
        circle.disc cx=(units(start.x)) cy=(units(start.y)) r=(units(START)) {}
        @if let Some(letter) = drawn.letter {
            (disc(start.towards(direction, LETTER), &letter.to_string()))
        }
        @for (at, drop) in steps.zip(pattern.drops()) { (disc(at, &drop.count.to_string())) }
    }
}

/// A disc in the colour of its move with a number or letter in it.
pub fn disc(at: Point, text: &str) -> Markup {
    html! {
        circle.disc cx=(units(at.x)) cy=(units(at.y)) r=(units(DISC)) {}
        (glyphs::text(text, at, TEXT, Anchor::Middle, "on-move"))
    }
}

/// The distance of each move from the middle of its squares, in lanes: moves that would hide each other get different
/// ones. Placements count those before on the same square.
fn lanes(moves: &[Move]) -> Vec<i32> {
    let mut lanes: Vec<i32> = Vec::new();
    for (index, mv) in moves.iter().enumerate() {
        let before = moves[..index].iter().zip(&lanes);
        let taken: Vec<i32> = before.filter(|(other, _)| meet(*mv, **other)).map(|(_, &lane)| lane).collect();
        let free = |lane: &i32| !taken.contains(lane);
        // One more than the lanes that can be taken.
        let mut all = 0..=index as i32;
        let lane = if mv.is_spread() { all.flat_map(|lane| [lane, -lane]).find(free) } else { all.find(free) };
        lanes.push(lane.unwrap_or_default());
    }
    lanes
}

/// Returns whether two moves would be drawn on top of each other.
fn meet(a: Move, b: Move) -> bool {
    let (MoveKind::Spread(to, _), MoveKind::Spread(other, _)) = (a.kind(), b.kind()) else {
        return !a.is_spread() && !b.is_spread() && a.square() == b.square();
    };
    let vertical = |direction| matches!(direction, Direction::North | Direction::South);
    let (from_a, from_b) = (a.square().bit(), b.square().bit());
    let squares = |from, mv: Move| {
        // Moves from one square to different sides do not meet.
        if from_a == from_b && to != other { mv.covered() } else { mv.covered() | from }
    };
    vertical(to) == vertical(other) && squares(from_a, a).intersects(squares(from_b, b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_moves_are_drawn_side_by_side() {
        let moves = |text: &str| -> Vec<Move> { text.split(' ').map(|text| text.parse().unwrap()).collect() };
        assert_eq!(lanes(&moves("3a1>111 2b1> a1+ d1<")), [0, 1, 0, -1]);
        assert_eq!(lanes(&moves("a1 Sa1 Ca1 b1 2c3+ 2c3+11")), [0, 1, 2, 0, 0, 1]);
        assert_eq!(lanes(&moves("a1> d1> c1< b1<")), [0, 0, 1, -1]);
        assert_eq!(lanes(&moves("b2> b2< b2+ 2b2>")), [0, 0, 0, 1]);
    }
}
