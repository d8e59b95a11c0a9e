//! Features of spreads.

use super::{
    CLASSES, ENDINGS, LASTS, MoveContext, S_BLOCK, S_CAPTURED, S_CLASS, S_CUT, S_ENDING, S_EVADE,
    S_GAIN, S_GAIN_ENDING, S_HEIGHT, S_LEFT, S_LIFTED, S_LOSE, S_RACE, S_RECAPTURE, S_SOURCE_CLASS,
    S_SOURCE_ENEMY, S_SOURCE_OWN, S_SQUARES, S_STAGE, S_TAK, S_TARGET, S_TARGET_ENEMY,
    S_TARGET_OWN, S_TARGET_STRONG, S_UNBLOCK, S_WAY, STAGES, STEPS, class,
};
use crate::board::{Bitboard, Direction, Drop, Pattern, PieceKind, Position, Square};

impl MoveContext {
    /// The features of spreading the stack on `source`.
    #[inline]
    pub(super) fn spread<const N: usize>(
        &self,
        position: &Position<N>,
        source: Square,
        direction: Direction,
        pattern: Pattern,
        mut add: impl FnMut(usize),
    ) {
        let top = position.top_kind(source);
        let kind = top as usize;
        let lifted = pattern.lifted() as usize;
        let is_own = |depth: usize| position.color_at(source, depth) == self.mover;

        let left = match position.height(source) > lifted {
            false => 0,
            true if is_own(lifted) => 1,
            true => 2,
        };
        let mut gain = [0, 1, -1][left] - i32::from(top == PieceKind::Flat);
        let mut gained = Bitboard::EMPTY;
        let mut line = Bitboard::EMPTY;
        let mut target = source;
        for Drop { above, .. } in pattern.drops() {
            target = target.step(direction, 1);
            let bit = target.bit();
            let shows_own = above == 0 || is_own(above as usize);
            let shows_flat = above > 0 || top == PieceKind::Flat;
            gain -= i32::from(self.own_flats.intersects(bit))
                - i32::from(self.enemy_flats.intersects(bit));
            gain += match (shows_flat, shows_own) {
                (false, _) => 0,
                (true, true) => 1,
                (true, false) => -1,
            };
            if shows_own && (shows_flat || top == PieceKind::Cap) {
                gained |= bit;
            }
            line |= bit;
        }
        let gain = (gain + 5).clamp(0, 12) as usize;
        let end = target.bit();
        let beside = end.neighbours::<N>();
        let near_source = source.bit().neighbours::<N>();
        let at = |set: Bitboard| usize::from(set.intersects(end));
        let many = |set: Bitboard| set.count().min(3) as usize;

        add(S_GAIN + kind * 13 + gain);
        add(S_GAIN_ENDING + self.ending * 13 + gain);
        add(S_LIFTED + kind * 9 + lifted);
        add(S_SQUARES + kind * 9 + pattern.squares() as usize);
        add(S_LEFT + kind * 3 + left);
        let held = match () {
            () if self.own_flats.intersects(end) => 1,
            () if self.enemy_flats.intersects(end) => 2,
            () if self.enemy_blockers.intersects(end) => 4,
            () if position.walls().intersects(end) => 3,
            () => 0,
        };
        add(S_TARGET + kind * 5 + held);
        if held == 2 {
            add(S_CAPTURED + kind * 6 + position.height(target).min(6) - 1);
        }
        let dropped = pattern.bits().trailing_zeros() as usize + 1;
        add(S_HEIGHT + kind * 4 + (position.height(target) + dropped).min(4) - 1);
        let recapture = match () {
            () if self.last.intersects(end) => 0,
            () if self.last.intersects(line) => 1,
            () => 2,
        };
        add(S_RECAPTURE + recapture * LASTS + self.last_left);
        add(S_EVADE + usize::from(self.near_last.contains(source)));
        add(S_TAK + many(gained & self.taks));

        let [own, _] = &self.own;
        let [enemy, _] = &self.enemy;
        let step = |distance: usize| (kind * STEPS + distance) * 4;
        add(S_WAY + step(own.distance) + many(gained & own.open));
        add(S_BLOCK + step(enemy.distance) + many(line & enemy.open));
        add(S_CUT + step(enemy.distance) + many(line & enemy.road));
        let loses = own.road.contains(source) && left != 1;
        add(S_LOSE + own.distance * 2 + usize::from(loses));
        add(S_UNBLOCK + enemy.distance * 2 + usize::from(enemy.open.contains(source)));

        add(S_SOURCE_OWN + (near_source & self.own_road).count() as usize);
        add(S_SOURCE_ENEMY + kind * 5 + (near_source & self.enemy_flats).count() as usize);
        add(S_TARGET_OWN + (beside & self.own_road.without(source.bit())).count() as usize);
        add(S_TARGET_ENEMY + kind * 5 + (beside & self.enemy_flats).count() as usize);
        let strong =
            at(self.near_enemy_cap) + 2 * at(self.near_enemy_tall) + 4 * at(self.near_own_cap);
        add(S_TARGET_STRONG + kind * 8 + strong);
        add(S_SOURCE_CLASS + kind * CLASSES + class::<N>(source));
        add(S_CLASS + kind * CLASSES + class::<N>(target));
        add(S_RACE + kind * STEPS * STEPS + self.race);
        add(S_ENDING + kind * ENDINGS + self.ending);
        add(S_STAGE + kind * STAGES + self.stage);
    }
}
