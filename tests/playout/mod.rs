//! Seeded random games for the tests of the rules.

// Every test file compiles this module for itself and uses its own part of it.
#![allow(dead_code)]

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use tak_engine::board::{Komi, Move, MoveKind, Position};

/// How random moves are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Every legal move alike.
    Uniform,
    /// Mostly placements, so that roads and full boards come soon.
    Placements,
    /// Mostly spreads, and moves that end the game only when nothing else is found.
    Spreads,
    /// Mostly whole stacks onto the highest stack in reach, games kept going likewise.
    Towers,
}

pub const STYLES: [Style; 4] = [
    Style::Uniform,
    Style::Placements,
    Style::Spreads,
    Style::Towers,
];

/// Plays one random game of at most `plies` plies and shows every position on the way, the last one included.
pub fn random_game<const N: usize>(
    seed: u64,
    style: Style,
    plies: u32,
    mut visit: impl FnMut(&mut Position<N>, &mut StdRng),
) {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut position = Position::<N>::start(Komi::ZERO);
    for _ in 0..plies {
        visit(&mut position, &mut rng);
        if position.outcome().is_some() {
            return;
        }
        let mv = choose(&mut position, style, &mut rng);
        position.play_unchecked(mv);
    }
    visit(&mut position, &mut rng);
}

/// A move of the given style; the game must not be over.
pub fn choose<const N: usize>(position: &mut Position<N>, style: Style, rng: &mut StdRng) -> Move {
    let moves = position.legal_moves();
    if style == Style::Uniform {
        return *moves.choose(rng).expect("a game that goes on has moves");
    }
    if style == Style::Placements {
        let placements: Vec<Move> = moves.iter().copied().filter(|mv| !mv.is_spread()).collect();
        let list = if rng.random_bool(0.9) && !placements.is_empty() {
            &placements
        } else {
            &moves
        };
        return *list.choose(rng).expect("a game that goes on has moves");
    }
    let spreads: Vec<Move> = moves.iter().copied().filter(|mv| mv.is_spread()).collect();
    for _ in 0..20 {
        let mv = if spreads.is_empty() || rng.random_bool(0.3) {
            *moves.choose(rng).expect("a game that goes on has moves")
        } else if style == Style::Towers {
            let candidates: Vec<Move> = spreads.sample(rng, 8).copied().collect();
            let tower = |mv: &Move| match mv.kind() {
                MoveKind::Spread(_, pattern) if pattern.squares() == 1 => {
                    pattern.lifted() as usize + position.height(mv.target())
                }
                _ => 0,
            };
            *candidates
                .iter()
                .max_by_key(|mv| tower(mv))
                .expect("eight or all")
        } else {
            *spreads.choose(rng).expect("not empty")
        };
        let undo = position.play_unchecked(mv);
        let goes_on = position.outcome().is_none();
        position.unplay(mv, undo);
        if goes_on {
            return mv;
        }
    }
    *moves.choose(rng).expect("a game that goes on has moves")
}

/// Calls a generic test function for every board size.
#[macro_export]
macro_rules! for_all_sizes {
    ($function:ident($($argument:expr),*)) => {
        $function::<3>($($argument),*);
        $function::<4>($($argument),*);
        $function::<5>($($argument),*);
        $function::<6>($($argument),*);
        $function::<7>($($argument),*);
        $function::<8>($($argument),*);
    };
}
