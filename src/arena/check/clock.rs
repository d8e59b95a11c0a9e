//! Games on a short clock.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use super::case::{Basis, Case, case};
use super::talk::{Stop, Talk, fail, legal, line_of};
use crate::board::{Color, Game, Komi, Move};

const BASE: Duration = Duration::from_secs(1);
const INCREMENT: Duration = Duration::from_millis(10);
/// A game that is longer has shown enough.
const MOST_PLIES: usize = 120;
/// More games on the busy machine would tell little more.
const MOST_BUSY_GAMES: u32 = 4;

pub fn cases() -> Vec<Case> {
    let basis = Basis::Text("go wtime btime winc binc: the clock is that of the game");
    vec![
        case("one-second", basis, |talk| {
            talk.handshake()?;
            (0..talk.settings.clock_games).try_for_each(|number| play(talk, number, true))
        }),
        case("one-second-beside-a-busy-core", basis, |talk| {
            talk.handshake()?;
            let games = talk.settings.clock_games.min(MOST_BUSY_GAMES);
            busy(|| (0..games).try_for_each(|number| play(talk, number, false)))
        }),
    ]
}

/// Keeps all cores busy with one thread each meanwhile.
fn busy<T>(work: impl FnOnce() -> T) -> T {
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while !stop.load(Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let done = work();
        stop.store(true, Relaxed);
        done
    })
}

/// A game of the engine with itself. A move over time is asked for twice more, on a longer clock.
fn play(talk: &mut Talk, number: u32, is_strict: bool) -> Result<(), Stop> {
    let mut game = talk.new_game(talk.size(), Komi::ZERO)?;
    open(&mut game, number);
    let mut clocks = [BASE; 2];
    while game.position().outcome().is_none() && game.moves().len() < MOST_PLIES && game.occurrences() < 3 {
        let color = game.position().to_move().index();
        let (mv, elapsed) = think(talk, &game, clocks)?;
        if let Some(overrun) = elapsed.checked_sub(clocks[color]).filter(|overrun| !overrun.is_zero()) {
            let overrun =
                format!("{:.3} s over its clock of {:.3} s", overrun.as_secs_f64(), clocks[color].as_secs_f64());
            if is_strict && is_late_again(talk, &game, clocks)? {
                return fail(format_args!(
                    "{overrun}, and twice more on a clock {} times as long",
                    talk.settings.scale
                ));
            }
            talk.warn(overrun);
        }
        clocks[color] = clocks[color].saturating_sub(elapsed).max(INCREMENT) + INCREMENT;
        game.play_unchecked(mv);
    }
    Ok(())
}

fn is_late_again(talk: &mut Talk, game: &Game, clocks: [Duration; 2]) -> Result<bool, Stop> {
    let longer = clocks.map(|clock| clock.mul_f64(talk.settings.scale));
    for _ in 0..2 {
        let (_, elapsed) = think(talk, game, longer)?;
        if elapsed <= longer[game.position().to_move().index()] {
            return Ok(false);
        }
    }
    Ok(true)
}

fn think(talk: &mut Talk, game: &Game, clocks: [Duration; 2]) -> Result<(Move, Duration), Stop> {
    talk.send(&line_of(game))?;
    let [white, black] = clocks.map(|clock| clock.as_millis());
    let increment = INCREMENT.as_millis();
    let go = format!("go wtime {white} btime {black} winc {increment} binc {increment}");
    let answer = talk.go(&go, clocks[game.position().to_move().index()])?;
    Ok((legal(game, &answer.best)?, answer.elapsed))
}

/// Two first moves, different for each of the first games.
fn open(game: &mut Game, number: u32) {
    debug_assert!(game.position().to_move() == Color::White);
    for step in [0, 5] {
        let moves = game.legal_moves();
        let mv = moves[(number as usize * 7 + step) % moves.len()];
        game.play_unchecked(mv);
    }
}
