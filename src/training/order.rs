//! Fitting the move-ordering model to the moves chosen in games: multinomial logistic regression.

use std::fmt::Write;

use rayon::prelude::*;

use super::games::GameRecord;
use crate::board::{Move, Size, Square};
use crate::engine::AnyPosition;
use crate::search::{MOVE_FEATURES, MoveWeights};

/// A position as this fit sees it: the features of each legal move, and which move was chosen.
#[derive(Debug, Clone)]
pub struct Choice {
    /// All features, move after move.
    features: Box<[u16]>,
    /// Where the features of each move end.
    ends: Box<[u32]>,
    chosen: usize,
}

/// What a fit of the move order found.
#[derive(Debug, Clone)]
pub struct OrderFit {
    /// The weights, in 1/64 of a natural logarithm of odds.
    pub weights: Box<MoveWeights>,
    /// Mean surprise (cross entropy) over the held-out choices, before and after.
    pub held_out: [f64; 2],
    /// How often the held-out choice was the model's first, and among its first four, before and after.
    pub hits: [[f64; 2]; 2],
}

/// Every searched choice of a game, but for those with hardly an alternative. At most one in `thin` is taken.
pub fn collect_choices(size: Size, game: &GameRecord, thin: usize, choices: &mut Vec<Choice>) {
    let mut position = game.start(size);
    let mut last: Option<Square> = None;
    for (index, ply) in game.plies.iter().enumerate() {
        let wanted = index >= usize::from(game.opening).max(2)
            && (index + game.number as usize).is_multiple_of(thin);
        if wanted && position.winning_move(position.to_move()).is_none() {
            choices.extend(choice(&position, last, ply.mv));
        }
        last = Some(ply.mv.target());
        if position.try_play(ply.mv).is_err() {
            return;
        }
    }
}

fn choice(position: &AnyPosition, last: Option<Square>, chosen: Move) -> Option<Choice> {
    let moves = position.legal_moves();
    let chosen = moves.iter().position(|&mv| mv == chosen)?;
    let mut features = Vec::new();
    let mut ends = Vec::with_capacity(moves.len());
    position.move_features(&moves, last, |of_move| {
        features.extend(of_move.iter().map(|&feature| feature as u16));
        ends.push(features.len() as u32);
    });
    Some(Choice {
        features: features.into(),
        ends: ends.into(),
        chosen,
    })
}

impl Choice {
    fn moves(&self) -> impl Iterator<Item = &[u16]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts
            .zip(&*self.ends)
            .map(|(start, &end)| &self.features[start as usize..end as usize])
    }

    /// The chance that the model gives each move.
    fn chances(&self, point: &[f32], chances: &mut Vec<f32>) {
        chances.clear();
        chances.extend(
            self.moves()
                .map(|features| features.iter().map(|&f| point[usize::from(f)]).sum::<f32>()),
        );
        let most = chances.iter().copied().fold(f32::MIN, f32::max);
        let mut total = 0.0;
        for chance in &mut *chances {
            *chance = (*chance - most).exp();
            total += *chance;
        }
        for chance in chances {
            *chance /= total;
        }
    }
}

/// Weights are stored in this fraction of a natural logarithm of odds.
const UNIT: f32 = 64.0;

/// Fits the model by `epochs` passes of Adam over all of `training`.
pub fn fit_order(
    training: &[Choice],
    held_out: &[Choice],
    start: &MoveWeights,
    epochs: u32,
    mut progress: impl FnMut(u32, f64),
) -> OrderFit {
    let origin: Vec<f32> = start.iter().map(|&w| f32::from(w) / UNIT).collect();
    let mut point = origin.clone();
    let before = judge(held_out, &origin);
    let (mut mean, mut square) = (vec![0.0f32; MOVE_FEATURES], vec![0.0f32; MOVE_FEATURES]);
    for epoch in 1..=epochs {
        let (gradient, loss) = gradient(training, &point);
        let turn = f64::from(epoch - 1) / f64::from(epochs) * std::f64::consts::PI;
        let step = 0.1 * (0.5 + 0.5 * turn.cos()) as f32;
        for feature in 0..MOVE_FEATURES {
            // A slight pull to zero keeps features that always come together from drifting apart.
            let slope = gradient[feature] + 1e-5 * point[feature];
            mean[feature] = 0.9 * mean[feature] + 0.1 * slope;
            square[feature] = 0.99 * square[feature] + 0.01 * slope * slope;
            let bias = |beta: f32| 1.0 - beta.powi(epoch as i32);
            let scale = (square[feature] / bias(0.99)).sqrt() + 1e-9;
            point[feature] -= step * (mean[feature] / bias(0.9)) / scale;
        }
        progress(epoch, loss);
    }
    let after = judge(held_out, &point);
    let mut weights = Box::new([0; MOVE_FEATURES]);
    for (weight, point) in weights.iter_mut().zip(&point) {
        *weight = (point * UNIT).round().clamp(-2000.0, 2000.0) as i16;
    }
    OrderFit {
        weights,
        held_out: [before.0, after.0],
        hits: [before.1, after.1],
    }
}

fn gradient(choices: &[Choice], point: &[f32]) -> (Vec<f32>, f64) {
    let part = |choices: &[Choice]| {
        let mut gradient = vec![0.0f32; MOVE_FEATURES];
        let mut loss = 0.0f64;
        let mut chances = Vec::new();
        for choice in choices {
            choice.chances(point, &mut chances);
            loss -= f64::from(chances[choice.chosen].max(1e-9)).ln();
            for (index, features) in choice.moves().enumerate() {
                let error = chances[index] - f32::from(u8::from(index == choice.chosen));
                for &feature in features {
                    gradient[usize::from(feature)] += error;
                }
            }
        }
        (gradient, loss)
    };
    let parts: Vec<_> = choices.par_chunks(2048).map(part).collect();
    let (mut gradient, mut loss) = (vec![0.0f32; MOVE_FEATURES], 0.0);
    for (part, part_loss) in parts {
        gradient
            .iter_mut()
            .zip(&part)
            .for_each(|(sum, slope)| *sum += slope);
        loss += part_loss;
    }
    let count = choices.len().max(1) as f32;
    for slope in &mut gradient {
        *slope /= count;
    }
    (gradient, loss / f64::from(count))
}

/// Mean surprise, and how often the choice comes first and among the first four.
fn judge(choices: &[Choice], point: &[f32]) -> (f64, [f64; 2]) {
    let one = |choice: &Choice| {
        let mut chances = Vec::new();
        choice.chances(point, &mut chances);
        let own = chances[choice.chosen];
        let better = chances.iter().filter(|&&chance| chance > own).count();
        (
            -f64::from(own.max(1e-9)).ln(),
            [
                f64::from(u8::from(better < 1)),
                f64::from(u8::from(better < 4)),
            ],
        )
    };
    let add = |(a, [b, c]): (f64, [f64; 2]), (x, [y, z]): (f64, [f64; 2])| (a + x, [b + y, c + z]);
    let (loss, [first, four]) = choices.par_iter().map(one).reduce(|| (0.0, [0.0; 2]), add);
    let count = choices.len().max(1) as f64;
    (loss / count, [first / count, four / count])
}

/// The source text of `src/search/policy/weights.rs` with these weights for 3x3 to 8x8.
#[must_use]
pub fn format_move_weights(by_size: &[&MoveWeights; 6]) -> String {
    let mut text = String::from(HEADER);
    for (width, weights) in (3..).zip(by_size) {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "\n#[rustfmt::skip]\nconst W{width}: MoveWeights = [");
        for row in weights.chunks(16) {
            let row: Vec<String> = row.iter().map(i16::to_string).collect();
            let _ = writeln!(text, "    {},", row.join(", "));
        }
        text.push_str("];\n");
    }
    text
}

const HEADER: &str = "\
//! The weights of the move-ordering model for each board size, in 1/64 of a natural logarithm of odds.
//!
//! They follow the order of the features in `mod.rs`. The file is data, written by `tak-engine tune`.

use super::MoveWeights;

/// The weights for 3x3 to 8x8.
pub(super) static BY_SIZE: [MoveWeights; 6] = [W3, W4, W5, W6, W7, W8];
";
