//! Time and memory: no game is lost on a machine that stalls, and no limit is exceeded because of missing processors,
//! missing memory or unusual clients.

#![cfg(feature = "cli")]

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::cases::step;
use crate::common::{Tei, wait_until};
use crate::dialogue::Dialogue;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use tak_engine::board::{AnyPosition, Game};
use tak_engine::board::{Color, Komi, Size};
use tak_engine::engine::{Engine, Limits, SearchRequest, Settings, TimeSource};
use tak_engine::search::Clock;

fn millis(count: u64) -> Duration {
    Duration::from_millis(count)
}

/// A clock that advances by a step whenever it is read, as if the search between two reads took that long, and stalls
/// now and then. In microseconds.
struct Simulated {
    now: AtomicU64,
    step: u64,
    /// The longest stall.
    stall: u64,
    random: Mutex<Xoshiro256PlusPlus>,
}

impl Simulated {
    fn read(&self) -> Duration {
        let stall = {
            let mut random = self.random.lock().unwrap();
            if self.stall > 0 && random.random_bool(0.006) { random.random_range(0..self.stall) } else { 0 }
        };
        let step = self.step + stall;
        Duration::from_micros(self.now.fetch_add(step, Relaxed) + step)
    }
}

/// A game of the engine with itself, times in milliseconds.
#[derive(Debug, Clone, Copy)]
struct Match {
    base: u64,
    increment: u64,
    size: u64,
    /// The longest stall of the machine, without warning.
    stall: u64,
    /// The ply at which the clock shows this much less than it should.
    lost: Option<(usize, u64)>,
    plies: usize,
    /// Seed of the stalls.
    seed: u64,
}

/// The result of a game.
struct Played {
    /// The share of its total time that each player used.
    used: [f64; 2],
    /// The depth of each unproven move made with at least half a second and a quarter of the clock left.
    depths: Vec<u32>,
}

/// Plays a game, or returns who lost on time and in which ply.
fn play(given: Match) -> Result<Played, (Color, u32)> {
    let simulated = Arc::new(Simulated {
        now: AtomicU64::new(0),
        // Half a millisecond per second: the longer the clock, the less is searched per second. A move without a search
        // takes six readings, which must be less than the increment, or any reserve is used up.
        step: given.base / 2,
        stall: given.stall * 1000,
        random: Mutex::new(Xoshiro256PlusPlus::seed_from_u64(given.seed)),
    });
    let source = Arc::clone(&simulated);
    let settings = Settings { hash_mib: 4, ..Settings::default() };
    let mut engine = Engine::with_time(settings, TimeSource::new(move || source.read()));
    let mut game = Game::new(AnyPosition::start(Size::new(given.size).unwrap(), Komi::ZERO));
    let mut clocks = [millis(given.base); 2];
    let mut total = clocks;
    let mut used = [Duration::ZERO; 2];
    let mut depths = Vec::new();
    while game.position().outcome().is_none() && game.moves().len() < given.plies {
        let color = game.position().to_move();
        if let Some((_, lost)) = given.lost.filter(|&(ply, _)| ply == game.moves().len()) {
            clocks[color.index()] -= millis(lost);
        }
        let clock = Clock { remaining: clocks[color.index()], increment: millis(given.increment), moves_to_go: None };
        let begun = simulated.now.load(Relaxed);
        // The clock also runs on the way to the engine and back.
        let waited = simulated.random.lock().unwrap().random_range(0..5_000);
        let request = SearchRequest::new(game.clone(), Limits::clock(clock));
        let report = engine.run(&SearchRequest { waited: Duration::from_micros(waited), ..request }).unwrap();
        let passed = simulated.now.load(Relaxed) - begun + waited + 2_000;
        let passed = Duration::from_micros(passed);
        let left = clock.remaining.checked_sub(passed);
        clocks[color.index()] = left.ok_or((color, game.position().ply()))? + clock.increment;
        used[color.index()] += passed;
        total[color.index()] += clock.increment;
        // The machine is slower for longer clocks, so half a second of a fast one is a quarter of it here.
        if clock.remaining >= millis(500).max(millis(given.base) / 4)
            && report.lines[0].solved.is_none()
            && game.legal_moves().len() > 1
        {
            depths.push(report.depth);
        }
        game.play(report.best().unwrap()).unwrap();
    }
    let used = [0, 1].map(|index| used[index].as_secs_f64() / total[index].as_secs_f64());
    Ok(Played { used, depths })
}

#[test]
fn simulated_games_are_not_lost_on_time() {
    let controls = [
        (1_000, 10, 5, 80),
        (2_000, 20, 6, 80),
        (3_000, 0, 5, 80),
        (5_000, 50, 5, 200),
        (10_000, 100, 6, 400),
        (60_000, 600, 6, 1_000),
        (900_000, 10_000, 5, 10_000),
    ];
    let (mut moves, mut shallow) = (0, 0);
    for (base, increment, size, stall) in controls.into_iter().step_by(step(2)) {
        for seed in (base..base + 3).step_by(step(3)) {
            let played = play(Match { base, increment, size, stall, lost: None, plies: 120, seed });
            let played = played.unwrap_or_else(|loss| panic!("{base}+{increment}, seed {seed}: {loss:?}"));
            assert!(played.used.iter().all(|&share| share > 0.4), "{base}+{increment}: {:?}", played.used);
            moves += played.depths.len();
            shallow += played.depths.iter().filter(|&&depth| depth <= 2).count();
        }
    }
    assert!(shallow * 100 <= moves, "{shallow} of {moves} moves");
}

/// As if the machine stalled between two searches.
#[test]
fn time_lost_once_makes_no_later_move_shallow() {
    let games = [
        (1_000, 10, 6, (8, 200)),
        (1_000, 10, 5, (9, 200)),
        (1_000, 10, 7, (8, 200)),
        (10_000, 100, 6, (0, 300)),
        (3_000, 30, 6, (12, 600)),
        (900_000, 10_000, 6, (10, 60_000)),
    ];
    for (base, increment, size, lost) in games {
        let given = Match { base, increment, size, stall: 0, lost: Some(lost), plies: 36, seed: base };
        let played = play(given).unwrap_or_else(|loss| panic!("{given:?}: {loss:?}"));
        assert!(played.depths.len() >= 10, "{given:?}: {:?}", played.depths);
        assert!(played.depths.iter().all(|&depth| depth > 2), "{given:?}: {:?}", played.depths);
    }
}

/// Exact to one reading of the clock, each of which takes a millisecond here.
#[test]
fn no_limit_is_overstepped() {
    const LOOK: Duration = Duration::from_millis(1);
    /// Limits below this are those of a search that must return a move anyway.
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
                // A fixed time is noticed at the next check, and a few more readings measure its duration.
                let late = if limits.clock.is_some() { 0 } else { 5 };
                assert!(looks * LOOK <= time.max(SHORTEST) + late * LOOK, "{:?} of {limits:?}", looks * LOOK);
                assert!(report.best().is_some());
                assert!(report.nodes <= u64::from(looks) * 512, "{} nodes", report.nodes);
            }
        }
    }
}

#[test]
fn negative_clocks_are_recognised_in_every_form() {
    let mut tei = Tei::start();
    tei.send("position startpos moves a1 f6 d4 c4");
    for clock in ["-500", "4294966796", "18446744073709551116"] {
        // At most the first iteration with its grace time: a clock of 49 days suffices for hours.
        let (lines, _) = tei.go(&format!("go wtime {clock} btime {clock}"));
        assert!(lines.len() <= 3, "{clock}: {lines:?}");
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
    // There are other threads besides the workers, and earlier ones may be about to end.
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

#[cfg(target_os = "linux")]
#[test]
fn readyok_comes_when_the_table_is_in_memory() {
    for threads in [1, 2] {
        let mut tei = Tei::start();
        tei.ask(&format!("setoption name Threads value {threads}"));
        tei.ask("setoption name Hash value 256");
        let ready = tei.resident_mib();
        assert!(ready >= 256, "{ready} MiB");
        for go in ["go solved movetime 200", "go movetime 50", "go wtime 1000 btime 1000"] {
            tei.go(go);
            let taken = tei.resident_mib();
            assert!(taken < ready + 8, "{go}: {ready} to {taken} MiB");
            tei.ask("teinewgame 6");
        }
        tei.ask("setoption name Hash value 64");
        assert!((64..64 + 32).contains(&tei.resident_mib()));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn without_isready_the_table_is_in_memory_too() {
    let mut tei = Tei::start();
    for (line, mib) in [("tei", 64), ("setoption name Hash value 128", 128)] {
        tei.send(line);
        wait_until("the table", || tei.resident_mib() >= mib);
    }
}

/// A new game must not use the clock of its first move.
#[cfg(target_os = "linux")]
#[test]
fn a_table_is_forgotten_without_giving_it_back() {
    let mut tei = Tei::start();
    tei.ask("setoption name Hash value 256");
    tei.go("go nodes 300");
    let before = tei.pages();
    for _ in 0..3 {
        tei.ask("teinewgame 6");
        tei.go("go nodes 300");
    }
    tei.ask("teinewgame 6");
    let pages = tei.pages() - before;
    assert!(pages < 1_000, "{pages} pages");
}

#[cfg(target_os = "linux")]
#[test]
fn solving_is_linear_in_the_length_of_the_game() {
    let mut tei = Tei::start();
    // Close to the maximum line length.
    let shuffle = "f6< a1> e6> b1< ".repeat(30_000);
    tei.send(&format!("position startpos moves a1 f6 {shuffle}"));
    assert_eq!(tei.ask(""), [""; 0]);
    let before = tei.ticks();
    tei.go("go solved movetime 100");
    let ticks = tei.ticks() - before;
    assert!(ticks < 500, "{ticks} hundredths of a second of the processor's time");
}
