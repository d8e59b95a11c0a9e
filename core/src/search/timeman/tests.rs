//! Whole games on simulated clocks, and the limits of single moves.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::search::repetition::Repetitions;
use crate::search::shared::{Context, Shared};
use crate::search::tt::Table;

const fn millis(count: u64) -> Duration {
    Duration::from_millis(count)
}

fn took(time: Duration, gap: Duration) -> Used {
    Used { time, waited: Duration::ZERO, gap }
}

/// Returns the delay within a search and the time lost before and after it.
type Machine = fn(&mut Xoshiro256PlusPlus) -> (Duration, Duration);

fn idle(_: &mut Xoshiro256PlusPlus) -> (Duration, Duration) {
    (Duration::ZERO, Duration::from_micros(500))
}

/// As measured with twelve programs on two processors: 90 % of the moves lose little, the others ten times that.
fn busy(random: &mut Xoshiro256PlusPlus) -> (Duration, Duration) {
    let [within, around] = [40_000, 22_000].map(|most: u64| {
        let most = if random.random_bool(0.1) { most } else { most / 10 };
        Duration::from_micros(random.random_range(0..most))
    });
    (within, around)
}

/// As measured with six loops and two games on two processors: no thread gets a processor as soon as it wakes up.
fn crowded(random: &mut Xoshiro256PlusPlus) -> (Duration, Duration) {
    let [within, around] = [12_000, 24_000].map(|most| Duration::from_micros(random.random_range(0..most)));
    (within, around)
}

/// A machine that sometimes stalls for up to a third of a second.
fn stalling(random: &mut Xoshiro256PlusPlus) -> (Duration, Duration) {
    let (within, around) = busy(random);
    let stall = if random.random_bool(0.02) { millis(random.random_range(0..330)) } else { Duration::ZERO };
    (within + stall, around)
}

/// A time control, in milliseconds.
#[derive(Debug, Clone, Copy)]
struct Control {
    base: u64,
    increment: u64,
    period: Option<u32>,
    /// Moves of a game.
    moves: u32,
}

const fn control(base: u64, increment: u64, period: Option<u32>, moves: u32) -> Control {
    Control { base, increment, period, moves }
}

const CONTROLS: [Control; 12] = [
    control(8_000, 80, None, 75),
    control(4_000, 40, None, 75),
    control(2_000, 20, None, 75),
    control(1_000, 10, None, 75),
    control(12_000, 0, None, 60),
    control(30_000, 0, None, 75),
    control(5_000, 0, None, 60),
    control(3_000, 0, Some(20), 75),
    control(10_000, 100, Some(10), 75),
    control(60_000, 600, None, 100),
    control(10_000, 100, None, 75),
    control(900_000, 10_000, None, 100),
];

/// The turn of a player's move of this number in a game on 6x6, whose last move is made with one piece left.
fn turn(number: u32, control: Control) -> Turn {
    let reserve = 31 - 30 * number / control.moves;
    Turn { color: Color::White, ply: 2 * number, size: Size::SIX, reserve }
}

/// The time a search needs for depth 3.
const DEPTH_3: Duration = millis(2);

/// The result of a game.
#[derive(Debug)]
struct Played {
    /// The share of the time of the clock that was used.
    used: f64,
    /// The minimum time on the clock.
    least: Duration,
    /// Moves made with half a second left, and those of them that were made before depth 3.
    with_time: u32,
    shallow: u32,
}

/// Plays a game of one player. The error is the move in which the clock ran out.
fn play(control: Control, machine: Machine, random: &mut Xoshiro256PlusPlus) -> Result<Played, u32> {
    let base = millis(control.base);
    let mut clock = Clock { remaining: base, increment: millis(control.increment), moves_to_go: control.period };
    let (mut given, mut used) = (base, Duration::ZERO);
    let mut played = Played { used: 0.0, least: base, with_time: 0, shallow: 0 };
    let mut timeman = TimeManager::default();
    for number in 0..control.moves {
        let plan = timeman.plan(clock, turn(number, control), millis(10));
        let (soft, hard) = (plan.soft.unwrap(), plan.hard.unwrap());
        // Iterations end before and after the soft limit, and some searches continue to the hard one.
        let wanted = soft.mul_f64(random.random_range(0.3..1.6)).min(hard);
        let (within, around) = machine(random);
        // The machine may stall when the search begins, or when it ends.
        let taken = if random.random_bool(0.5) {
            wanted.max(within + DEPTH_3).min(hard.max(plan.shallow.unwrap())).max(within)
        } else {
            wanted + within
        };
        let has_time = clock.remaining >= millis(500);
        played.with_time += u32::from(has_time);
        played.shallow += u32::from(has_time && taken.saturating_sub(within) < DEPTH_3);
        timeman.finish(Color::White, took(taken, within));
        used += taken;
        clock.remaining = clock.remaining.checked_sub(taken + around).ok_or(number + 1)?;
        played.least = played.least.min(clock.remaining);
        clock.remaining += clock.increment;
        given += clock.increment;
        clock.moves_to_go = clock.moves_to_go.map(|left| left - 1);
        if clock.moves_to_go == Some(0) {
            clock.moves_to_go = control.period;
            clock.remaining += base;
            given += base;
        }
    }
    Ok(Played { used: used.as_secs_f64() / given.as_secs_f64(), ..played })
}

/// The time that a search takes that begins after `waited` on a processor of `speed` nodes per millisecond. It has the
/// checks of a real one; its iterations take twice as many nodes each, the first as many as there are moves on 7x7.
fn starved(plan: SearchLimits, waited: Duration, speed: u64) -> Duration {
    const FIRST: u64 = 250;
    let table = Table::new(1).unwrap();
    let (limits, stop) = (OnceLock::from(plan), AtomicBool::new(false));
    let now = AtomicU64::new(waited.as_micros() as u64);
    let elapsed = || Duration::from_micros(now.load(Relaxed));
    let context = Context { clock: &elapsed, ..Context::plain(Size::SEVEN, &table, &limits, &stop) };
    let shared = Shared::new(context, Repetitions::default(), 1, 1);
    let (mut nodes, mut depth) = (0, 0);
    loop {
        let portion = shared.allot();
        nodes += portion;
        now.fetch_add(1000 * portion / speed, Relaxed);
        while nodes >= FIRST << depth {
            depth += 1;
        }
        shared.depth.store(depth, Relaxed);
        if portion == 0 || depth > 0 && elapsed() >= plan.soft.unwrap() {
            return elapsed();
        }
    }
}

/// Plays a game of 0.3 s and 3 ms a move, and returns what is left after each move. Each move waits up to `wait` before
/// its search, and loses half as much after it.
fn play_starved(speed: u64, wait: Duration, first: Duration, random: &mut Xoshiro256PlusPlus) -> Vec<Duration> {
    let control = control(300, 3, None, 100);
    let mut clock = Clock { remaining: millis(control.base), increment: millis(control.increment), moves_to_go: None };
    let mut timeman = TimeManager::default();
    let mut left = Vec::new();
    for number in 0..control.moves {
        let plan = timeman.plan(clock, turn(number, control), MOVE_OVERHEAD);
        let [waited, after] = [wait, wait / 2].map(|most| most.mul_f64(random.random_range(0.0..1.0)));
        let time = starved(plan, waited, speed);
        timeman.finish(Color::White, Used { time, waited, gap: Duration::ZERO });
        clock.remaining = clock.remaining.saturating_sub(time + after);
        if number == 0 {
            clock.remaining = clock.remaining.min(first);
        }
        left.push(clock.remaining);
        clock.remaining += clock.increment;
    }
    left
}

/// Even if a millisecond is enough for 20 nodes only, and a first iteration takes four increments.
#[test]
fn no_processor_is_so_slow_that_the_clock_drains() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(6);
    for speed in [20, 50, 200, 1000] {
        for first in [300, 100, 20, 5] {
            let left = play_starved(speed, millis(1), millis(first), &mut random);
            assert!(!left.contains(&Duration::ZERO), "{speed} nodes/ms, {first} ms: {left:?}");
            assert!(left[99] > millis(25), "{speed} nodes/ms, {first} ms: {left:?}");
        }
    }
}

/// Each move loses as much as its increment while it waits, so the first clock has to last for all searches.
#[test]
fn waits_as_long_as_the_increment_cost_no_game() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    for speed in [20, 50, 200, 1000] {
        for game in 0..50 {
            let left = play_starved(speed, millis(4), millis(300), &mut random);
            assert!(!left.contains(&Duration::ZERO), "{speed} nodes/ms, game {game}: {left:?}");
        }
    }
}

#[test]
fn search_before_solve_leaves_most_of_the_limits() {
    let quick = |plan| before_solve(&plan);
    let unlimited = SearchLimits::default();
    assert_eq!(quick(unlimited).hard, Some(millis(1_000)));
    let by_clock = SearchLimits { depth: Some(3), soft: Some(millis(4_000)), hard: Some(millis(9_000)), ..unlimited };
    assert_eq!(quick(by_clock).hard, Some(millis(400)));
    assert_eq!((quick(by_clock).depth, quick(by_clock).soft), (None, None));
    assert_eq!(rest_of_solve(&by_clock, 5).hard, Some(millis(4_000)));
    // A third is kept for the answer without a proof.
    assert_eq!(solver_share(&SearchLimits { soft: Some(millis(3_000)), ..unlimited }, 5).hard, Some(millis(2_000)));
    assert_eq!(solver_share(&SearchLimits { nodes: Some(90), ..unlimited }, 9).nodes, Some(51));
    assert_eq!(solver_share(&unlimited, 9), unlimited);
    for (nodes, first, left) in [(5, 1, 4), (70, 7, 63), (0, 1, 0)] {
        let plan = SearchLimits { nodes: Some(nodes), ..unlimited };
        assert_eq!((quick(plan).nodes, quick(plan).hard), (Some(first), None));
        let rest = rest_of_solve(&plan, first);
        assert_eq!((rest.nodes, rest.hard), (Some(left), None));
    }
}

#[test]
fn no_clock_runs_out_on_a_busy_machine() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    for control in CONTROLS {
        for game in 0..200 {
            let ended = play(control, busy, &mut random);
            assert!(ended.is_ok(), "{control:?}, game {game}: {ended:?}");
        }
    }
}

/// Each move loses more than its increment, so the first clock has to last for the whole game.
#[test]
fn a_crowded_machine_costs_no_game_of_usual_length() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    let (mut moves, mut shallow) = (0, 0);
    for game in 0..200 {
        let played = play(control(1_000, 10, None, 45), crowded, &mut random);
        let played = played.unwrap_or_else(|number| panic!("game {game} is lost in move {number}"));
        moves += played.with_time;
        shallow += played.shallow;
    }
    assert!(shallow * 100 <= moves, "{shallow} of {moves} moves");
}

/// A stall may come when the clock is at its lowest, and another before it has recovered, so not all short games can be
/// saved.
#[test]
fn most_stalls_without_warning_are_survived() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
    for (control, most) in CONTROLS.into_iter().zip([1, 4, 10, 35, 0, 0, 0, 0, 0, 0, 0, 0]) {
        let lost = (0..100).filter(|_| play(control, stalling, &mut random).is_err()).count();
        assert!(lost <= most, "{lost} of 100 games lost at {control:?}");
    }
}

/// On an idle machine most of the time is used, although the plan counts on more moves than the game has, and never the
/// last part of the reserve.
#[test]
fn an_idle_machine_gets_its_time_used() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    let at_least = [0.88, 0.87, 0.86, 0.84, 0.77, 0.83, 0.77, 0.9, 0.92, 0.93, 0.88, 0.93];
    for (control, at_least) in CONTROLS.into_iter().zip(at_least) {
        let games: Vec<Played> = (0..50).map(|_| play(control, idle, &mut random).unwrap()).collect();
        let share = games.iter().map(|game| game.used).sum::<f64>() / games.len() as f64;
        assert!(share >= at_least, "{share:.3} of the time used at {control:?}");
        let first = Clock { remaining: millis(control.base), ..Clock::default() };
        let kept = ClockHistory::new(first, 72).last_reserve;
        assert!(games.iter().all(|game| game.least >= kept), "{control:?}");
    }
}

/// With the same pieces left, the time is shared among 27 moves on 4x4, whose games are short, and among 40 on 5x5.
#[test]
fn moves_on_4x4_get_a_larger_share() {
    let soft = |size| {
        let clock = Clock { remaining: millis(10_000), ..Clock::default() };
        let turn = Turn { color: Color::White, ply: 4, size, reserve: 15 };
        TimeManager::default().plan(clock, turn, Duration::ZERO).soft.unwrap().as_secs_f64()
    };
    let ratio = soft(Size::FOUR) / soft(Size::FIVE);
    assert!((1.4..1.55).contains(&ratio), "{ratio:.2}");
    assert!((soft(Size::FIVE) / soft(Size::SIX) - 1.0).abs() < 1e-9);
}

#[test]
fn lag_is_learnt_and_forgotten() {
    let plan = |timeman: &mut TimeManager, ply, remaining| {
        let clock = Clock { remaining: millis(remaining), increment: millis(100), moves_to_go: None };
        let turn = Turn { color: Color::Black, ply, size: Size::SIX, reserve: 20 };
        timeman.plan(clock, turn, Duration::ZERO)
    };
    let worst = |timeman: &TimeManager| {
        let player = timeman.players[Color::Black].as_ref().unwrap();
        player.lags.iter().map(|lag| lag.worst).max().unwrap_or_default()
    };
    let mut timeman = TimeManager::default();
    let first = plan(&mut timeman, 1, 10_000);
    assert_eq!(worst(&timeman), Duration::ZERO);
    // 500 ms of search and 200 ms of lag.
    timeman.finish(Color::Black, took(millis(500), millis(1)));
    plan(&mut timeman, 3, 10_000 - 700 + 100);
    assert_eq!(worst(&timeman), millis(200));
    // Time that a search takes beyond its limit is lag too.
    let mut late = TimeManager::default();
    plan(&mut late, 1, 10_000);
    let taken = first.hard.unwrap() + millis(50);
    late.finish(Color::Black, took(taken, millis(40)));
    plan(&mut late, 3, 10_100 - taken.as_millis() as u64);
    assert!(worst(&late).abs_diff(millis(50)) <= millis(1));
    // A stall within a search might have come at its limit.
    late.finish(Color::Black, took(millis(100), millis(70)));
    let remaining = 10_100 - taken.as_millis() as u64;
    plan(&mut late, 5, remaining);
    assert_eq!(worst(&late), millis(70));
    // Nothing is learned from a clock that was reset, after moves that others made, or from a new game.
    for (ply, remaining) in [(5, 12_000), (9, 3_000), (11, 9_000)] {
        timeman.finish(Color::Black, took(millis(1), millis(1)));
        plan(&mut timeman, ply, remaining);
        assert_eq!(worst(&timeman), millis(200), "ply {ply}");
    }
    for ply in (13..).step_by(2).take(STORED_LOSSES) {
        timeman.finish(Color::Black, took(millis(100), millis(1)));
        plan(&mut timeman, ply, 9_000);
    }
    assert_eq!(worst(&timeman), Duration::ZERO);
    timeman.finish(Color::Black, took(millis(1), millis(1)));
    plan(&mut timeman, 1, 1_000);
    let player = timeman.players[Color::Black].as_ref().unwrap();
    assert!(player.lags.is_empty() && player.reserve == millis(200));
    // The same request again does not start a new game.
    plan(&mut timeman, 1, 900);
    let player = timeman.players[Color::Black].as_ref().unwrap();
    assert_eq!(player.reserve, millis(200));
}

#[test]
fn pondering_is_gained() {
    let clock = Clock { remaining: millis(10_000), ..Clock::default() };
    let turn = Turn { color: Color::White, ply: 10, size: Size::SIX, reserve: 26 };
    let plan = TimeManager::default().plan(clock, turn, Duration::ZERO);
    let mut timeman = TimeManager::default();
    let begun = millis(7_000);
    let hit = timeman.plan_after_pondering(begun, clock, turn, Duration::ZERO);
    assert_eq!((hit.soft, hit.begun), (plan.soft, begun));
    assert!(hit.soft <= hit.hard && hit.hard < plan.hard);
    // Time spent on an iteration before the clock ran does not count.
    let [one, other] = ["a1", "b1"].map(|mv| RootMove::new(mv.parse().unwrap()));
    let roots = [one, other];
    for used in [0, 100, 400, 800, 1_200, 2_000] {
        let ends = |plan: &SearchLimits| SoftStop::default().ends(&roots, 9, plan.begun + millis(used), plan);
        assert_eq!(ends(&hit), ends(&plan), "{used}");
    }
    assert!(!SoftStop::default().ends(&roots, 9, begun, &hit));
    // Lag is the loss of the clock besides the search, and its lateness counts from its own limit.
    let allowed = hit.hard.unwrap();
    timeman.finish(Color::White, took(allowed + millis(20), millis(1)));
    let later = Clock { remaining: clock.remaining.checked_sub(allowed + millis(25)).unwrap(), ..clock };
    timeman.plan(later, Turn { ply: 12, ..turn }, Duration::ZERO);
    let player = timeman.players[Color::White].as_ref().unwrap();
    assert_eq!(player.lags, [Lag { lost: millis(25), worst: millis(25) }]);
}

#[test]
fn time_manager_accepts_any_clock() {
    let times = [0, 1, 7, 500, 1 << 32, i64::MAX as u64];
    for remaining in times {
        for increment in times {
            for moves_to_go in [None, Some(1), Some(2), Some(u32::MAX)] {
                let mut timeman = TimeManager::default();
                for ply in [0, 2, 4, 1 << 20] {
                    let clock = Clock { remaining: millis(remaining), increment: millis(increment), moves_to_go };
                    let turn = Turn { color: Color::White, ply, size: Size::SIX, reserve: 50 };
                    let plan = timeman.plan(clock, turn, millis(u64::from(ply)));
                    let (soft, hard) = (plan.soft.unwrap(), plan.hard.unwrap());
                    assert!(soft <= hard && hard >= MIN_SEARCH, "{clock:?}");
                    assert!(hard <= MIN_SEARCH || hard < clock.remaining, "{clock:?}: {plan:?}");
                    for most in [soft / 2, hard / 2, hard * 2] {
                        let both = plan.within(Some(most));
                        assert_eq!((both.soft.unwrap(), both.hard.unwrap()), (soft.min(most), hard.min(most)));
                        assert!(both.latest(0) <= Some(most), "{both:?}");
                    }
                    timeman.finish(Color::White, took(Duration::MAX / 100, Duration::MAX / 100));
                }
            }
        }
    }
}
