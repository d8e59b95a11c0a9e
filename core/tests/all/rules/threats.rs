//! Roads in one move, against playing every move.

use crate::cases::{are_many, cases};
use crate::for_all_sizes;
use crate::playout::{STYLES, random_board, random_game};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tak_engine_core::board::{Bitboard, Color, EndReason, Move, Position, Square};

/// Returns whether `mv` makes a road for the player who plays it.
fn wins<const N: usize>(position: &mut Position<N>, mv: Move) -> bool {
    let mover = position.to_move();
    let undo = position.play_unchecked(mv);
    let outcome = position.outcome();
    position.unplay(mv, undo);
    outcome.is_some_and(|o| o.reason == EndReason::Road && o.winner == Some(mover))
}

/// The number of times that each answer occurred, so that the test can check its coverage.
#[derive(Default)]
struct Seen {
    placements: u32,
    spreads: u32,
    none: u32,
    ends: u32,
}

fn check_mover<const N: usize>(position: &mut Position<N>, seen: &mut Seen) {
    let mover = position.to_move();
    let winning: Vec<Move> = position.legal_moves().into_iter().filter(|&mv| wins(position, mv)).collect();
    let critical = position.critical_squares(mover);
    let tps = position.to_string();

    let found = position.winning_move(mover);
    let listed = found.is_none_or(|mv| winning.contains(&mv));
    assert!(listed, "{tps}: {} does not win", found.unwrap());
    let all: Vec<String> = winning.iter().map(|&mv| mv.to_string()).collect();
    assert_eq!(found.is_some(), !winning.is_empty(), "{tps}: {all:?} win");

    let places = winning.iter().filter(|mv| !mv.is_spread());
    let squares = places.fold(Bitboard::EMPTY, |set, mv| set | mv.square().bit());
    assert_eq!(position.winning_placements(mover, critical), squares, "{tps}");
    let spreads = winning.iter().any(|mv| mv.is_spread());
    let spread = position.winning_spread(mover, critical);
    assert_eq!(spread.is_some(), spreads, "{tps}");
    assert!(spread.is_none_or(|mv| winning.contains(&mv)), "{tps}");

    check_end(position, seen);

    match found {
        Some(mv) if mv.is_spread() => seen.spreads += 1,
        Some(_) => seen.placements += 1,
        None => seen.none += 1,
    }
}

/// The placement that ends and wins the game on flats, against playing every placement.
fn check_end<const N: usize>(position: &mut Position<N>, seen: &mut Seen) {
    let mover = position.to_move();
    let tps = position.to_string();
    let wins_count = |position: &mut Position<N>, mv: Move, roads: bool| {
        let undo = position.play_unchecked(mv);
        let outcome = position.outcome();
        position.unplay(mv, undo);
        outcome.is_some_and(|o| o.winner == Some(mover) && (roads || o.reason != EndReason::Road))
    };
    if let Some(mv) = position.winning_end() {
        seen.ends += 1;
        let wins = position.legal_moves().contains(&mv) && wins_count(position, mv, true);
        assert!(wins, "{tps}: {mv} does not win");
        return;
    }
    for mv in position.legal_moves() {
        let missed = !mv.is_spread() && wins_count(position, mv, false);
        assert!(!missed, "{tps}: {mv} wins on flats");
    }
}

fn check_critical<const N: usize>(position: &Position<N>) {
    for color in Color::ALL {
        let road = position.road_pieces(color);
        let slow = Bitboard::board::<N>()
            .into_iter()
            .filter(|&square| !road.contains(square))
            .filter(|&square| (road | square.bit()).has_road::<N>())
            .fold(Bitboard::EMPTY, |set: Bitboard, square: Square| set | square.bit());
        let tps = position.to_string();
        assert_eq!(position.critical_squares(color), slow, "{tps} {color}");
    }
}

fn check<const N: usize>(position: &mut Position<N>, seen: &mut Seen) {
    check_critical(position);
    check_mover(position, seen);
    // The same for the other player, "were it that player's turn".
    if !position.is_opening() {
        let before = position.clone();
        position.pass_turn();
        assert!(position.to_move() != before.to_move() && position.hash() != before.hash());
        check_mover(position, seen);
        position.pass_turn();
        assert!(*position == before, "not taken back: {before}");
    }
}

fn games_and_boards<const N: usize>() {
    let mut seen = Seen::default();
    for style in STYLES {
        for seed in 0..cases(1) as u64 {
            random_game::<N>(seed, style, 120, |position, rng| {
                if position.outcome().is_none() && rng.random_bool(0.3) {
                    check(position, &mut seen);
                }
            });
        }
    }
    let mut rng = StdRng::seed_from_u64(N as u64);
    for _ in 0..cases(375) {
        if let Some(mut position) = random_board::<N>(&mut rng) {
            check(&mut position, &mut seen);
        }
    }
    let Seen { placements, spreads, none, ends } = seen;
    let least = if are_many() { 50 } else { 5 };
    assert!(
        placements > least && spreads > least && none > 2 * least,
        "{N}x{N}: {placements} by placement, {spreads} by spread only, {none} without"
    );
    assert!(ends > 5 || !are_many(), "{N}x{N}: {ends} by the last piece");
}

#[test]
fn winning_moves_are_found_exactly() {
    for_all_sizes!(games_and_boards());
}
