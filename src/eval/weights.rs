//! The weights of the evaluation, and the files of those shipped.

use std::sync::LazyLock;

use super::{FEATURES, GONE, TERMS};
use crate::board::Size;
use crate::weights::{Model, Term, WeightTable, shipped};

/// Weights of one feature in centiflats: in the opening, the middle game and the end (the fourth is padding, so that
/// one feature is one vector addition).
pub type Weight = [i32; 4];

/// The weights of all features for one board size: of the player to move, then of the other one. Being to move makes
/// threats stronger and weaknesses smaller, so the same feature may be worth more or less.
pub type Weights = [[Weight; FEATURES]; 2];

/// The weights that the program comes with for `size`.
#[must_use]
pub fn weights(size: Size) -> &'static Weights {
    &SHIPPED[size.width() - 3]
}

/// Each is read when it is first asked for.
static SHIPPED: [LazyLock<Weights>; 6] = [
    LazyLock::new(|| shipped(include_str!("weights/3s.txt"))),
    LazyLock::new(|| shipped(include_str!("weights/4s.txt"))),
    LazyLock::new(|| shipped(include_str!("weights/5s.txt"))),
    LazyLock::new(|| shipped(include_str!("weights/6s.txt"))),
    LazyLock::new(|| shipped(include_str!("weights/7s.txt"))),
    LazyLock::new(|| shipped(include_str!("weights/8s.txt"))),
];

/// Phases with a weight of their own.
const PHASES: usize = 3;

impl WeightTable for Weights {
    const MODEL: Model = Model::Evaluation;
    const TERMS: &'static [Term] = TERMS;
    const GONE: &'static [&'static str] = GONE;
    const LIMIT: i32 = 10_000;
    const ABOUT: &'static [&'static str] = &[
        "Centiflats in the opening, in the middle game and at the end: for a player who is to move, then for one who waits.",
        "A row that is missing weighs nothing.",
    ];

    fn zero() -> Box<Self> {
        Box::new([[[0; 4]; FEATURES]; 2])
    }

    fn columns(_: &Term, _: Size) -> &'static [&'static str] {
        &[
            "opening",
            "middle",
            "end",
            "waiting opening",
            "waiting middle",
            "waiting end",
        ]
    }

    fn get(&self, term: &Term, row: usize, column: usize) -> i32 {
        self[column / PHASES][term.start + row][column % PHASES]
    }

    fn set(&mut self, term: &Term, row: usize, column: usize, weight: i32) {
        self[column / PHASES][term.start + row][column % PHASES] = weight;
    }
}
