//! The weights of the move features and their shipped files.

use super::features::{FEATURES, PLACED_KINDS, TERMS};
use crate::board::{Reserve, Size};
use crate::weights::{Model, Shipped, Term, WeightTable, shipped};

/// Weights of the move features for one board size, in 1/64 of a natural logarithm of odds.
pub type MoveWeights = [i16; FEATURES];

/// Those built in; with the feature `external-weights`, those installed.
pub fn move_weights(size: Size) -> &'static MoveWeights {
    SHIPPED.of(size)
}

static SHIPPED: Shipped<MoveWeights> = shipped!("weights");

/// Sets the built-in weights for `size` before their first use.
pub(crate) fn install(size: Size, weights: Box<MoveWeights>) {
    SHIPPED.install(size, weights);
}

/// Returns whether the built-in weights for `size` have been used or installed.
pub(crate) fn is_installed(size: Size) -> bool {
    SHIPPED.is_set(size)
}

impl WeightTable for MoveWeights {
    const MODEL: Model = Model::Ordering;
    const TERMS: &'static [Term] = TERMS;
    const LIMIT: i32 = 2_000;
    const ABOUT: &'static [&'static str] = &[
        "How much likelier a move with the feature is the best one, in 1/64 of a natural logarithm of odds: for placements",
        "by the piece placed, for spreads by the piece on top where it matters. A row that is missing weighs nothing.",
    ];

    fn zero() -> Box<Self> {
        Box::new([0; FEATURES])
    }

    fn columns(term: &Term, size: Size) -> &'static [&'static str] {
        const KINDS: &[&str] = &["flat", "wall", "capstone"];
        match term.lanes {
            PLACED_KINDS if Reserve::standard(size).caps == 0 => &KINDS[..2],
            PLACED_KINDS => KINDS,
            _ => &["weight"],
        }
    }

    fn get(&self, term: &Term, row: usize, column: usize) -> i32 {
        self[term.start + row * term.lanes + column].into()
    }

    fn set(&mut self, term: &Term, row: usize, column: usize, weight: i32) {
        self[term.start + row * term.lanes + column] = weight as i16;
    }
}
