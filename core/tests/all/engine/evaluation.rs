//! The evaluation: symmetric in the players and the board, and the same whichever way it is asked for.

use crate::cases::{are_many, cases};
use crate::for_all_sizes;
use crate::playout::{STYLES, random_game};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use tak_engine_core::board::{Komi, Position, Symmetry};
use tak_engine_core::eval::{
    Evaluator, FEATURES, FINE, Layer, ONE, Weights, evaluate, evaluator, explain, layer, phase, trace, weights,
};
use tak_engine_core::weights::WeightTable;

/// Calls `check` with positions of random games under any komi, from the end of the opening on.
fn each_position<const N: usize>(mut check: impl FnMut(&Position<N>)) {
    for style in STYLES {
        for seed in 0..cases(1) as u64 {
            random_game::<N>(seed, style, 120, |position, rng| {
                let mut setup = position.to_setup();
                setup.komi = Komi::from_half(rng.random_range(-4..=4)).unwrap();
                let position: Position<N> = setup.position().unwrap();
                if !position.is_opening() && position.outcome().is_none() {
                    check(&position);
                }
            });
        }
    }
}

fn agrees_with_itself<const N: usize>() {
    let size = Position::<N>::SIZE;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(N as u64);
    let random = random_layer(&mut rng);
    let evaluators = [
        (weights(size), layer(size), evaluator(size).clone()),
        (weights(size), &random, Evaluator::new(weights(size), &random)),
    ];
    for (weights, layer, evaluator) in &evaluators {
        let mut seen = 0;
        each_position::<N>(|position| {
            seen += 1;
            let score = evaluate(position, evaluator);
            let setup = position.to_setup();
            let swapped: Position<N> = setup.colors_swapped().position().unwrap();
            assert_eq!(
                evaluate(&swapped, evaluator),
                score,
                "a colour swap changes the view, not the mover's score: {setup:?}"
            );
            for symmetry in Symmetry::ALL {
                let turned: Position<N> = setup.transformed(symmetry).position().unwrap();
                assert_eq!(evaluate(&turned, evaluator), score, "{symmetry:?} of {setup:?}");
            }
            let explained: f64 = explain(position, evaluator).iter().map(|term| term.score).sum();
            assert!((explained - f64::from(score)).abs() < 1.0, "terms {explained}, score {score}");
            assert_eq!(slow_score(position, weights, layer), i64::from(score));
        });
        let least = if are_many() { 100 } else { 10 };
        assert!(seen > least, "only {seen}");
    }
}

/// A layer in which every unit has something to say.
fn random_layer(rng: &mut Xoshiro256PlusPlus) -> Layer {
    let mut layer = Layer::zero();
    for row in layer.rows.as_flattened_mut() {
        *row = std::array::from_fn(|_| rng.random_range(-60..=60));
    }
    layer.bias = std::array::from_fn(|_| rng.random_range(-500..=500));
    layer.output = std::array::from_fn(|_| std::array::from_fn(|_| rng.random_range(-2000..=2000)));
    *layer
}

/// The score from the tuner's data: counts times weights, and the units' values of the counts, mixed by phase. In
/// numbers wide enough for any value.
fn slow_score<const N: usize>(position: &Position<N>, weights: &Weights, layer: &Layer) -> i64 {
    let (table, rows) = (weights.as_flattened(), layer.rows.as_flattened());
    let shares = phase(position).map(i64::from);
    assert_eq!(shares.iter().sum::<i64>(), 256);
    let counts = trace(position);
    let weigh = |weight: &dyn Fn(usize) -> i64| -> i64 {
        let counts = counts.iter();
        counts.map(|&(feature, count)| weight(feature.into()) * i64::from(count)).sum()
    };
    let (one, fine) = (i64::from(ONE), i64::from(FINE));
    let mut score = 0;
    for (phase, share) in shares.into_iter().enumerate() {
        score += weigh(&|feature| table[feature][phase].into()) * share * one * fine;
        for (unit, (&bias, worth)) in layer.bias.iter().zip(layer.output).enumerate() {
            let lean = i64::from(bias) + weigh(&|feature| rows[feature][unit].into());
            score += lean.clamp(0, one) * i64::from(worth[phase]) * share;
        }
    }
    score / (256 * one * fine)
}

#[test]
fn evaluation_agrees_with_itself_at_all_sizes() {
    assert_eq!(weights(Position::<5>::SIZE).as_flattened().len(), 2 * FEATURES);
    for_all_sizes!(agrees_with_itself());
}
