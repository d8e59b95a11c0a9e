//! Time and memory: no game lost on a machine that stalls, no limit overstepped for want of a processor, of memory or of
//! sense in the front end.

#![cfg(feature = "cli")]

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::cases::{cases, step};
use crate::common::Tei;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use tak_engine::board::{AnyPosition, Game};
use tak_engine::board::{Color, Komi, Size};
use tak_engine::engine::{Engine, Limits, Settings, TimeSource};
use tak_engine::search::Clock;

fn millis(count: u64) -> Duration {
    Duration::from_millis(count)
}

/// A clock that goes on by two milliseconds whenever it is read, as if the search between two looks took so long, and now
/// and then stalls. In microseconds.
struct Simulated {
    now: AtomicU64,
    random: Mutex<Xoshiro256PlusPlus>,
}

impl Simulated {
    fn read(&self) -> Duration {
        let stall = {
            let mut random = self.random.lock().unwrap();
            if random.random_bool(0.006) { random.random_range(0..80_000) } else { 0 }
        };
        let step = 2_000 + stall;
        Duration::from_micros(self.now.fetch_add(step, Relaxed) + step)
    }
}

/// Plays a game of the engine with itself: who lost on time in which ply, or how much each used of all the time given.
fn play(base: u64, increment: u64, size: Size, seed: u64) -> Result<[f64; 2], (Color, u32)> {
    let simulated =
        Arc::new(Simulated { now: AtomicU64::new(0), random: Mutex::new(Xoshiro256PlusPlus::seed_from_u64(seed)) });
    let source = Arc::clone(&simulated);
    let settings = Settings { hash_mib: 4, ..Settings::default() };
    let mut engine = Engine::with_time(settings, TimeSource::new(move || source.read()));
    let mut game = Game::new(AnyPosition::start(size, Komi::ZERO));
    let mut clocks = [millis(base); 2];
    let mut given = clocks;
    let mut used = [Duration::ZERO; 2];
    while game.position().outcome().is_none() && game.moves().len() < 120 {
        let color = game.position().to_move();
        let clock = Clock { remaining: clocks[color.index()], increment: millis(increment), moves_to_go: None };
        let begun = simulated.now.load(Relaxed);
        // On the way to the engine and back the clock goes on.
        let waited = simulated.random.lock().unwrap().random_range(0..5_000);
        let analysis = engine.analysis(&game).limits(Limits::clock(clock));
        let analysis = analysis.waited(Duration::from_micros(waited));
        let report = analysis.run().unwrap();
        let passed = simulated.now.load(Relaxed) - begun + waited + 2_000;
        let passed = Duration::from_micros(passed);
        let left = clock.remaining.checked_sub(passed);
        clocks[color.index()] = left.ok_or((color, game.position().ply()))? + clock.increment;
        used[color.index()] += passed;
        given[color.index()] += clock.increment;
        game.play(report.best().unwrap()).unwrap();
    }
    Ok([0, 1].map(|index| used[index].as_secs_f64() / given[index].as_secs_f64()))
}

#[test]
fn simulated_games_are_not_lost_on_time() {
    let controls = [(1_000, 10, 5), (2_000, 20, 6), (3_000, 0, 5)];
    for (base, increment, size) in controls.into_iter().take(cases(1)) {
        let ended = play(base, increment, Size::new(size).unwrap(), base);
        let used = ended.unwrap_or_else(|loss| panic!("{base}+{increment}: {loss:?}"));
        assert!(used.iter().all(|&share| share > 0.4), "{base}+{increment}: {used:?}");
    }
}

/// Strict to a look at the clock, of which each takes a millisecond here.
#[test]
fn no_limit_is_overstepped() {
    const LOOK: Duration = Duration::from_millis(1);
    /// Limits below this are those of a search that must have a move all the same.
    const SHORTEST: Duration = Duration::from_millis(10);
    let position = |tps: &str| tps.parse::<AnyPosition>().unwrap();
    let positions = [
        position("x5/x5/x5/x5/x5 1 1"),
        position("2,x4,1/x2,2,1,x2/x,2,1C,2C,1,x/x,2,1,1,x2/x,1,2,x3/1,x4,2 1 9"),
        position("x8/x8/x8/x3,1,x4/x2,2,1,x4/x3,2,x4/x8/x8 1 4"),
    ];
    for position in positions {
        let game = Game::new(position);
        let times = [0, 1, 5, 20, 100, 300].map(millis);
        for time in times.into_iter().step_by(step(2)) {
            let clock = |increment, moves_to_go| {
                Limits::clock(Clock { remaining: time, increment: millis(increment), moves_to_go })
            };
            let fixed = Limits::move_time(time);
            let limits = [clock(0, None), clock(5_000, None), clock(0, Some(1)), fixed];
            for limits in limits {
                let looks = Arc::new(AtomicU64::new(0));
                let source = Arc::clone(&looks);
                let settings =
                    Settings { hash_mib: 4, threads: 1, move_overhead: Duration::ZERO, ..Settings::default() };
                let time_source = TimeSource::new(move || LOOK * (source.fetch_add(1, Relaxed) as u32 + 1));
                let mut engine = Engine::with_time(settings, time_source);
                let report = engine.analyse(&game, limits).unwrap();
                let looks = looks.load(Relaxed) as u32;
                // What a fixed time ends is seen at the next look, and a few more tell how long it took.
                let late = if limits.clock.is_some() { 0 } else { 5 };
                assert!(looks * LOOK <= time.max(SHORTEST) + late * LOOK, "{:?} of {limits:?}", looks * LOOK);
                assert!(report.best().is_some());
                assert!(report.nodes <= u64::from(looks) * 512, "{} nodes", report.nodes);
            }
        }
    }
}

#[test]
fn a_clock_below_zero_is_one_however_it_is_written() {
    let mut tei = Tei::start();
    tei.send("position startpos moves a1 f6 d4 c4");
    for clock in ["-500", "4294966796", "18446744073709551116"] {
        let start = Instant::now();
        tei.go(&format!("go wtime {clock} btime {clock}"));
        // A hang guard: a clock of 49 days is good for hours.
        assert!(start.elapsed() < Duration::from_secs(10), "{clock}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn only_workers_that_there_is_room_for_are_started() {
    let processors = std::thread::available_parallelism().unwrap().get();
    let room = processors.max(4);
    let mut tei = Tei::start();
    for wanted in [1, 2, 256] {
        tei.ask(&format!("setoption name Threads value {wanted}"));
        tei.go("go nodes 5000");
    }
    let fastest = (0..10).map(|_| {
        let start = Instant::now();
        tei.go("go movetime 1");
        start.elapsed()
    });
    let fastest = fastest.min().unwrap();
    assert!(fastest < millis(100), "{fastest:?}");
    // There are some besides the workers, and former ones may be about to end.
    let threads = tei.threads();
    assert!((room..room + 10).contains(&threads), "{threads} threads");
    let ended = tei.close();
    let warnings = ended.stderr.matches("too few processors").count();
    assert_eq!(warnings, usize::from(room < 256), "{}", ended.stderr);
}

#[cfg(target_os = "linux")]
#[test]
fn solving_takes_no_more_memory_than_the_table() {
    let mut tei = Tei::start();
    tei.ask("setoption name Hash value 128");
    tei.send("position startpos moves a1 f6 d4 c4");
    tei.go("go solved nodes 400000");
    tei.go("go nodes 200000");
    let peak = tei.peak_mib();
    assert!((64..128 + 40).contains(&peak), "{peak} MiB");
}

/// The system must have the memory; touching it all would take seconds.
#[cfg(target_os = "linux")]
#[test]
fn a_large_table_costs_no_time_before_it_is_filled() {
    let mut tei = Tei::start();
    tei.ask("setoption name Hash value 2048");
    for go in ["go solved movetime 200", "go movetime 50", "go solved movetime 50"] {
        let start = Instant::now();
        tei.go(go);
        assert!(start.elapsed() < Duration::from_secs(2), "{go}: {:?}", start.elapsed());
        tei.ask("teinewgame 6");
    }
    let pages = tei.pages();
    assert!(pages < 100_000, "{pages} of 524,288 pages");
}

/// A game that begins must not cost the clock of its first move: to touch all of a table takes a second where memory comes
/// slowly.
#[cfg(target_os = "linux")]
#[test]
fn a_table_hardly_used_is_forgotten_without_touching_it() {
    let mut tei = Tei::start();
    tei.ask("setoption name Hash value 256");
    for _ in 0..3 {
        tei.send("teinewgame 6");
        tei.go("go nodes 300");
    }
    tei.ask("teinewgame 6");
    let pages = tei.pages();
    assert!(pages < 30_000, "{pages} of 65,536 pages");
}

#[test]
fn solving_is_linear_in_the_length_of_the_game() {
    let mut tei = Tei::start();
    // Close to the longest line that is read.
    let shuffle = "f6< a1> e6> b1< ".repeat(30_000);
    tei.send(&format!("position startpos moves a1 f6 {shuffle}"));
    assert_eq!(tei.ask(""), [""; 0]);
    let start = Instant::now();
    tei.go("go solved movetime 100");
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}
