//! A request for an analysis: limits, stop flag and observer.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::{Engine, HashError, Limits};
use crate::board::{Game, Move};
use crate::search::Report;

/// A request for an analysis, see [`Engine::analysis`]. It starts with [`SearchRequest::run`].
///
/// ```
/// use std::sync::atomic::{AtomicBool, Ordering};
/// use tak_engine::board::{AnyPosition, Game, Komi, Size};
/// use tak_engine::engine::{Engine, Limits, Settings};
///
/// let mut engine = Engine::new(Settings { hash_mib: 1, ..Settings::default() });
/// let game = Game::new(AnyPosition::start(Size::new(5)?, Komi::ZERO));
/// // Another thread may set this at any time.
/// let stop = AtomicBool::new(false);
/// let report = engine
///     .analysis(&game)
///     .limits(Limits::nodes(100_000))
///     .stop(&stop)
///     .observer(|report| stop.store(report.depth == 3, Ordering::Relaxed))
///     .run()?;
/// assert!(report.best().is_some() && report.depth >= 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "nothing is searched before `run`"]
pub struct SearchRequest<'a> {
    engine: &'a mut Engine,
    game: &'a Game,
    limits: Limits,
    waited: Duration,
    solve: bool,
    excluded: Option<Move>,
    shortest: bool,
    stop: Option<&'a AtomicBool>,
    observer: Box<dyn FnMut(&Report) + 'a>,
}

impl Engine {
    /// Analyses the current position of `game` within `limits`.
    ///
    /// The [`Report::best`] of the returned report is the move to play. It is `None` only when the game is over.
    ///
    /// # Errors
    /// [`HashError`] when not even a small table could be allocated.
    pub fn analyse(&mut self, game: &Game, limits: Limits) -> Result<Report, HashError> {
        self.analysis(game).limits(limits).run()
    }

    /// Creates a request for an analysis of the current position of `game`, without limits.
    pub fn analysis<'a>(&'a mut self, game: &'a Game) -> SearchRequest<'a> {
        SearchRequest {
            engine: self,
            game,
            limits: Limits::default(),
            waited: Duration::ZERO,
            solve: false,
            excluded: None,
            shortest: false,
            stop: None,
            observer: Box::new(|_| {}),
        }
    }
}

impl<'a> SearchRequest<'a> {
    /// Sets the limits.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the time that the request has waited; it counts as used.
    pub fn waited(mut self, waited: Duration) -> Self {
        self.waited = waited;
        self
    }

    /// Enables proving the result within the limits. A limit of depth is then ignored.
    ///
    /// A normal search runs first, with a tenth of the limits and at most a second: it finds easy results and a move to
    /// play. Then the solver searches for forced wins, on one thread and in the table of the search. If it proves
    /// nothing, the normal search continues with the remaining limits and its report is returned. A
    /// [level](super::Settings::level) is ignored.
    pub fn solve(mut self, solve: bool) -> Self {
        self.solve = solve;
        self
    }

    /// Excludes a move, to evaluate the others. If it is the only legal one, the report has no lines. Ignored by a
    /// solve and by a [level](super::Settings::level).
    pub fn excluded(mut self, mv: Move) -> Self {
        self.excluded = Some(mv);
        self
    }

    /// Enables a search of the solver over all moves of both players, for the minimum number of plies:
    /// [`Report::shortest`]. This also finds wins by zugzwang and on flats, but takes much longer.
    pub fn shortest(mut self, shortest: bool) -> Self {
        self.shortest = shortest;
        self
    }

    /// Sets a flag that ends the analysis soon after it becomes true. There is a move to play even if it was true from
    /// the start.
    pub fn stop(mut self, stop: &'a AtomicBool) -> Self {
        self.stop = Some(stop);
        self
    }

    /// Sets a function that is called with the report of every completed iteration.
    pub fn observer(mut self, observer: impl FnMut(&Report) + 'a) -> Self {
        self.observer = Box::new(observer);
        self
    }

    /// Runs the analysis. The [`Report::best`] of the returned report is the move to play, and `None` only if the game
    /// is over.
    ///
    /// # Errors
    /// [`HashError`] when not even a small table could be allocated.
    pub fn run(self) -> Result<Report, HashError> {
        let own = Arc::clone(&self.engine.stop);
        let stop = self.stop.unwrap_or(&own);
        let mut observer = self.observer;
        let (engine, position) = (self.engine, self.game.position());
        let stopwatch = engine.time.measure(self.waited);
        let limits = engine.search_limits(position, &self.limits);
        let report = if self.solve {
            engine.solve(self.game, self.shortest, limits, &stopwatch, stop, &mut *observer)
        } else if let Some(level) = engine.settings.level {
            engine.play_at(level, self.game, limits, &stopwatch, stop, &mut *observer)
        } else {
            let (excluded, limits) = (self.excluded, limits.into());
            engine.search(self.game, excluded, &limits, &stopwatch, stop, &mut *observer)
        };
        let gap = stopwatch.longest_gap();
        engine.timeman.finish(position.to_move(), stopwatch.elapsed(), gap);
        report
    }
}
