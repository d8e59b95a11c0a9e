//! The road that won a game.

use std::collections::VecDeque;

use maud::{Markup, html};

use super::layout::{Layout, SQUARE};
use super::pieces::square_mark;
use super::{Diagram, layout::Point};
use crate::board::{AnyPosition, Bitboard, EndReason, Square, with_position};

/// The squares of a shortest road of the winner, from edge to edge; `None` if the game was not won by a road.
pub fn shortest(position: &AnyPosition) -> Option<Vec<Square>> {
    let outcome = position.outcome()?;
    if outcome.reason != EndReason::Road {
        return None;
    }
    let winner = outcome.winner?;
    let stones = with_position!(position, p => p.road_pieces(winner));
    let side = position.size().width();
    let ways = [walk(stones, side, Square::column), walk(stones, side, Square::row)];
    ways.into_iter().flatten().min_by_key(Vec::len)
}

/// A shortest way over `stones` from where `along` is 0 to the opposite edge.
fn walk(stones: Bitboard, side: usize, along: fn(Square) -> usize) -> Option<Vec<Square>> {
    let mut came_from = [None; 64];
    let mut seen = Bitboard(0);
    let mut queue = VecDeque::new();
    for start in stones.into_iter().filter(|&square| along(square) == 0) {
        seen |= start.bit();
        queue.push_back(start);
    }
    while let Some(square) = queue.pop_front() {
        if along(square) == side - 1 {
            let mut way = vec![square];
            while let Some(before) = came_from[way[way.len() - 1].index()] {
                way.push(before);
            }
            return Some(way);
        }
        for next in stones.without(seen) {
            let (across, up) = (next.column().abs_diff(square.column()), next.row().abs_diff(square.row()));
            if across + up == 1 {
                seen |= next.bit();
                came_from[next.index()] = Some(square);
                queue.push_back(next);
            }
        }
    }
    None
}

impl Diagram<'_> {
    /// The squares of the last move and of a winning road.
    pub(super) fn marks(&self, layout: &Layout) -> Markup {
        let last = self.game.moves().last();
        let road = shortest(self.game.position()).unwrap_or_default();
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
        let Some(road) = shortest(self.game.position()) else {
            return Markup::default();
        };
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
        let points: Vec<String> = points.iter().map(|p| format!("{} {}", p.x, p.y)).collect();
        let path = format!("M{}", points.join("L"));
        html! {
            path.casing d=(path) {}
            path.road-line d=(path) {}
        }
    }
}
