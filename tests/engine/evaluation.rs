//! The evaluation: symmetric in the players and the board, and the same whichever way it is asked for.

use crate::for_all_sizes;
use crate::playout::{STYLES, random_game};
use rand::RngExt;
use tak_engine::board::{Komi, Position, Symmetry};
use tak_engine::eval::{evaluate, explain, phase, trace, weights};

/// Calls `check` with positions of random games under any komi, from the end of the opening on.
fn each_position<const N: usize>(mut check: impl FnMut(&Position<N>)) {
    for style in STYLES {
        for seed in 0..3 {
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
    let mut seen = 0;
    each_position::<N>(|position| {
        seen += 1;
        let weights = weights(Position::<N>::SIZE);
        let score = evaluate(position, weights);
        let setup = position.to_setup();
        let swapped: Position<N> = setup.colors_swapped().position().unwrap();
        assert_eq!(
            evaluate(&swapped, weights),
            score,
            "a colour swap changes the view, not the mover's score: {setup:?}"
        );
        for symmetry in Symmetry::ALL {
            let turned: Position<N> = setup.transformed(symmetry).position().unwrap();
            assert_eq!(
                evaluate(&turned, weights),
                score,
                "{symmetry:?} of {setup:?}"
            );
        }
        let explained: f64 = explain(position, weights)
            .iter()
            .map(|term| term.score)
            .sum();
        assert!(
            (explained - f64::from(score)).abs() < 1.0,
            "terms {explained}, score {score}"
        );

        // The tuner's view: counts times weights, mixed by phase.
        let table = weights.as_flattened();
        let shares = phase(position);
        let mover: i32 = trace(position)
            .iter()
            .map(|&(feature, count)| {
                let mixed: i32 = (0..3)
                    .map(|i| table[usize::from(feature)][i] * shares[i])
                    .sum();
                mixed * count
            })
            .sum();
        assert_eq!(mover / 256, score);
        assert_eq!(shares.iter().sum::<i32>(), 256);
    });
    assert!(seen > 100);
}

#[test]
fn evaluation_agrees_with_itself_at_all_sizes() {
    for_all_sizes!(agrees_with_itself());
}
