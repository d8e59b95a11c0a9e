//! Fitting evaluation weights to games: logistic regression by gradient descent over traced features.

use std::ops::ControlFlow;

use rayon::prelude::*;
use tak_engine::board::{Color, Size};
use tak_engine::eval::{Count, Weights, limits};
use tak_engine::search::Score;
use tak_engine::weights::WeightTable;

use super::adam::{Adam, Epoch, mean};
use crate::games::{TrainingGame, white_score};

/// A position as the fit sees it.
#[derive(Debug, Clone)]
pub struct Sample {
    /// Features and how often they count for the player to move, at most 127 times.
    pub(super) counts: Box<[(u16, i8)]>,
    /// Shares of opening, middle game and end.
    pub(super) phase: [f32; 3],
    /// That player's share of the point by the game's result, 0 to 1.
    pub(super) result: f32,
    /// The same as the search's score expects it.
    pub(super) searched: f32,
}

#[derive(Debug, Clone, Copy)]
pub struct FitOptions {
    /// Passes over the samples.
    pub epochs: u32,
    /// The share of the search's score in the target, 0 to 1; the rest is the game's result.
    pub score_share: f32,
    /// The first step of a weight, in centiflats.
    pub step: f32,
    /// Pull towards the starting weights, for features that hardly occur.
    pub decay: f32,
}

#[derive(Debug, Clone)]
pub struct Fit {
    /// The weights, rounded to centiflats.
    pub weights: Box<Weights>,
    /// Mean loss over the held-out samples before and after.
    pub held_out: [f64; 2],
    /// For ten bands of predicted chances: samples, mean prediction, mean result.
    pub calibration: Vec<(usize, f64, f64)>,
}

/// Adds the positions of a game that are like those that a search evaluates: none of the opening, none with a proven
/// score, none in which a move wins at once, and none with a threatened road.
/// So many centiflats of a search's score, `score_scale`, are taken to raise the odds of winning by a factor of e.
pub fn collect(size: Size, game: &TrainingGame, score_scale: f32, samples: &mut Vec<Sample>) {
    let mut position = game.start(size);
    for (index, ply) in game.plies.iter().enumerate() {
        let mover = position.to_move();
        let quiet = index >= usize::from(game.opening)
            && !is_proven(ply.score)
            && position.outcome().is_none()
            && position.winning_move(mover).is_none()
            && position.winning_move(!mover).is_none();
        if quiet {
            let white = white_score(game.winner);
            samples.push(Sample {
                counts: narrow(&position.trace()),
                phase: position.phase().map(|share| share as f32 / 256.0),
                result: if mover == Color::White { white } else { 1.0 - white },
                searched: sigmoid(f32::from(ply.score) * (FIT_SCALE as f32 / score_scale)),
            });
        }
        if position.play(ply.mv).is_err() {
            return;
        }
    }
}

fn is_proven(score: i16) -> bool {
    i32::from(score).abs() > Score::MAX_EVALUATION
}

fn narrow(counts: &[Count]) -> Box<[(u16, i8)]> {
    counts.iter().map(|&(index, count)| (index, count.clamp(-127, 127) as i8)).collect()
}

/// Weights of one feature in the three phases, as the fit moves them.
pub(super) type Point = [f32; 3];

/// Fits weights to `training`, starting from `start`, and judges them by `held_out`.
pub fn fit(
    training: &[Sample],
    held_out: &[Sample],
    start: &Weights,
    options: &FitOptions,
    progress: impl FnMut(Epoch) -> ControlFlow<()>,
) -> Fit {
    let origin = points(start);
    let mut point = origin.clone();
    let share = options.score_share;
    let before = loss(held_out, &point, share);
    let origin = origin.as_flattened();
    Adam::new(origin.len(), options.epochs, options.step, 0.999).run(
        point.as_flattened_mut(),
        |point| slopes(training, point.as_chunks().0, share),
        |number, value| options.decay * (value - origin[number]),
        progress,
    );
    let mut weights = Weights::zero();
    let limits = limits::<Weights>().cycle();
    for ((weight, point), limit) in weights.as_flattened_mut().iter_mut().zip(&point).zip(limits) {
        *weight = point.map(|weight| (weight.round() as i32).clamp(-limit, limit));
    }
    let after = loss(held_out, &point, share);
    Fit { weights, held_out: [before, after], calibration: calibration(held_out, |sample| predict(sample, &point)) }
}

fn predict(sample: &Sample, point: &[Point]) -> f32 {
    sigmoid(weigh(sample, point))
}

/// The weighted sum of a sample in centiflats.
pub(super) fn weigh(sample: &Sample, point: &[Point]) -> f32 {
    let mut sum = [0.0f32; 3];
    for &(feature, count) in &*sample.counts {
        let weight = point[usize::from(feature)];
        for phase in 0..3 {
            sum[phase] += weight[phase] * f32::from(count);
        }
    }
    sum.iter().zip(sample.phase).map(|(sum, share)| sum * share).sum()
}

/// Weights as the fit moves them.
pub(super) fn points(weights: &Weights) -> Vec<Point> {
    weights.iter().flatten().map(|w| [w[0] as f32, w[1] as f32, w[2] as f32]).collect()
}

/// Centiflats of the evaluation that raise the odds of winning by a factor of e. All weights are fitted in this
/// unit, so it defines the centiflat. The score of a search predicts the result better, see `search::wdl`.
pub(super) const FIT_SCALE: f64 = 200.0;

/// The chance of a player by an evaluation in centiflats.
pub(super) fn sigmoid(score: f32) -> f32 {
    1.0 / (1.0 + (-score / FIT_SCALE as f32).exp())
}

pub(super) fn target(sample: &Sample, share: f32) -> f32 {
    share * sample.searched + (1.0 - share) * sample.result
}

pub(super) fn cross_entropy(predicted: f32, target: f32) -> f64 {
    let p = f64::from(predicted).clamp(1e-7, 1.0 - 1e-7);
    let t = f64::from(target);
    -(t * p.ln() + (1.0 - t) * (1.0 - p).ln())
}

fn loss(samples: &[Sample], point: &[Point], share: f32) -> f64 {
    let sum: f64 = samples.par_iter().map(|s| cross_entropy(predict(s, point), target(s, share))).sum();
    sum / samples.len().max(1) as f64
}

/// The slopes of the mean loss, three per feature, and the loss.
fn slopes(samples: &[Sample], point: &[Point], share: f32) -> (Vec<f32>, f64) {
    mean(samples, 8192, 3 * point.len(), |sample, slopes| {
        let predicted = predict(sample, point);
        let target = target(sample, share);
        let error = predicted - target;
        for &(feature, count) in &*sample.counts {
            let slopes = &mut slopes[3 * usize::from(feature)..][..3];
            for (slope, share) in slopes.iter_mut().zip(sample.phase) {
                *slope += error * f32::from(count) * share;
            }
        }
        cross_entropy(predicted, target)
    })
}

/// For ten bands of predicted chances: samples, mean prediction, mean result.
pub(super) fn calibration(samples: &[Sample], predict: impl Fn(&Sample) -> f32) -> Vec<(usize, f64, f64)> {
    let mut bands = vec![(0usize, 0.0, 0.0); 10];
    for sample in samples {
        let predicted = f64::from(predict(sample));
        let band = &mut bands[((predicted * 10.0) as usize).min(9)];
        band.0 += 1;
        band.1 += predicted;
        band.2 += f64::from(sample.result);
    }
    let mean = |(count, predicted, result): (usize, f64, f64)| {
        let n = count.max(1) as f64;
        (count, predicted / n, result / n)
    };
    bands.into_iter().map(mean).collect()
}

#[cfg(test)]
mod tests {
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt, SeedableRng};
    use tak_engine::board::{AnyPosition, Komi};
    use tak_engine::eval::{Evaluator, FEATURES, Layer, weights};

    use super::*;
    use crate::fit::reference::lowest;
    use crate::games::Ply;

    /// The features that occur in made-up samples, of both players.
    const USED: [usize; 4] = [0, 7, FEATURES - 1, FEATURES + 7];

    /// Samples of these features in all phases, with results that a line of weights explains only in part.
    fn made_up(random: &mut Xoshiro256PlusPlus, count: usize) -> Vec<Sample> {
        let sample = |_| {
            let counts = USED.map(|feature| (feature as u16, random.random_range(-3..=3)));
            let phases = [[0.75, 0.25, 0.0], [0.25, 0.75, 0.0], [0.0, 0.25, 0.75]];
            let lead = f32::from(counts[0].1) - f32::from(counts[2].1);
            let result = f32::from(u8::from(random.random_bool(0.5 + f64::from(lead) / 16.0)));
            Sample {
                counts: counts.into(),
                phase: phases[random.random_range(0..3)],
                result,
                searched: random.random_range(0.2..0.8),
            }
        };
        (0..count).map(sample).collect()
    }

    /// The mean loss as a textbook has it. `point` has the three weights of each feature that is used.
    fn slow_loss(samples: &[Sample], point: &[f64], share: f64) -> f64 {
        let mut sum = 0.0;
        for sample in samples {
            let mut score = 0.0;
            for &(feature, count) in &sample.counts {
                let place = USED.iter().position(|&used| used == usize::from(feature));
                for phase in 0..3 {
                    let weight = point[3 * place.unwrap() + phase];
                    score += weight * f64::from(count) * f64::from(sample.phase[phase]);
                }
            }
            let chance = 1.0 / (1.0 + f64::exp(-score / FIT_SCALE));
            let wanted = share * f64::from(sample.searched) + (1.0 - share) * f64::from(sample.result);
            sum -= wanted * f64::ln(chance) + (1.0 - wanted) * f64::ln(1.0 - chance);
        }
        sum / samples.len() as f64
    }

    #[test]
    fn the_fit_finds_the_lowest_point() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
        let training = made_up(&mut random, 400);
        let held_out = made_up(&mut random, 100);
        let mut start = Weights::zero();
        start.as_flattened_mut()[USED[1]] = [40, -30, 20];
        let options = FitOptions { epochs: 600, score_share: 0.25, step: 4.0, decay: 1e-4 };
        let mut losses = Vec::new();
        let found = fit(&training, &held_out, &start, &options, |progress| {
            losses.push(progress.loss);
            ControlFlow::Continue(())
        });

        let origin: Vec<f64> =
            USED.iter().flat_map(|&feature| start.as_flattened()[feature][..3].to_vec()).map(f64::from).collect();
        let height = |point: &[f64]| {
            let moved = point.iter().zip(&origin).map(|(w, o)| (w - o).powi(2));
            FIT_SCALE * slow_loss(&training, point, 0.25) + f64::from(options.decay) / 2.0 * moved.sum::<f64>()
        };
        let expected = lowest(&height, &origin, 64.0, 0.01);
        for (index, expected) in expected.iter().enumerate() {
            let weight = found.weights.as_flattened()[USED[index / 3]][index % 3];
            assert!((f64::from(weight) - expected).abs() < 1.5, "weight {index}: {weight}, not {expected}");
        }
        assert!(expected.iter().zip(&origin).any(|(w, o)| (w - o).abs() > 20.0));
        // Features that do not occur keep their weights, and the losses are those of the right point.
        let moved =
            (0..2 * FEATURES).filter(|&feature| found.weights.as_flattened()[feature] != start.as_flattened()[feature]);
        assert!(moved.into_iter().all(|feature| USED.contains(&feature)));
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-4, "{a}, not {b}");
        assert_eq!(losses.len(), 600);
        close(losses[0], slow_loss(&training, &origin, 0.25));
        close(losses[599], slow_loss(&training, &expected, 0.25));
        close(found.held_out[0], slow_loss(&held_out, &origin, 0.25));
        close(found.held_out[1], slow_loss(&held_out, &expected, 0.25));
    }

    /// Positions collected from games must have the evaluation of a search and the results of the games.
    #[test]
    fn samples_have_the_score_of_the_evaluation() {
        for size in Size::ALL {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(size.width() as u64);
            let start = weights(size);
            let point = points(start);
            let plain = Evaluator::new(start, &Layer::zero());
            let mut quiet = 0;
            for number in 0..20 {
                let mut position = AnyPosition::start(size, Komi::ZERO);
                let mut plies = Vec::new();
                let mut expected = Vec::new();
                while position.outcome().is_none() && plies.len() < 100 {
                    let moves = position.legal_moves();
                    let score = random.random_range(-300..300);
                    let taks = Color::ALL.map(|color| position.winning_move(color).is_some());
                    if plies.len() >= 4 && taks == [false; 2] {
                        let sum: f64 = position.explain(&plain).iter().map(|e| e.score).sum();
                        expected.push((position.to_move(), sum, score));
                    }
                    let mv = moves[random.random_range(0..moves.len())];
                    plies.push(Ply { mv, score });
                    position.play(mv).unwrap();
                }
                let game = TrainingGame {
                    number,
                    half_komi: 0,
                    opening_rule: position.opening(),
                    winner: position.outcome().and_then(|outcome| outcome.winner),
                    opening: 4,
                    plies,
                };
                let mut samples = Vec::new();
                collect(size, &game, FIT_SCALE as f32, &mut samples);
                assert_eq!(samples.len(), expected.len());
                quiet += samples.len();
                let chance = |score: f64| 1.0 / (1.0 + f64::exp(-score / FIT_SCALE));
                for (sample, (mover, sum, score)) in samples.iter().zip(expected) {
                    let near = |found: f32, expected: f64| {
                        let distance = (f64::from(found) - expected).abs();
                        assert!(distance < 1e-4, "{size}: {found}, not {expected}");
                    };
                    near(predict(sample, &point), chance(sum));
                    near(sample.searched, chance(score.into()));
                    near(
                        sample.result,
                        match game.winner {
                            None => 0.5,
                            Some(winner) => f64::from(u8::from(winner == mover)),
                        },
                    );
                }
            }
            assert!(quiet > 20, "{size}: {quiet} samples");
        }
    }
}
