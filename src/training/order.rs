//! Fitting the move-ordering model to the moves chosen in games: multinomial logistic regression.

use rayon::prelude::*;

use super::adam::Adam;
use super::games::TrainingGame;
use crate::board::AnyPosition;
use crate::board::{Move, Size, Square};
use crate::search::{MOVE_FEATURES, MoveWeights};
use crate::weights::WeightTable;

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

/// Adds the searched choices of a game, one in `thin` plies. Left out are those where a move wins at once.
pub fn collect_choices(size: Size, game: &TrainingGame, thin: usize, choices: &mut Vec<Choice>) {
    let mut position = game.start(size);
    let mut last: Option<Square> = None;
    for (index, ply) in game.plies.iter().enumerate() {
        let wanted = index >= usize::from(game.opening).max(2)
            && (index + game.number as usize).is_multiple_of(thin);
        if wanted && position.winning_move(position.to_move()).is_none() {
            choices.extend(choice(&position, last, ply.mv));
        }
        last = Some(ply.mv.target());
        if position.play(ply.mv).is_err() {
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
    let mut adam = Adam::new(MOVE_FEATURES, epochs, 0.1, 0.99);
    for epoch in 1..=epochs {
        let (gradient, loss) = gradient(training, &point);
        // A slight pull to zero keeps features that always come together from drifting apart.
        adam.descend(&mut point, |number, value| gradient[number] + 1e-5 * value);
        progress(epoch, loss);
    }
    let after = judge(held_out, &point);
    let mut weights = MoveWeights::zero();
    for (weight, point) in weights.iter_mut().zip(&point) {
        let whole = (point * UNIT).round() as i32;
        *weight = whole.clamp(-MoveWeights::LIMIT, MoveWeights::LIMIT) as i16;
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

/// Mean surprise, and the shares of choices that the model puts first and among its first four.
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
