//! A request for a search: the position, its limits and the kind of answer.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::{Engine, HashError, Run};
use crate::board::{Game, Move};
use crate::search::{Clock, Pulse, Report, Used};

/// A search to be run by [`Engine::run`] or [`Engine::run_with`]. Nothing happens before that.
///
/// ```
/// use std::sync::atomic::{AtomicBool, Ordering};
/// # use tak_engine_core as tak_engine;
/// use tak_engine::board::{AnyPosition, Game, Komi, Size};
/// use tak_engine::engine::{Engine, Limits, SearchRequest, Settings, Task};
///
/// let mut engine = Engine::new(Settings { hash_mib: 1, ..Settings::default() });
/// let game = Game::new(AnyPosition::start(Size::new(5)?, Komi::ZERO));
/// let request = SearchRequest { task: Task::Solve, ..SearchRequest::new(game, Limits::nodes(100_000)) };
/// // Another thread may set this at any time.
/// let stop = AtomicBool::new(false);
/// let observer = |report: &_| {
///     let report: &tak_engine::search::Report = report;
///     stop.store(report.depth == 3, Ordering::Relaxed);
/// };
/// let report = engine.run_with(&request, Some(&stop), observer)?;
/// assert!(report.best().is_some() && report.depth >= 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchRequest {
    /// The position to search, with the positions before it that may be repeated.
    pub game: Game,
    /// The limits of the search.
    pub limits: Limits,
    /// Time that the request has waited already. Counts as time used.
    pub waited: Duration,
    /// The kind of answer.
    pub task: Task,
    /// The moves to search and to choose from; `None` for all. Illegal ones are skipped. If none is left, the report
    /// has no lines. A proof holds for these moves only.
    pub moves: Option<Vec<Move>>,
}

/// The kind of answer that a [`SearchRequest`] asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Task {
    /// The move to play, at the [level](super::Settings::level) of the settings.
    #[default]
    Play,
    /// A proof of the result if one is found within the limits, at full strength. A limit of depth is ignored.
    ///
    /// A normal search comes first, for a tenth of the limits and at most a second: it finds easy wins and a move to
    /// fall back on. Then the solver looks for forced wins, on one thread and in the table of the search, and leaves a
    /// third of the limits. If nothing was proven, the normal search gets that third, and its report is the answer.
    Solve,
    /// A proof of the result in the fewest plies: [`Report::shortest`]. The solver tries every move of both players. So
    /// it also finds wins by zugzwang and on flats, and takes far longer.
    Shortest,
}

/// Search limits. The first limit reached ends the search; without limits it runs until it is stopped or the result is
/// known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// The last iteration to complete, in plies.
    pub depth: Option<u32>,
    /// Positions to visit.
    pub nodes: Option<u64>,
    /// The longest that the answer may take, [`Settings::move_overhead`](super::Settings::move_overhead) included.
    pub move_time: Option<Duration>,
    /// The clock of the player to move, from which the engine allots time.
    pub clock: Option<Clock>,
}

impl Limits {
    /// Only this depth, in plies.
    pub fn depth(plies: u32) -> Self {
        Self { depth: Some(plies), ..Self::default() }
    }

    /// Only this number of positions; on one thread the result is deterministic.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// Only this time.
    pub fn move_time(time: Duration) -> Self {
        Self { move_time: Some(time), ..Self::default() }
    }

    /// Only the clock of the player to move.
    pub fn clock(clock: Clock) -> Self {
        Self { clock: Some(clock), ..Self::default() }
    }
}

impl SearchRequest {
    /// A search for the move to play.
    pub fn new(game: Game, limits: Limits) -> Self {
        Self { game, limits, waited: Duration::ZERO, task: Task::Play, moves: None }
    }

    /// A search for the best move other than `mv`, and other than those that a
    /// [symmetry of the position](crate::board::AnyPosition::symmetries) turns it into.
    pub fn without(mv: Move, game: Game, limits: Limits) -> Self {
        let size = game.position().size();
        let turned: Vec<Move> = game.position().symmetries().into_iter().map(|turn| turn.mv(mv, size)).collect();
        let moves = game.legal_moves().into_iter().filter(|other| !turned.contains(other)).collect();
        Self { moves: Some(moves), ..Self::new(game, limits) }
    }
}

impl Engine {
    /// Searches the current position of `game` within `limits`.
    ///
    /// The [`Report::best`] of the returned report is the move to play. It is `None` only when the game is over.
    ///
    /// # Errors
    /// [`HashError`] when not even a small table could be allocated.
    pub fn analyse(&mut self, game: &Game, limits: Limits) -> Result<Report, HashError> {
        self.run(&SearchRequest::new(game.clone(), limits))
    }

    /// Carries out a request to its end.
    ///
    /// # Errors
    /// [`HashError`] when not even a small table could be allocated.
    pub fn run(&mut self, request: &SearchRequest) -> Result<Report, HashError> {
        self.run_with(request, None, |_| {})
    }

    /// Carries out a request. It ends soon after `stop` becomes true. There is a move to play even if it was true from
    /// the start. `observer` is called with the report of every completed iteration.
    ///
    /// # Errors
    /// [`HashError`] when not even a small table could be allocated.
    pub fn run_with(
        &mut self,
        request: &SearchRequest,
        stop: Option<&AtomicBool>,
        mut observer: impl FnMut(&Report),
    ) -> Result<Report, HashError> {
        let own = Arc::clone(&self.stop);
        let stop = stop.unwrap_or(&own);
        let (game, moves) = (&request.game, request.moves.as_deref());
        let stopwatch = self.time.measure(request.waited);
        let limits = self.search_limits(game.position(), &request.limits);
        let run = &mut Run { game, moves, stopwatch: &stopwatch, stop, observer: &mut observer };
        let report = match (request.task, self.settings.level) {
            (Task::Play, Some(level)) => self.play_at(level, run, limits),
            (Task::Play, None) => self.search(run, &limits.into()),
            (Task::Solve | Task::Shortest, _) => self.solve(run, &limits, request.task == Task::Shortest),
        };
        let gap = stopwatch.longest_gap();
        let used = Used { time: stopwatch.poll(), waited: request.waited, gap };
        self.timeman.finish(game.position().to_move(), used);
        report
    }
}
