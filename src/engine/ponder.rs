//! Thinking on the opponent's time: a search without limits that becomes the search for a move when the opponent does what
//! was expected.

use std::mem;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use super::{Engine, HashError, Stopwatch, turn};
use crate::board::{Game, Move};
use crate::search::{Clock, Plan, Report, TimeManager};

/// A search on the opponent's time, see [`Engine::ponder`]. It can be shared: one thread runs it, another one tells it of a
/// hit.
///
/// ```
/// use std::sync::atomic::{AtomicBool, Ordering};
/// use std::time::Duration;
/// use tak_engine::board::{AnyPosition, Game, Komi, Size};
/// use tak_engine::engine::{Engine, Limits, Settings};
/// use tak_engine::search::Clock;
///
/// let mut engine = Engine::new(Settings { hash_mib: 1, ..Settings::default() });
/// let mut game = Game::new(AnyPosition::start(Size::new(5)?, Komi::ZERO));
/// let line = engine.analyse(&game, Limits::depth(4))?.lines.swap_remove(0).pv;
/// let ponder = engine.ponder(&game, &line).expect("the game goes on");
///
/// // The opponent plays what was expected while the search runs.
/// let clock = Clock { remaining: Duration::from_secs(1), ..Clock::default() };
/// let observer = |report: &_| { let _: &tak_engine::search::Report = report; ponder.hit(clock, Duration::ZERO) };
/// let report = ponder.run(&mut engine, &AtomicBool::new(false), observer)?;
/// game.play(line[0])?;
/// game.play(line[1])?;
/// assert!(ponder.is_about(&game) && game.legal_moves().contains(&report.best().expect("there is a move")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Ponder {
    game: Game,
    stopwatch: Stopwatch,
    overhead: Duration,
    /// As the engine's was at first. The engine gets it back after a hit, unless the search had ended by itself before.
    timeman: Mutex<TimeManager>,
    /// Comes with a hit.
    plan: OnceLock<Plan>,
}

impl Engine {
    /// What to think about while the opponent does, once the first move of `line` has been played in `game`: the position
    /// after the second, the expected reply. Where there is none that goes on, the one before it.
    ///
    /// `None` if the game is over, if there is nothing to choose, or at a [level](super::Settings::level): what it sees is
    /// limited by nodes and not by time, so it has no use for more of it.
    #[must_use]
    pub fn ponder(&self, game: &Game, line: &[Move]) -> Option<Ponder> {
        if self.settings.level.is_some() {
            return None;
        }
        let mut expected = None;
        let mut game = game.clone();
        for &mv in line.iter().take(2) {
            game.play(mv).ok()?;
            if game.position().outcome().is_some() {
                break;
            }
            expected = Some(game.clone());
        }
        let game = expected.filter(|game| game.legal_moves().len() > 1)?;
        Some(Ponder {
            game,
            stopwatch: self.time.measure(Duration::ZERO),
            overhead: self.settings.move_overhead,
            timeman: Mutex::new(self.timeman.clone()),
            plan: OnceLock::new(),
        })
    }
}

impl Ponder {
    /// The game as it is expected to go on.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Whether `game` has come to the expected position, with the same positions before it that may come up again.
    #[must_use]
    pub fn is_about(&self, game: &Game) -> bool {
        self.game.position() == game.position() && self.game.history() == game.history()
    }

    /// The expected position is on the board and a move is due: from here on the search is one within the limits of
    /// `clock`, which has been running for as long as the request has `waited`. Only the first hit counts.
    pub fn hit(&self, clock: Clock, waited: Duration) {
        let begun = self.stopwatch.now().saturating_sub(waited);
        let mut timeman = self.timeman();
        if self.plan.get().is_none() {
            let turn = turn(self.game.position());
            let plan = timeman.plan_after_pondering(begun, clock, turn, self.overhead);
            // A stall on the opponent's time costs nothing.
            self.stopwatch.forget_silence();
            // It is empty, and nobody else gets here.
            let _ = self.plan.set(plan);
        }
    }

    /// Returns whether the expected move has been played.
    #[must_use]
    pub fn is_hit(&self) -> bool {
        self.plan.get().is_some()
    }

    /// Searches until `stop` becomes true, the result is known, or the limits that a hit has brought are reached.
    /// `observer` is called with the report of every completed iteration. Nodes and times in reports are those of the
    /// whole search.
    ///
    /// # Errors
    /// [`HashError`] when not even a small table could be allocated.
    pub fn run(
        &self,
        engine: &mut Engine,
        stop: &AtomicBool,
        mut observer: impl FnMut(&Report),
    ) -> Result<Report, HashError> {
        let report = engine.search(&self.game, None, &self.plan, &self.stopwatch, stop, &mut observer);
        if let Some(plan) = self.plan.get() {
            engine.timeman = mem::take(&mut self.timeman());
            let used = self.stopwatch.now().saturating_sub(plan.begun);
            let silence = self.stopwatch.longest_silence();
            let color = self.game.position().to_move();
            engine.timeman.finish(color, used, silence);
        }
        report
    }

    /// Planning does not panic, and what it knew before would do.
    fn timeman(&self) -> MutexGuard<'_, TimeManager> {
        self.timeman.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{AnyPosition, Komi, Size};
    use crate::engine::{Level, Settings, TimeSource};

    #[test]
    fn a_level_does_not_ponder() {
        let game = Game::new(AnyPosition::start(Size::ALL[2], Komi::ZERO));
        let line: Vec<Move> = ["a1", "e5"].map(|text| text.parse().unwrap()).into();
        let mut engine = Engine::with_time(Settings::default(), TimeSource::new(|| Duration::ZERO));
        assert!(engine.ponder(&game, &line).is_some());
        for level in [1, Level::MAX] {
            engine.set(Settings { level: Level::new(level), ..Settings::default() });
            assert!(engine.ponder(&game, &line).is_none(), "{level}");
        }
    }
}
