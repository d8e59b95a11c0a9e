//! Fitting evaluation weights to games: logistic regression by gradient descent over traced features.

use rayon::prelude::*;

use super::adam::Adam;
use super::games::TrainingGame;
use super::selfplay::white_score;
use crate::board::{Color, Size};
use crate::eval::{Count, FEATURES, Weights};
use crate::search::{CHANCE_SCALE, Score};
use crate::weights::WeightTable;

/// A position as the fit sees it.
#[derive(Debug, Clone)]
pub struct Sample {
    /// Features and how often they count for the player to move, at most 127 times.
    counts: Box<[(u16, i8)]>,
    /// Shares of opening, middle game and end.
    phase: [f32; 3],
    /// That player's share of the point by the game's result, 0 to 1.
    result: f32,
    /// The same as the search's score expects it.
    searched: f32,
}

/// How to fit.
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

/// What an epoch of a fit came to.
#[derive(Debug, Clone, Copy)]
pub struct Epoch {
    /// Its number, from 1.
    pub number: u32,
    /// Mean logistic loss over the training samples.
    pub loss: f64,
}

/// What a fit found.
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
pub fn collect(size: Size, game: &TrainingGame, samples: &mut Vec<Sample>) {
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
                result: if mover == Color::White {
                    white
                } else {
                    1.0 - white
                },
                searched: sigmoid(f32::from(ply.score)),
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
    counts
        .iter()
        .map(|&(index, count)| (index, count.clamp(-127, 127) as i8))
        .collect()
}

/// Weights of one feature in the three phases, as the fit moves them.
type Point = [f32; 3];

/// Fits weights to `training`, starting from `start`, and judges them by `held_out`.
pub fn fit(
    training: &[Sample],
    held_out: &[Sample],
    start: &Weights,
    options: &FitOptions,
    mut progress: impl FnMut(Epoch),
) -> Fit {
    let origin: Vec<Point> = start
        .iter()
        .flatten()
        .map(|w| [w[0] as f32, w[1] as f32, w[2] as f32])
        .collect();
    let mut point = origin.clone();
    let before = loss(held_out, &point, options.score_share);
    let mut adam = Adam::new(
        point.as_flattened().len(),
        options.epochs,
        options.step,
        0.999,
    );
    for epoch in 1..=options.epochs {
        let (gradient, loss) = gradient(training, &point, options.score_share);
        let (slopes, origin) = (gradient.as_flattened(), origin.as_flattened());
        adam.descend(point.as_flattened_mut(), |number, value| {
            slopes[number] + options.decay * (value - origin[number])
        });
        progress(Epoch {
            number: epoch,
            loss,
        });
    }
    let mut weights = Weights::zero();
    let whole = |weight: f32| (weight.round() as i32).clamp(-Weights::LIMIT, Weights::LIMIT);
    for (weight, point) in weights.as_flattened_mut().iter_mut().zip(&point) {
        let [opening, middle, end] = point.map(whole);
        *weight = [opening, middle, end, 0];
    }
    let after = loss(held_out, &point, options.score_share);
    Fit {
        weights,
        held_out: [before, after],
        calibration: calibration(held_out, &point),
    }
}

fn predict(sample: &Sample, point: &[Point]) -> f32 {
    let mut sum = [0.0f32; 3];
    for &(feature, count) in &*sample.counts {
        let weight = point[usize::from(feature)];
        for phase in 0..3 {
            sum[phase] += weight[phase] * f32::from(count);
        }
    }
    let score: f32 = sum
        .iter()
        .zip(sample.phase)
        .map(|(sum, share)| sum * share)
        .sum();
    sigmoid(score)
}

/// The chance of a player at a score in centiflats; the same curve as `wdl`.
fn sigmoid(score: f32) -> f32 {
    1.0 / (1.0 + (-score / CHANCE_SCALE as f32).exp())
}

fn target(sample: &Sample, share: f32) -> f32 {
    share * sample.searched + (1.0 - share) * sample.result
}

fn cross_entropy(predicted: f32, target: f32) -> f64 {
    let p = f64::from(predicted).clamp(1e-7, 1.0 - 1e-7);
    let t = f64::from(target);
    -(t * p.ln() + (1.0 - t) * (1.0 - p).ln())
}

fn loss(samples: &[Sample], point: &[Point], share: f32) -> f64 {
    let sum: f64 = samples
        .par_iter()
        .map(|s| cross_entropy(predict(s, point), target(s, share)))
        .sum();
    sum / samples.len().max(1) as f64
}

/// The gradient of the mean loss, and the loss.
fn gradient(samples: &[Sample], point: &[Point], share: f32) -> (Vec<Point>, f64) {
    let zero = || (vec![[0.0f32; 3]; 2 * FEATURES], 0.0f64);
    let add_sample = |(mut gradient, loss): (Vec<Point>, f64), sample: &Sample| {
        let predicted = predict(sample, point);
        let target = target(sample, share);
        let error = predicted - target;
        for &(feature, count) in &*sample.counts {
            let slopes = &mut gradient[usize::from(feature)];
            for (slope, share) in slopes.iter_mut().zip(sample.phase) {
                *slope += error * f32::from(count) * share;
            }
        }
        (gradient, loss + cross_entropy(predicted, target))
    };
    let add = |(mut a, x): (Vec<Point>, f64), (b, y): (Vec<Point>, f64)| {
        for (a, b) in a.iter_mut().flatten().zip(b.iter().flatten()) {
            *a += b;
        }
        (a, x + y)
    };
    // Chunks of a fixed size, added up in order, give the same result on any number of cores.
    let parts: Vec<_> = samples
        .par_chunks(8192)
        .map(|chunk| chunk.iter().fold(zero(), add_sample))
        .collect();
    let (mut gradient, loss) = parts.into_iter().fold(zero(), add);
    let count = samples.len().max(1) as f32;
    gradient
        .iter_mut()
        .flatten()
        .for_each(|slope| *slope /= count);
    (gradient, loss / f64::from(count))
}

fn calibration(samples: &[Sample], point: &[Point]) -> Vec<(usize, f64, f64)> {
    let mut bands = vec![(0usize, 0.0, 0.0); 10];
    for sample in samples {
        let predicted = f64::from(predict(sample, point));
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
