//! Road distance: the number of moves to a road and the squares on the way, computed for whole sets of squares at once.
//!
//! A step onto an empty square costs one move. An enemy flat or an own wall costs two: it has to be captured, or moved
//! away and replaced, which sometimes takes one move and is often prevented. Enemy walls and capstones are impassable.

use Start::{First, Second};

use super::{Bitboard, Color, EndReason, Position, Square};

/// Number of distinct road distances: 0 to 6, and 7 for all larger ones and for blocked roads.
pub(crate) const ROAD_STEPS: usize = 8;
/// Any distance above 6, or a blocked road.
const MAX_DISTANCE: usize = ROAD_STEPS - 1;

/// The shortest paths to a road in one direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ShortestPaths {
    /// Moves needed, 0 to [`ROAD_STEPS`]` - 1`.
    pub distance: usize,
    /// Squares to gain on paths of that length: empty ones, enemy flats and own walls.
    pub open: Bitboard,
    /// Road pieces on paths of that length.
    pub road: Bitboard,
}

impl<const N: usize> Position<N> {
    /// The road distances of `color` in the two directions, the smaller first.
    pub fn road_distances(&self, color: Color) -> [usize; 2] {
        let [distances, _] = self.routes(color).road_distances();
        distances
    }

    /// The routes of `color` and of the other player.
    pub(crate) fn routes(&self, color: Color) -> Routes {
        search::<N>(&self.costs(color), First)
    }

    /// The shortest paths of `color` and of the other player, whose routes are given, in the two directions, the shorter
    /// ones first. If they have the same length, both hold the squares of both.
    pub(crate) fn shortest_paths(&self, color: Color, routes: &Routes) -> [[ShortestPaths; 2]; 2] {
        let [across, along, enemy_across, enemy_along] = paths::<N>(&self.costs(color), routes);
        [in_order(across, along), in_order(enemy_across, enemy_along)]
    }

    /// The costs of a step for `color` and for the other player, in the lanes of a search.
    #[inline]
    fn costs(&self, color: Color) -> [Costs; LANES] {
        let [own, enemy] = [color, !color].map(|color| Costs {
            road: self.road_pieces(color),
            empty: self.empty(),
            costly: self.flats(!color) | (self.owned(color) & self.walls()),
        });
        [own, own, enemy, enemy]
    }
}

fn in_order(across: ShortestPaths, along: ShortestPaths) -> [ShortestPaths; 2] {
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

impl<const N: usize> Position<N> {
    /// The squares of a shortest road of the winner, from edge to edge; empty unless a road ended the game.
    pub fn winning_road(&self) -> Vec<Square> {
        let winner =
            self.outcome().filter(|outcome| outcome.reason == EndReason::Road).and_then(|outcome| outcome.winner);
        let stones = winner.map_or(Bitboard::EMPTY, |color| self.road_pieces(color));
        let roads = axes::<N>().map(|edges| (stones.short_path::<N>(edges), edges.1));
        let shortest = roads.into_iter().filter(|(road, _)| !road.is_empty()).min_by_key(|(road, _)| road.count());
        let (mut rest, mut beside) = shortest.unwrap_or_default();
        let mut squares = Vec::new();
        while let Some(square) = (rest & beside).first() {
            squares.push(square);
            rest = rest.without(square.bit());
            beside = square.bit().neighbours::<N>();
        }
        squares
    }
}

/// The edges to join.
const fn axes<const N: usize>() -> [(Bitboard, Bitboard); 2] {
    [
        (Bitboard::west_edge::<N>(), Bitboard::east_edge::<N>()),
        (Bitboard::south_edge::<N>(), Bitboard::north_edge::<N>()),
    ]
}

/// The squares by the cost of a step: nothing, one move or two; all others are impassable.
#[derive(Clone, Copy)]
struct Costs {
    road: Bitboard,
    empty: Bitboard,
    costly: Bitboard,
}

/// The edge at which a search begins.
#[derive(Clone, Copy)]
enum Start {
    /// West or south.
    First,
    /// East or north.
    Second,
}

/// Searches at once: from west to east in the even lanes and from south to north in the odd ones.
const LANES: usize = 4;

/// The result of four searches from edge to edge, two for each player.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Routes {
    distances: [usize; LANES],
    /// By number of moves, the squares within that distance from the first edge; meaningless beyond all distances.
    layers: [[Bitboard; LANES]; ROAD_STEPS],
}

impl Routes {
    /// The road distances of the players, see [`Position::road_distances`].
    #[inline]
    pub fn road_distances(&self) -> [[usize; 2]; 2] {
        let [across, along, enemy_across, enemy_along] = self.distances;
        [[across.min(along), across.max(along)], [enemy_across.min(enemy_along), enemy_across.max(enemy_along)]]
    }
}

/// Four breadth-first searches with a bitboard per frontier (Dial's algorithm with costs 0, 1 and 2). The compiler makes
/// vector instructions of them, and they share the branches, which are hard to predict.
#[inline(never)]
fn search<const N: usize>(costs: &[Costs; LANES], start: Start) -> Routes {
    let edges: [_; LANES] = std::array::from_fn(|lane| {
        let (first, second) = axes::<N>()[lane % 2];
        match start {
            First => (first, second),
            Second => (second, first),
        }
    });
    let road = costs.map(|costs| costs.road);
    let mut routes = Routes { distances: [0; LANES], layers: [[Bitboard::EMPTY; LANES]; ROAD_STEPS] };
    let mut reached = Bitboard::floods::<N, LANES>(edges.map(|(from, _)| from), road);
    // Neighbours of the squares reached one step earlier: a step of cost two may begin there.
    let mut earlier = [Bitboard::EMPTY; LANES];
    for steps in 0..MAX_DISTANCE {
        routes.layers[steps] = reached;
        let mut most = 0;
        for lane in 0..LANES {
            routes.distances[lane] += usize::from(!reached[lane].intersects(edges[lane].1));
            most = most.max(routes.distances[lane]);
        }
        if most <= steps {
            break;
        }
        let mut border = [Bitboard::EMPTY; LANES];
        let mut stepped = [Bitboard::EMPTY; LANES];
        let mut grown = [Bitboard::EMPTY; LANES];
        for lane in 0..LANES {
            border[lane] = reached[lane].grow::<N>() | edges[lane].0;
            stepped[lane] = reached[lane] | (border[lane] & costs[lane].empty) | (earlier[lane] & costs[lane].costly);
            grown[lane] = stepped[lane].grow::<N>();
        }
        // Own groups beside the steps cost nothing.
        let groups = Bitboard::floods::<N, LANES>(grown, road);
        for lane in 0..LANES {
            reached[lane] = stepped[lane] | groups[lane];
        }
        earlier = border;
    }
    routes
}

/// The shortest paths by the `forth` routes.
fn paths<const N: usize>(costs: &[Costs; LANES], forth: &Routes) -> [ShortestPaths; LANES] {
    let back = search::<N>(costs, Second);
    std::array::from_fn(|lane| {
        let Costs { road, empty, costly } = costs[lane];
        let distance = forth.distances[lane];
        let mut paths = ShortestPaths { distance, open: Bitboard::EMPTY, road: Bitboard::EMPTY };
        if distance == 0 || distance == MAX_DISTANCE {
            return paths;
        }
        // A square is on a shortest path if its distances from both edges, which both include its own cost, add up to
        // the length plus that cost.
        for (steps, reached) in back.layers.iter().enumerate().take(distance + 1) {
            // Layers beyond the distance are not wanted: a search in another lane may have gone on.
            let meets = |total: usize| match total - steps {
                other if other > distance => Bitboard::EMPTY,
                other => reached[lane] & forth.layers[other][lane],
            };
            paths.road |= meets(distance) & road;
            if steps >= 1 {
                paths.open |= meets(distance + 1) & empty;
            }
            if steps >= 2 {
                paths.open |= meets(distance + 2) & costly;
            }
        }
        paths
    })
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::board::Square;

    const NEVER: usize = 1000;

    /// Distances of all squares from the west edge by Bellman-Ford; `mirror` starts from the east.
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
    fn distances_and_paths_match_bellman_ford() {
        let mut rng = StdRng::seed_from_u64(6);
        let mut found = 0;
        for _ in 0..3000 {
            let board = Bitboard::board::<6>();
            let (a, b) = (Bitboard(rng.random()), Bitboard(rng.random()));
            let costs = Costs { road: board & a & b, empty: board & a & !b, costly: board & !a & b };
            let costs_of_all = [costs; LANES];
            let [paths, ..] = paths::<6>(&costs_of_all, &search::<6>(&costs_of_all, First));
            let (west, east) = (slow(&costs, false), slow(&costs, true));
            let distance = Bitboard::east_edge::<6>().into_iter().map(|s| west[s.index()]).min().unwrap();
            assert_eq!(paths.distance, distance.min(MAX_DISTANCE));
            if distance == 0 || distance >= MAX_DISTANCE {
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
