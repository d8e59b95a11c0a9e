//! The weights in the layout of the search: those of the sum and of the neurons side by side, so that a feature is one
//! addition of sixteen numbers.

use std::sync::OnceLock;

use wide::i16x16;

use super::layer::{FINE, Layer, NEURONS, ONE, layer};
use super::terms::Sink;
use super::weights::PHASES;
use super::{FEATURES, Weights, weights};
use crate::board::Size;

/// Numbers per feature: the weights of the three phases, then those of the neurons.
const LANES: usize = PHASES + NEURONS;
const _: () = assert!(LANES == 16);

/// Weights of sum and layer, prepared for evaluation.
///
/// All numbers have 16 bits. The sum of one player in one phase must be within 327 flats, and a neuron within 64 times
/// [`ONE`]; larger values saturate, which makes the evaluation wrong but does no other harm. Fitted weights are far
/// smaller.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluator {
    /// For features of the player to move, then of the other one.
    rows: Box<[[i16x16; FEATURES]; 2]>,
    /// Biases of the neurons.
    bias: i16x16,
    /// Output weights of the neurons in each phase.
    output: [i16x16; PHASES],
}

// All fields are integers.
impl Eq for Evaluator {}

/// The built-in evaluator for `size`.
pub fn evaluator(size: Size) -> &'static Evaluator {
    static EVALUATORS: [OnceLock<Evaluator>; Size::ALL.len()] = [const { OnceLock::new() }; Size::ALL.len()];
    EVALUATORS[size.index()].get_or_init(|| Evaluator::new(weights(size), layer(size)))
}

/// The features of one player, added up.
pub(super) struct Sum<'a> {
    rows: &'a [i16x16; FEATURES],
    total: i16x16,
}

impl Sink for Sum<'_> {
    #[inline]
    fn add(&mut self, feature: usize, count: i32) {
        let added = self.rows[feature] * i16x16::splat(count as i16);
        self.total = self.total.saturating_add(added);
    }
}

impl Evaluator {
    /// Combines weights and layer.
    #[allow(clippy::large_stack_arrays)] // 28 KiB
    pub fn new(weights: &Weights, layer: &Layer) -> Self {
        let mut rows = Box::new([[i16x16::ZERO; FEATURES]; 2]);
        for (side, rows) in rows.iter_mut().enumerate() {
            for (feature, row) in rows.iter_mut().enumerate() {
                let weight = weights[side][feature].map(|weight| weight as i16);
                let mut lanes = [0; LANES];
                lanes[..PHASES].copy_from_slice(&weight);
                lanes[PHASES..].copy_from_slice(&layer.rows[side][feature]);
                *row = lanes.into();
            }
        }
        Self {
            rows,
            bias: neuron_lanes(layer.bias),
            output: std::array::from_fn(|phase| neuron_lanes(layer.output.map(|output| output[phase]))),
        }
    }

    /// Empty sums of both players, the player to move first.
    #[inline]
    pub(super) fn sums(&self) -> [Sum<'_>; 2] {
        let total = i16x16::ZERO;
        let [mover, waiting] = &*self.rows;
        [Sum { rows: mover, total }, Sum { rows: waiting, total }]
    }

    /// The score in centiflats from the sums of both players.
    #[inline]
    pub(super) fn score(&self, mover: &Sum<'_>, waiting: &Sum<'_>, phase: [i32; PHASES]) -> i32 {
        let total = self.bias.saturating_add(mover.total).saturating_sub(waiting.total);
        let neurons = total.max(i16x16::ZERO).min(i16x16::splat(ONE));
        let weighed = total.to_array();
        let mut score = 0;
        for (at, share) in phase.into_iter().enumerate() {
            // The lanes that hold the linear sum have zero output weight.
            let layer = neurons.dot(self.output[at]).reduce_add();
            let sum = i32::from(weighed[at]) * i32::from(ONE) * i32::from(FINE);
            score += i64::from(share) * i64::from(sum + layer);
        }
        (score / (256 * i64::from(ONE) * i64::from(FINE))) as i32
    }

    /// The weights of a feature in the three phases and in the neurons.
    pub(super) fn row(&self, side: usize, feature: usize) -> ([i16; PHASES], [i16; NEURONS]) {
        split(self.rows[side][feature])
    }

    /// Biases of the neurons.
    pub(super) fn bias(&self) -> [i16; NEURONS] {
        split(self.bias).1
    }

    /// Output weights of each neuron in the three phases.
    pub(super) fn output(&self) -> [[i16; PHASES]; NEURONS] {
        let phases = self.output.map(|output| split(output).1);
        std::array::from_fn(|neuron| phases.map(|output| output[neuron]))
    }
}

/// Numbers of the neurons in their lanes, with 0 for the sum.
fn neuron_lanes(neurons: [i16; NEURONS]) -> i16x16 {
    let mut lanes = [0; LANES];
    lanes[PHASES..].copy_from_slice(&neurons);
    lanes.into()
}

fn split(lanes: i16x16) -> ([i16; PHASES], [i16; NEURONS]) {
    let lanes = lanes.to_array();
    (std::array::from_fn(|phase| lanes[phase]), std::array::from_fn(|neuron| lanes[PHASES + neuron]))
}
