//! Counts of moves of random positions against fast-tak, an independent implementation.

use super::setups::fast_tak_game;
use crate::playout::{STYLES, random_game};
use fast_tak::perf_count;
use tak_engine::board::Position;

/// The games that end with fewer than `depth` plies to go: fast-tak counts each as 1, we as 0.
fn ended_early<const N: usize>(position: &mut Position<N>, depth: u32) -> u64 {
    if depth == 0 {
        return 0;
    }
    if position.outcome().is_some() {
        return 1;
    }
    if depth == 1 {
        return 0;
    }
    let mut total = 0;
    for mv in position.legal_moves() {
        let undo = position.play_unchecked(mv);
        total += ended_early(position, depth - 1);
        position.unplay(mv, undo);
    }
    total
}

fn perft_agrees<const N: usize>(depth: u32, early: &mut u64) {
    for style in STYLES {
        for seed in 100..103 {
            random_game::<N>(seed, style, 60, |position, _| {
                if position.ply() % 12 != 11 {
                    return;
                }
                let theirs = fast_tak_game::<N, 0>(position);
                let ended = ended_early(position, depth);
                let count = position.perft(depth);
                assert_eq!(count + ended, perf_count(&theirs, depth as usize) as u64, "{position}");
                let divided: u64 = position.perft_divide(depth).iter().map(|&(_, n)| n).sum();
                assert_eq!(count, divided, "{position}");
                *early += ended;
            });
        }
    }
}

#[test]
fn perft_agrees_on_random_positions() {
    let mut early = 0;
    perft_agrees::<3>(3, &mut early);
    perft_agrees::<4>(3, &mut early);
    perft_agrees::<5>(2, &mut early);
    perft_agrees::<6>(2, &mut early);
    perft_agrees::<7>(2, &mut early);
    perft_agrees::<8>(2, &mut early);
    assert!(early > 100, "the sample must hold games that end early, found {early}");
}
