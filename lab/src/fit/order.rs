//! Fitting the move-ordering model to the moves chosen in games: multinomial logistic regression.

use std::ops::ControlFlow;

use rayon::prelude::*;
use tak_engine::board::{AnyPosition, Move, Size, Square};
use tak_engine::search::{MOVE_FEATURES, MoveWeights};
use tak_engine::weights::WeightTable;

use super::adam::{Adam, Epoch, mean};
use crate::games::TrainingGame;

/// A position as this fit sees it: the features of each legal move, and which move was chosen.
#[derive(Debug, Clone)]
pub struct Choice {
    /// All features, move after move.
    features: Box<[u16]>,
    /// The ends of the features of each move.
    ends: Box<[u32]>,
    chosen: usize,
}

#[derive(Debug, Clone)]
pub struct OrderFit {
    /// The weights, in 1/64 of a natural logarithm of odds.
    pub weights: Box<MoveWeights>,
    /// Mean surprise (cross entropy) over the held-out choices, before and after.
    pub held_out: [f64; 2],
    /// Shares of held-out choices that were the model's first, and among its first four, before and after.
    pub hits: [[f64; 2]; 2],
}

/// Adds the searched choices of a game, one in `thin` plies. Skips positions with an immediate win.
pub fn collect_choices(size: Size, game: &TrainingGame, thin: usize, choices: &mut Vec<Choice>) {
    let mut position = game.start(size);
    let mut last: Option<Square> = None;
    for (index, ply) in game.plies.iter().enumerate() {
        let wanted = index >= usize::from(game.opening).max(2) && (index + game.number as usize).is_multiple_of(thin);
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
    Some(Choice { features: features.into(), ends: ends.into(), chosen })
}

impl Choice {
    fn moves(&self) -> impl Iterator<Item = &[u16]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&*self.ends).map(|(start, &end)| &self.features[start as usize..end as usize])
    }

    /// The chance that the model gives each move.
    fn chances(&self, point: &[f32]) -> Vec<f32> {
        let score = |features: &[u16]| features.iter().map(|&f| point[usize::from(f)]).sum::<f32>();
        let mut chances: Vec<f32> = self.moves().map(score).collect();
        let most = chances.iter().copied().fold(f32::MIN, f32::max);
        for chance in &mut chances {
            *chance = (*chance - most).exp();
        }
        let total: f32 = chances.iter().sum();
        for chance in &mut chances {
            *chance /= total;
        }
        chances
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
    progress: impl FnMut(Epoch) -> ControlFlow<()>,
) -> OrderFit {
    let mut point: Vec<f32> = start.iter().map(|&w| f32::from(w) / UNIT).collect();
    let before = judge(held_out, &point);
    Adam::new(MOVE_FEATURES, epochs, 0.1, 0.99).run(
        &mut point,
        |point| slopes(training, point),
        // A slight pull to zero keeps features that always come together from drifting apart.
        |_, value| 1e-5 * value,
        progress,
    );
    let after = judge(held_out, &point);
    let mut weights = MoveWeights::zero();
    for (weight, point) in weights.iter_mut().zip(&point) {
        let whole = (point * UNIT).round() as i32;
        *weight = whole.clamp(-MoveWeights::LIMIT, MoveWeights::LIMIT) as i16;
    }
    OrderFit { weights, held_out: [before.0, after.0], hits: [before.1, after.1] }
}

fn slopes(choices: &[Choice], point: &[f32]) -> (Vec<f32>, f64) {
    mean(choices, 2048, MOVE_FEATURES, |choice, slopes| {
        let chances = choice.chances(point);
        for (index, features) in choice.moves().enumerate() {
            let error = chances[index] - f32::from(u8::from(index == choice.chosen));
            for &feature in features {
                slopes[usize::from(feature)] += error;
            }
        }
        -f64::from(chances[choice.chosen].max(1e-9)).ln()
    })
}

/// Mean surprise, and the shares of choices that the model puts first and among its first four.
fn judge(choices: &[Choice], point: &[f32]) -> (f64, [f64; 2]) {
    let one = |choice: &Choice| {
        let chances = choice.chances(point);
        let own = chances[choice.chosen];
        let better = chances.iter().filter(|&&chance| chance > own).count();
        (-f64::from(own.max(1e-9)).ln(), [f64::from(u8::from(better < 1)), f64::from(u8::from(better < 4))])
    };
    let add = |(a, [b, c]): (f64, [f64; 2]), (x, [y, z]): (f64, [f64; 2])| (a + x, [b + y, c + z]);
    let (loss, [first, four]) = choices.par_iter().map(one).reduce(|| (0.0, [0.0; 2]), add);
    let count = choices.len().max(1) as f64;
    (loss / count, [first / count, four / count])
}

#[cfg(test)]
mod tests {
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::fit::reference::lowest;

    /// The features that occur in made-up choices.
    const USED: [usize; 5] = [0, 3, 100, MOVE_FEATURES - 2, MOVE_FEATURES - 1];

    /// Choices between two to six moves with each of these features up to twice. The first two features attract.
    fn made_up(random: &mut Xoshiro256PlusPlus, count: usize) -> Vec<Choice> {
        let choice = |_| {
            let (mut features, mut ends) = (Vec::new(), Vec::new());
            let mut most = (f64::MIN, 0);
            for index in 0..random.random_range(2..=6) {
                let mut attraction = random.random_range(0.0..3.0);
                // In their order, as real ones are: added up otherwise, the same might be better by rounding.
                for (place, feature) in USED.into_iter().enumerate() {
                    let times = random.random_range(0..=2);
                    features.extend([feature as u16; 2].into_iter().take(times));
                    attraction += if place < 2 { 0.5 * times as f64 } else { 0.0 };
                }
                ends.push(features.len() as u32);
                if attraction > most.0 {
                    most = (attraction, index);
                }
            }
            Choice { features: features.into(), ends: ends.into(), chosen: most.1 }
        };
        (0..count).map(choice).collect()
    }

    /// The chances of all moves as a textbook has them. `point` has the weights of the features that are used.
    fn slow_chances(choice: &Choice, point: &[f64]) -> Vec<f64> {
        let mut start = 0;
        let mut powers = Vec::new();
        for &end in &choice.ends {
            let mut score = 0.0;
            for &feature in &choice.features[start..end as usize] {
                let place = USED.iter().position(|&used| used == usize::from(feature));
                score += point[place.unwrap()];
            }
            powers.push(f64::exp(score));
            start = end as usize;
        }
        let sum: f64 = powers.iter().sum();
        powers.into_iter().map(|power| power / sum).collect()
    }

    fn slow_loss(choices: &[Choice], point: &[f64]) -> f64 {
        let surprise = |choice: &Choice| -f64::ln(slow_chances(choice, point)[choice.chosen]);
        choices.iter().map(surprise).sum::<f64>() / choices.len() as f64
    }

    #[test]
    fn the_fit_finds_the_lowest_point() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
        let training = made_up(&mut random, 500);
        let held_out = made_up(&mut random, 200);
        let mut start = MoveWeights::zero();
        start[USED[2]] = 32;
        let mut losses = Vec::new();
        let found = fit_order(&training, &held_out, &start, 400, |epoch| {
            losses.push(epoch.loss);
            ControlFlow::Continue(())
        });

        let height = |point: &[f64]| {
            let squares: f64 = point.iter().map(|weight| weight * weight).sum();
            slow_loss(&training, point) + 0.5e-5 * squares
        };
        let origin = USED.map(|feature| f64::from(start[feature]) / f64::from(UNIT));
        let expected = lowest(&height, &origin, 1.0, 1e-5);
        for (&feature, expected) in USED.iter().zip(&expected) {
            let weight = f64::from(found.weights[feature]) / f64::from(UNIT);
            assert!((weight - expected).abs() < 1.5 / f64::from(UNIT), "feature {feature}: {weight}, not {expected}");
        }
        assert!(expected[0] > 0.2 && expected[1] > 0.2, "{expected:?}");
        let others = (0..MOVE_FEATURES).filter(|feature| !USED.contains(feature));
        assert!(others.into_iter().all(|feature| found.weights[feature] == 0));

        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-4, "{a}, not {b}");
        assert_eq!(losses.len(), 400);
        close(losses[0], slow_loss(&training, &origin));
        close(losses[399], slow_loss(&training, &expected));
        for (after, point) in [&origin[..], &expected].into_iter().enumerate() {
            close(found.held_out[after], slow_loss(&held_out, point));
            for (hits, places) in found.hits[after].into_iter().zip([1, 4]) {
                let is_hit = |choice: &&Choice| {
                    let chances = slow_chances(choice, point);
                    let own = chances[choice.chosen];
                    // Moves with the same features have the same chance up to rounding.
                    let better = chances.iter().filter(|&&chance| chance > own + 1e-6);
                    better.count() < places
                };
                let count = held_out.iter().filter(is_hit).count();
                close(hits, count as f64 / held_out.len() as f64);
            }
        }
    }
}
