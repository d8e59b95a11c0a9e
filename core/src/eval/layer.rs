//! The hidden layer: neurons over all features, whose outputs are added to the weighted sum.
//!
//! A neuron is a weighted sum of the features, clipped to the range 0 to 1, with an output weight in each phase.
//! Assumes that the value of a feature depends on others in a way that can be learned from games: a lead in flats
//! counts less if the other player's stacks can move. Fails with few games, because thousands of weights overfit; every
//! fit reports its error on held-out games. The idea is from small networks over handcrafted features, as in Tesauro's
//! TD-Gammon (1995).

use std::sync::LazyLock;

use super::features::{FEATURES, TERMS};
use crate::board::Size;
use crate::weights::{Axis, Model, Shipped, Term, WeightTable, shipped};

/// Number of neurons. With 61 instead of 13 a search takes an eighth longer, with AVX2 a twentieth. Fitted from random
/// weights they need tens of thousands of games, from the layer of another board some thousands.
pub const NEURONS: usize = 61;

/// Fixed-point scale of the weights of the neurons.
pub const ONE: i16 = 512;
/// Fixed-point scale of the output weights, per centiflat.
pub const FINE: i16 = 16;

/// The weights of the layer for one board size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layer {
    /// Weights of each feature, in 1/[`ONE`]: for the player to move, then for the other one.
    pub rows: Box<[[[i16; NEURONS]; FEATURES]; 2]>,
    /// Biases, in 1/[`ONE`].
    pub bias: [i16; NEURONS],
    /// Output weights in the opening, the middle game and the end, in 1/[`FINE`] centiflat.
    pub output: [[i16; 3]; NEURONS],
}

pub fn layer(size: Size) -> &'static Layer {
    SHIPPED.of(size)
}

pub(super) static SHIPPED: Shipped<Layer> = shipped!("layers");

/// The rows of biases and output weights in files, below those of the features. Old files have this name.
pub(super) const NEURON: Term = Term {
    name: "units",
    start: FEATURES,
    axes: &[Axis::numbers("unit", 1, NEURONS)],
    lanes: 1,
    of_capstones: false,
    most: 1,
};

impl WeightTable for Layer {
    const MODEL: Model = Model::Layer;
    const TERMS: &'static [Term] = &{
        let mut terms = [NEURON; TERMS.len() + 1];
        let mut place = 0;
        while place < TERMS.len() {
            terms[place] = TERMS[place];
            place += 1;
        }
        terms
    };
    const LIMIT: i32 = 30_000;
    const ABOUT: &'static [&'static str] = &[
        "What a feature adds to each unit, in 1/512: for a player who is to move, then for one who waits.",
        "A unit is the sum of that, from 0 to 1. Below, what it begins with (in 1/512), and what it is worth (in 1/16 centiflat).",
        "Missing rows and columns are 0.",
    ];

    #[allow(clippy::large_stack_arrays)] // 108 KiB
    fn zero() -> Box<Self> {
        Box::new(Self { rows: Box::new([[[0; NEURONS]; FEATURES]; 2]), bias: [0; NEURONS], output: [[0; 3]; NEURONS] })
    }

    fn columns(term: &Term, _: Size) -> &'static [&'static str] {
        if term.start == NEURON.start { &["bias", "opening", "middle", "end"] } else { &COLUMNS }
    }

    fn get(&self, term: &Term, row: usize, column: usize) -> i32 {
        i32::from(match (term.start == NEURON.start, column) {
            (false, _) => self.rows[column / NEURONS][term.start + row][column % NEURONS],
            (true, 0) => self.bias[row],
            (true, _) => self.output[row][column - 1],
        })
    }

    fn set(&mut self, term: &Term, row: usize, column: usize, weight: i32) {
        *match (term.start == NEURON.start, column) {
            (false, _) => &mut self.rows[column / NEURONS][term.start + row][column % NEURONS],
            (true, 0) => &mut self.bias[row],
            (true, _) => &mut self.output[row][column - 1],
        } = weight as i16;
    }
}

/// Columns of a file: the units, for the player to move and for the other one.
static COLUMNS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let name = |column| match column {
        0..NEURONS => format!("{}", column + 1),
        _ => format!("w{}", column + 1 - NEURONS),
    };
    (0..2 * NEURONS).map(|column| &*name(column).leak()).collect()
});
