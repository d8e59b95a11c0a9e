//! Features of placements.

use super::MoveContext;
use super::features::{
    P_AROUND, P_BLOCK, P_CAPS, P_CLASS, P_CORNERS, P_ENDING, P_ENEMY_LINE, P_ENEMY_TALL, P_LINE, P_NEAR, P_OTHER_BLOCK,
    P_OTHER_WAY, P_OWN_TALL, P_RACE, P_STAGE, P_STOP, P_TAK, P_WAY,
};
use crate::board::{Bitboard, Direction, Square};

impl MoveContext {
    /// The features of placing a flat on any square; add one for a wall and two for a capstone, here and below.
    #[inline]
    pub(super) fn placement_anywhere(&self, mut add: impl FnMut(usize)) {
        let ([own, _], [enemy, _]) = (&self.own, &self.enemy);
        add(P_RACE.at([own.distance, enemy.distance]));
        add(P_ENDING.at(self.ending));
        add(P_STAGE.at([self.stage]));
    }

    /// The features of placing a flat in this row or column.
    #[inline]
    pub(super) fn placement_in(&self, line: Bitboard, mut add: impl FnMut(usize)) {
        add(P_LINE.at([(line & self.own_road).count() as usize]));
        add(P_ENEMY_LINE.at([(line & self.enemy_flats).count() as usize]));
    }

    /// The other features of placing a flat on `square`.
    #[inline]
    pub(super) fn placement_on<const N: usize>(&self, square: Square, mut add: impl FnMut(usize)) {
        let bit = square.bit();
        let beside = bit.neighbours::<N>();
        let sides = bit.shift::<N>(Direction::East) | bit.shift::<N>(Direction::West);
        let corners = sides.shift::<N>(Direction::North) | sides.shift::<N>(Direction::South);
        let has = |set: Bitboard| usize::from(set.contains(square));
        let count = |set: Bitboard| (set & beside).count() as usize;
        let diagonal = |set: Bitboard| (set & corners).count() as usize;

        add(P_CLASS.at([square.class::<N>()]));
        let edges = (4 - beside.count() as usize).min(2);
        let blockers = count(self.enemy_blockers).min(2);
        add(P_AROUND.at([count(self.own_road), count(self.enemy_flats), blockers, edges]));
        add(P_CORNERS.at([diagonal(self.own_road), diagonal(self.enemy_flats)]));
        add(P_OWN_TALL.at([has(self.near_own_tall)]));
        add(P_ENEMY_TALL.at([has(self.near_enemy_tall)]));
        add(P_CAPS.at([has(self.near_enemy_cap), has(self.near_own_cap)]));
        add(P_TAK.at([has(self.taks)]));
        add(P_STOP.at([has(self.enemy_taks)]));
        let near = if has(self.near_last) == 1 { 0 } else { 2 - has(self.around_last) };
        add(P_NEAR.at([self.last_left, near]));
        let [own, own_other] = &self.own;
        let [enemy, enemy_other] = &self.enemy;
        if own.open.contains(square) {
            add(P_WAY.at([own.distance, self.own_width]));
        }
        if enemy.open.contains(square) {
            add(P_BLOCK.at([enemy.distance, self.enemy_width]));
        }
        add(P_OTHER_WAY.at([own_other.distance, has(own_other.open)]));
        add(P_OTHER_BLOCK.at([enemy_other.distance, has(enemy_other.open)]));
    }
}
