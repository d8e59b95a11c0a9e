//! Every legal move of random setups and games, played and taken back: against fast-tak, an independent implementation,
//! and against itself, with all fields and texts.

use crate::cases::cases;
use crate::for_all_sizes;
use crate::playout::{STYLES, random_game};
use fast_tak::takparse::{self, GameResult, Piece, Tps};
use fast_tak::{Game, Reserves};
use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use tak_engine::board::{
    AnyPosition, Bitboard, ByColor, Color, EndReason, Komi, OpeningRule, PieceKind, Position, Reserve, Setup,
    SetupError, SetupStack,
};
use tak_engine::notation::{Deviations, read_setup};

/// fast-tak keeps at most 63 pieces of a stack. A move depends only on the upper ones.
const KEPT_BEFORE: usize = 50;
const KEPT_AFTER: usize = KEPT_BEFORE - 8;

/// The board with the upper pieces of each stack.
fn clipped(mut setup: Setup, height: usize) -> Setup {
    for stack in &mut setup.stacks {
        stack.colors.drain(..stack.colors.len().saturating_sub(height));
    }
    setup
}

/// The same position in fast-tak, which knows only the swap: first turns without it are like those of move 2.
pub fn fast_tak_game<const N: usize, const K: i8>(position: &Position<N>) -> Game<N, K> {
    let tps: Tps = clipped(position.to_setup(), KEPT_BEFORE).to_string().parse().unwrap();
    let reserves = |color| {
        let Reserve { stones, caps } = position.reserve(color);
        Reserves { stones, caps }
    };
    let is_like_later = position.opening() == OpeningRule::NoSwap && position.ply() < 2;
    Game {
        board: tps.board().collect(),
        to_move: tps.color(),
        white_reserves: reserves(Color::White),
        black_reserves: reserves(Color::Black),
        ply: position.ply() as u16 + if is_like_later { 2 } else { 0 },
        reversible_plies: 0,
    }
}

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

/// Any board, from none to all squares, of one colour or both, with any rule and settings in one of the first moves.
/// Often nearly all pieces are on the board. `None` if the rule and the board exclude each other.
pub fn random_setup<const N: usize>(komi: Komi, rng: &mut StdRng) -> Option<Setup> {
    let mut setup = Setup::empty(Position::<N>::SIZE, komi);
    setup.move_number = *[1, 1, 1, 2, 3].choose(rng).unwrap();
    setup.to_move = Color::from_bit(rng.random());
    let opening = *OpeningRule::ALL.choose(rng).unwrap();
    let white_share = *[0.0, 0.1, 0.5, 0.5, 0.5, 0.9, 1.0].choose(rng).unwrap();
    let tall = *[0.0, 0.1, 0.4].choose(rng).unwrap();
    let highest = *[3, 9, 30, 121].choose(rng).unwrap();
    let mut squares: Vec<_> = Bitboard::board::<N>().into_iter().collect();
    squares.shuffle(rng);
    squares.truncate(*[0, 1, 2, N, N * N / 2, N * N - 2, N * N - 1].choose(rng).unwrap());
    let mut placed = ByColor([Reserve { stones: 0, caps: 0 }; 2]);
    for square in squares {
        let height = if rng.random_bool(tall) { rng.random_range(2..=highest) } else { 1 };
        let mut colors = Vec::new();
        for _ in 0..height {
            let color = if rng.random_bool(white_share) { Color::White } else { Color::Black };
            if placed[color].stones < Reserve::MAX_STONES {
                placed[color].stones += 1;
                colors.push(color);
            }
        }
        let Some(&owner) = colors.last() else { continue };
        let top = *[PieceKind::Flat, PieceKind::Flat, PieceKind::Wall, PieceKind::Cap].choose(rng).unwrap();
        let is_cap = top == PieceKind::Cap && placed[owner].caps < Reserve::MAX_CAPS;
        if is_cap {
            placed[owner].caps += 1;
            placed[owner].stones -= 1;
        }
        let top = if is_cap || top == PieceKind::Wall { top } else { PieceKind::Flat };
        setup.stacks.push(SetupStack { square, colors, top });
    }
    setup.stacks.sort_by_key(|stack| stack.square);
    let few = rng.random_bool(0.7);
    for color in Color::ALL {
        let Reserve { stones, caps } = placed[color];
        let left = if few { rng.random_range(0..=2) } else { rng.random_range(0..=Reserve::MAX_STONES) };
        setup.reserves[color] = Reserve {
            stones: (stones + left).clamp(1, Reserve::MAX_STONES),
            caps: rng.random_range(caps..=Reserve::MAX_CAPS),
        };
    }
    setup.opening = if rng.random() { opening } else { setup.opening_or(opening) };
    match setup.position::<N>() {
        Ok(_) => Some(setup),
        Err(error) => {
            assert!(matches!(error, SetupError::Opening { .. }), "{setup}: {error}");
            None
        }
    }
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
