//! The table of 3x3 in docs/strength.md, proven twice: by the engine, and by a search that tries everything.
//!
//! Each line of the table is a run of komis with one result. The shortest win never gets shorter as the komi changes
//! against the winner, so both ends of a run prove all of it. By default some of the easy ones are checked, in CI all
//! of them; `SMALL_BOARDS=all cargo test --release --test all small_boards` checks the whole table.

use crate::brute_force::Solver;
use crate::cases::step;
use tak_engine::board::{AnyPosition, ByColor, Color, Game, Komi, Reserve, Setup, Size};
use tak_engine::engine::{Engine, Limits, SearchRequest, Settings, Task};
use tak_engine::search::Solved;

const HALF_KOMIS: std::ops::RangeInclusive<i32> = -8..=20;

const STONES: std::ops::RangeInclusive<u8> = 5..=15;

/// The result of perfect play from the empty board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Value {
    White(u32),
    Black(u32),
    Draw,
}

/// A line of the table, for one number of stones.
#[derive(Debug)]
struct Run {
    stones: u8,
    half_komis: (i32, i32),
    value: Value,
}

/// The lines of the table on the page, such as `| 7 to 15 | -4 to 4.5 | White wins in 13 plies |`.
fn table() -> Vec<Run> {
    let page = include_str!("../../docs/strength.md");
    let (_, table) = page.split_once("| stones | komi | result |\n").expect("the table");
    let half = |komi: &str| (komi.parse::<f64>().expect("a komi") * 2.0) as i32;
    let runs = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [stones, komis, result] = cells[..] else { panic!("three cells: {line}") };
        let range = |cell| str::split_once(cell, " to ").unwrap_or((cell, cell));
        let ((fewest, most), (first, last)) = (range(stones), range(komis));
        let words: Vec<&str> = result.split(' ').collect();
        let value = match words[..] {
            ["White", "wins", "in", plies, "plies"] => Value::White(plies.parse().expect("plies")),
            ["Black", "wins", "in", plies, "plies"] => Value::Black(plies.parse().expect("plies")),
            ["draw"] => Value::Draw,
            _ => panic!("a result: {line}"),
        };
        let [fewest, most] = [fewest, most].map(|stones| stones.parse::<u8>().expect("stones"));
        let run = move |stones| Run { stones, half_komis: (half(first), half(last)), value };
        (fewest..=most).map(run).collect::<Vec<_>>()
    };
    table.lines().skip(1).take_while(|line| line.starts_with('|')).flat_map(runs).collect()
}

/// The runs to check: some of those that take seconds, or all.
fn runs(is_quick: impl Fn(&Run) -> bool) -> Vec<Run> {
    let all = std::env::var("SMALL_BOARDS").is_ok_and(|size| size == "all");
    let runs = table();
    if all {
        return runs;
    }
    let quick: Vec<Run> = runs.into_iter().filter(is_quick).collect();
    assert!(quick.len() > 1);
    quick.into_iter().step_by(step(4)).collect()
}

fn ends(run: &Run) -> Vec<i32> {
    let (first, last) = run.half_komis;
    if first == last { vec![first] } else { vec![first, last] }
}

#[test]
fn the_table_has_every_komi_and_reserve_once() {
    let runs = table();
    for stones in STONES {
        for half_komi in HALF_KOMIS {
            let of = |run: &&Run| run.stones == stones && (run.half_komis.0..=run.half_komis.1).contains(&half_komi);
            assert_eq!(runs.iter().filter(of).count(), 1, "{stones} {half_komi}");
        }
    }
}

/// A draw is proven by its neighbours: with half a flat more or less, one of the players wins.
#[test]
fn trying_everything_agrees() {
    for run in runs(|run| run.stones <= 5) {
        for half_komi in ends(&run) {
            let wins = |player, half_komi, plies| {
                let (mut solver, mut start) =
                    (Solver::new(player), start(run.stones, half_komi).position::<3>().unwrap());
                (1..=plies).find(|&plies| solver.wins(&mut start, plies))
            };
            let (winner, plies) = match run.value {
                Value::White(plies) => (Color::White, plies),
                Value::Black(plies) => (Color::Black, plies),
                Value::Draw => {
                    assert!(wins(Color::White, half_komi - 1, 30).is_some(), "{run:?}");
                    assert!(wins(Color::Black, half_komi + 1, 30).is_some(), "{run:?}");
                    continue;
                }
            };
            assert_eq!(wins(winner, half_komi, plies), Some(plies), "{run:?}");
        }
    }
}

/// The empty board with this number of stones for each player.
pub fn start(stones: u8, half_komi: i32) -> Setup {
    let reserve = Reserve { stones, caps: 0 };
    let komi = Komi::from_half(half_komi.into()).unwrap();
    Setup { reserves: ByColor([reserve; 2]), ..Setup::empty(Size::new(3).unwrap(), komi) }
}

/// The engine's proof of the empty board with this number of stones: the winner, and the number of plies.
fn proof(stones: u8, half_komi: i32) -> Option<Value> {
    let position = AnyPosition::from_setup(&start(stones, half_komi)).unwrap();
    let settings = Settings { hash_mib: 256, ..Settings::default() };
    let mut engine = Engine::new(settings);
    let request = SearchRequest::new(Game::new(position), Limits::nodes(200_000_000));
    let report = engine.run(&SearchRequest { task: Task::Shortest, ..request }).unwrap();
    let solved = report.lines[0].solved.filter(|_| report.shortest);
    solved.map(|solved| match solved {
        Solved::Win(plies) => Value::White(plies),
        Solved::Loss(plies) => Value::Black(plies),
    })
}

#[test]
fn the_engine_proves_it() {
    for run in runs(|run| matches!(run.value, Value::White(..=11))) {
        for half_komi in ends(&run) {
            if run.value == Value::Draw {
                assert!(matches!(proof(run.stones, half_komi - 1), Some(Value::White(_))));
                assert!(matches!(proof(run.stones, half_komi + 1), Some(Value::Black(_))));
            } else {
                assert_eq!(proof(run.stones, half_komi), Some(run.value), "{run:?} at {half_komi}");
            }
        }
    }
}
