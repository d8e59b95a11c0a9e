//! Every legal move of random setups and games, played and taken back: against fast-tak, an independent implementation,
//! and against itself, with all fields and texts.

use crate::cases::cases;
use crate::fast_rules::{KEPT, clipped, fast_tak_game};
use crate::for_all_sizes;
use crate::playout::{STYLES, random_game, random_setup};
use fast_tak::Game;
use fast_tak::takparse::{self, GameResult, Piece, Tps};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use tak_engine_core::board::{AnyPosition, Color, EndReason, Komi, OpeningRule, Position, Setup};
use tak_engine_core::notation::{Deviations, read_setup};

/// The pieces of a stack that are still the upper ones after a move.
const KEPT_AFTER: usize = KEPT - 8;

/// Everything that both programs know of a position; the number of the move is ours.
fn state<const N: usize, const K: i8>(theirs: &Game<N, K>, move_number: u32) -> (Setup, [u8; 4], Option<String>) {
    let setup: Setup = Tps::from(theirs.clone()).to_string().parse().unwrap();
    let result: Option<GameResult> = theirs.result().try_into().ok();
    let (white, black) = (theirs.white_reserves, theirs.black_reserves);
    let left = [white.stones, white.caps, black.stones, black.caps];
    (clipped(Setup { move_number, ..setup }, KEPT_AFTER), left, result.map(|result| result.to_string()))
}

fn assert_fast_tak_agrees<const N: usize, const K: i8>(position: &Position<N>, theirs: &Game<N, K>, context: &str) {
    let (setup, left, result) = state(theirs, position.move_number());
    assert_eq!(clipped(position.to_setup(), KEPT_AFTER).to_string(), setup.to_string(), "{context}");
    let [white, black] = Color::ALL.map(|color| position.reserve(color));
    assert_eq!([white.stones, white.caps, black.stones, black.caps], left, "{context}");
    assert_eq!(position.outcome().map(|outcome| outcome.to_string()), result, "{context}");
}

/// The position survives as data and as text. Unless the rule contradicts the start, the board never contradicts it.
fn assert_can_be_set_up_again<const N: usize>(position: &Position<N>, rule_is_kept: bool) {
    let setup = position.to_setup();
    assert_eq!(setup.position().as_ref(), Ok(position));
    let Setup { komi, reserves, opening, .. } = setup;
    let read = read_setup(&position.to_string(), &mut Deviations::default()).unwrap();
    let read = Setup { komi, reserves, ..read };
    if rule_is_kept {
        assert_eq!(read.opening_or(opening), opening, "{setup}");
    }
    let read = Setup { opening, ..read };
    assert_eq!(read, setup);
    let any = AnyPosition::from_setup(&read).unwrap();
    assert_eq!((any.to_setup(), any.hash(), any.to_string()), (read, position.hash(), position.to_string()));
}

fn sorted(moves: &[impl ToString]) -> Vec<String> {
    let mut texts: Vec<String> = moves.iter().map(ToString::to_string).collect();
    texts.sort_unstable();
    texts
}

/// Plays every legal move of the position, compares everything and takes the move back. Returns the number of moves.
pub fn check_moves<const N: usize, const K: i8>(position: &mut Position<N>, rule_is_kept: bool) -> usize {
    let before = position.clone();
    let theirs = fast_tak_game::<N, K>(&before);
    assert_fast_tak_agrees(&before, &theirs, &before.to_string());
    let moves = before.legal_moves();
    if before.outcome().is_some() {
        return 0;
    }
    assert_eq!(before.count_moves(), moves.len() as u64, "{before}");
    let mut their_moves = Vec::new();
    theirs.possible_moves(&mut their_moves);
    assert_eq!(sorted(&moves), sorted(&their_moves), "{before}");

    let quick = before.win_in_one();
    for mv in &moves {
        let mv = *mv;
        let context = format!("{before} {mv}, {} {:?}", before.opening(), before.start_reserves());
        let mut theirs = theirs.clone();
        let their_move: takparse::Move = mv.to_string().parse().unwrap();
        theirs.play(their_move).unwrap();
        if before.ply() == 0 && before.opening() == OpeningRule::DoubleBlack && theirs.black_reserves.stones > 0 {
            theirs.black_reserves.stones -= 1;
            let stack = theirs.board.get_mut(their_move.square()).unwrap();
            stack.stack(Piece::Flat, takparse::Color::Black).unwrap();
        }
        let undo = position.play(mv).unwrap();
        assert_eq!(undo.hash(), before.hash(), "{context}");
        assert_eq!(position.validate(), Ok(()), "{context}");
        assert_fast_tak_agrees(position, &theirs, &context);
        assert_can_be_set_up_again(position, rule_is_kept);
        // What `win_in_one` leaves to the search.
        let outcome = position.outcome();
        let wins = outcome.is_some_and(|outcome| outcome.winner == Some(before.to_move()));
        let is_rare =
            before.is_opening() || mv.is_spread() && outcome.is_some_and(|o| o.reason == EndReason::BoardFull);
        assert!(if quick == Some(mv) { wins } else { quick.is_some() || !wins || is_rare }, "{context}: {quick:?}");
        position.unplay(mv, undo);
        assert!(*position == before, "not taken back: {context}");
    }
    moves.len()
}

/// Counts of the kinds of moves from setups.
#[derive(Debug, Default)]
struct Seen {
    /// By opening rule, those of first turns.
    first: [usize; 3],
    later: usize,
    over: usize,
}

fn walk<const N: usize, const K: i8>(rng: &mut StdRng, seen: &mut Seen) {
    let Some(setup) = random_setup::<N>(Komi::from_half(K.into()).unwrap(), rng) else {
        return;
    };
    let rule_is_kept = setup.opening_or(setup.opening) == setup.opening;
    let mut position: Position<N> = setup.position().unwrap();
    assert_eq!(position.validate(), Ok(()), "{setup}");
    assert_eq!(position.to_setup(), setup);
    let mut played = Vec::new();
    for _ in 0..3 {
        let count = check_moves::<N, K>(&mut position, rule_is_kept);
        let turn = if position.ply() < 2 { &mut seen.first[setup.opening as usize] } else { &mut seen.later };
        *turn += count;
        let Some(&mv) = position.legal_moves().choose(rng) else {
            seen.over += 1;
            break;
        };
        played.push((position.clone(), mv, position.play(mv).unwrap()));
    }
    for (before, mv, undo) in played.into_iter().rev() {
        position.unplay(mv, undo);
        assert!(position == before, "not taken back: {before} {mv}");
    }
}

fn setups<const N: usize>() {
    let mut rng = StdRng::seed_from_u64(N as u64);
    let mut seen = Seen::default();
    for _ in 0..cases(700 / N) {
        walk::<N, 0>(&mut rng, &mut seen);
        walk::<N, 3>(&mut rng, &mut seen);
        walk::<N, -8>(&mut rng, &mut seen);
    }
    let least = seen.first.into_iter().chain([seen.later, seen.over]).min();
    assert!(least > Some(cases(20)), "{seen:?}");
}

#[test]
fn moves_from_any_setup_are_made_and_taken_back_exactly() {
    for_all_sizes!(setups());
}

fn games<const N: usize>() {
    for style in STYLES {
        for seed in 0..cases(3) as u64 {
            random_game::<N>(seed, style, 150, |position, rng| {
                position.validate().unwrap();
                if rng.random_bool(0.1) {
                    check_moves::<N, 0>(position, true);
                }
            });
        }
    }
}

#[test]
fn moves_of_games_are_made_and_taken_back_exactly() {
    for_all_sizes!(games());
}
