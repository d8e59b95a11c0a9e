//! Features of placements.

use super::{
    CLASSES, ENDINGS, LASTS, MoveContext, P_AROUND, P_BLOCK, P_CAPS, P_CLASS, P_CORNERS, P_ENDING,
    P_ENEMY_LINE, P_ENEMY_TALL, P_LINE, P_NEAR, P_OTHER_BLOCK, P_OTHER_WAY, P_OWN_TALL, P_RACE,
    P_STAGE, P_STOP, P_TAK, P_WAY, STAGES, STEPS, WIDTHS, class,
};
use crate::board::{Bitboard, Direction, Square};

impl MoveContext {
    /// The features of placing a piece of `kind` on `square`.
    #[inline]
    pub(super) fn placement<const N: usize>(
        &self,
        square: Square,
        kind: usize,
        mut add: impl FnMut(usize),
    ) {
        let bit = square.bit();
        let beside = bit.neighbours::<N>();
        let corners = [Direction::East, Direction::West]
            .map(|direction| bit.shift::<N>(direction))
            .into_iter()
            .fold(Bitboard::EMPTY, |all, side| {
                all | side.shift::<N>(Direction::North) | side.shift::<N>(Direction::South)
            });
        let has = |set: Bitboard| usize::from(set.contains(square));
        let count = |set: Bitboard| (set & beside).count() as usize;
        let diagonal = |set: Bitboard| (set & corners).count() as usize;

        add(P_CLASS + kind * CLASSES + class::<N>(square));
        let edges = (4 - beside.count() as usize).min(2);
        let blockers = count(self.enemy_blockers).min(2);
        let flats = count(self.own_road) * 5 + count(self.enemy_flats);
        add(P_AROUND + ((kind * 25 + flats) * 3 + blockers) * 3 + edges);
        add(P_CORNERS + kind * 25 + diagonal(self.own_road) * 5 + diagonal(self.enemy_flats));
        add(P_OWN_TALL + kind * 2 + has(self.near_own_tall));
        add(P_ENEMY_TALL + kind * 2 + has(self.near_enemy_tall));
        add(P_CAPS + kind * 4 + has(self.near_own_cap) + 2 * has(self.near_enemy_cap));
        add(P_TAK + kind * 2 + has(self.taks));
        add(P_STOP + kind * 2 + has(self.enemy_taks));
        let near = if has(self.near_last) == 1 {
            0
        } else {
            2 - has(self.around_last)
        };
        add(P_NEAR + (kind * LASTS + self.last_left) * 3 + near);
        let row = Bitboard(0xFF << (8 * square.row()));
        let column = Bitboard(0x0101_0101_0101_0101 << square.column());
        for line in [row, column] {
            add(P_LINE + kind * 9 + (line & self.own_road).count() as usize);
            add(P_ENEMY_LINE + kind * 9 + (line & self.enemy_flats).count() as usize);
        }
        let [own, own_other] = &self.own;
        let [enemy, enemy_other] = &self.enemy;
        let step = |distance: usize| kind * STEPS + distance;
        if own.open.contains(square) {
            add(P_WAY + step(own.distance) * WIDTHS + self.own_width);
        }
        if enemy.open.contains(square) {
            add(P_BLOCK + step(enemy.distance) * WIDTHS + self.enemy_width);
        }
        add(P_OTHER_WAY + step(own_other.distance) * 2 + has(own_other.open));
        add(P_OTHER_BLOCK + step(enemy_other.distance) * 2 + has(enemy_other.open));
        add(P_RACE + kind * STEPS * STEPS + self.race);
        add(P_ENDING + kind * ENDINGS + self.ending);
        add(P_STAGE + kind * STAGES + self.stage);
    }
}
