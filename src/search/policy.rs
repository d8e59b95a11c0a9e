//! A learned first guess of how good a move is: a linear model over features of single moves, fitted to the engine's
//! own choices.
//!
//! The features follow what is known to order Tak moves: taks and their prevention, extending and merging groups, the
//! flat-count change of a spread, recaptures, nearness to the last move, what is left behind (Tiltak's policy is the
//! richest catalogue of them). The weights say how much more often a move with the feature is the best one.

use super::policy_weights;
use crate::board::{Bitboard, Color, Drop, Move, MoveKind, PieceKind, Position, Size, Square};

/// Declares runs of features one after the other.
macro_rules! runs {
    ($($(#[$doc:meta])* $id:ident: $len:expr;)*) => {
        runs!(@place 0; $($(#[$doc])* $id: $len;)*);
    };
    (@place $start:expr; $(#[$doc:meta])* $id:ident: $len:expr; $($rest:tt)*) => {
        $(#[$doc])*
        const $id: usize = $start;
        runs!(@place $start + $len; $($rest)*);
    };
    (@place $start:expr;) => {
        /// Features of moves in all.
        pub const MOVE_FEATURES: usize = $start;
    };
}

/// Kinds of pieces.
const KINDS: usize = 3;
/// Kinds of squares, see `eval`.
const CLASSES: usize = 10;
/// Stages of the game by ply.
const STAGES: usize = 8;

runs! {
    /// Placements, each run by kind: square class.
    P_CLASS: KINDS * CLASSES;
    /// Own road pieces beside the square, 0 to 4.
    P_OWN: KINDS * 5;
    /// Enemy flats beside it.
    P_ENEMY: KINDS * 5;
    /// Enemy walls and capstones beside it, 0 to 2 and more.
    P_BLOCKERS: KINDS * 3;
    /// An own stack beside it.
    P_OWN_TALL: KINDS * 2;
    /// An enemy stack beside it.
    P_ENEMY_TALL: KINDS * 2;
    /// Threatens a road.
    P_TAK: KINDS * 2;
    /// Takes a square where the opponent could threaten one.
    P_STOP: KINDS * 2;
    /// Beside the last move, two steps from it, or further.
    P_NEAR: KINDS * 3;
    /// Own road pieces in its row, and in its column.
    P_LINE: KINDS * 9;
    /// Enemy flats in its row, and in its column.
    P_ENEMY_LINE: KINDS * 9;
    /// Stage of the game.
    P_STAGE: KINDS * STAGES;
    /// Spreads, most runs by kind of the top piece: change of the flat count, -5 to 7.
    S_GAIN: KINDS * 13;
    /// Pieces lifted.
    S_LIFTED: KINDS * 9;
    /// Squares covered.
    S_SQUARES: KINDS * 9;
    /// What shows where the stack stood: nothing, own, enemy.
    S_LEFT: KINDS * 3;
    /// What the last square held: nothing, own flat, enemy flat, own wall, enemy wall.
    S_TARGET: KINDS * 5;
    /// Height of the stack on the last square, 1 to 4 and more.
    S_HEIGHT: KINDS * 4;
    /// The last square is where the opponent's last move went, the spread covers it on the way, or neither.
    S_RECAPTURE: 3;
    /// The stack stood beside where the last move went.
    S_EVADE: 2;
    /// Squares gained where a road piece threatens a road, 0 to 3.
    S_TAK: 4;
    /// Own road pieces beside the square left, 0 to 4.
    S_SOURCE_OWN: 5;
    /// Own road pieces beside the last square.
    S_TARGET_OWN: 5;
    /// Enemy flats beside the last square.
    S_TARGET_ENEMY: KINDS * 5;
    /// Square class of the last square.
    S_CLASS: KINDS * CLASSES;
    /// Stage of the game.
    S_STAGE: KINDS * STAGES;
}

/// Weights of the move features for one board size, in 1/64 of a natural logarithm of odds.
pub type MoveWeights = [i16; MOVE_FEATURES];

/// The weights compiled in for `size`.
#[must_use]
pub fn move_weights(size: Size) -> &'static MoveWeights {
    &policy_weights::BY_SIZE[size.width() - 3]
}

/// What the features of all moves of a position have in common.
pub struct MoveContext {
    mover: Color,
    own_road: Bitboard,
    own_flats: Bitboard,
    enemy_flats: Bitboard,
    enemy_blockers: Bitboard,
    near_own_tall: Bitboard,
    near_enemy_tall: Bitboard,
    taks: Bitboard,
    enemy_taks: Bitboard,
    last: Bitboard,
    near_last: Bitboard,
    around_last: Bitboard,
    stage: usize,
}

impl MoveContext {
    /// Looks at `position`; `last` is where the opponent's last move went.
    #[must_use]
    pub fn new<const N: usize>(position: &Position<N>, last: Option<Square>) -> Self {
        let mover = position.to_move();
        let last = last.map_or(Bitboard::EMPTY, Square::bit);
        let near_last = last.neighbours::<N>();
        Self {
            mover,
            own_road: position.road_pieces(mover),
            own_flats: position.flats(mover),
            enemy_flats: position.flats(!mover),
            enemy_blockers: position.owned(!mover) & position.blockers(),
            near_own_tall: (position.owned(mover) & position.tall()).neighbours::<N>(),
            near_enemy_tall: (position.owned(!mover) & position.tall()).neighbours::<N>(),
            taks: position.tak_placements(mover),
            enemy_taks: position.tak_placements(!mover),
            last,
            near_last,
            around_last: near_last.neighbours::<N>().without(near_last | last),
            stage: (position.ply() as usize * 4 / (N * N / 2)).min(STAGES - 1),
        }
    }

    /// Squares where a placement of the mover threatens a road.
    #[must_use]
    pub fn taks(&self) -> Bitboard {
        self.taks
    }

    /// Calls `add` with every feature of `mv`, a legal move of the position.
    #[inline]
    pub fn features<const N: usize>(
        &self,
        position: &Position<N>,
        mv: Move,
        add: impl FnMut(usize),
    ) {
        match mv.kind() {
            MoveKind::Place(kind) => self.placement::<N>(mv.square(), kind as usize, add),
            MoveKind::Spread(..) => self.spread(position, mv, add),
        }
    }

    #[inline]
    fn placement<const N: usize>(&self, square: Square, kind: usize, mut add: impl FnMut(usize)) {
        let beside = square.bit().neighbours::<N>();
        let count = |set: Bitboard| (set & beside).count() as usize;
        add(P_CLASS + kind * CLASSES + class::<N>(square));
        add(P_OWN + kind * 5 + count(self.own_road));
        add(P_ENEMY + kind * 5 + count(self.enemy_flats));
        add(P_BLOCKERS + kind * 3 + count(self.enemy_blockers).min(2));
        let has = |set: Bitboard| usize::from(set.contains(square));
        add(P_OWN_TALL + kind * 2 + has(self.near_own_tall));
        add(P_ENEMY_TALL + kind * 2 + has(self.near_enemy_tall));
        add(P_TAK + kind * 2 + has(self.taks));
        add(P_STOP + kind * 2 + has(self.enemy_taks));
        let near = if has(self.near_last) == 1 {
            0
        } else {
            2 - has(self.around_last)
        };
        add(P_NEAR + kind * 3 + near);
        let row = Bitboard(0xFF << (8 * square.row()));
        let column = Bitboard(0x0101_0101_0101_0101 << square.column());
        for line in [row, column] {
            add(P_LINE + kind * 9 + (line & self.own_road).count() as usize);
            add(P_ENEMY_LINE + kind * 9 + (line & self.enemy_flats).count() as usize);
        }
        add(P_STAGE + kind * STAGES + self.stage);
    }

    #[inline]
    fn spread<const N: usize>(&self, position: &Position<N>, mv: Move, mut add: impl FnMut(usize)) {
        let MoveKind::Spread(direction, pattern) = mv.kind() else {
            return;
        };
        let source = mv.square();
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
        let end = target.bit();
        let beside = end.neighbours::<N>();
        let near_source = source.bit().neighbours::<N>();

        add(S_GAIN + kind * 13 + (gain + 5).clamp(0, 12) as usize);
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
        let dropped = pattern.bits().trailing_zeros() as usize + 1;
        add(S_HEIGHT + kind * 4 + (position.height(target) + dropped).min(4) - 1);
        let recapture = match () {
            () if self.last.intersects(end) => 0,
            () if self.last.intersects(line) => 1,
            () => 2,
        };
        add(S_RECAPTURE + recapture);
        add(S_EVADE + usize::from(self.near_last.contains(source)));
        add(S_TAK + (gained & self.taks).count().min(3) as usize);
        add(S_SOURCE_OWN + (near_source & self.own_road).count() as usize);
        add(S_TARGET_OWN + (beside & self.own_road.without(source.bit())).count() as usize);
        add(S_TARGET_ENEMY + kind * 5 + (beside & self.enemy_flats).count() as usize);
        add(S_CLASS + kind * CLASSES + class::<N>(target));
        add(S_STAGE + kind * STAGES + self.stage);
    }

    /// The model's opinion of `mv`, in 1/64 of a natural logarithm of odds; it compares moves of one position only.
    #[inline]
    #[must_use]
    pub fn score<const N: usize>(&self, position: &Position<N>, mv: Move) -> i32 {
        let weights = move_weights(Position::<N>::SIZE);
        let mut sum = 0;
        self.features(position, mv, |feature| sum += i32::from(weights[feature]));
        sum
    }
}

/// The class of a square: its distances from the edges.
#[inline]
fn class<const N: usize>(square: Square) -> usize {
    let from_edge = |x: usize| x.min(N - 1 - x.min(N - 1));
    let (a, b) = (from_edge(square.column()), from_edge(square.row()));
    let high = a.max(b);
    high * (high + 1) / 2 + a.min(b)
}
