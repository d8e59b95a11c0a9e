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
pub use features::FEATURES as MOVE_FEATURES;
pub use weights::{MoveWeights, move_weights};
pub(crate) use weights::{install, is_installed};

use features::PLACED_KINDS;

use crate::board::{AnyPosition, Bitboard, Direction, Move, MoveKind, Position, Square, with_position};

impl MoveContext {
    /// Calls `add` with every feature of `mv`, a legal move of the position.
    #[inline]
    pub fn features<const N: usize>(&self, position: &Position<N>, mv: Move, mut add: impl FnMut(usize)) {
        match mv.kind() {
            MoveKind::Place(kind) => {
                let mut add = |four| add(four + kind as usize);
                self.placement_anywhere(&mut add);
                for line in lines_through(mv.square()) {
                    self.placement_in(line, &mut add);
                }
                self.placement_on::<N>(mv.square(), add);
            }
            MoveKind::Spread(direction, pattern) => {
                let kind = position.top_kind(mv.square()) as usize;
                self.spread_from::<N>(mv.square(), kind, &mut add);
                self.spread_over(position, mv.square(), kind, (direction, pattern.squares() as usize), &mut add);
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
            let context = MoveContext::new(p, &p.ways(), last);
            let mut features = Vec::new();
            for &mv in moves {
                features.clear();
                context.features(p, mv, |feature| features.push(feature));
                each(&features);
            }
        });
    }
}

/// Scores the moves of one position by the model. What several moves have in common is added up once.
pub(super) struct MoveScorer<'a, const N: usize> {
    position: &'a Position<N>,
    context: &'a MoveContext,
    weights: &'a MoveWeights,
    placements: Option<PlacementScores>,
    /// The scores of the last stack and direction that were asked for.
    spreads: Option<SpreadScores>,
}

/// Scores by kind of piece.
type Kinds = [i32; PLACED_KINDS];

/// The parts of the score that the spreads of one stack in one direction share.
struct SpreadScores {
    source: Square,
    direction: Direction,
    /// The part of all its spreads.
    common: i32,
    /// The part of those over a number of squares, if it is known, together with that of all.
    over: [Option<i32>; 9],
}

struct PlacementScores {
    /// The part of the score from each row and column; each row includes the part of all placements.
    rows: [Kinds; 8],
    columns: [Kinds; 8],
    /// The scores on the squares in `known`.
    squares: [Kinds; 64],
    known: Bitboard,
}

impl<'a, const N: usize> MoveScorer<'a, N> {
    /// Creates the scorer for `position`, from which `context` was made.
    pub(super) fn new(position: &'a Position<N>, context: &'a MoveContext, weights: &'a MoveWeights) -> Self {
        Self { position, context, weights, placements: None, spreads: None }
    }

    pub(super) fn position(&self) -> &'a Position<N> {
        self.position
    }

    /// The score of `mv` in 1/64 of a natural logarithm of odds, comparable only with moves of the same position.
    #[inline]
    pub(super) fn score(&mut self, mv: Move) -> i32 {
        let (square, context, weights) = (mv.square(), self.context, self.weights);
        match mv.kind() {
            MoveKind::Place(kind) => {
                let scores = self.placements.get_or_insert_with(|| PlacementScores::new::<N>(context, weights));
                scores.on::<N>(square, context, weights)[kind as usize]
            }
            MoveKind::Spread(direction, pattern) => {
                let mut sum = self.spreads_over(square, direction, pattern.squares() as usize);
                let add = |feature| sum += i32::from(weights[feature]);
                context.spread(self.position, square, direction, pattern, add);
                sum
            }
        }
    }

    /// The part of the score that all spreads of a stack in a direction over this many squares have in common.
    #[inline]
    fn spreads_over(&mut self, source: Square, direction: Direction, squares: usize) -> i32 {
        let (position, context, weights) = (self.position, self.context, self.weights);
        let kind = position.top_kind(source) as usize;
        let spreads = match &mut self.spreads {
            Some(known) if known.source == source && known.direction == direction => known,
            other => {
                let common = match other {
                    Some(known) if known.source == source => known.common,
                    _ => {
                        let mut sum = 0;
                        context.spread_from::<N>(source, kind, |feature| sum += i32::from(weights[feature]));
                        sum
                    }
                };
                other.insert(SpreadScores { source, direction, common, over: [None; 9] })
            }
        };
        *spreads.over[squares].get_or_insert_with(|| {
            let mut sum = spreads.common;
            let add = |feature| sum += i32::from(weights[feature]);
            context.spread_over(position, source, kind, (direction, squares), add);
            sum
        })
    }
}

impl PlacementScores {
    fn new<const N: usize>(context: &MoveContext, weights: &MoveWeights) -> Self {
        let mut scores = Self {
            rows: [[0; PLACED_KINDS]; 8],
            columns: [[0; PLACED_KINDS]; 8],
            squares: [[0; PLACED_KINDS]; 64],
            known: Bitboard::EMPTY,
        };
        let mut common = [0; PLACED_KINDS];
        context.placement_anywhere(|four| add_kinds(&mut common, weights, four));
        for place in 0..N {
            let [row, column] = lines_through(Square::new(place, place));
            scores.rows[place] = common;
            context.placement_in(row, |four| add_kinds(&mut scores.rows[place], weights, four));
            context.placement_in(column, |four| add_kinds(&mut scores.columns[place], weights, four));
        }
        scores
    }

    #[inline]
    fn on<const N: usize>(&mut self, square: Square, context: &MoveContext, weights: &MoveWeights) -> &Kinds {
        let scores = &mut self.squares[square.index()];
        if !self.known.contains(square) {
            self.known |= square.bit();
            let (row, column) = (&self.rows[square.row()], &self.columns[square.column()]);
            let mut sums: Kinds = std::array::from_fn(|kind| row[kind] + column[kind]);
            context.placement_on::<N>(square, |four| add_kinds(&mut sums, weights, four));
            *scores = sums;
        }
        scores
    }
}

#[inline]
fn add_kinds(sums: &mut Kinds, weights: &MoveWeights, four: usize) {
    let weights = &weights[four..four + PLACED_KINDS];
    for (sum, &weight) in sums.iter_mut().zip(weights) {
        *sum += i32::from(weight);
    }
}

/// The row and the column of a square.
fn lines_through(square: Square) -> [Bitboard; 2] {
    [Bitboard(0xFF << (8 * square.row())), Bitboard(0x0101_0101_0101_0101 << square.column())]
}

/// The log odds by the model that each of `moves` is the best, without the last move, which a position lacks.
pub(crate) fn move_odds<const N: usize>(position: &Position<N>, weights: &MoveWeights, moves: &[Move]) -> Vec<f64> {
    let context = MoveContext::new(position, &position.ways(), None);
    let mut scorer = MoveScorer::new(position, &context, weights);
    moves.iter().map(|&mv| f64::from(scorer.score(mv)) / 64.0).collect()
}
