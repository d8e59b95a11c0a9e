//! The layer: units that see all features at once, and what each adds to the weighted sum.
//!
//! The sum values every feature for itself. A unit is a weighted sum of its own, cut off below 0 and above 1, and worth so
//! many centiflats in each phase. It bets that what a feature is worth depends on others in a way that games can teach: a
//! lead in flats counts less where the other player's stacks can move. Tak breaks the bet where games are few, for thousands
//! of weights can also learn by heart; every fit tells how it does on games held out. The idea is from small networks over
//! hand-made features, as in Tesauro's TD-Gammon (1995).

use super::features::{FEATURES, GONE, TERMS};
use crate::board::Size;
use crate::weights::{Axis, Model, Shipped, Term, WeightTable, shipped};

/// How many units there are: with the three weights of the sum sixteen numbers a feature, which are added at once.
pub const NEURONS: usize = 13;
/// What stands for 1 in the weights of the units.
pub const ONE: i16 = 512;
/// What stands for a centiflat in what the units are worth.
pub const FINE: i16 = 16;

/// The weights of the layer for one board size.
///
/// ```
/// use tak_engine::board::Size;
/// use tak_engine::eval::{Layer, layer};
/// use tak_engine::weights::{format_table, sections};
///
/// let layer: &Layer = layer(Size::new(6)?);
/// let text = format_table(layer, Size::new(6)?);
/// assert_eq!(*sections(&text)?[0].read::<Layer>()?, *layer);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layer {
    /// What a feature adds to each unit, in 1/[`ONE`]: for a player who is to move, then for one who waits.
    pub rows: Box<[[[i16; NEURONS]; FEATURES]; 2]>,
    /// What each unit begins with, in 1/[`ONE`].
    pub bias: [i16; NEURONS],
    /// What each unit is worth in the opening, the middle game and the end, in 1/[`FINE`] centiflat.
    pub output: [[i16; 3]; NEURONS],
}

/// The layer that the program comes with for `size`.
#[must_use]
pub fn layer(size: Size) -> &'static Layer {
    SHIPPED.of(size)
}

static SHIPPED: Shipped<Layer> = shipped!("layers");

/// The rows of the units themselves, below those of the features.
pub(super) const NEURON: Term =
    Term { name: "units", start: FEATURES, axes: &[Axis::numbers("unit", 1, NEURONS)], lanes: 1, of_capstones: false };

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
    const GONE: &'static [&'static str] = GONE;
    const LIMIT: i32 = 30_000;
    const ABOUT: &'static [&'static str] = &[
        "What a feature adds to each of the 13 units, in 1/512: for a player who is to move, then for one who waits.",
        "A unit is the sum of that, from 0 to 1. Below, what it begins with (in 1/512), and what it is worth (in 1/16 centiflat).",
        "A row that is missing weighs nothing.",
    ];

    #[allow(clippy::large_stack_arrays)] // 23 KiB
    fn zero() -> Box<Self> {
        Box::new(Self { rows: Box::new([[[0; NEURONS]; FEATURES]; 2]), bias: [0; NEURONS], output: [[0; 3]; NEURONS] })
    }

    fn columns(term: &Term, _: Size) -> &'static [&'static str] {
        if term.start == NEURON.start {
            &["bias", "opening", "middle", "end"]
        } else {
            &[
                "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "w1", "w2", "w3", "w4", "w5",
                "w6", "w7", "w8", "w9", "w10", "w11", "w12", "w13",
            ]
        }
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
