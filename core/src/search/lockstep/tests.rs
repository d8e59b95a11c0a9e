//! Scaling of the search with the number of workers, in rounds.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use super::*;
use crate::board::{AnyPosition, Game, Komi, Position, Size, with_position};
use crate::search::deepening::{deepen, root_moves};
use crate::search::repetition::Repetitions;
use crate::search::{Context, Histories, Report, SearchLimits, Shared, Solved, Table};

/// Searches to `depth` with an empty table; returns the rounds and the report.
fn search<const N: usize>(position: &Position<N>, depth: u32, workers: usize) -> (u64, Report) {
    let mut table = Table::new(64).unwrap();
    table.next_search();
    let size = Size::new(N as u64).unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(workers).build();
    let limits = OnceLock::from(SearchLimits { depth: Some(depth), ..SearchLimits::default() });
    let never = AtomicBool::new(false);
    let lockstep = Lockstep::new(workers);
    let context =
        Context { pool: Some(&pool.unwrap()), clock: &lockstep, ..Context::plain(size, &table, &limits, &never) };
    let mut worker_histories: Vec<_> = (0..workers).map(|_| Histories::default()).collect();
    let roots = root_moves(position, &[], &context, &worker_histories[0]);
    let mut shared = Shared::new(context, Repetitions::default(), roots.len(), workers);
    shared.portion = TURN_NODES;
    let report = deepen(position, roots, &shared, &mut worker_histories, &mut |_| ());
    (lockstep.state.into_inner().unwrap().rounds, report)
}

fn search_any(position: &AnyPosition, depth: u32, workers: usize) -> (u64, Report) {
    with_position!(position, p => search(p, depth, workers))
}

/// Middle game positions, and the depth of searches that take one worker some 200,000 nodes.
#[rustfmt::skip]
const POSITIONS: &[(&str, u32)] = &[
    ("x4,1/x2,1,2,x/x,1,1,2,x/x2,1C,x2/2,2,2,x2 1 6", 14),
    ("x,2,21,1,1/x2,12C,x2/x,1,1,2,x/x2,1C,2,x/2,2,2,1,x 1 11", 14),
    ("x,1,x4/x,1,x4/x,1,x4/x,12S,1,x3/x2,1S,2,2,1/2,1C,22212C,2,x,2 1 13", 12),
    ("x,1,x2,2,x/x,1,x2,2,x/x,1,1,2,2,x/x,12S,1,2,2,x/x2,1S,x,1,1221S/2,1C,22212C,21S,x,2 1 21", 12),
    ("2,x4,1/x2,2,1,x2/x,2,1C,2C,1,x/x,2,1,1,x2/x,1,2,x3/1,x4,2 1 9", 14),
    ("x7/x2,1,x4/x2,1,x,2,x2/x,1,12C,1,112C,x2/x4,2222121C,x2/2,2,2,2,2,1,x/x3,2,2,1C,x 1 19", 11),
];

/// Suites with board size, number of openings and depth.
const OPENINGS: &[(&str, u64, usize, u32)] =
    &[("5s_komi0.txt", 5, 10, 14), ("6s_komi2.txt", 6, 10, 13), ("7s_komi0.txt", 7, 4, 12)];

/// Positions and openings.
fn all() -> Vec<(AnyPosition, u32)> {
    let middle_games = POSITIONS.iter().map(|&(tps, d)| (tps.parse().unwrap(), d));
    let openings = OPENINGS.iter().flat_map(|&(name, width, count, depth)| {
        let folder = std::env::var_os("OPENINGS").expect("OPENINGS is the path of the folder openings");
        let text = fs::read_to_string(Path::new(&folder).join(name)).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let size = Size::new(width).unwrap();
        let line = |index: usize| {
            let mut game = Game::new(AnyPosition::start(size, Komi::ZERO));
            for mv in lines[index * lines.len() / count].split_whitespace() {
                game.play(mv.parse().unwrap()).unwrap();
            }
            (game.position().clone(), depth)
        };
        (0..count).map(line).collect::<Vec<_>>()
    });
    middle_games.chain(openings).collect()
}

/// The geometric mean.
fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    (values.map(f64::ln).sum::<f64>() / count).exp()
}

#[test]
fn many_workers_take_fewer_rounds() {
    let seen = POSITIONS.iter().map(|&(tps, depth)| {
        let position = tps.parse().unwrap();
        let [one, many] = [1, 16].map(|workers| search_any(&position, depth - 4, workers).0);
        one as f64 / many as f64
    });
    let faster = mean(seen);
    assert!(faster > 2.5, "sixteen are {faster:.2} times as fast as one");
}

#[test]
fn a_run_can_be_repeated() {
    let position = POSITIONS[0].0.parse().unwrap();
    for workers in [5, 16] {
        let [one, again] = [(); 2].map(|()| search_any(&position, 9, workers));
        assert_eq!((one.0, one.1.nodes), (again.0, again.1.nodes));
        assert_eq!(one.1.lines, again.1.lines);
        // A round is over when the slowest has had its turn.
        assert!(one.0 * TURN_NODES * workers as u64 >= one.1.nodes, "{one:?}");
    }
}

/// Some of sixteen workers search a ply deeper, which must not change proofs or the reported depth.
#[test]
fn many_workers_prove_the_same_as_one() {
    for (tps, depth, plies) in [
        ("2,1,2,x2/1,1,1,x2/2,1,1,12C,1/12,1,1C,12S,1/2,12,2,x2 1 15", 4, Some(3)),
        ("x5/x5/x2,1,x2/x5/2,x4 1 2", 4, None),
        (POSITIONS[4].0, 6, None),
    ] {
        let position: AnyPosition = tps.parse().unwrap();
        for workers in [1, 16] {
            let (_, report) = search_any(&position, depth, workers);
            let solved = report.lines[0].solved;
            assert_eq!(solved, plies.map(Solved::Win), "{workers} workers, {tps}");
            if plies.is_none() {
                assert_eq!(report.depth, depth, "{workers} workers, {tps}");
            }
        }
    }
}

#[test]
#[ignore = "a measurement without assertions, see lab/README.md"]
fn rounds_to_depth_for_every_number_of_workers() {
    let positions = all();
    let mut base: Vec<(f64, f64)> = Vec::new();
    for workers in [1, 2, 4, 8, 16, 32, 64] {
        let measure = |(position, depth): &(AnyPosition, u32)| {
            let (rounds, report) = search_any(position, *depth, workers);
            (rounds as f64, report.nodes as f64)
        };
        let seen: Vec<_> = positions.iter().map(measure).collect();
        if base.is_empty() {
            base.clone_from(&seen);
        }
        let pairs = || base.iter().zip(&seen);
        let faster = mean(pairs().map(|(base, seen)| base.0 / seen.0));
        let more = mean(pairs().map(|(base, seen)| seen.1 / base.1));
        let rounds = mean(seen.iter().map(|seen| seen.0));
        println!("| {workers} | {rounds:.0} | {faster:.2} | {more:.2} |");
    }
}
