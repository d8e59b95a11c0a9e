//! Claims of the solver about suites of forced wins, checked by brute force with the rules of fast-tak.
//!
//! `CASES=4 cargo test --test all solve` checks every win of three plies in the suites instead of every fourth.

use crate::cases::step;
use crate::oracle::Oracle;
use tak_engine_core::board::{AnyPosition, Game, Komi, Move, Setup};
use tak_engine_core::engine::{Engine, Limits, SearchRequest, Settings, Task};
use tak_engine_core::search::{Report, Solved};

/// Longer claims are not checked.
const MAX_CHECKED_PLIES: u32 = 5;

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

/// Solves with few nodes first: most of what is asked is easy.
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

/// Checks a claim of few plies by brute force. Returns whether it was one.
fn holds<const N: usize>(tps: &str, half_komi: i8, plies: u32, first: Option<Move>) -> bool {
    let setup = position(tps, half_komi).to_setup();
    let is_short = plies <= MAX_CHECKED_PLIES;
    let holds = || Oracle::<N>::new(&setup, &[], 3).confirms(Solved::Win(plies), first);
    assert!(!is_short || holds(), "{tps}: no win in {plies}");
    is_short
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

/// Solves and checks wins of three plies, in CI all of them, and some of those of five.
fn check_suite<const N: usize>(text: &str) {
    let (short, long): (Vec<_>, Vec<_>) =
        suite(text).into_iter().filter(|&(.., plies)| plies <= 5).partition(|&(.., plies)| plies <= 3);
    let mut engine = engine(4);
    let (mut checked, mut count) = (0, 0);
    let chosen = short.into_iter().step_by(step(4)).chain(long.into_iter().step_by(step(80)));
    for (index, (tps, half_komi, plies)) in chosen.enumerate() {
        engine.clear();
        let report = solve_somehow(&mut engine, &position(&tps, half_komi));
        let Some(Solved::Win(found)) = solved(&report) else {
            panic!("{tps} is not solved: {report:?}");
        };
        assert!(found >= plies, "{tps} in {found}");
        count += 1;
        checked += u32::from(holds::<N>(&tps, half_komi, found, report.best()));
        // The same from the other side, now and then.
        if index % 20 != 0 {
            continue;
        }
        let mut after = position(&tps, half_komi);
        after.play(report.best().unwrap()).unwrap();
        let claim = solved(&solve_somehow(&mut engine, &after));
        assert!(matches!(claim, Some(Solved::Loss(_))), "after the first move of {tps}: {claim:?}");
    }
    assert!(10 * checked >= 9 * count, "only {checked} of {count} claims are short");
}

#[test]
fn wins_of_the_5x5_suite_hold() {
    check_suite::<5>(include_str!("../../../../tests/solve/5s.txt"));
}

#[test]
fn wins_of_the_6x6_suite_hold() {
    check_suite::<6>(include_str!("../../../../tests/solve/6s.txt"));
}
