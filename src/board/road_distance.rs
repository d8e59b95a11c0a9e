//! Road distance: how many moves a player is away from a road and through which squares, computed for whole sets of
//! squares at once.
//!
//! A step onto an empty square costs one move. An enemy flat or an own wall costs two: it has to be captured, or moved
//! away and replaced, which one move sometimes does and the opponent often prevents. Enemy walls and capstones cannot
//! be passed.

use super::{Bitboard, Color, EndReason, Position, Square};

/// Road distances told apart: 0 to 6, and 7 for everything beyond and for no way at all.
pub(crate) const ROAD_STEPS: usize = 8;
/// Too far.
const FAR: usize = ROAD_STEPS - 1;

/// The shortest ways to a road in one direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ShortestPaths {
    /// Moves needed, 0 to [`ROAD_STEPS`]` - 1`.
    pub distance: usize,
    /// Squares to be gained on ways of that length: empty ones, enemy flats and own walls.
    pub open: Bitboard,
    /// Road pieces that ways of that length go through.
    pub road: Bitboard,
}

impl<const N: usize> Position<N> {
    /// The road distances of `color` in the two directions, the smaller first.
    #[must_use]
    pub fn road_distances(&self, color: Color) -> [usize; 2] {
        let squares = Costs::of(self, color);
        let [(west, east), (south, north)] = axes::<N>();
        let (across, _) = squares.layers::<N>(west, east);
        let (along, _) = squares.layers::<N>(south, north);
        [across.min(along), across.max(along)]
    }

    /// The shortest ways of `color` in the two directions, the shorter first. When they are equally long, both hold the
    /// squares of both.
    #[must_use]
    pub(crate) fn shortest_paths(&self, color: Color) -> [ShortestPaths; 2] {
        let squares = Costs::of(self, color);
        let [(west, east), (south, north)] = axes::<N>();
        let across = squares.paths::<N>(west, east);
        let along = squares.paths::<N>(south, north);
        match across.distance.cmp(&along.distance) {
            std::cmp::Ordering::Less => [across, along],
            std::cmp::Ordering::Greater => [along, across],
            std::cmp::Ordering::Equal => {
                [ShortestPaths {
                    distance: across.distance,
                    open: across.open | along.open,
                    road: across.road | along.road,
                }; 2]
            }
        }
    }
}

impl<const N: usize> Position<N> {
    /// The squares of a shortest road of the winner, from edge to edge; empty unless a road ended the game.
    #[must_use]
    pub fn winning_road(&self) -> Vec<Square> {
        let winner =
            self.outcome().filter(|outcome| outcome.reason == EndReason::Road).and_then(|outcome| outcome.winner);
        let stones = winner.map_or(Bitboard::EMPTY, |color| self.road_pieces(color));
        let roads = axes::<N>().map(|(from, to)| shortest_road::<N>(stones, from, to));
        roads.into_iter().flatten().min_by_key(Vec::len).unwrap_or_default()
    }
}

/// A shortest road over `stones`, from the edge `to` back to the edge `from`.
fn shortest_road<const N: usize>(stones: Bitboard, from: Bitboard, to: Bitboard) -> Option<Vec<Square>> {
    let mut reached = stones & from;
    let mut layers = vec![reached];
    while !reached.intersects(to) {
        let next = stones & reached.grow::<N>();
        if next == reached {
            return None;
        }
        reached = next;
        layers.push(reached);
    }
    let mut road: Vec<Square> = Vec::new();
    for layer in layers.into_iter().rev() {
        let beside = road.last().map_or(to, |square| square.bit().neighbours::<N>());
        road.push((layer & beside).first()?);
    }
    Some(road)
}

/// The edges to join.
const fn axes<const N: usize>() -> [(Bitboard, Bitboard); 2] {
    [
        (Bitboard::west_edge::<N>(), Bitboard::east_edge::<N>()),
        (Bitboard::south_edge::<N>(), Bitboard::north_edge::<N>()),
    ]
}

/// What each square costs to step on: nothing, one move or two; all others cannot be passed.
#[derive(Clone, Copy)]
struct Costs {
    road: Bitboard,
    empty: Bitboard,
    costly: Bitboard,
}

/// The squares within each number of moves from an edge.
type Layers = [Bitboard; ROAD_STEPS];

impl Costs {
    fn of<const N: usize>(position: &Position<N>, color: Color) -> Self {
        Self {
            road: position.road_pieces(color),
            empty: position.empty(),
            costly: position.flats(!color) | (position.owned(color) & position.walls()),
        }
    }

    /// A breadth-first search from one edge where a whole frontier is one bitboard (Dial's algorithm with costs 0, 1
    /// and 2). It ends at the other edge and returns the distance.
    #[inline]
    fn layers<const N: usize>(&self, from: Bitboard, to: Bitboard) -> (usize, Layers) {
        let mut layers = [Bitboard::EMPTY; ROAD_STEPS];
        let mut reached = from.flood::<N>(self.road);
        // Squares next to what was reached one step earlier: where a step of cost two may begin.
        let mut earlier = Bitboard::EMPTY;
        for (steps, layer) in layers.iter_mut().enumerate().take(FAR) {
            *layer = reached;
            if reached.intersects(to) {
                return (steps, layers);
            }
            let border = reached.grow::<N>() | from;
            let stepped = reached | (border & self.empty) | (earlier & self.costly);
            // Own groups that the steps touch come for free.
            reached = stepped | stepped.grow::<N>().flood::<N>(self.road);
            earlier = border;
        }
        (FAR, layers)
    }

    fn paths<const N: usize>(&self, from: Bitboard, to: Bitboard) -> ShortestPaths {
        let (distance, forth) = self.layers::<N>(from, to);
        let mut paths = ShortestPaths { distance, open: Bitboard::EMPTY, road: Bitboard::EMPTY };
        if distance == 0 || distance == FAR {
            return paths;
        }
        // A square lies on a shortest way if its distances from both edges, each with its own cost, add up to that way's
        // length and once more its cost.
        let (_, back) = self.layers::<N>(to, from);
        for (steps, &reached) in back.iter().enumerate().take(distance + 1) {
            let meets = |total: usize| reached & forth[total - steps];
            paths.road |= meets(distance) & self.road;
            if steps >= 1 {
                paths.open |= meets(distance + 1) & self.empty;
            }
            if steps >= 2 {
                paths.open |= meets(distance + 2) & self.costly;
            }
        }
        paths
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::board::Square;

    const NEVER: usize = 1000;

    /// Distances of all squares from the west edge by Bellman-Ford, the slow twin; `mirror` starts from the east.
    fn slow(costs: &Costs, mirror: bool) -> [usize; 64] {
        let start = if mirror { 5 } else { 0 };
        let mut best = [2 * NEVER; 64];
        for _ in 0..36 {
            for square in Bitboard::board::<6>() {
                let cost = match () {
                    () if costs.road.contains(square) => 0,
                    () if costs.empty.contains(square) => 1,
                    () if costs.costly.contains(square) => 2,
                    () => NEVER,
                };
                let near =
                    square.bit().neighbours::<6>().into_iter().map(|s| best[s.index()]).min().unwrap_or(2 * NEVER);
                let near = if square.column() == start { 0 } else { near };
                best[square.index()] = best[square.index()].min(near + cost);
            }
        }
        best
    }

    #[test]
    fn distances_and_paths_match_the_slow_reference() {
        let mut rng = StdRng::seed_from_u64(6);
        let mut found = 0;
        for _ in 0..3000 {
            let board = Bitboard::board::<6>();
            let (a, b) = (Bitboard(rng.random()), Bitboard(rng.random()));
            let costs = Costs { road: board & a & b, empty: board & a & !b, costly: board & !a & b };
            let paths = costs.paths::<6>(Bitboard::west_edge::<6>(), Bitboard::east_edge::<6>());
            let (west, east) = (slow(&costs, false), slow(&costs, true));
            let distance = Bitboard::east_edge::<6>().into_iter().map(|s| west[s.index()]).min().unwrap();
            assert_eq!(paths.distance, distance.min(FAR));
            if distance == 0 || distance >= FAR {
                continue;
            }
            found += 1;
            let on_path = |set: Bitboard, cost: usize| -> Vec<Square> {
                let length = |s: &Square| west[s.index()] + east[s.index()] - cost;
                set.into_iter().filter(|s| length(s) == distance).collect()
            };
            assert_eq!(paths.road.into_iter().collect::<Vec<_>>(), on_path(costs.road, 0));
            let mut open = on_path(costs.empty, 1);
            open.extend(on_path(costs.costly, 2));
            open.sort_unstable();
            assert_eq!(paths.open.into_iter().collect::<Vec<_>>(), open);
        }
        assert!(found > 500, "{found} boards with a path");
    }
}
