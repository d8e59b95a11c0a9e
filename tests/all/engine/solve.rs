//! Every claim of the solver against fast-tak, an independent implementation of the rules.
//!
//! A claimed win is followed up: the attacker plays the solver's moves, the defender tries every legal move that
//! fast-tak knows, and fast-tak has to say in the end that the attacker has won.
//!
//! `CASES=4 cargo test --test all solve` follows up every win of three plies in the suites instead of every fourth.

use std::collections::HashSet;

use crate::brute_force::wins;
use crate::cases::{cases, step};
use fast_tak::takparse::{Color, GameResult, Tps};
use fast_tak::{Game as Oracle, Reserves};
use tak_engine::board::{AnyPosition, Game};
use tak_engine::board::{Komi, Setup, Size};
use tak_engine::engine::{Engine, Limits, SearchRequest, Settings, Task};
use tak_engine::search::{Report, Solved};

fn engine(hash_mib: usize) -> Engine {
    Engine::new(Settings { hash_mib, ..Settings::default() })
}

fn position(tps: &str, half_komi: i8) -> AnyPosition {
    let setup = Setup { komi: Komi::from_half(half_komi.into()).unwrap(), ..tps.parse::<Setup>().unwrap() };
    AnyPosition::from_setup(&setup).unwrap()
}

fn solve(engine: &mut Engine, position: AnyPosition, nodes: u64) -> Report {
    let request = SearchRequest::new(Game::new(position), Limits::nodes(nodes));
    engine.run(&SearchRequest { task: Task::Solve, ..request }).unwrap()
}

/// Solves with few nodes first: most that comes up in a follow-up is easy.
fn solve_somehow(engine: &mut Engine, position: &AnyPosition) -> Report {
    let mut report = solve(engine, position.clone(), 5_000);
    for nodes in [50_000, 500_000, 4_000_000] {
        if solved(&report).is_some() {
            break;
        }
        report = solve(engine, position.clone(), nodes);
    }
    report
}

fn solved(report: &Report) -> Option<Solved> {
    report.lines.first().and_then(|line| line.solved)
}

/// The follow-up of one claim.
struct Certificate {
    engine: Engine,
    /// Positions that have been won already, without their move numbers.
    won: HashSet<String>,
    attacker: Color,
}

impl Certificate {
    fn new<const N: usize, const K: i8>(game: &Oracle<N, K>) -> Self
    where
        Reserves<N>: Default,
    {
        Self { engine: engine(1), won: HashSet::new(), attacker: game.to_move }
    }

    /// Returns whether the game has ended; it must then be won by the attacker.
    fn is_over<const N: usize, const K: i8>(&self, game: &Oracle<N, K>) -> bool
    where
        Reserves<N>: Default,
    {
        let result: Option<GameResult> = game.result().try_into().ok();
        let Some(result) = result else { return false };
        let text = result.to_string();
        let won = match self.attacker {
            Color::White => ["R-0", "F-0"],
            Color::Black => ["0-R", "0-F"],
        };
        assert!(won.contains(&text.as_str()), "{}: {text}", tps(game));
        true
    }

    /// Plays the attacker's move and then all answers to it, to the end.
    fn attack<const N: usize, const K: i8>(&mut self, game: &Oracle<N, K>, depth: u32)
    where
        Reserves<N>: Default,
    {
        let text = tps(game);
        let board = text.rsplit_once(' ').unwrap().0.to_owned();
        if !self.won.insert(board) {
            return;
        }
        assert!(depth < 60, "no end in sight: {text}");
        let ours = position(&text, K);
        let best = ours.winning_move(ours.to_move()).unwrap_or_else(|| {
            let report = solve_somehow(&mut self.engine, &ours);
            let solved = solved(&report);
            assert!(matches!(solved, Some(Solved::Win(_))), "{text}: {solved:?}");
            report.best().unwrap()
        });
        let mut after = game.clone();
        after.play(best.to_string().parse().unwrap()).unwrap();
        after.reversible_plies = 0;
        if self.is_over(&after) {
            return;
        }
        let mut answers = Vec::new();
        after.possible_moves(&mut answers);
        for answer in answers {
            let mut next = after.clone();
            next.play(answer).unwrap();
            next.reversible_plies = 0;
            if !self.is_over(&next) {
                self.attack(&next, depth + 2);
            }
        }
    }
}

fn tps<const N: usize, const K: i8>(game: &Oracle<N, K>) -> String
where
    Reserves<N>: Default,
{
    Tps::from(game.clone()).to_string()
}

fn follow_up<const N: usize, const K: i8>(text: &str)
where
    Reserves<N>: Default,
{
    let game: Oracle<N, K> = text.parse::<Tps>().unwrap().into();
    Certificate::new(&game).attack(&game, 0);
}

/// Lines of a suite as TPS, half komi and plies.
fn suite(text: &str) -> Vec<(String, i8, u32)> {
    let read = |line: &str| {
        let (rest, plies) = line.rsplit_once(' ').unwrap();
        let (tps, komi) = rest.rsplit_once(' ').unwrap();
        let komi: f64 = komi.parse().unwrap();
        (tps.to_owned(), (2.0 * komi) as i8, plies.parse().unwrap())
    };
    text.lines().filter(|line| !line.starts_with('#')).map(read).collect()
}

/// Solves and follows up wins of three plies, in CI all of them, and some of those of five.
fn check_suite<const N: usize>(text: &str)
where
    Reserves<N>: Default,
{
    let (short, long): (Vec<_>, Vec<_>) =
        suite(text).into_iter().filter(|&(.., plies)| plies <= 5).partition(|&(.., plies)| plies <= 3);
    let mut engine = engine(4);
    let chosen = short.into_iter().step_by(step(4)).chain(long.into_iter().step_by(step(80)));
    for (index, (tps, half_komi, plies)) in chosen.enumerate() {
        engine.clear();
        let report = solve_somehow(&mut engine, &position(&tps, half_komi));
        let Some(Solved::Win(found)) = solved(&report) else {
            panic!("{tps} is not solved: {report:?}");
        };
        assert!(found >= plies, "{tps} in {found}");
        match half_komi {
            0 => follow_up::<N, 0>(&tps),
            2 => follow_up::<N, 2>(&tps),
            4 => follow_up::<N, 4>(&tps),
            6 => follow_up::<N, 6>(&tps),
            other => panic!("no suite has half komi {other}"),
        }
        // The same from the other side, now and then.
        if index % 20 != 0 {
            continue;
        }
        let mut after = position(&tps, half_komi);
        after.play(report.best().unwrap()).unwrap();
        let claim = solved(&solve_somehow(&mut engine, &after));
        assert!(matches!(claim, Some(Solved::Loss(_))), "after the first move of {tps}: {claim:?}");
    }
}

#[test]
fn wins_of_the_5x5_suite_hold() {
    check_suite::<5>(include_str!("../../solve/5s.txt"));
}

#[test]
fn wins_of_the_6x6_suite_hold() {
    check_suite::<6>(include_str!("../../solve/6s.txt"));
}

#[test]
fn the_first_player_wins_on_3x3() {
    let start = AnyPosition::start(Size::new(3).unwrap(), Komi::ZERO);
    let report = solve(&mut engine(64), start, 10_000_000);
    assert!(matches!(solved(&report), Some(Solved::Win(_))), "{report:?}");
    let mut position = AnyPosition::start(Size::new(3).unwrap(), Komi::ZERO);
    for &mv in &report.lines[0].pv {
        position.play(mv).unwrap();
    }
    let outcome = position.outcome().expect("the line goes to the end");
    assert_eq!(outcome.winner, Some(tak_engine::board::Color::White));
}

#[test]
fn no_false_win_in_one_or_three_is_claimed() {
    // The positions before the attacker's last moves, seen by the other player: full of threats, and not won.
    let mut checked = 0;
    for (tps, _, _) in suite(include_str!("../../solve/5s.txt")).into_iter().step_by(step(32)) {
        let (rest, number) = tps.rsplit_once(' ').unwrap();
        let (board, side) = rest.rsplit_once(' ').unwrap();
        let other = if side == "1" { "2" } else { "1" };
        let turned = format!("{board} {other} {number}");
        let turned_position = position(&turned, 0);
        let report = solve(&mut engine(4), turned_position.clone(), 20_000);
        if !wins(&turned_position, 1) {
            assert_ne!(solved(&report), Some(Solved::Win(1)), "{turned}");
            checked += 1;
        }
        if solved(&report) == Some(Solved::Win(3)) {
            follow_up::<5, 0>(&turned);
        }
    }
    assert!(checked >= cases(5).min(20), "only {checked} positions without a win");
}
