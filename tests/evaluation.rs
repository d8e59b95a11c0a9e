//! The evaluation: symmetric in the players and the board, and the same whichever way it is asked for.

use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use tak_engine::board::{Komi, Position, Symmetry};
use tak_engine::eval::{evaluate, explain, phase, trace, weights};

/// Calls `check` with positions of random games, from the end of the opening on.
fn each_position<const N: usize>(games: u64, mut check: impl FnMut(&Position<N>)) {
    for seed in 0..games {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let komi = Komi::from_half(random.random_range(-4..=4)).unwrap();
        let mut position = Position::<N>::start(komi);
        let mut moves = Vec::new();
        while position.outcome().is_none() && position.ply() < 120 {
            if !position.is_opening() {
                check(&position);
            }
            moves.clear();
            // Half of the moves are spreads where there are any, so that stacks grow.
            if !position.is_opening() && random.random_bool(0.5) {
                position.spreads(&mut moves);
            }
            if moves.is_empty() {
                position.generate_moves(&mut moves);
            }
            position.play_unchecked(*moves.choose(&mut random).unwrap());
        }
    }
}

fn agrees_with_itself<const N: usize>() {
    let mut seen = 0;
    each_position::<N>(12, |position| {
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
    agrees_with_itself::<3>();
    agrees_with_itself::<4>();
    agrees_with_itself::<5>();
    agrees_with_itself::<6>();
    agrees_with_itself::<7>();
    agrees_with_itself::<8>();
}
