//! The rules against known counts and against themselves: hash, symmetry, tall stacks.

use std::collections::{HashMap, HashSet};

use super::setups::check_moves;
use crate::cases::step;
use crate::for_all_sizes;
use crate::playout::{STYLES, Style, random_game};
use rand::RngExt;
use tak_engine_core::board::{
    AnyPosition, ByColor, Color, EndReason, Game, IllegalMove, Komi, Move, OpeningRule, Outcome, PieceKind, Position,
    Reserve, Setup, SetupError, SetupStack, Square, Symmetry,
};
use tak_engine_core::notation::parse_move;

/// Bulk counts on which all programs agree, since no game ends this early.
#[test]
fn start_counts() {
    fn counts<const N: usize>(expected: &[u64]) {
        for (depth, &count) in (1..).zip(expected) {
            let mut position = Position::<N>::start(Komi::ZERO);
            assert_eq!(position.perft(depth), count);
            let divided: u64 = position.perft_divide(depth).iter().map(|&(_, count)| count).sum();
            assert!(depth > 3 || divided == count, "{divided}, not {count}");
        }
    }
    counts::<3>(&[9, 72, 1200, 17792, 271_812]);
    counts::<4>(&[16, 240, 7440, 216_464, 6_468_872]);
    counts::<5>(&[25, 600, 43320, 2_999_784]);
    counts::<6>(&[36, 1260, 132_720, 13_586_048]);
    counts::<7>(&[49, 2352, 339_696, 48_051_008]);
    counts::<8>(&[64, 4032, 764_064, 142_512_336]);
}

fn every_move_number_is_judged<const N: usize>() {
    for style in STYLES {
        let mut judged = 0;
        random_game::<N>(7, style, 120, |position, rng| {
            let over = position.outcome().is_some();
            if judged >= 3 || !(over || position.ply() == 1 || rng.random_bool(0.1)) {
                return;
            }
            judged += 1;
            let mut legal = vec![false; 1 << 16];
            for mv in position.legal_moves() {
                legal[usize::from(mv.bits())] = true;
            }
            for mv in (0..=u16::MAX).filter_map(Move::from_bits) {
                let expected = legal[usize::from(mv.bits())];
                let context = || format!("{position} {mv:?}");
                let verdict = position.check_legal(mv);
                assert_eq!(verdict.is_ok(), expected, "{}", context());
                if over {
                    assert_eq!(verdict, Err(IllegalMove::GameOver));
                } else {
                    assert_eq!(position.is_pseudo_legal(mv), expected, "{}", context());
                }
            }
        });
        assert!(judged > 0);
    }
}

#[test]
fn check_legal_agrees_with_the_move_list() {
    for_all_sizes!(every_move_number_is_judged());
}

#[test]
fn illegal_moves_name_their_reason() {
    let reason = |tps: &str, mv: &str| {
        let position: Position<5> = tps.parse().unwrap();
        let mv = parse_move(mv, Position::<5>::SIZE).unwrap();
        position.check_legal(mv).unwrap_err().to_string()
    };
    let tps = "x5/x2,2S,x2/x,1111111,1S,x2/x3,2C,x/12,x4 1 20";
    assert_eq!(reason(tps, "a1"), "square a1 is not empty");
    assert_eq!(reason(tps, "a1>"), "White does not control a1");
    assert_eq!(reason(tps, "e5-"), "White does not control e5");
    assert_eq!(reason(tps, "b3>"), "the piece on c3 blocks the spread");
    assert_eq!(reason(tps, "2b3<11"), "the spread leaves the board");
    assert_eq!(reason(tps, "6b3+"), "6 pieces are over the carry limit of 5");
    assert_eq!(reason(tps, "2c3+"), "2 pieces cannot be lifted from c3, which has 1");
    assert_eq!(
        reason("x5/x5/x5/x5/x4,2 2 1", "Sa1"),
        "each player's first turn places a flat (of the opponent's colour)"
    );
    assert_eq!(reason("x5/x5/x5/1,1,1,1,1/2,2,2,2,x 2 5", "e1"), "the game is over");
    let no_caps = "x5/x5/x5/x5/1C,x3,2C 1 3";
    assert_eq!(reason(no_caps, "Ca2"), "White has no capstone left to place");
}

fn symmetric<const N: usize>() {
    for style in STYLES {
        random_game::<N>(11, style, 80, |position, rng| {
            if position.ply() > 2 && !rng.random_bool(0.05) {
                return;
            }
            let setup = position.to_setup();
            let moves = position.legal_moves();
            let count = position.perft(2);
            for symmetry in Symmetry::ALL {
                let mut turned: Position<N> = setup.transformed(symmetry).position().unwrap();
                let mapped: HashSet<Move> = moves.iter().map(|&mv| symmetry.mv(mv, setup.size)).collect();
                assert_eq!(mapped.len(), moves.len());
                let found: HashSet<Move> = turned.legal_moves().into_iter().collect();
                assert_eq!(found, mapped, "{setup} {symmetry:?}");
                assert_eq!(turned.outcome(), position.outcome());
                assert_eq!(turned.perft(2), count);
            }
            // In move 1 a swap of the colours leads to boards that cannot arise.
            if position.ply() < 2 {
                return;
            }
            let mut swapped: Position<N> = setup.colors_swapped().position().unwrap();
            assert_eq!(swapped.legal_moves(), moves, "{setup}");
            assert_eq!(
                swapped.outcome().map(|o| (o.winner.map(Color::other), o.reason)),
                position.outcome().map(|o| (o.winner, o.reason))
            );
            assert_eq!(swapped.perft(2), count);
        });
    }
}

#[test]
fn symmetries_and_a_colour_swap_change_nothing() {
    for_all_sizes!(symmetric());
}

/// The text of everything that a hash must distinguish: board and side, but not the move number.
fn hash_text<const N: usize>(position: &Position<N>) -> String {
    let tps = position.to_string();
    tps.rsplit_once(' ').unwrap().0.to_owned()
}

fn hashes<const N: usize>() {
    let mut by_hash: HashMap<u64, String> = HashMap::new();
    let mut by_text: HashMap<String, u64> = HashMap::new();
    let mut transpositions = 0;
    for style in STYLES {
        random_game::<N>(3, style, 100, |position, rng| {
            if !rng.random_bool(0.2 / step(2) as f64) {
                return;
            }
            for first in position.legal_moves().into_iter().take(30) {
                let undo = position.play_unchecked(first);
                for second in position.legal_moves().into_iter().rev().take(30) {
                    let undo = position.play_unchecked(second);
                    let (hash, text) = (position.hash(), hash_text(position));
                    let other = by_hash.entry(hash).or_insert_with(|| text.clone());
                    assert_eq!(*other, text, "two positions with one hash");
                    transpositions += usize::from(by_text.contains_key(&text));
                    assert_eq!(*by_text.entry(text).or_insert(hash), hash);
                    position.unplay(second, undo);
                }
                position.unplay(first, undo);
            }
        });
    }
    assert!(transpositions > 10, "the sample has {transpositions} transpositions");
}

#[test]
fn equal_positions_have_equal_hashes_and_others_do_not() {
    for_all_sizes!(hashes());
}

#[test]
fn komi_reserves_and_side_are_part_of_the_hash() {
    let base = "x5/x5/x2,12,x2/x5/x5 1 5".parse::<Setup>().unwrap();
    let mut variants = vec![base.clone(); 5];
    variants[1].to_move = Color::Black;
    variants[2].komi = Komi::from_half(3).unwrap();
    variants[3].reserves[Color::White].stones = 22;
    variants[4].reserves[Color::Black].caps = 2;
    let hashes: HashSet<u64> = variants.iter().map(|setup| setup.position::<5>().unwrap().hash()).collect();
    assert_eq!(hashes.len(), variants.len());
}

/// All stones of both players and one capstone on one square.
fn tower<const N: usize>(square: Square, seed: u64) -> Position<N> {
    let mut setup = Setup::empty(Position::<N>::SIZE, Komi::ZERO);
    let stones = Reserve::standard(setup.size).stones;
    let mut left = ByColor([stones; 2]);
    let mut colors = Vec::new();
    let mut state = seed;
    while colors.len() < 2 * usize::from(stones) {
        state = state.wrapping_mul(0xD134_2543_DE82_EF95).wrapping_add(1);
        let wanted = Color::from_bit((state >> 60) as u8);
        let color = if left[wanted] > 0 { wanted } else { !wanted };
        left[color] -= 1;
        colors.push(color);
    }
    colors.push(Color::White);
    setup.stacks = vec![SetupStack { square, colors, top: PieceKind::Cap }];
    setup.move_number = 90;
    setup.position().unwrap()
}

fn tallest_stack<const N: usize>(pieces: usize) {
    for (seed, square) in [(1, Square::new(0, 0)), (2, Square::new(3, 2)), (3, Square::new(N - 1, N - 1))] {
        let mut position = tower::<N>(square, seed);
        assert_eq!(position.height(square), pieces);
        assert_eq!(position.outcome(), None, "each player has a capstone left");
        position.validate().unwrap();
        check_moves::<N, 0>(&mut position, true);
        // In each direction 2^n - 1 ways to drop 1 to n pieces if there is room for all, fewer near the edge.
        let choose = |n: usize, k: usize| (0..k).fold(1, |c, i| c * (n - i) / (i + 1));
        let ways = |room: usize| -> usize {
            (1..=N).map(|lifted| (1..=room.min(lifted)).map(|k| choose(lifted - 1, k - 1)).sum::<usize>()).sum()
        };
        let rooms = [square.column(), N - 1 - square.column(), square.row(), N - 1 - square.row()];
        let spreads = position.legal_moves().iter().filter(|mv| mv.is_spread()).count();
        assert_eq!(spreads, rooms.into_iter().map(ways).sum::<usize>());

        // Taken apart, and more moves played: no height is special.
        let mut rng: rand::rngs::StdRng = rand::SeedableRng::seed_from_u64(seed);
        for ply in 0..=40 {
            if ply % 5 == 0 {
                check_moves::<N, 0>(&mut position, true);
            }
            if position.outcome().is_some() {
                break;
            }
            let mv = crate::playout::choose(&mut position, Style::Towers, &mut rng);
            position.play_unchecked(mv);
        }
    }
}

#[test]
fn the_tallest_stacks_move_like_any_other() {
    tallest_stack::<7>(81);
    tallest_stack::<8>(101);
}

/// Random positions seldom have two roads.
#[test]
fn of_two_roads_that_of_the_last_move_wins() {
    for (side, winner) in [(1, Color::Black), (2, Color::White)] {
        let setup: Setup = format!("x3/1,1,1/2,2,2 {side} 5").parse().unwrap();
        let position: Position<3> = Setup { komi: Komi::from_half(20).unwrap(), ..setup }.position().unwrap();
        assert_eq!(position.outcome(), Some(Outcome { winner: Some(winner), reason: EndReason::Road }));
    }
}

#[test]
fn setups_that_cannot_be_played_are_refused() {
    let refused = |tps: &str| tps.parse::<Setup>().unwrap().position::<5>().unwrap_err();
    assert_eq!(
        refused("x5/x5/x5/x5/1111111111111111111111,x4 2 30").to_string(),
        "White has 22 stones (flats and walls), the reserve is 21"
    );
    assert_eq!(refused("x5/x5/x5/2C,x4/2C,x4 2 30").to_string(), "Black has 2 capstones, the reserve is 1");
    // Stones on the board in move 1 are fine, but not if a stack of two has to be placed.
    let mut stones = "x5/x5/x5/x5/1,x4 1 1".parse::<Setup>().unwrap();
    assert!(stones.position::<5>().is_ok());
    stones.opening = OpeningRule::DoubleBlack;
    assert!(matches!(stones.position::<5>(), Err(SetupError::Opening { .. })));
    assert!(matches!(refused("x4/x4/x4/x4 1 1"), SetupError::WrongSize { .. }));
    let mut reserves = Setup::empty(Position::<5>::SIZE, Komi::ZERO);
    reserves.reserves[Color::Black].stones = 0;
    assert!(matches!(reserves.position::<5>(), Err(SetupError::BadReserve { .. })));
    let mut twice = "x5/x5/x5/x5/1,x4 1 9".parse::<Setup>().unwrap();
    twice.stacks.push(twice.stacks[0].clone());
    assert!(matches!(twice.position::<5>(), Err(SetupError::Twice(_))));
    twice.stacks[1].square = Square::new(5, 0);
    assert!(matches!(twice.position::<5>(), Err(SetupError::OffBoard(_))));
    twice.stacks[1] = SetupStack { square: Square::new(4, 0), colors: Vec::new(), top: PieceKind::Flat };
    assert!(matches!(twice.position::<5>(), Err(SetupError::EmptyStack(_))));
}

/// The same contract for a position of compile-time size, one of run-time size, and a game.
fn same_moves_everywhere<const N: usize>() {
    let mut finished = 0;
    for style in STYLES {
        random_game::<N>(7, style, 150, |position, _| {
            let any = AnyPosition::from_setup(&position.to_setup()).unwrap();
            let game = Game::new(any.clone());
            let moves = position.legal_moves();
            assert_eq!(any.legal_moves(), moves);
            assert_eq!(game.legal_moves(), moves);
            assert_eq!(moves.is_empty(), position.outcome().is_some());
            finished += usize::from(moves.is_empty());

            let mut generated = Vec::new();
            position.generate_moves(&mut generated);
            if let Some(&mv) = moves.first() {
                assert_eq!(moves, generated);
                let mut next = any.clone();
                let undo = next.play(mv).unwrap();
                let mut played = game.clone();
                played.play(mv).unwrap();
                assert_eq!(*played.position(), next);
                next.unplay(mv, undo);
                assert_eq!(next, any);
            } else if let Some(&mv) = generated.first() {
                let (mut next, mut played) = (any.clone(), game.clone());
                assert_eq!(next.play(mv).unwrap_err(), IllegalMove::GameOver);
                assert_eq!(played.play(mv), Err(IllegalMove::GameOver));
                assert!(next == any && played == game);
            }
        });
    }
    assert!(finished > 0, "no game came to an end");
}

#[test]
fn legal_moves_mean_the_same_everywhere() {
    for_all_sizes!(same_moves_everywhere());
}
