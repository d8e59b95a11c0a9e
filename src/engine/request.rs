//! One request for an analysis: what it may use, what can stop it and who is told of its progress.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::{Engine, HashError, Limits};
use crate::board::{Game, Move};
use crate::search::Report;

/// An analysis to be made, see [`Engine::analysis`]. Nothing happens before [`SearchRequest::run`].
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
    /// Analyses the present position of `game` within `limits`.
    ///
    /// The [`Report::best`] of the returned report is the move to play. It is `None` only when the game is over.
    ///
    /// # Errors
    /// [`HashError`] when not even a small table could be allocated.
    pub fn analyse(&mut self, game: &Game, limits: Limits) -> Result<Report, HashError> {
        self.analysis(game).limits(limits).run()
    }

    /// An analysis of the present position of `game`, without limits until it is given some.
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
    /// How long to search.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// How long the request has waited already; that counts as time used.
    pub fn waited(mut self, waited: Duration) -> Self {
        self.waited = waited;
        self
    }

    /// Whether to prove the result, if that can be done within the limits. A limit of depth then does not count.
    ///
    /// A normal search comes first, for a tenth of the limits and no more than a second: it settles what is easy, and
    /// there is a move to fall back on. Then the solver looks for forced wins, on one thread and in the table of the
    /// search. What it leaves of the limits goes to the normal search again, whose report is the last word where nothing
    /// is proven. A [level](super::Settings::level) does not count.
    pub fn solve(mut self, solve: bool) -> Self {
        self.solve = solve;
        self
    }

    /// Leaves a move of the position out, to see what the others are worth. If it is the only one, the report has no
    /// lines. A solve does not know of it, and neither does a [level](super::Settings::level).
    pub fn excluded(mut self, mv: Move) -> Self {
        self.excluded = Some(mv);
        self
    }

    /// Whether the solver, once it is asked, tries every move of both players as well, until it is known in how few plies
    /// the result can be reached: [`Report::shortest`]. That finds wins by zugzwang and on flats, too, and takes far longer.
    pub fn shortest(mut self, shortest: bool) -> Self {
        self.shortest = shortest;
        self
    }

    /// The analysis ends soon after `stop` becomes true. There is a move to play even if it was true from the start.
    pub fn stop(mut self, stop: &'a AtomicBool) -> Self {
        self.stop = Some(stop);
        self
    }

    /// Is called with the report of every completed iteration.
    pub fn observer(mut self, observer: impl FnMut(&Report) + 'a) -> Self {
        self.observer = Box::new(observer);
        self
    }

    /// Makes the analysis. The returned report is the last word; its [`Report::best`] is the move to play, and `None`
    /// only when the game is over.
    ///
    /// # Errors
    /// [`HashError`] when not even a small table could be allocated.
    pub fn run(self) -> Result<Report, HashError> {
        let never = AtomicBool::new(false);
        let stop = self.stop.unwrap_or(&never);
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
        let silence = stopwatch.longest_silence();
        engine.timeman.finish(position.to_move(), stopwatch.elapsed(), silence);
        report
    }
}
