//! Fitting the layer of the evaluation: its neurons are fitted so that weighted sum and neurons together predict
//! games. The sum stays as it is.

use std::ops::ControlFlow;

use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;
use tak_engine::eval::{FEATURES, FINE, Layer, NEURONS, ONE, Weights, limits};
use tak_engine::weights::WeightTable;

use super::adam::{Adam, Epoch, add_up};
use super::terms::{FIT_SCALE, FitOptions, Sample, calibration, cross_entropy, points, sigmoid, target, weigh};

#[derive(Debug, Clone)]
pub struct LayerFit {
    /// The layer, in whole numbers.
    pub layer: Layer,
    /// Mean loss over the held-out samples before, of the weighted sum alone or with the layer to begin with, and with the
    /// layer found.
    pub held_out: [f64; 2],
    /// For ten bands of predicted chances: samples, mean prediction, mean result.
    pub calibration: Vec<(usize, f64, f64)>,
}

/// Samples that move the weights together: few enough that an epoch has hundreds of steps.
const BATCH_SAMPLES: usize = 8192;
/// Samples of a batch that one core takes at once.
const PART_SAMPLES: usize = 1024;

/// Numbers of a [`Net`]: a row per feature of either player, then the biases of the neurons, then their output weights by phase.
const ROWS: usize = 2 * FEATURES * NEURONS;
const BIAS: usize = ROWS;
const OUTPUTS: usize = BIAS + NEURONS;
const NET_NUMBERS: usize = OUTPUTS + 3 * NEURONS;

/// The layer while it is fitted: neurons from 0 to 1, and their output weights in parts of [`FIT_SCALE`] centiflats.
struct Net(Vec<f32>);

/// Fits a layer to the error of `weights` in `training`, and judges it by `held_out`. Neurons begin as in `start`, and
/// those without output there at random, with the same numbers every time. `options.step` is the first step of a weight,
/// `options.decay` how far a step pulls the weights of the neurons back to `start` (at random: to 0), in steps.
pub fn fit_layer(
    training: &[Sample],
    held_out: &[Sample],
    weights: &Weights,
    start: Option<&Layer>,
    options: &FitOptions,
    mut progress: impl FnMut(Epoch) -> ControlFlow<()>,
) -> LayerFit {
    let point = points(weights);
    let sums = |samples: &[Sample]| -> Vec<f32> {
        let sum = |sample| weigh(sample, &point) / FIT_SCALE as f32;
        samples.par_iter().map(sum).collect()
    };
    let [known, checked] = [training, held_out].map(sums);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut scales = scales(training);
    let mut net = Net::random(&mut random);
    // Nothing is learned about features that do not occur.
    let is_known = |number: usize| number >= ROWS || scales[number / NEURONS] > 0.0;
    for number in (0..NET_NUMBERS).filter(|&number| !is_known(number)) {
        net.0[number] = 0.0;
    }
    let mut origin = vec![0.0; NET_NUMBERS];
    if let Some(layer) = start {
        // Weights of features absent from these samples stay as they are.
        for scale in &mut scales {
            *scale = if *scale == 0.0 { 1.0 } else { *scale };
        }
        let inverse: Vec<f32> = scales.iter().map(|scale| scale.recip()).collect();
        let start = Net::of(layer).scaled(&inverse);
        for number in (0..NET_NUMBERS).filter(|&number| start.has_output(neuron_of(number))) {
            (net.0[number], origin[number]) = (start.0[number], start.0[number]);
        }
    }
    let batches = training.len().div_ceil(BATCH_SAMPLES) as u32;
    let mut adam = Adam::new(NET_NUMBERS, batches * options.epochs, options.step, 0.999);
    let mut order: Vec<u32> = (0..training.len() as u32).collect();
    for epoch in 1..=options.epochs {
        order.shuffle(&mut random);
        let mut total = 0.0;
        for batch in order.chunks(BATCH_SAMPLES) {
            let scaled = net.scaled(&scales);
            let (slopes, loss) = scaled.slopes(training, &known, batch, options.score_share);
            total += loss;
            // Decay apart from the slopes (Loshchilov and Hutter 2019): in them, Adam would undo it.
            let keep = 1.0 - options.decay * adam.step();
            for (weight, origin) in net.0[..ROWS].iter_mut().zip(&origin) {
                *weight = origin + (*weight - origin) * keep;
            }
            let count = batch.len() as f32;
            adam.descend(&mut net.0, |number, _| match number {
                ..ROWS => slopes[number] * scales[number / NEURONS] / count,
                _ => slopes[number] / count,
            });
        }
        if progress(Epoch { number: epoch, loss: total / training.len() as f64 }).is_break() {
            break;
        }
    }
    let layer = net.scaled(&scales).rounded();
    let whole = Net::of(&layer);
    let earlier = start.map(Net::of);
    let before = |sample: &Sample, sum: f32| match &earlier {
        Some(net) => net.predict(sample, sum),
        None => sigmoid(sum * FIT_SCALE as f32),
    };
    let after = |sample: &Sample, sum: f32| whole.predict(sample, sum);
    let loss = |predict: &(dyn Fn(&Sample, f32) -> f32 + Sync)| -> f64 {
        let of = |(sample, &sum)| cross_entropy(predict(sample, sum), target(sample, options.score_share));
        let losses = held_out.par_iter().zip(&checked).map(of);
        losses.collect::<Vec<_>>().iter().sum::<f64>() / held_out.len().max(1) as f64
    };
    LayerFit {
        held_out: [loss(&before), loss(&after)],
        calibration: calibration(held_out, |sample| after(sample, weigh(sample, &point) / FIT_SCALE as f32)),
        layer,
    }
}

/// The same evaluation with all scores multiplied by `factor`: only the output weights change.
pub fn rescaled(weights: &Weights, layer: &Layer, factor: f32) -> (Box<Weights>, Layer) {
    let (mut weights, mut layer) = (Box::new(*weights), layer.clone());
    for (weight, limit) in weights.as_flattened_mut().iter_mut().zip(limits::<Weights>().cycle()) {
        *weight = weight.map(|weight| ((weight as f32 * factor).round() as i32).clamp(-limit, limit));
    }
    for worth in layer.output.as_flattened_mut() {
        let limit = Layer::LIMIT as f32;
        *worth = (f32::from(*worth) * factor).round().clamp(-limit, limit) as i16;
    }
    (weights, layer)
}

/// Below [`NEURONS`].
fn neuron_of(number: usize) -> usize {
    if number < OUTPUTS { number % NEURONS } else { (number - OUTPUTS) / 3 }
}

/// Factors for the counts of each feature, so that features which come in large numbers learn no faster than others;
/// 0 for those that do not occur.
fn scales(samples: &[Sample]) -> Vec<f32> {
    let mut squares = vec![0.0f64; 2 * FEATURES];
    for sample in samples {
        for &(feature, count) in &*sample.counts {
            squares[usize::from(feature)] += f64::from(count).powi(2);
        }
    }
    let count = samples.len().max(1) as f64;
    let scale = |square: f64| match square {
        0.0 => 0.0,
        _ => 1.0 / (square / count).sqrt().max(1.0) as f32,
    };
    squares.into_iter().map(scale).collect()
}

impl Net {
    /// Neurons that are half open, and all different.
    fn random(random: &mut Xoshiro256PlusPlus) -> Self {
        let mut small = || random.random_range(-0.08f32..0.08);
        let numbers = (0..NET_NUMBERS).map(|number| match number {
            BIAS..OUTPUTS => 0.5,
            _ => small(),
        });
        Self(numbers.collect())
    }

    /// The same for counts as they are.
    fn scaled(&self, scales: &[f32]) -> Self {
        let mut numbers = self.0.clone();
        for (row, scale) in numbers[..ROWS].chunks_exact_mut(NEURONS).zip(scales) {
            for weight in row {
                *weight *= scale;
            }
        }
        Self(numbers)
    }

    /// In whole numbers, as it is played with.
    fn rounded(&self) -> Layer {
        let whole =
            |number: f32, one: f32, limit: i32| (number * one).round().clamp(-limit as f32, limit as f32) as i16;
        let mut layer = *Layer::zero();
        let (rows, numbers) = (layer.rows.as_flattened_mut().iter_mut(), self.0.chunks_exact(NEURONS));
        for ((row, numbers), limit) in rows.zip(numbers).zip(limits::<Layer>().cycle()) {
            for (weight, &number) in row.iter_mut().zip(numbers) {
                *weight = whole(number, ONE.into(), limit);
            }
        }
        for neuron in 0..NEURONS {
            layer.bias[neuron] = whole(self.0[BIAS + neuron], ONE.into(), Layer::LIMIT);
            layer.output[neuron] = self.worth(neuron).map(|worth| whole(worth, SCORE_OF_ONE, Layer::LIMIT));
        }
        layer
    }

    /// The layer in numbers of the fit.
    fn of(layer: &Layer) -> Self {
        let rows = layer.rows.as_flattened().as_flattened();
        let neurons = rows.iter().chain(&layer.bias);
        let neurons = neurons.map(|&weight| f32::from(weight) / f32::from(ONE));
        let worth = layer.output.as_flattened().iter();
        Self(neurons.chain(worth.map(|&worth| f32::from(worth) / SCORE_OF_ONE)).collect())
    }

    fn has_output(&self, neuron: usize) -> bool {
        self.worth(neuron).iter().any(|&worth| worth != 0.0)
    }

    fn worth(&self, neuron: usize) -> [f32; 3] {
        std::array::from_fn(|phase| self.0[OUTPUTS + 3 * neuron + phase])
    }

    /// The sums of the neurons before they are clipped.
    fn neurons(&self, sample: &Sample) -> [f32; NEURONS] {
        let mut neurons: [f32; NEURONS] = std::array::from_fn(|neuron| self.0[BIAS + neuron]);
        for &(feature, count) in &*sample.counts {
            let row = &self.0[usize::from(feature) * NEURONS..][..NEURONS];
            for (neuron, weight) in neurons.iter_mut().zip(row) {
                *neuron += weight * f32::from(count);
            }
        }
        neurons
    }

    /// The output weight of each neuron in the phase of the sample.
    fn worths(&self, sample: &Sample) -> [f32; NEURONS] {
        std::array::from_fn(|neuron| {
            let parts = self.worth(neuron).into_iter().zip(sample.phase);
            parts.map(|(worth, share)| worth * share).sum()
        })
    }

    /// The chance of the player to move, given the weighted sum.
    fn predict(&self, sample: &Sample, sum: f32) -> f32 {
        let pairs = self.neurons(sample).into_iter().zip(self.worths(sample));
        let layer: f32 = pairs.map(|(neuron, worth)| neuron.clamp(0.0, 1.0) * worth).sum();
        sigmoid((sum + layer) * FIT_SCALE as f32)
    }

    /// The slopes of the loss over a batch, added up, and that loss.
    fn slopes(&self, samples: &[Sample], sums: &[f32], batch: &[u32], share: f32) -> (Vec<f32>, f64) {
        add_up(batch, PART_SAMPLES, NET_NUMBERS, |&number, slopes| {
            self.add_slopes(&samples[number as usize], sums[number as usize], share, slopes)
        })
    }

    /// Adds the slopes of one sample, and gives its loss.
    fn add_slopes(&self, sample: &Sample, sum: f32, share: f32, slopes: &mut [f32]) -> f64 {
        let neurons = self.neurons(sample);
        let values = neurons.map(|neuron| neuron.clamp(0.0, 1.0));
        let worths = self.worths(sample);
        let layer: f32 = values.iter().zip(worths).map(|(value, worth)| value * worth).sum();
        let predicted = sigmoid((sum + layer) * FIT_SCALE as f32);
        let target = target(sample, share);
        let error = predicted - target;
        // A neuron that is cut off does not move.
        let open: [f32; NEURONS] =
            std::array::from_fn(
                |neuron| if (0.0..=1.0).contains(&neurons[neuron]) { error * worths[neuron] } else { 0.0 },
            );
        for &(feature, count) in &*sample.counts {
            let row = &mut slopes[usize::from(feature) * NEURONS..][..NEURONS];
            for (slope, open) in row.iter_mut().zip(open) {
                *slope += open * f32::from(count);
            }
        }
        for neuron in 0..NEURONS {
            slopes[BIAS + neuron] += open[neuron];
            for (phase, share) in sample.phase.into_iter().enumerate() {
                slopes[OUTPUTS + 3 * neuron + phase] += error * values[neuron] * share;
            }
        }
        cross_entropy(predicted, target)
    }
}

/// The output weights of a file for 1 of those of the fit: 1/[`FINE`] centiflats.
const SCORE_OF_ONE: f32 = FIT_SCALE as f32 * FINE as f32;

#[cfg(test)]
mod tests {
    use tak_engine::board::{Komi, Position, Size};
    use tak_engine::eval::{Evaluator, evaluate};

    use super::*;
    use crate::fit::reference::slope;

    /// Features that occur in made-up samples, of both players.
    const USED: [usize; 3] = [3, FEATURES - 1, FEATURES + 3];

    /// Samples whose results hang on two features together, and on neither of them alone.
    fn made_up(random: &mut Xoshiro256PlusPlus, count: usize) -> Vec<Sample> {
        let sample = |_| {
            let counts = USED.map(|feature| (feature as u16, random.random_range(-2..=2i8)));
            let together = f64::from(counts[0].1) * f64::from(counts[1].1);
            let phases = [[0.75, 0.25, 0.0], [0.0, 0.25, 0.75]];
            Sample {
                counts: counts.into(),
                phase: phases[random.random_range(0..2)],
                result: f32::from(u8::from(random.random_bool(0.5 + together / 10.0))),
                searched: 0.5,
            }
        };
        (0..count).map(sample).collect()
    }

    const OPTIONS: FitOptions = FitOptions { epochs: 200, score_share: 0.0, step: 0.02, decay: 0.1 };

    /// The loss of a sample as a textbook has it.
    fn slow_loss(sample: &Sample, net: &[f64], sum: f64, share: f64) -> f64 {
        let mut score = sum;
        for neuron in 0..NEURONS {
            let mut value = net[BIAS + neuron];
            for &(feature, count) in &sample.counts {
                value += net[usize::from(feature) * NEURONS + neuron] * f64::from(count);
            }
            for phase in 0..3 {
                let worth = net[OUTPUTS + 3 * neuron + phase];
                score += value.clamp(0.0, 1.0) * worth * f64::from(sample.phase[phase]);
            }
        }
        let chance = 1.0 / (1.0 + f64::exp(-score));
        let wanted = share * f64::from(sample.searched) + (1.0 - share) * f64::from(sample.result);
        -(wanted * chance.ln() + (1.0 - wanted) * (1.0 - chance).ln())
    }

    #[test]
    fn slopes_are_those_of_the_reference() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        // More than a part, and a last one that is not full.
        let samples = made_up(&mut random, PART_SAMPLES + 300);
        let sums: Vec<f32> = samples.iter().map(|_| random.random_range(-1.0..1.0)).collect();
        let batch: Vec<u32> = (0..samples.len() as u32).rev().step_by(2).collect();
        let numbers: Vec<f32> = (0..NET_NUMBERS).map(|_| random.random_range(-0.6..0.6)).collect();
        let net: Vec<f64> = numbers.iter().copied().map(f64::from).collect();
        let share = 0.25;
        let (slopes, loss) = Net(numbers).slopes(&samples, &sums, &batch, share);
        let height = |net: &[f64]| -> f64 {
            let of = |&number: &u32| {
                let sum = sums[number as usize].into();
                slow_loss(&samples[number as usize], net, sum, share.into())
            };
            batch.iter().map(of).sum()
        };
        assert!((loss - height(&net)).abs() < 1e-2, "{loss}");
        let rows = USED.iter().flat_map(|feature| feature * NEURONS..(feature + 1) * NEURONS);
        let mut moved = 0;
        for number in rows.chain(BIAS..NET_NUMBERS) {
            let expected = slope(&height, &net, number);
            let found = f64::from(slopes[number]);
            // If a neuron is exactly at 0 or 1, the reference sees both sides of the edge.
            assert!((found - expected).abs() < 0.3, "{number}: {found}, not {expected}");
            moved += usize::from(expected.abs() > 1.0);
        }
        assert!(moved > 30, "{moved}");
        let unused = slopes[..ROWS].iter().filter(|&&slope| slope != 0.0).count();
        assert!(unused <= USED.len() * NEURONS);
    }

    #[test]
    fn a_layer_learns_products_of_features() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
        let [training, held_out] = [6000, 2000].map(|count| made_up(&mut random, count));
        let weights = Weights::zero();
        let mut losses = Vec::new();
        let found = fit_layer(&training, &held_out, &weights, None, &OPTIONS, |epoch| {
            losses.push(epoch.loss);
            ControlFlow::Continue(())
        });
        assert_eq!(losses.len(), 200);
        // No sum can do better than even chances; with the products the loss is 0.605.
        let [before, after] = found.held_out;
        assert!((before - f64::ln(2.0)).abs() < 1e-6, "{before}");
        assert!(after < 0.625, "{after}");
        // The reported loss is that of the whole numbers which are played with.
        let text = tak_engine::weights::format_table(&found.layer, Size::ALL[2]);
        let again = tak_engine::weights::sections(&text).unwrap()[0].read::<Layer>().unwrap();
        let net: Vec<f64> = Net::of(&again).0.into_iter().map(f64::from).collect();
        let losses = held_out.iter().map(|sample| slow_loss(sample, &net, 0.0, 0.0));
        let mean = losses.sum::<f64>() / held_out.len() as f64;
        assert!((mean - after).abs() < 1e-5, "{mean}, not {after}");
        // Features that do not occur have no weight.
        let rows = found.layer.rows.as_flattened();
        let used = rows.iter().filter(|row| row.iter().any(|&weight| weight != 0)).count();
        assert_eq!(used, USED.len());
    }

    #[test]
    fn a_layer_is_independent_of_the_core_count() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
        // In which order two parts are added makes no difference.
        let samples = made_up(&mut random, 5 * PART_SAMPLES);
        let short = FitOptions { epochs: 10, ..OPTIONS };
        let fit = || fit_layer(&samples, &[], &Weights::zero(), None, &short, |_| ControlFlow::Continue(()));
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        assert_eq!(one.install(fit).layer, fit().layer);
    }

    #[test]
    fn rescaling_multiplies_every_score() {
        let size = Size::ALL[3];
        let (weights, layer) = (tak_engine::eval::weights(size), tak_engine::eval::layer(size));
        let (smaller, smaller_layer) = rescaled(weights, layer, 0.5);
        let before = Evaluator::new(weights, layer);
        let after = Evaluator::new(&smaller, &smaller_layer);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(6);
        let mut scores = 0;
        for _ in 0..40 {
            let mut position = Position::<6>::start(Komi::ZERO);
            while position.outcome().is_none() && position.ply() < 40 {
                let moves = position.legal_moves();
                position.play(moves[rng.random_range(0..moves.len())]).unwrap();
                let [old, new] = [&before, &after].map(|evaluator| evaluate(&position, evaluator));
                // Every weight is rounded, and counts a few times.
                assert!((2 * new - old).abs() <= 60, "{new} for {old}");
                scores += old.abs();
            }
        }
        assert!(scores > 40_000, "{scores}");
    }

    #[test]
    fn a_layer_grows_from_what_it_knows() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
        let [training, held_out] = [6000, 2000].map(|count| made_up(&mut random, count));
        let fit = |start: Option<&Layer>| {
            let short = FitOptions { epochs: 40, ..OPTIONS };
            fit_layer(&training, &held_out, &Weights::zero(), start, &short, |_| ControlFlow::Continue(()))
        };
        let has_output = |layer: &Layer| layer.output.iter().all(|output| *output != [0; 3]);
        let mut small = fit(None).layer;
        assert!(has_output(&small));
        small.output[2..].fill([0; 3]);
        let grown = fit(Some(&small));
        assert!(has_output(&grown.layer));
        let [before, after] = grown.held_out;
        assert!(after < before, "{after}, from {before}");
    }

    #[test]
    fn a_refined_layer_keeps_its_fit() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        let [training, held_out] = [6000, 2000].map(|count| made_up(&mut random, count));
        let weights = Weights::zero();
        let fit = |start: Option<&Layer>, options: &FitOptions| {
            fit_layer(&training, &held_out, &weights, start, options, |_| ControlFlow::Continue(()))
        };
        let found = fit(None, &OPTIONS);
        let (mut known, [_, reached]) = (found.layer, found.held_out);
        // A feature that is in no sample: no pull changes it.
        let unseen = USED[0] + 1;
        known.rows[0][unseen][2] = 77;
        let gentle = FitOptions { epochs: 2, step: OPTIONS.step / 8.0, ..OPTIONS };
        let refined = fit(Some(&known), &gentle);
        assert_eq!(refined.layer.rows[0][unseen], known.rows[0][unseen]);
        assert_ne!(refined.layer, known);
        // It starts where it was, which so short a fit from random numbers does not reach.
        let [before, after] = refined.held_out;
        assert!((before - reached).abs() < 1e-6, "{before}, not {reached}");
        assert!(after < reached + 0.002, "{after}, from {reached}");
        assert!(fit(None, &gentle).held_out[1] > reached + 0.02);
    }
}
