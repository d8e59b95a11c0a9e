//! The rules against fast-tak, an independent implementation, move by move over random games of all sizes.

use crate::cases::cases;
use crate::playout::{STYLES, Style, choose, random_game};
use fast_tak::takparse::{GameResult, Tps};
use fast_tak::{Game, Reserves, perf_count};
use rand::SeedableRng;
use rand::rngs::StdRng;
use tak_engine::board::{Komi, Position, Square};

/// fast-tak keeps the colours of a stack in 64 bits, one of which marks the height.
const TALLEST: usize = 63;

fn tallest<const N: usize>(position: &Position<N>) -> usize {
    (0..64).map(|index| position.height(Square::from_index(index))).max().unwrap_or(0)
}

/// One game played on both sides; returns the plies compared and whether the game ended.
fn compare_game<const N: usize, const HALF_KOMI: i8>(seed: u64, style: Style) -> (u32, bool)
where
    Reserves<N>: Default,
{
    let mut rng = StdRng::seed_from_u64(seed);
    let komi = Komi::from_half(HALF_KOMI.into()).unwrap();
    let mut ours = Position::<N>::start(komi);
    let mut theirs = Game::<N, HALF_KOMI>::default();
    for ply in 0..160 {
        // fast-tak also draws after fifty reversible plies.
        theirs.reversible_plies = 0;
        let outcome = ours.outcome().map(|outcome| outcome.to_string());
        let result: Option<GameResult> = theirs.result().try_into().ok();
        let tps = ours.to_string();
        assert_eq!(outcome, result.map(|r| r.to_string()), "{tps}, komi {komi}");
        assert_eq!(tps, Tps::from(theirs.clone()).to_string());
        if outcome.is_some() {
            return (ply, true);
        }

        let mut our_moves: Vec<String> = ours.legal_moves().into_iter().map(|mv| mv.to_string()).collect();
        let mut moves = Vec::new();
        theirs.possible_moves(&mut moves);
        let mut their_moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
        our_moves.sort_unstable();
        their_moves.sort_unstable();
        assert_eq!(our_moves, their_moves, "{tps}");
        assert_eq!(ours.count_moves(), our_moves.len() as u64, "{tps}");

        let mv = choose(&mut ours, style, &mut rng);
        theirs.play(mv.to_string().parse().unwrap()).unwrap();
        ours.play(mv).map(drop).unwrap();
        if tallest(&ours) > TALLEST {
            return (ply, false);
        }
    }
    (160, false)
}

/// Plays at least `default` games of each style, more in CI.
fn compare_games<const N: usize, const HALF_KOMI: i8>(default: usize)
where
    Reserves<N>: Default,
{
    let games = cases(default) as u64;
    let (mut plies, mut ended) = (0, 0);
    for style in STYLES {
        for seed in 0..games {
            let (length, over) = compare_game::<N, HALF_KOMI>(seed, style);
            plies += length;
            ended += u64::from(over);
        }
    }
    assert!(u64::from(plies) > 20 * games, "only {plies} plies compared");
    assert!(ended >= games, "only {ended} games came to an end");
}

#[test]
fn games_agree_on_3x3() {
    compare_games::<3, 0>(10);
    compare_games::<3, 1>(2);
    compare_games::<3, -3>(2);
}

#[test]
fn games_agree_on_4x4() {
    compare_games::<4, 0>(5);
    compare_games::<4, 4>(1);
    compare_games::<4, -1>(1);
}

#[test]
fn games_agree_on_5x5() {
    compare_games::<5, 0>(3);
    compare_games::<5, 3>(1);
}

#[test]
fn games_agree_on_6x6() {
    compare_games::<6, 0>(2);
    compare_games::<6, 4>(1);
}

#[test]
fn games_agree_on_7x7() {
    compare_games::<7, 0>(2);
    compare_games::<7, -2>(1);
}

#[test]
fn games_agree_on_8x8() {
    compare_games::<8, 0>(1);
    compare_games::<8, 5>(1);
}

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

fn perft_agrees<const N: usize>(depth: u32, early: &mut u64)
where
    Reserves<N>: Default,
{
    for style in STYLES {
        for seed in 100..103 {
            random_game::<N>(seed, style, 60, |position, _| {
                if position.ply() % 12 != 11 || tallest(position) > TALLEST {
                    return;
                }
                let tps = position.to_string();
                let theirs: Game<N, 0> = tps.parse::<Tps>().unwrap().into();
                let ended = ended_early(position, depth);
                let count = position.perft(depth);
                assert_eq!(count + ended, perf_count(&theirs, depth as usize) as u64, "{tps}");
                let divided: u64 = position.perft_divide(depth).iter().map(|&(_, n)| n).sum();
                assert_eq!(count, divided, "{tps}");
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
