//! Roads in one move, against playing every move and looking.

#[macro_use]
mod playout;

use playout::{STYLES, random_game};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tak_engine::board::{
    Bitboard, ByColor, Color, EndReason, Komi, Move, PieceKind, Position, Reserve, Setup,
    SetupStack, Square,
};

/// Whether `mv` makes a road for the player who plays it.
fn wins<const N: usize>(position: &mut Position<N>, mv: Move) -> bool {
    let mover = position.to_move();
    let undo = position.play_unchecked(mv);
    let outcome = position.outcome();
    position.unplay(mv, undo);
    outcome.is_some_and(|o| o.reason == EndReason::Road && o.winner == Some(mover))
}

/// How often each answer was seen, so that the test can tell whether it tested anything.
#[derive(Default)]
struct Seen {
    placements: u32,
    spreads: u32,
    none: u32,
    ends: u32,
}

fn check_mover<const N: usize>(position: &mut Position<N>, seen: &mut Seen) {
    let mover = position.to_move();
    let winning: Vec<Move> = position
        .legal_moves()
        .into_iter()
        .filter(|&mv| wins(position, mv))
        .collect();
    let critical = position.critical_squares(mover);
    let tps = position.to_string();

    let found = position.winning_move(mover);
    let listed = found.is_none_or(|mv| winning.contains(&mv));
    assert!(listed, "{tps}: {} does not win", found.unwrap());
    let all: Vec<String> = winning.iter().map(|&mv| mv.to_string()).collect();
    assert_eq!(found.is_some(), !winning.is_empty(), "{tps}: {all:?} win");

    let places = winning.iter().filter(|mv| !mv.is_spread());
    let squares = places.fold(Bitboard::EMPTY, |set, mv| set | mv.square().bit());
    assert_eq!(
        position.winning_placements(mover, critical),
        squares,
        "{tps}"
    );
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
            .fold(Bitboard::EMPTY, |set: Bitboard, square: Square| {
                set | square.bit()
            });
        let tps = position.to_string();
        assert_eq!(position.critical_squares(color), slow, "{tps} {color}");
    }
}

/// A board thrown together so that it is rich in nearly finished roads: games at random seldom get there on large
/// boards. `None` if a road came out.
fn random_board<const N: usize>(rng: &mut StdRng) -> Option<Position<N>> {
    let mut setup = Setup::empty(Position::<N>::SIZE, Komi::ZERO);
    setup.reserves = ByColor(
        [Reserve {
            stones: 60,
            caps: 2,
        }; 2],
    );
    setup.move_number = 40;
    setup.to_move = Color::from_bit(rng.random());
    let mut left = setup.reserves;
    let white_share = rng.random_range(0.3..0.7);
    let density = rng.random_range(0.4..0.9);
    for square in Bitboard::board::<N>() {
        if !rng.random_bool(density) {
            continue;
        }
        let height = if rng.random_bool(0.3) {
            rng.random_range(2..9)
        } else {
            1
        };
        let mut colors = Vec::new();
        for _ in 0..height {
            let color = if rng.random_bool(white_share) {
                Color::White
            } else {
                Color::Black
            };
            // One stone stays, so that the game is not over.
            if left[color].stones > 1 {
                left[color].stones -= 1;
                colors.push(color);
            }
        }
        let Some(&owner) = colors.last() else {
            continue;
        };
        let top = match rng.random_range(0..20) {
            0..=2 => PieceKind::Wall,
            3 if left[owner].caps > 0 => PieceKind::Cap,
            _ => PieceKind::Flat,
        };
        if top == PieceKind::Cap {
            left[owner].caps -= 1;
            left[owner].stones += 1;
        }
        setup.stacks.push(SetupStack {
            square,
            colors,
            top,
        });
    }
    let position: Position<N> = setup.position().unwrap();
    position.outcome().is_none().then_some(position)
}

fn check<const N: usize>(position: &mut Position<N>, seen: &mut Seen) {
    check_critical(position);
    check_mover(position, seen);
    // The same for the other player, "were it that player's turn".
    if !position.is_opening() {
        position.pass_turn();
        check_mover(position, seen);
        position.pass_turn();
    }
}

fn games_and_boards<const N: usize>() {
    let mut seen = Seen::default();
    for style in STYLES {
        for seed in 0..3 {
            random_game::<N>(seed, style, 120, |position, rng| {
                if position.outcome().is_none() && rng.random_bool(0.3) {
                    check(position, &mut seen);
                }
            });
        }
    }
    let mut rng = StdRng::seed_from_u64(N as u64);
    for _ in 0..1500 {
        if let Some(mut position) = random_board::<N>(&mut rng) {
            check(&mut position, &mut seen);
        }
    }
    let Seen {
        placements,
        spreads,
        none,
        ends,
    } = seen;
    assert!(
        placements > 50 && spreads > 50 && none > 100,
        "{N}x{N}: {placements} by placement, {spreads} by spread only, {none} without"
    );
    assert!(ends > 5, "{N}x{N}: {ends} by the last piece");
}

#[test]
fn winning_moves_are_found_exactly() {
    for_all_sizes!(games_and_boards());
}
