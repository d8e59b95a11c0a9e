//! Proving results: search and solver share the limits of a request.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::solve_moves::solve_moves;
use super::{Engine, HashError, Limits, Run, Stopwatch, ready};
use crate::board::{Color, Game, Move, Size, with_position};
use crate::search::{
    Attack, Line, Prover, Pulse, Report, Score, SearchLimits, Solution, SolveContext, Solved, forced_road, solve,
    timeman,
};

impl Engine {
    /// Proves the result, see [`Task::Solve`](super::Task::Solve), or the `shortest` one.
    pub(super) fn solve(
        &mut self,
        run: &mut Run<'_>,
        limits: &SearchLimits,
        shortest: bool,
    ) -> Result<Report, HashError> {
        let mut report = self.search(run, &timeman::before_solve(limits).into())?;
        let &mut Run { game, moves, stopwatch, stop, .. } = run;
        if is_answered(&report, game, shortest) {
            return Ok(report);
        }
        // If a result is known and only the shortest one is sought, no search follows.
        let is_known = is_answered(&report, game, false);
        let share = if is_known { timeman::rest_of_solve } else { timeman::solver_share };
        let context = self.solve_context(game, share(limits, report.nodes), stop, stopwatch)?;
        let mover = game.position().to_move();
        let is_ahead = report.lines.first().is_none_or(|line| line.score >= Score::DRAW);
        let likely = if is_ahead { mover } else { !mover };
        let solution = match moves {
            Some(moves) => solve_moves(game, moves, likely, shortest, &context),
            None => with_position!(game.position(), p => solve(p, likely, shortest, &context)),
        };
        let mut spent = report.nodes + solution.nodes;
        let known = report.lines.first().and_then(|line| line.solved);
        let is_news = |line: &Line| {
            // The search may have proven that the solver's defence loses sooner.
            let keeps = |known: &Line| {
                known.pv[0] != line.pv[0] || known.solved.is_none_or(|known| known.is_kept_by(line.solved))
            };
            (solution.shortest || is_sooner(line.solved, known)) && report.lines.iter().all(keeps)
        };
        if let Some(line) = proven_line(&solution, report.best()).filter(is_news) {
            report.depth = solution.line.len() as u32;
            report.seldepth = report.depth;
            report.hashfull = solution.hashfull;
            report.lines = vec![line];
            report.shortest = solution.shortest;
        } else if !is_known {
            let rest = timeman::rest_of_solve(limits, spent);
            let is_over = rest.nodes == Some(0) || rest.hard.is_some_and(|hard| stopwatch.poll() >= hard);
            if !is_over && !stop.load(Ordering::Relaxed) {
                report = self.search(run, &rest.into())?;
                spent += report.nodes;
            }
        }
        report.nodes = spent;
        report.time = stopwatch.poll();
        Ok(report)
    }

    /// The context of a solve of `game`, with its table prepared.
    fn solve_context<'a>(
        &'a mut self,
        game: &'a Game,
        limits: SearchLimits,
        stop: &'a AtomicBool,
        clock: &'a Stopwatch,
    ) -> Result<SolveContext<'a>, HashError> {
        Ok(SolveContext {
            table: ready(&mut self.table, &self.settings)?,
            move_weights: self.settings.weights.ordering(game.position().size()),
            history: game.history(),
            repetitions: self.settings.repetitions,
            limits,
            stop,
            clock,
        })
    }

    /// Searches for a road that `attacker` forces, with either player to move; wins on flats do not count. The report
    /// has a line with the proven result for the player to move, or no line if nothing was proven within `limits` (a
    /// depth is ignored) before `stop`. The line has no moves if a limit was reached.
    ///
    /// # Errors
    /// [`HashError`] when the table had to be allocated and could not be.
    pub fn forced_road(
        &mut self,
        game: &Game,
        attacker: Color,
        limits: &Limits,
        stop: &AtomicBool,
    ) -> Result<Report, HashError> {
        self.prepare()?;
        let stopwatch = self.time.measure(Duration::ZERO);
        let within = SearchLimits { nodes: limits.nodes, hard: limits.move_time, ..SearchLimits::default() };
        let context = self.solve_context(game, within, stop, &stopwatch)?;
        let solution = with_position!(game.position(), p => forced_road(p, attacker, &context));
        let line = solution.solved.map(|solved| Line {
            score: score_of(solved),
            bound: None,
            solved: Some(solved),
            pv: solution.line,
        });
        Ok(Report {
            nodes: solution.nodes,
            time: stopwatch.poll(),
            lines: line.into_iter().collect(),
            ..Report::default()
        })
    }

    /// A prover of wins of `attacker` on boards of this size; with `only_roads` wins on flats do not count.
    ///
    /// # Errors
    /// [`HashError`] when the table had to be allocated and could not be.
    pub fn prover(&mut self, size: Size, attacker: Color, only_roads: bool) -> Result<Prover<'_>, HashError> {
        self.prepare()?;
        let table = ready(&mut self.table, &self.settings)?;
        let move_weights = self.settings.weights.ordering(size);
        Ok(Prover::new(attacker, only_roads, table, move_weights, &self.stop))
    }

    /// The minimum number of plies, at most `longest` and 250, in which the player to move forces a win; the history is
    /// ignored. Wins by zugzwang are missed, and wins on flats by a spread that fills the board, unless it is the first
    /// move. `None` without such a win, or if more than `nodes` positions are needed.
    ///
    /// # Errors
    /// [`HashError`] when the table had to be allocated and could not be.
    pub fn shortest_win(&mut self, game: &Game, longest: u32, nodes: u64) -> Result<Option<u32>, HashError> {
        let position = game.position();
        let mut prover = self.prover(position.size(), position.to_move(), false)?;
        // Threats are of roads and of last placements, so a spread that ends the game at once needs its own look.
        let at_once = prover.shortest(position, Attack::EveryMove, longest.min(1), nodes);
        Ok(at_once.or_else(|| prover.shortest(position, Attack::Threats, longest, nodes)))
    }
}

/// Returns whether the game is over or the search proved a result, which is not enough for the `shortest` win.
fn is_answered(report: &Report, game: &Game, shortest: bool) -> bool {
    let is_proven = report.lines.first().is_some_and(|line| line.solved.is_some());
    (is_proven && !shortest) || game.position().outcome().is_some()
}

/// Returns whether a proven result is new: fewer plies than `known`, or the first proof.
fn is_sooner(solved: Option<Solved>, known: Option<Solved>) -> bool {
    let plies = |solved: Option<Solved>| solved.map_or(u32::MAX, Solved::plies);
    plies(solved) < plies(known)
}

/// A proven result as a line of a report, which needs a move to play. A win with an unknown first move is skipped; in a
/// loss any move will do, such as `best`.
fn proven_line(solution: &Solution, best: Option<Move>) -> Option<Line> {
    let solved = solution.solved?;
    let mut pv = solution.line.clone();
    if pv.is_empty() {
        pv.extend(best.filter(|_| matches!(solved, Solved::Loss(_))));
    }
    if pv.is_empty() {
        return None;
    }
    Some(Line { score: score_of(solved), bound: None, solved: Some(solved), pv })
}

/// A proven result as a score, with the plies limited to [`Score::MAX_PLY`].
fn score_of(solved: Solved) -> Score {
    let within = |plies: u32| (plies as usize).min(Score::MAX_PLY);
    match solved {
        Solved::Win(plies) => Score::win_in(within(plies)),
        Solved::Loss(plies) => Score::loss_in(within(plies)),
    }
}
