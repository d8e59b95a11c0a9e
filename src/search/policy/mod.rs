//! A learned first guess of how good a move is: a linear model over features of single moves, fitted to the engine's
//! own choices.
//!
//! The features follow what is known to order Tak moves: the shortest ways to a road of both players, taks and their
//! prevention, neighbours, the flat-count change of a spread, recaptures, nearness to the last move, what is left behind
//! (Tiltak's policy is the richest catalogue of them). The weights say how much more often a move with the feature is
//! the best one.

mod context;
mod placement;
mod spread;
mod weights;

pub use context::MoveContext;

use crate::board::{Move, MoveKind, Position, Size, Square};

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
/// Road distances told apart, 0 to 4 and beyond.
const STEPS: usize = 6;
/// How many squares the shortest ways go through: few, some, many.
const WIDTHS: usize = 3;
/// Pieces left (four steps) times who leads in flats (three).
const ENDINGS: usize = 12;
/// What the last move left on its square: nothing known, a stack, a wall or capstone, a flat.
const LASTS: usize = 4;

runs! {
    /// Placements, each run by kind: square class.
    P_CLASS: KINDS * CLASSES;
    /// Own road pieces, enemy flats, enemy walls and capstones (0 to 2) and edges (0 to 2) beside the square.
    P_AROUND: KINDS * 5 * 5 * 3 * 3;
    /// Own road pieces and enemy flats on the squares that touch its corners.
    P_CORNERS: KINDS * 5 * 5;
    /// An own stack beside it.
    P_OWN_TALL: KINDS * 2;
    /// An enemy stack beside it.
    P_ENEMY_TALL: KINDS * 2;
    /// An own capstone, an enemy capstone beside it.
    P_CAPS: KINDS * 4;
    /// Threatens a road.
    P_TAK: KINDS * 2;
    /// Takes a square where the opponent could threaten one.
    P_STOP: KINDS * 2;
    /// Beside the last move, two steps from it, or further, by what that left.
    P_NEAR: KINDS * 3 * LASTS;
    /// Own road pieces in its row, and in its column.
    P_LINE: KINDS * 9;
    /// Enemy flats in its row, and in its column.
    P_ENEMY_LINE: KINDS * 9;
    /// On the own shortest way, by its length and width.
    P_WAY: KINDS * STEPS * WIDTHS;
    /// On the enemy's shortest way.
    P_BLOCK: KINDS * STEPS * WIDTHS;
    /// On the way in the own other direction, by its length.
    P_OTHER_WAY: KINDS * STEPS * 2;
    /// On the way in the enemy's other direction.
    P_OTHER_BLOCK: KINDS * STEPS * 2;
    /// Both players' road distances.
    P_RACE: KINDS * STEPS * STEPS;
    /// How near the end is, and who leads.
    P_ENDING: KINDS * ENDINGS;
    /// Stage of the game.
    P_STAGE: KINDS * STAGES;
    /// Spreads, most runs by kind of the top piece: change of the flat count, -5 to 7.
    S_GAIN: KINDS * 13;
    /// The same by how near the end is, and who leads.
    S_GAIN_ENDING: ENDINGS * 13;
    /// Pieces lifted.
    S_LIFTED: KINDS * 9;
    /// Squares covered.
    S_SQUARES: KINDS * 9;
    /// What shows where the stack stood: nothing, own, enemy.
    S_LEFT: KINDS * 3;
    /// What the last square held: nothing, own flat, enemy flat, own wall, enemy wall.
    S_TARGET: KINDS * 5;
    /// Height of the enemy flat's stack captured last, 1 to 6 and more.
    S_CAPTURED: KINDS * 6;
    /// Height of the stack on the last square, 1 to 4 and more.
    S_HEIGHT: KINDS * 4;
    /// The last square is where the opponent's last move went, the spread covers it on the way, or neither, by what
    /// that move left.
    S_RECAPTURE: 3 * LASTS;
    /// The stack stood beside where the last move went.
    S_EVADE: 2;
    /// Squares gained where a road piece threatens a road, 0 to 3.
    S_TAK: 4;
    /// Squares gained on the own shortest way, by its length, 0 to 3.
    S_WAY: KINDS * STEPS * 4;
    /// Open squares of the enemy's shortest way covered.
    S_BLOCK: KINDS * STEPS * 4;
    /// Road pieces of the enemy's shortest way covered.
    S_CUT: KINDS * STEPS * 4;
    /// A road piece of the own shortest way moves away and leaves nothing of the own on top.
    S_LOSE: STEPS * 2;
    /// The stack stood on an open square of the enemy's shortest way.
    S_UNBLOCK: STEPS * 2;
    /// Own road pieces beside the square left, 0 to 4.
    S_SOURCE_OWN: 5;
    /// Enemy flats beside the square left.
    S_SOURCE_ENEMY: KINDS * 5;
    /// Own road pieces beside the last square.
    S_TARGET_OWN: 5;
    /// Enemy flats beside the last square.
    S_TARGET_ENEMY: KINDS * 5;
    /// An enemy capstone, an enemy stack, an own capstone beside the last square.
    S_TARGET_STRONG: KINDS * 8;
    /// Square class of the square left.
    S_SOURCE_CLASS: KINDS * CLASSES;
    /// Square class of the last square.
    S_CLASS: KINDS * CLASSES;
    /// Both players' road distances.
    S_RACE: KINDS * STEPS * STEPS;
    /// How near the end is, and who leads.
    S_ENDING: KINDS * ENDINGS;
    /// Stage of the game.
    S_STAGE: KINDS * STAGES;
}

/// Weights of the move features for one board size, in 1/64 of a natural logarithm of odds.
pub type MoveWeights = [i16; MOVE_FEATURES];

/// The weights compiled in for `size`.
#[must_use]
pub fn move_weights(size: Size) -> &'static MoveWeights {
    &weights::BY_SIZE[size.width() - 3]
}

impl MoveContext {
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
            MoveKind::Spread(direction, pattern) => {
                self.spread(position, mv.square(), direction, pattern, add);
            }
        }
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
