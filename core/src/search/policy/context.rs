//! The data of a position that the features of all its moves share.

use super::features::{DISTANCES, STAGES};
use crate::board::{Bitboard, Color, Position, ShortestPaths, Square, Ways};
use crate::eval::{Rounding, turns_left};

/// Data for move features, computed once per position.
pub(crate) struct MoveContext {
    pub(super) mover: Color,
    pub(super) own_road: Bitboard,
    pub(super) own_flats: Bitboard,
    pub(super) enemy_flats: Bitboard,
    pub(super) enemy_blockers: Bitboard,
    pub(super) near_own_tall: Bitboard,
    pub(super) near_enemy_tall: Bitboard,
    pub(super) near_own_cap: Bitboard,
    pub(super) near_enemy_cap: Bitboard,
    pub(super) taks: Bitboard,
    pub(super) enemy_taks: Bitboard,
    pub(super) last: Bitboard,
    pub(super) near_last: Bitboard,
    pub(super) around_last: Bitboard,
    /// The piece left by the last move: 0 unknown, 1 a stack, 2 a wall or capstone, 3 a flat.
    pub(super) last_left: usize,
    /// The mover's shortest paths to a road, and those in the other direction, lengths limited to [`DISTANCES`]` - 1`.
    pub(super) own: [ShortestPaths; 2],
    /// The same of the opponent.
    pub(super) enemy: [ShortestPaths; 2],
    /// Width of the own and the enemy's shortest paths, 0 to 2.
    pub(super) own_width: usize,
    pub(super) enemy_width: usize,
    /// Turns left and lead in flats.
    pub(super) ending: [usize; 2],
    pub(super) stage: usize,
}

impl MoveContext {
    /// Collects the data of `position`; `last` is the target of the opponent's last move.
    pub fn new<const N: usize>(position: &Position<N>, ways: &Ways, last: Option<Square>) -> Self {
        let mover = position.to_move();
        let [own_halos, enemy_halos] = ways.halos;
        let last_left = last.map_or(0, |square| match () {
            () if position.tall().contains(square) => 1,
            () if position.blockers().contains(square) => 2,
            () => 3,
        });
        let last = last.map_or(Bitboard::EMPTY, Square::bit);
        let near_last = last.neighbours::<N>();
        let [own, enemy] = position.shortest_paths(mover, &ways.routes).map(|paths| paths.map(cut));
        let of = |color: Color, set: Bitboard| (position.owned(color) & set).neighbours::<N>();
        Self {
            mover,
            own_road: position.road_pieces(mover),
            own_flats: position.flats(mover),
            enemy_flats: position.flats(!mover),
            enemy_blockers: position.owned(!mover) & position.blockers(),
            near_own_tall: of(mover, position.tall()),
            near_enemy_tall: of(!mover, position.tall()),
            near_own_cap: of(mover, position.caps()),
            near_enemy_cap: of(!mover, position.caps()),
            taks: position.tak_placements_in(mover, own_halos),
            enemy_taks: position.tak_placements_in(!mover, enemy_halos),
            last,
            near_last,
            around_last: near_last.neighbours::<N>().without(near_last | last),
            last_left,
            own_width: width(own[0]),
            enemy_width: width(enemy[0]),
            own,
            enemy,
            ending: ending(position),
            stage: (position.ply() as usize * 4 / (N * N / 2)).min(STAGES - 1),
        }
    }

    /// Squares where a placement of the mover threatens a road.
    pub fn taks(&self) -> Bitboard {
        self.taks
    }
}

fn cut(paths: ShortestPaths) -> ShortestPaths {
    ShortestPaths { distance: paths.distance.min(DISTANCES - 1), ..paths }
}

/// Number of squares on the shortest paths: 0 for few, 1 for some, 2 for many.
fn width(paths: ShortestPaths) -> usize {
    match paths.open.count() {
        0..=2 => 0,
        3..=5 => 1,
        _ => 2,
    }
}

/// Turns left until a player runs out of pieces or the board is full, in four steps, and whether the mover is behind,
/// level or ahead in flats.
fn ending<const N: usize>(position: &Position<N>) -> [usize; 2] {
    let near = match turns_left(position, Rounding::Down) {
        0..=2 => 0,
        3..=5 => 1,
        6..=9 => 2,
        _ => 3,
    };
    let lead = position.flat_lead_half(position.to_move()).signum() + 1;
    [near, lead as usize]
}
