//! Features of spreads.

use super::MoveContext;
use super::features::{
    S_BLOCK, S_CAPTURED, S_CLASS, S_CUT, S_ENDING, S_EVADE, S_GAIN, S_GAIN_ENDING, S_HEIGHT, S_LEFT, S_LIFTED, S_LOSE,
    S_RACE, S_RECAPTURE, S_SOURCE_CLASS, S_SOURCE_ENEMY, S_SOURCE_OWN, S_SQUARES, S_STAGE, S_TAK, S_TARGET,
    S_TARGET_ENEMY, S_TARGET_OWN, S_TARGET_STRONG, S_UNBLOCK, S_WAY,
};
use crate::board::{Bitboard, Direction, Drop, Pattern, PieceKind, Position, Square};

impl MoveContext {
    /// The features of every spread of the stack on `source`, which has a piece of kind `kind` on top.
    #[inline]
    pub(super) fn spread_from<const N: usize>(&self, source: Square, kind: usize, mut add: impl FnMut(usize)) {
        let near_source = source.bit().neighbours::<N>();
        let count = |set: Bitboard| (near_source & set).count() as usize;
        let ([own, _], [enemy, _]) = (&self.own, &self.enemy);
        let [turns, lead] = self.ending;
        add(S_EVADE.at([usize::from(self.near_last.contains(source))]));
        add(S_UNBLOCK.at([enemy.distance, usize::from(enemy.open.contains(source))]));
        add(S_SOURCE_OWN.at([count(self.own_road)]));
        add(S_SOURCE_ENEMY.at([kind, count(self.enemy_flats)]));
        add(S_SOURCE_CLASS.at([kind, source.class::<N>()]));
        add(S_RACE.at([kind, own.distance, enemy.distance]));
        add(S_ENDING.at([kind, turns, lead]));
        add(S_STAGE.at([kind, self.stage]));
    }

    /// The features of every spread of the stack on `source`, which has a piece of kind `kind` on top, over this many
    /// squares.
    #[inline]
    pub(super) fn spread_over<const N: usize>(
        &self,
        position: &Position<N>,
        source: Square,
        kind: usize,
        (direction, squares): (Direction, usize),
        mut add: impl FnMut(usize),
    ) {
        let line = source.line(direction, squares).without(source.bit());
        let target = source.step(direction, squares);
        let end = target.bit();
        let beside = end.neighbours::<N>();
        let at = |set: Bitboard| usize::from(set.intersects(end));
        let [enemy, _] = &self.enemy;
        add(S_SQUARES.at([kind, squares]));
        let held = match () {
            () if self.own_flats.intersects(end) => 1,
            () if self.enemy_flats.intersects(end) => 2,
            () if self.enemy_blockers.intersects(end) => 4,
            () if position.walls().intersects(end) => 3,
            () => 0,
        };
        add(S_TARGET.at([kind, held]));
        if held == 2 {
            add(S_CAPTURED.at([kind, position.height(target).min(6) - 1]));
        }
        let recapture = match () {
            () if self.last.intersects(end) => 0,
            () if self.last.intersects(line) => 1,
            () => 2,
        };
        add(S_RECAPTURE.at([recapture, self.last_left]));
        add(S_BLOCK.at([kind, enemy.distance, many(line & enemy.open)]));
        add(S_CUT.at([kind, enemy.distance, many(line & enemy.road)]));
        let own_road = self.own_road.without(source.bit());
        add(S_TARGET_OWN.at([(beside & own_road).count() as usize]));
        add(S_TARGET_ENEMY.at([kind, (beside & self.enemy_flats).count() as usize]));
        add(S_TARGET_STRONG.at([kind, at(self.near_own_cap), at(self.near_enemy_tall), at(self.near_enemy_cap)]));
        add(S_CLASS.at([kind, target.class::<N>()]));
    }

    /// The other features of spreading the stack on `source`.
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
        let mut target = source;
        for Drop { above, .. } in pattern.drops() {
            target = target.step(direction, 1);
            let bit = target.bit();
            let shows_own = above == 0 || is_own(above as usize);
            let shows_flat = above > 0 || top == PieceKind::Flat;
            gain -= i32::from(self.own_flats.intersects(bit)) - i32::from(self.enemy_flats.intersects(bit));
            gain += match (shows_flat, shows_own) {
                (false, _) => 0,
                (true, true) => 1,
                (true, false) => -1,
            };
            if shows_own && (shows_flat || top == PieceKind::Cap) {
                gained |= bit;
            }
        }
        let gain = (gain + 5).clamp(0, 12) as usize;
        let [turns, lead] = self.ending;
        add(S_GAIN.at([kind, gain]));
        add(S_GAIN_ENDING.at([turns, lead, gain]));
        add(S_LIFTED.at([kind, lifted]));
        add(S_LEFT.at([kind, left]));
        let dropped = pattern.bits().trailing_zeros() as usize + 1;
        let height = position.height(target) + dropped;
        add(S_HEIGHT.at([kind, height.min(4) - 1]));
        add(S_TAK.at([many(gained & self.taks)]));
        let [own, _] = &self.own;
        add(S_WAY.at([kind, own.distance, many(gained & own.open)]));
        let loses = own.road.contains(source) && left != 1;
        add(S_LOSE.at([own.distance, usize::from(loses)]));
    }
}

/// Squares in the set, three and more counted as three.
fn many(set: Bitboard) -> usize {
    set.count().min(3) as usize
}
