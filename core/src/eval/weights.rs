//! The weights of the evaluation and their shipped files.

use super::{FEATURES, TERMS};
use crate::board::Size;
use crate::weights::{Model, Shipped, Term, WeightTable, shipped};

/// Weights of one feature in centiflats: in the opening, the middle game and the end.
pub type Weight = [i32; PHASES];

/// The weights of all features for one board size: for the player to move, then for the other one. Having the move
/// makes threats stronger and weaknesses smaller.
pub type Weights = [[Weight; FEATURES]; 2];

/// Those built in; with the feature `external-weights`, those installed.
pub fn weights(size: Size) -> &'static Weights {
    SHIPPED.of(size)
}

pub(super) static SHIPPED: Shipped<Weights> = shipped!("weights");

/// Phases of the game, each with separate weights.
pub(crate) const PHASES: usize = 3;

impl WeightTable for Weights {
    const MODEL: Model = Model::Evaluation;
    const TERMS: &'static [Term] = TERMS;
    const LIMIT: i32 = 10_000;
    const ABOUT: &'static [&'static str] = &[
        "Centiflats in the opening, in the middle game and at the end: for a player who is to move, then for one who waits.",
        "A row that is missing weighs nothing.",
    ];

    fn zero() -> Box<Self> {
        Box::new([[[0; PHASES]; FEATURES]; 2])
    }

    fn columns(_: &Term, _: Size) -> &'static [&'static str] {
        &["opening", "middle", "end", "waiting opening", "waiting middle", "waiting end"]
    }

    fn get(&self, term: &Term, row: usize, column: usize) -> i32 {
        self[column / PHASES][term.start + row][column % PHASES]
    }

    fn set(&mut self, term: &Term, row: usize, column: usize, weight: i32) {
        self[column / PHASES][term.start + row][column % PHASES] = weight;
    }
}
