//! The rules of the first turns (swap, no-swap, double black stack) against a reference on lists of pieces, formulas,
//! and fast-tak for everything after them; and claims of the search in them against full-width search.

use crate::for_all_sizes;
use std::collections::HashSet;

use fast_tak::takparse::Tps;
use fast_tak::{Reserves, perf_count};
use tak_engine::board::{AnyPosition, Game};
use tak_engine::board::{
    ByColor, Color, IllegalMove, Komi, Move, OpeningRule, PieceKind, Position, Reserve, Setup, SetupStack, Square,
};
use tak_engine::engine::{Engine, Limits, SearchRequest, Settings, Task};
use tak_engine::notation::parse_move;
use tak_engine::search::Solved;

fn start<const N: usize>(opening: OpeningRule) -> Setup {
    Setup { opening, ..Setup::empty(Position::<N>::SIZE, Komi::ZERO) }
}

/// Every position after a first turn, made from lists without the board's code.
fn slow_turns(setup: &Setup) -> Vec<Setup> {
    let (mover, width) = (setup.to_move, setup.size.width());
    let reserve = setup.reserves[mover];
    let mut pieces = Vec::new();
    match (setup.opening, mover) {
        (OpeningRule::NoSwap, _) => {
            pieces.push((vec![mover], PieceKind::Flat));
            pieces.push((vec![mover], PieceKind::Wall));
            if reserve.caps > 0 {
                pieces.push((vec![mover], PieceKind::Cap));
            }
        }
        (OpeningRule::DoubleBlack, Color::White) => {
            let black = setup.reserves[Color::Black].stones;
            let count = if black == 1 { 1 } else { 2 };
            pieces.push((vec![Color::Black; count], PieceKind::Flat));
        }
        _ => pieces.push((vec![!mover], PieceKind::Flat)),
    }
    let mut after = Vec::new();
    for square in (0..width).flat_map(|c| (0..width).map(move |r| Square::new(c, r))) {
        if setup.stacks.iter().any(|stack| stack.square == square) {
            continue;
        }
        for (colors, top) in &pieces {
            let mut next = setup.clone();
            next.stacks.push(SetupStack { square, colors: colors.clone(), top: *top });
            next.stacks.sort_by_key(|stack| stack.square);
            next.move_number += u32::from(mover == Color::Black);
            next.to_move = !mover;
            after.push(next);
        }
    }
    after
}

fn texts(setups: &[Setup]) -> HashSet<String> {
    setups.iter().map(ToString::to_string).collect()
}

/// Makes each move of the position, compares it with the reference, checks it and takes it back.
fn check_turn<const N: usize>(setup: &Setup) -> Vec<Setup> {
    let mut position: Position<N> = setup.position().unwrap();
    let before = position.clone();
    let expected = slow_turns(setup);
    let mut found = Vec::new();
    for mv in position.legal_moves() {
        let undo = position.play(mv).unwrap();
        found.push(position.to_setup());
        assert_eq!(position.validate(), Ok(()));
        let again: Position<N> = position.to_setup().position().unwrap();
        assert_eq!(again, position);
        let text = position.to_string().parse::<Setup>().unwrap();
        if setup.to_move == Color::White && setup.reserves == start::<N>(setup.opening).reserves {
            assert_eq!(text.opening, setup.opening, "shown by the board");
        }
        position.unplay(mv, undo);
        assert!(position == before);
    }
    assert_eq!(texts(&found), texts(&expected));
    assert_eq!(found.len(), expected.len(), "no move twice");
    assert_eq!(position.count_moves(), expected.len() as u64);
    found
}

fn first_turns<const N: usize>() {
    for opening in OpeningRule::ALL {
        let first = check_turn::<N>(&start::<N>(opening));
        let second: Vec<Setup> = first.iter().flat_map(check_turn::<N>).collect();
        let squares = (N * N) as u64;
        let kinds = match opening {
            OpeningRule::NoSwap if Reserve::standard(Position::<N>::SIZE).caps > 0 => 3,
            OpeningRule::NoSwap => 2,
            _ => 1,
        };
        let mut position: Position<N> = start::<N>(opening).position().unwrap();
        assert_eq!(position, Position::start_with(Komi::ZERO, opening));
        assert_eq!(position.perft(1), kinds * squares);
        assert_eq!(position.perft(2), kinds * kinds * squares * (squares - 1));
        assert_eq!(position.perft(2), second.len() as u64);
    }
}

#[test]
fn first_turns_agree_with_lists_of_pieces() {
    for_all_sizes!(first_turns());
}

/// fast-tak supports only the swap, so it begins after the first turns.
fn later_turns<const N: usize>(depth: u32)
where
    Reserves<N>: Default,
{
    for opening in OpeningRule::ALL {
        let mut position = Position::<N>::start_with(Komi::ZERO, opening);
        let theirs: u64 = slow_turns(&start::<N>(opening))
            .iter()
            .flat_map(slow_turns)
            .map(|setup| {
                let tps: Tps = setup.to_string().parse().unwrap();
                perf_count(&fast_tak::Game::<N, 0>::from(tps), depth as usize - 2) as u64
            })
            .sum();
        assert_eq!(position.perft(depth), theirs, "{opening}, {N}x{N}");
    }
}

#[test]
fn turns_after_the_first_agree_with_fast_tak() {
    later_turns::<3>(3);
    later_turns::<3>(4);
    later_turns::<4>(3);
    later_turns::<4>(4);
    later_turns::<5>(3);
    later_turns::<6>(3);
    later_turns::<8>(3);
}

#[test]
fn first_turns_take_from_the_right_reserve() {
    let played = |opening, moves: &[&str]| {
        let mut position = Position::<5>::start_with(Komi::ZERO, opening);
        for text in moves {
            let mv = parse_move(text, Position::<5>::SIZE).unwrap();
            position.play(mv).unwrap();
        }
        let left = |color| (position.reserve(color).stones, position.reserve(color).caps);
        (position.to_string(), left(Color::White), left(Color::Black))
    };
    let rows = |last: &str| format!("x5/x5/x5/x5/{last}");
    assert_eq!(played(OpeningRule::Swap, &["a1", "b1"]), (rows("2,1,x3 1 2"), (20, 1), (20, 1)));
    assert_eq!(played(OpeningRule::NoSwap, &["Ca1", "Sb1"]), (rows("1C,2S,x3 1 2"), (21, 0), (20, 1)));
    assert_eq!(played(OpeningRule::DoubleBlack, &["a1"]), (rows("22,x4 2 1"), (21, 1), (19, 1)));
    assert_eq!(
        played(OpeningRule::DoubleBlack, &["a1", "b1", "c1", "2a1+11"]),
        ("x5/x5/2,x4/2,x4/x,1,1,x2 1 3".into(), (19, 1), (19, 1))
    );
}

#[test]
fn walls_and_capstones_begin_a_game_without_swap_only() {
    for opening in OpeningRule::ALL {
        let mut position = Position::<5>::start_with(Komi::ZERO, opening);
        for first in ["a1", "b2"] {
            for text in ["Sc3", "Cc3"] {
                let mv = parse_move(text, Position::<5>::SIZE).unwrap();
                let expected = match opening {
                    OpeningRule::NoSwap => Ok(()),
                    _ => Err(IllegalMove::Opening),
                };
                assert_eq!(position.check_legal(mv), expected, "{opening}");
            }
            let mv = parse_move(first, Position::<5>::SIZE).unwrap();
            position.play(mv).unwrap();
        }
    }
}

fn allowed_openings(setup: &Setup) -> Vec<OpeningRule> {
    let with = |opening| Setup { opening, ..setup.clone() };
    OpeningRule::ALL.into_iter().filter(|&opening| with(opening).position::<5>().is_ok()).collect()
}

#[test]
fn boards_of_first_turns_belong_to_their_opening() {
    use OpeningRule::{DoubleBlack, NoSwap, Swap};
    for (board, shown) in
        [("2,x4", Swap), ("22,x4", DoubleBlack), ("1,x4", NoSwap), ("1S,x4", NoSwap), ("1C,x4", NoSwap)]
    {
        let tps = format!("x5/x5/x5/x5/{board} 2 1").parse::<Setup>().unwrap();
        assert_eq!((tps.shown_opening(), tps.opening), (Some(shown), shown), "{board}");
        assert_eq!(allowed_openings(&tps), [shown], "{board}");
        // From move 2 on nothing shows the opening, and it has no effect.
        let later = format!("x5/x5/x5/x5/{board} 2 2").parse::<Setup>().unwrap();
        assert_eq!(later.shown_opening(), None);
    }
    let double = "x5/x5/x5/x5/2,x4 2 1".parse::<Setup>().unwrap();
    assert_eq!(
        Setup { opening: DoubleBlack, ..double }.position::<5>().unwrap_err().to_string(),
        "Black to play move 1 needs a board with one stack of two black flats (opening double-black)"
    );
    let empty = "x5/x5/x5/x5/x5 2 1".parse::<Setup>().unwrap();
    assert_eq!(empty.shown_opening(), None);
    assert!(allowed_openings(&empty).is_empty(), "Black cannot begin on an empty board");
}

/// Handicaps, and positions with an arbitrary move number.
#[test]
fn stones_in_move_one_decide_the_first_turns() {
    use OpeningRule::{NoSwap, Swap};
    for (board, shown) in [
        ("2S,x4 2 1", Swap),
        ("22S,x4 2 1", Swap),
        ("222,x4 2 1", Swap),
        ("11,x4 2 1", Swap),
        ("2,2,x3 2 1", Swap),
        ("22,x4 1 1", Swap),
        ("1,1,x3 1 1", Swap),
        ("12,x4 2 1", NoSwap),
        ("22,1,x3 2 1", NoSwap),
        ("x3,2112S,x 1 1", NoSwap),
        ("2,1,x3 1 1", NoSwap),
    ] {
        let setup = format!("x5/x5/x5/x5/{board}").parse::<Setup>().unwrap();
        assert_eq!((setup.shown_opening(), setup.opening), (Some(shown), shown), "{board}");
        assert!(setup.begins_with_stones(), "{board}");
        assert_eq!(allowed_openings(&setup), [Swap, NoSwap], "{board}");
        let mut position = setup.position::<5>().unwrap();
        let to_move = position.to_move();
        position.play(parse_move("e5", Position::<5>::SIZE).unwrap()).unwrap();
        let owner = if shown == Swap { !to_move } else { to_move };
        assert!(position.owned(owner).contains("e5".parse::<Move>().unwrap().square()), "{board}");
        assert_eq!(position.validate(), Ok(()), "{board}");
    }
    // Without a flat of the other player there is nothing to place.
    let setup = format!("x5/x5/x5/x5/{},x4 1 1", "2".repeat(21)).parse::<Setup>().unwrap();
    assert_eq!(setup.shown_opening(), Some(NoSwap));
    assert_eq!(allowed_openings(&setup), [NoSwap]);
}

#[test]
fn the_same_board_under_another_opening_is_another_position() {
    let hash = |opening| Position::<6>::start_with(Komi::ZERO, opening).hash();
    let hashes: HashSet<u64> = OpeningRule::ALL.into_iter().map(hash).collect();
    assert_eq!(hashes.len(), 3);
    assert_eq!(hash(OpeningRule::Swap), Position::<6>::start(Komi::ZERO).hash());
}

/// Returns whether the player to move can force a win within `plies`, by full-width search.
fn wins(position: &Position<3>, plies: u32) -> bool {
    replies(position).any(|next| match next.outcome() {
        Some(outcome) => outcome.winner == Some(position.to_move()),
        None => plies > 1 && loses(&next, plies - 1),
    })
}

/// Returns whether every move of the player to move allows a win within the plies that remain.
fn loses(position: &Position<3>, plies: u32) -> bool {
    replies(position).all(|next| match next.outcome() {
        Some(outcome) => outcome.winner == Some(!position.to_move()),
        None => plies > 1 && wins(&next, plies - 1),
    })
}

fn replies(position: &Position<3>) -> impl Iterator<Item = Position<3>> {
    position.legal_moves().into_iter().map(|mv| {
        let mut next = position.clone();
        next.play_unchecked(mv);
        next
    })
}

/// Reserves so small that games end in the first turns or soon after: every claim of search and solver is true, and a
/// win in three plies is always found.
#[test]
fn claims_in_first_turns_are_true() {
    let mut claims = 0;
    let reserves = |stones: [u8; 2], caps: [u8; 2]| {
        let reserve = |player: usize| Reserve { stones: stones[player], caps: caps[player] };
        ByColor([reserve(0), reserve(1)])
    };
    for opening in OpeningRule::ALL {
        for (stones, caps) in [
            ([1, 1], [0, 0]),
            ([1, 1], [1, 1]),
            ([1, 3], [0, 0]),
            ([2, 1], [0, 1]),
            ([2, 2], [0, 0]),
            ([2, 2], [1, 0]),
            ([3, 2], [0, 0]),
            ([3, 3], [0, 0]),
        ] {
            for half_komi in [-1, 0, 3] {
                let begin = Setup {
                    reserves: reserves(stones, caps),
                    komi: Komi::from_half(half_komi).unwrap(),
                    ..start::<3>(opening)
                };
                let mut setups = vec![begin.clone()];
                // One first turn of each kind: in a corner, on an edge, in the centre.
                let near = |setup: &Setup| {
                    let square = setup.stacks[0].square;
                    square.column() < 2 && square.row() <= square.column()
                };
                setups.extend(check_turn::<3>(&begin).into_iter().filter(near));
                for setup in setups {
                    claims += u32::from(check_claim(&setup));
                }
            }
        }
    }
    assert!(claims > 100, "only {claims} claims");
}

/// Returns whether anything was claimed.
fn check_claim(setup: &Setup) -> bool {
    let position: Position<3> = setup.position().unwrap();
    let game = Game::new(AnyPosition::S3(position.clone()));
    let place = || format!("{} {:?} {}", setup, setup.reserves, setup.opening);
    let mut engine = Engine::new(Settings { hash_mib: 1, ..Settings::default() });
    let searched = engine.analyse(&game, Limits::depth(3)).unwrap();
    let request = SearchRequest::new(game, Limits::nodes(2000));
    let solved = engine.run(&SearchRequest { task: Task::Solve, ..request }).unwrap();
    if position.outcome().is_some() {
        assert_eq!(searched.best(), None, "{}", place());
        assert_eq!(solved.best(), None, "{}", place());
        return false;
    }
    for report in [&searched, &solved] {
        assert_eq!(position.check_legal(report.best().unwrap()), Ok(()));
        match report.lines[0].solved {
            Some(Solved::Win(plies)) if plies <= 5 => {
                assert!(wins(&position, plies), "win in {plies}: {}", place());
            }
            Some(Solved::Loss(plies)) if plies <= 4 => {
                assert!(loses(&position, plies), "loss in {plies}: {}", place());
            }
            _ => {}
        }
    }
    if wins(&position, 3) {
        let won = matches!(searched.lines[0].solved, Some(Solved::Win(..=3)));
        assert!(won, "missed a win: {}", place());
    }
    searched.lines[0].solved.is_some()
}
