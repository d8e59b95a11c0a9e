//! Road distance: how many moves a player is away from a road, computed for whole sets of squares at once.

use super::features::ROAD_STEPS;
use crate::board::{Bitboard, Color, Position};

/// The two road distances of `color`, the smaller first, each 0 to [`ROAD_STEPS`]` - 1` (that or more, or no way).
///
/// A step onto an empty square costs one move. An enemy flat or an own wall costs two: it has to be captured, or moved
/// away and replaced, which one move sometimes does and the opponent often prevents. Enemy walls and capstones cannot
/// be passed.
pub(super) fn distances<const N: usize>(position: &Position<N>, color: Color) -> [usize; 2] {
    let road = position.road_pieces(color);
    let empty = position.empty();
    let costly = position.flats(!color) | (position.owned(color) & position.walls());
    let across = distance::<N>(
        Bitboard::west_edge::<N>(),
        Bitboard::east_edge::<N>(),
        road,
        empty,
        costly,
    );
    let along = distance::<N>(
        Bitboard::south_edge::<N>(),
        Bitboard::north_edge::<N>(),
        road,
        empty,
        costly,
    );
    [across.min(along), across.max(along)]
}

/// A breadth-first search where a whole frontier is one bitboard (Dial's algorithm with costs 0, 1 and 2).
fn distance<const N: usize>(
    from: Bitboard,
    to: Bitboard,
    road: Bitboard,
    empty: Bitboard,
    costly: Bitboard,
) -> usize {
    let mut reached = from.flood::<N>(road);
    // Squares next to what was reached one step earlier: where a step of cost two may begin.
    let mut earlier = Bitboard::EMPTY;
    for steps in 0..ROAD_STEPS - 1 {
        if reached.intersects(to) {
            return steps;
        }
        let border = reached.grow::<N>() | from;
        let stepped = reached | (border & empty) | (earlier & costly);
        // Own groups that the steps touch come for free.
        reached = stepped | stepped.grow::<N>().flood::<N>(road);
        earlier = border;
    }
    ROAD_STEPS - 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;

    /// Bellman-Ford over squares, the slow twin.
    fn slow<const N: usize>(road: Bitboard, empty: Bitboard, costly: Bitboard) -> usize {
        let cost = |square: Square| match () {
            () if road.contains(square) => 0,
            () if empty.contains(square) => 1,
            () if costly.contains(square) => 2,
            () => 1000,
        };
        let mut best = [2000usize; 64];
        for _ in 0..N * N {
            for square in Bitboard::board::<N>() {
                let near = square
                    .bit()
                    .neighbours::<N>()
                    .into_iter()
                    .map(|s| best[s.index()])
                    .min()
                    .unwrap_or(2000);
                let near = if square.column() == 0 { 0 } else { near };
                best[square.index()] = best[square.index()].min(near + cost(square));
            }
        }
        Bitboard::east_edge::<N>()
            .into_iter()
            .map(|s| best[s.index()])
            .min()
            .unwrap_or(2000)
    }

    #[test]
    fn distance_matches_the_slow_twin() {
        let mut state = 88_172_645_463_325_252_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        for _ in 0..3000 {
            let board = Bitboard::board::<6>();
            let (a, b) = (Bitboard(next()), Bitboard(next()));
            let (road, empty, costly) = (board & a & b, board & a & !b, board & !a & b);
            let fast = distance::<6>(
                Bitboard::west_edge::<6>(),
                Bitboard::east_edge::<6>(),
                road,
                empty,
                costly,
            );
            assert_eq!(fast, slow::<6>(road, empty, costly).min(ROAD_STEPS - 1));
        }
    }
}
