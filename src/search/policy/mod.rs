//! Policy: a linear model over features of single moves that scores them for move ordering, fitted to the engine's
//! choices.
//!
//! The features are the usual ones for Tak: the shortest paths to a road of both players, taks and their prevention,
//! neighbours, the change of the flat count by a spread, recaptures, the distance to the last move, the piece left
//! behind (Tiltak's policy has most of them). A weight is the log odds that a move with the feature is the best one.
//!
//! Assumes that the value of a move is a sum over its features. Fails for moves that are good only together with a
//! later one, such as a first move of a tinue that makes no tak.

mod context;
mod features;
mod placement;
mod spread;
mod weights;

pub(crate) use context::MoveContext;
#[cfg(feature = "cli")]
pub(crate) use features::FEATURES as MOVE_FEATURES;
pub use weights::{MoveWeights, move_weights};
pub(crate) use weights::{install, is_installed};

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

/// Move features of a position of any size, for fitting.
impl AnyPosition {
    /// Calls `each` with the ordering features of each of `moves`, which must be legal; `last` is the target of the
    /// opponent's last move. See `MoveContext`.
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

/// Scores the moves of one position by the model.
pub(super) struct MoveScorer<'a, const N: usize> {
    position: &'a Position<N>,
    context: &'a MoveContext,
    weights: &'a MoveWeights,
    /// Scores of placements by square and kind, for the squares in `asked`.
    placements: [[i32; PLACED]; 64],
    asked: Bitboard,
}

impl<'a, const N: usize> MoveScorer<'a, N> {
    /// Creates the scorer for `position`, from which `context` was made.
    pub(super) fn new(position: &'a Position<N>, context: &'a MoveContext, weights: &'a MoveWeights) -> Self {
        Self { position, context, weights, placements: [[0; PLACED]; 64], asked: Bitboard::EMPTY }
    }

    /// The position of the moves.
    pub(super) fn position(&self) -> &'a Position<N> {
        self.position
    }

    /// The score of `mv` in 1/64 of a natural logarithm of odds, comparable only with moves of the same position.
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

/// The log odds by the model that each of `moves` is the best, without the last move, which a position lacks.
pub(crate) fn move_odds<const N: usize>(position: &Position<N>, weights: &MoveWeights, moves: &[Move]) -> Vec<f64> {
    let context = MoveContext::new(position, None);
    let mut scorer = MoveScorer::new(position, &context, weights);
    moves.iter().map(|&mv| f64::from(scorer.score(mv)) / 64.0).collect()
}
