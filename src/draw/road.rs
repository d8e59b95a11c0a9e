//! The road that won a game.

use maud::{Markup, html};

use super::diagram::Diagram;
use super::layout::{Layout, SQUARE};
use super::pieces::square_mark;
use super::shapes::Point;

impl Diagram<'_> {
    /// The squares of the last move and of a winning road.
    pub(super) fn marks(&self, layout: &Layout) -> Markup {
        let last = self.game.moves().last();
        let road = self.game.position().winning_road();
        html! {
            @for square in road { (square_mark(layout, square, "road")) }
            @if let Some(mv) = last {
                (square_mark(layout, mv.square(), if mv.is_spread() { "last from" } else { "last" }))
                @for square in mv.covered() { (square_mark(layout, square, "last")) }
            }
        }
    }

    /// A winning road as a line from edge to edge.
    pub(super) fn road(&self, layout: &Layout) -> Markup {
        let road = self.game.position().winning_road();
        if road.is_empty() {
            return Markup::default();
        }
        let mut points: Vec<Point> = road.iter().map(|&square| layout.centre(square)).collect();
        // The ends of the line are on the edges of the board.
        let across = road[0].column().abs_diff(road[road.len() - 1].column()) == layout.side() - 1;
        let half = SQUARE / 2.0;
        let reach = |point: Point| {
            let outwards = |at: f64| {
                if at < layout.board() / 2.0 { -half } else { half }
            };
            if across { point.moved(outwards(point.x), 0.0) } else { point.moved(0.0, outwards(point.y)) }
        };
        let (first, last) = (reach(points[0]), reach(points[points.len() - 1]));
        points.insert(0, first);
        points.push(last);
        let points: Vec<String> = points.iter().map(Point::to_string).collect();
        let path = format!("M{}", points.join("L"));
        html! {
            path.casing d=(path) {}
            path.road-line d=(path) {}
        }
    }
}
