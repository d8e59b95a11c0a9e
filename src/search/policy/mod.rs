//! A learned first guess of how good a move is: a linear model over features of single moves, fitted to the engine's
//! own choices.
//!
//! The features are those that are known to order Tak moves: the shortest ways to a road of both players, taks and their
//! prevention, neighbours, the change of the flat count by a spread, recaptures, nearness to the last move, what is left
//! behind (Tiltak's policy has most of them). The weights say how much more often a move with the feature is the best one.
//!
//! The model bets that what a move is worth is a sum over its features. Tak breaks the bet with moves that are good only
//! together with a later one, such as the first move of a tinue that makes no tak.

mod context;
mod features;
mod placement;
mod spread;
mod weights;

pub(crate) use context::MoveContext;
#[cfg(feature = "cli")]
pub(crate) use features::FEATURES as MOVE_FEATURES;
pub use weights::{MoveWeights, move_weights};

use features::PLACED;

use crate::board::{AnyPosition, Bitboard, Move, MoveKind, Position, Square, with_position};

impl MoveContext {
    /// Calls `add` with every feature of `mv`, a legal move of the position.
    #[inline]
    pub fn features<const N: usize>(&self, position: &Position<N>, mv: Move, mut add: impl FnMut(usize)) {
        match mv.kind() {
            MoveKind::Place(kind) => {
                self.placement::<N>(mv.square(), |four| add(four + kind as usize));
            }
            MoveKind::Spread(direction, pattern) => {
                self.spread(position, mv.square(), direction, pattern, add);
            }
        }
    }
}

/// What the move order says of a position of any size, for those who fit it.
impl AnyPosition {
    /// Calls `each` with the ordering features of every one of `moves`, which must be legal here; `last` is where the
    /// opponent's last move went. See `MoveContext`.
    pub fn move_features(&self, moves: &[Move], last: Option<Square>, mut each: impl FnMut(&[usize])) {
        with_position!(self, p => {
            let context = MoveContext::new(p, last);
            let mut features = Vec::new();
            for &mv in moves {
                features.clear();
                context.features(p, mv, |feature| features.push(feature));
                each(&features);
            }
        });
    }
}

/// What the model says of the moves of one position.
pub(super) struct MoveScorer<'a, const N: usize> {
    position: &'a Position<N>,
    context: &'a MoveContext,
    weights: &'a MoveWeights,
    /// Scores of placements by square and kind, for the squares asked for so far.
    placements: [[i32; PLACED]; 64],
    asked: Bitboard,
}

impl<'a, const N: usize> MoveScorer<'a, N> {
    /// Of the moves of `position`, which `context` is of.
    pub(super) fn new(position: &'a Position<N>, context: &'a MoveContext, weights: &'a MoveWeights) -> Self {
        Self { position, context, weights, placements: [[0; PLACED]; 64], asked: Bitboard::EMPTY }
    }

    /// The position that the moves are of.
    pub(super) fn position(&self) -> &'a Position<N> {
        self.position
    }

    /// How good `mv` looks, in 1/64 of a natural logarithm of odds; to be compared with moves of the same position only.
    #[inline]
    pub(super) fn score(&mut self, mv: Move) -> i32 {
        let square = mv.square();
        match mv.kind() {
            MoveKind::Place(kind) => {
                if !self.asked.contains(square) {
                    self.asked |= square.bit();
                    let sums = &mut self.placements[square.index()];
                    self.context.placement::<N>(square, |four| {
                        let weights = &self.weights[four..four + PLACED];
                        for (kind, sum) in sums.iter_mut().enumerate() {
                            *sum += i32::from(weights[kind]);
                        }
                    });
                }
                self.placements[square.index()][kind as usize]
            }
            MoveKind::Spread(direction, pattern) => {
                let mut sum = 0;
                let add = |feature| sum += i32::from(self.weights[feature]);
                self.context.spread(self.position, square, direction, pattern, add);
                sum
            }
        }
    }
}
