//! Pondering: a search without limits on the opponent's time, which becomes the search for a move if the opponent plays
//! the expected reply.

use std::mem;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use super::{Engine, HashError, Run, Stopwatch, turn};
use crate::board::{Game, Move};
use crate::search::{Clock, Report, SearchLimits, TimeManager, Used};

/// A search on the opponent's time, see [`Engine::ponder`]. It can be shared: one thread runs it, another one calls
/// [`Ponder::hit`].
#[derive(Debug)]
pub struct Ponder {
    game: Game,
    stopwatch: Stopwatch,
    overhead: Duration,
    /// A copy of the engine's, which replaces it after a hit, unless the search had ended before.
    timeman: Mutex<TimeManager>,
    /// Set by a hit.
    limits: OnceLock<SearchLimits>,
}

impl Engine {
    /// Prepares pondering after the first move of `line` in `game`: on the position after the second move, the expected
    /// reply. If there is no expected reply, or it ends the game, the position before it.
    ///
    /// `None` if the game is over, if there is only one legal move, or at a [level](super::Settings::level), whose
    /// strength is limited by nodes and not by time.
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
            limits: OnceLock::new(),
        })
    }
}

impl Ponder {
    /// The game with the expected moves.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Returns whether `game` has reached the expected position with the same history.
    pub fn is_about(&self, game: &Game) -> bool {
        self.game.position() == game.position() && self.game.history() == game.history()
    }

    /// Handles a ponder hit: the search now has the limits of `clock`, which has been running for the time `waited`.
    /// Only the first hit counts.
    pub fn hit(&self, clock: Clock, waited: Duration) {
        let begun = self.stopwatch.now().saturating_sub(waited);
        let mut timeman = self.timeman();
        if self.limits.get().is_none() {
            let turn = turn(self.game.position());
            let limits = timeman.plan_after_pondering(begun, clock, turn, self.overhead);
            // A stall on the opponent's time costs nothing.
            self.stopwatch.reset_longest_gap();
            // It is empty, and only this function sets it.
            let _ = self.limits.set(limits);
        }
    }

    /// Returns whether the expected move has been played.
    pub fn is_hit(&self) -> bool {
        self.limits.get().is_some()
    }

    /// Searches until `stop` is set, the result is known, or the limits set by a hit are reached. `observer` is called
    /// with the report of every completed iteration. Nodes and times in reports are those of the whole search.
    ///
    /// # Errors
    /// [`HashError`] when the table had to be allocated and could not be.
    pub fn run(
        &self,
        engine: &mut Engine,
        stop: &AtomicBool,
        mut observer: impl FnMut(&Report),
    ) -> Result<Report, HashError> {
        let (game, stopwatch) = (&self.game, &self.stopwatch);
        let mut run = Run { game, moves: None, stopwatch, stop, observer: &mut observer };
        let report = engine.search(&mut run, &self.limits);
        if let Some(limits) = self.limits.get() {
            engine.timeman = mem::take(&mut self.timeman());
            let time = self.stopwatch.now().saturating_sub(limits.begun);
            let used = Used { time, waited: Duration::ZERO, gap: self.stopwatch.longest_gap() };
            engine.timeman.finish(self.game.position().to_move(), used);
        }
        report
    }

    /// Planning does not panic, and the old state would be valid too.
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
