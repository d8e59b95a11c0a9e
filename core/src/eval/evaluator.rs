//! The weights in the layout of the search: those of the sum and of the neurons side by side, so that a feature is one
//! vector addition, or four.

use std::sync::OnceLock;

use wide::{i16x16, i32x8};

use super::layer::{FINE, Layer, NEURONS, ONE, layer};
use super::terms::{self, Sink};
use super::weights::PHASES;
use super::{FEATURES, Weights, weights};
use crate::board::{Position, Size, Ways};
use crate::weights::WeightTable;

/// Numbers per feature: the weights of the three phases, then those of the neurons.
const LANES: usize = PHASES + NEURONS;
/// The same in vectors.
const VECTORS: usize = LANES / 16;
const _: () = assert!(LANES.is_multiple_of(16));
// The largest score of one phase has 32 bits, see `evaluate`.
const _: () =
    assert!((NEURONS as i64 * Layer::LIMIT as i64 + i16::MAX as i64 * FINE as i64) * (ONE as i64) < i32::MAX as i64);

/// The numbers of a feature.
type Row = [i16x16; VECTORS];

/// Weights of sum and layer, prepared for evaluation.
///
/// All numbers have 16 bits. The limits of the weights ([`WeightTable::limit`]) keep each product with a count within
/// them. The sum of one player in one phase must be within 327 flats, and a neuron within 64 times [`ONE`]; larger sums
/// saturate, which makes the evaluation wrong but does no other harm. Fitted weights are far smaller.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluator {
    /// For features of the player to move, then of the other one.
    rows: Box<[[Row; FEATURES]; 2]>,
    /// Biases of the neurons.
    bias: Row,
    /// Output weights of the neurons in each phase.
    output: [Row; PHASES],
}

// All fields are integers.
impl Eq for Evaluator {}

/// The built-in weights, combined at the first call.
pub fn evaluator(size: Size) -> &'static Evaluator {
    static EVALUATORS: [OnceLock<Evaluator>; Size::ALL.len()] = [const { OnceLock::new() }; Size::ALL.len()];
    EVALUATORS[size.index()].get_or_init(|| Evaluator::new(weights(size), layer(size)))
}

/// The features of one player, added up.
struct Sum<'a> {
    rows: &'a [Row; FEATURES],
    total: Row,
}

impl Sink for Sum<'_> {
    #[inline]
    fn add(&mut self, feature: usize, count: i32) {
        let count = i16x16::splat(count as i16);
        for (total, row) in self.total.iter_mut().zip(self.rows[feature]) {
            *total = total.saturating_add(row * count);
        }
    }
}

impl Evaluator {
    #[allow(clippy::large_stack_arrays)] // 114 KiB
    pub fn new(weights: &Weights, layer: &Layer) -> Self {
        let mut rows = Box::new([[[i16x16::ZERO; VECTORS]; FEATURES]; 2]);
        for (side, rows) in rows.iter_mut().enumerate() {
            for (feature, row) in rows.iter_mut().enumerate() {
                let weight = weights[side][feature].map(|weight| weight as i16);
                *row = join(weight, layer.rows[side][feature]);
            }
        }
        Self {
            rows,
            bias: join([0; PHASES], layer.bias),
            output: std::array::from_fn(|phase| join([0; PHASES], layer.output.map(|output| output[phase]))),
        }
    }

    /// The score of `position` in centiflats for the player to move, in this phase.
    #[inline]
    pub(super) fn evaluate<const N: usize>(&self, position: &Position<N>, ways: &Ways, phase: [i32; PHASES]) -> i32 {
        let [mut mover, mut waiting] = self.rows.each_ref().map(|rows| Sum { rows, total: [i16x16::ZERO; VECTORS] });
        terms::features(position, ways, &mut mover, &mut waiting);
        let added = |at: usize| self.bias[at].saturating_add(mover.total[at]).saturating_sub(waiting.total[at]);
        let total: Row = std::array::from_fn(added);
        let neurons = total.map(|total| total.max(i16x16::ZERO).min(i16x16::splat(ONE)));
        let weighed = total[0].to_array();
        let mut score = 0;
        for (at, share) in phase.into_iter().enumerate() {
            // The lanes that hold the linear sum have zero output weight.
            let products = neurons.iter().zip(self.output[at]).map(|(neurons, output)| neurons.dot(output));
            let layer = products.fold(i32x8::ZERO, |sum, product| sum + product).reduce_add();
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

/// Numbers of the sum and of the neurons in their lanes.
fn join(sum: [i16; PHASES], neurons: [i16; NEURONS]) -> Row {
    let mut numbers = [0; LANES];
    numbers[..PHASES].copy_from_slice(&sum);
    numbers[PHASES..].copy_from_slice(&neurons);
    let (vectors, _) = numbers.as_chunks();
    std::array::from_fn(|at| i16x16::new(vectors[at]))
}

fn split(row: Row) -> ([i16; PHASES], [i16; NEURONS]) {
    let numbers = row.map(i16x16::to_array);
    let numbers = numbers.as_flattened();
    (std::array::from_fn(|phase| numbers[phase]), std::array::from_fn(|neuron| numbers[PHASES + neuron]))
}

#[cfg(test)]
mod tests {
    use super::super::features::{CRITICAL, PAIRS, TRIPLES};
    use super::super::{TERMS, evaluate};
    use super::*;
    use crate::board::{Komi, Reserve, Setup};

    const MAX_WEIGHT: i32 = 1600;

    /// Adds up the counts of each term, times `limits`, as documented: in 16 bits, saturated.
    struct Exact<'a> {
        limits: &'a [i32],
        sums: Vec<i64>,
        most: Vec<i32>,
    }

    fn saturated(sum: i64) -> i64 {
        sum.clamp(i16::MIN.into(), i16::MAX.into())
    }

    impl Sink for Exact<'_> {
        fn add(&mut self, feature: usize, count: i32) {
            let term = TERMS.partition_point(|term| term.end() <= feature);
            self.most[term] = self.most[term].max(count.abs());
            self.sums[term] = saturated(self.sums[term] + i64::from(self.limits[term]) * i64::from(count));
        }
    }

    /// Boards of 8x8 with the largest counts that there can be.
    fn extremes() -> Vec<Position<8>> {
        let tall = |below: &str, beside: &str| {
            format!("x8/x8/x8/x3,{beside},x4/x2,{beside},{below},{beside},x3/x3,{beside},x4/x8/x8")
        };
        let [ones, twos] = ["1", "2"].map(|piece| |count| piece.repeat(count));
        let rows = |even: &str, odd: &str| [even, odd].repeat(4).join("/");
        let boards = [
            tall(&(ones(60) + &twos(7) + "1C"), "x"),
            tall(&(twos(60) + &ones(7) + "1C"), "x"),
            tall(&(twos(7) + "1"), "2"),
            tall(&(twos(7) + "1"), "2S"),
            rows("1,x,1,x,1,x,1,x", "x,1,x,1,x,1,x,1"),
            rows("1,1,1,1,1,1,1,2", "2,1,1,1,1,1,1,1"),
            "1,1,1,1,1,1,1,2/".repeat(7) + "2,2,2,2,x4",
            "x8/".repeat(7) + "1,x7",
        ];
        let mut positions = Vec::new();
        for board in boards {
            for (player, komi) in [(1, 20), (2, -20)] {
                let mut setup: Setup = format!("{board} {player} 60").parse().unwrap();
                setup.komi = Komi::from_half(komi).unwrap();
                let most = Reserve { stones: Reserve::MAX_STONES, caps: Reserve::MAX_CAPS };
                setup.reserves = crate::board::ByColor([most; 2]);
                positions.push(setup.position().unwrap());
            }
        }
        positions
    }

    #[test]
    fn the_largest_weights_times_the_largest_counts_do_not_wrap() {
        let positions = extremes();
        let mut seen = vec![0; TERMS.len()];
        for sign in [1, -1] {
            let limits: [Vec<i32>; 2] = [
                TERMS.iter().map(|term| sign * Weights::limit(term)).collect(),
                TERMS.iter().map(|term| sign * Layer::limit(term)).collect(),
            ];
            // Mover and waiting player by model and position.
            let expected: Vec<Vec<Vec<i64>>> = limits
                .iter()
                .map(|limits| {
                    let sums = positions.iter().map(|position| {
                        let exact = || Exact { limits, sums: vec![0; TERMS.len()], most: vec![0; TERMS.len()] };
                        let (mut mover, mut waiting) = (exact(), exact());
                        terms::features(position, &position.ways(), &mut mover, &mut waiting);
                        for (seen, most) in seen.iter_mut().zip(mover.most.iter().zip(&waiting.most)) {
                            *seen = *most.0.max(most.1).max(seen);
                        }
                        mover.sums.iter().zip(waiting.sums).map(|(mover, waiting)| saturated(mover - waiting)).collect()
                    });
                    sums.collect()
                })
                .collect();
            for (number, term) in TERMS.iter().enumerate() {
                let (mut weights, mut layer) = (Weights::zero(), Layer::zero());
                for side in 0..2 {
                    weights[side][term.start..term.end()].fill([limits[0][number]; PHASES]);
                    layer.rows[side][term.start..term.end()].fill([limits[1][number] as i16; NEURONS]);
                }
                layer.output[0] = [MAX_WEIGHT as i16; PHASES];
                let sum = Evaluator::new(&weights, &Layer::zero());
                let neuron = Evaluator::new(&Weights::zero(), &layer);
                for (at, position) in positions.iter().enumerate() {
                    let name = term.name;
                    assert_eq!(i64::from(evaluate(position, &sum)), expected[0][at][number], "{name}, position {at}");
                    let open = expected[1][at][number].clamp(0, ONE.into()) as i32;
                    let score = open * MAX_WEIGHT / (i32::from(ONE) * i32::from(FINE));
                    assert_eq!(evaluate(position, &neuron), score, "neuron of {name}, position {at}");
                }
            }
        }
        for (term, seen) in TERMS.iter().zip(seen) {
            // The boards of the largest counts of these are over.
            let is_bound = [CRITICAL, PAIRS, TRIPLES].contains(term);
            assert!(seen == term.most || is_bound && seen < term.most, "{}: {seen} of {}", term.name, term.most);
        }
    }
}
