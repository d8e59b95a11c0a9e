//! Static evaluation in centiflats: a weighted sum of handcrafted features, plus a small hidden layer over them.

mod evaluator;
mod features;
mod layer;
mod terms;
mod weights;

pub use evaluator::{Evaluator, evaluator};
pub use features::{FEATURES, TERMS};
use layer::NEURON;
pub use layer::{FINE, Layer, NEURONS, ONE, layer};
use terms::Sink;
pub(crate) use terms::{Rounding, turns_left};
pub use weights::{Weight, Weights, weights};

use crate::board::{AnyPosition, Color, Position, Reserve, Size, Ways, with_position};
use crate::weights::WeightTable;

/// Sets the built-in weights for `size` before their first use.
pub(crate) fn install(size: Size, weights: Box<Weights>, layer: Box<Layer>) {
    weights::SHIPPED.install(size, weights);
    layer::SHIPPED.install(size, layer);
}

/// The limit of each feature's weights in a table, see [`WeightTable::limit`].
pub fn limits<T: WeightTable>() -> impl Iterator<Item = i32> + Clone {
    TERMS.iter().flat_map(|term| std::iter::repeat_n(T::limit(term), term.rows()))
}

/// The phase of the game, as shares of opening, middle game and end with the sum 256.
pub fn phase<const N: usize>(position: &Position<N>) -> [i32; 3] {
    let progress = progress(position);
    if progress < MIDDLE_PROGRESS {
        let middle = 256 * progress / MIDDLE_PROGRESS;
        [256 - middle, middle, 0]
    } else {
        let end = 256 * (progress - MIDDLE_PROGRESS) / (256 - MIDDLE_PROGRESS);
        [0, 256 - end, end]
    }
}

/// The progress of the game, of 256, towards an end without a road: pieces used of the smaller reserve, or squares
/// filled.
pub(crate) fn progress<const N: usize>(position: &Position<N>) -> i32 {
    let used = |color| {
        let start: Reserve = position.start_reserves()[color];
        let left = i32::from(position.reserve(color).total());
        256 - 256 * left / i32::from(start.total())
    };
    let filled = 256 * position.occupied().count() as i32 / (N * N) as i32;
    used(Color::White).max(used(Color::Black)).max(filled)
}

/// The progress at which only the weights of the middle game count.
const MIDDLE_PROGRESS: i32 = 115;

/// The score of `position` in centiflats for the player to move. Wins in one are ignored: the search finds them first.
pub fn evaluate<const N: usize>(position: &Position<N>, evaluator: &Evaluator) -> i32 {
    evaluate_in(position, &position.ways(), evaluator)
}

/// The same by the ways of the players.
pub(crate) fn evaluate_in<const N: usize>(position: &Position<N>, ways: &Ways, evaluator: &Evaluator) -> i32 {
    evaluator.evaluate(position, ways, phase(position))
}

/// One term of an explained evaluation.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "cli", derive(serde::Serialize))]
pub struct Explained {
    /// The term, or `"units"` for the hidden layer.
    pub name: &'static str,
    /// Its part of the score in centiflats, for the player to move.
    pub score: f64,
}

/// The evaluation term by term for the player to move, and the part of the hidden layer. The scores add up to
/// [`evaluate`], except for rounding.
pub fn explain<const N: usize>(position: &Position<N>, evaluator: &Evaluator) -> Vec<Explained> {
    let phase = phase(position);
    let mut totals = vec![0.0; TERMS.len()];
    let mut neurons = evaluator.bias().map(i64::from);
    for (feature, count) in trace(position) {
        let (side, feature) = (usize::from(feature) / FEATURES, usize::from(feature) % FEATURES);
        let term = TERMS.partition_point(|term| term.end() <= feature);
        let (weight, row) = evaluator.row(side, feature);
        totals[term] += f64::from(count) * in_phase(weight, phase);
        for (neuron, weight) in neurons.iter_mut().zip(row) {
            *neuron += i64::from(weight) * i64::from(count);
        }
    }
    let values = neurons.map(|neuron| neuron.clamp(0, ONE.into()) as f64 / f64::from(ONE));
    let output = evaluator.output().map(|output| in_phase(output, phase) / f64::from(FINE));
    let layer = values.iter().zip(output).map(|(value, output)| value * output);
    let terms = TERMS.iter().map(|term| term.name).zip(totals);
    terms.chain([(NEURON.name, layer.sum())]).map(|(name, score)| Explained { name, score }).collect()
}

/// The weighted mean of the numbers of the three phases.
fn in_phase(numbers: [i16; 3], phase: [i32; 3]) -> f64 {
    let parts = numbers.iter().zip(phase);
    let sum: f64 = parts.map(|(&number, share)| f64::from(number) * f64::from(share)).sum();
    sum / 256.0
}

/// A feature and its count for the player to move, for fitting. Features from [`FEATURES`] on are those of the other
/// player, with negative counts.
pub type Count = (u16, i32);

/// The features of `position` with nonzero counts.
pub fn trace<const N: usize>(position: &Position<N>) -> Vec<Count> {
    struct Counts([i32; FEATURES]);

    impl Sink for Counts {
        fn add(&mut self, feature: usize, count: i32) {
            self.0[feature] += count;
        }
    }

    let [mut mover, mut waiting] = [const { Counts([0; FEATURES]) }; 2];
    terms::features(position, &position.ways(), &mut mover, &mut waiting);
    let counts = mover.0.into_iter().chain(waiting.0.map(|count| -count));
    (0..).zip(counts).filter(|&(_, count)| count != 0).collect()
}

/// Evaluation of a position of any size.
impl AnyPosition {
    /// The static evaluation term by term, for the player to move, see [`explain`].
    pub fn explain(&self, evaluator: &Evaluator) -> Vec<Explained> {
        with_position!(self, p => explain(p, evaluator))
    }

    /// The evaluation features with nonzero counts, see [`trace`].
    pub fn trace(&self) -> Vec<Count> {
        with_position!(self, p => trace(p))
    }

    /// The phase of the game, see [`phase`].
    pub fn phase(&self) -> [i32; 3] {
        with_position!(self, p => phase(p))
    }
}
