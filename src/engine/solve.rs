//! Proving results: the search and the solver share the limits of one request.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::{AnyPosition, Engine, Game, Go, HashError};
use crate::search::{
    Allowance, Limits, Line, Report, Score, Solution, Solved, SolverTable, shortest_win, solve,
};
use crate::system::memory::available_mib;

impl Engine {
    /// Proves the result of the present position of `game`, if that can be done within the limits of `go` (its depth
    /// does not count).
    ///
    /// A normal search comes first, for a tenth of the limits and no more than a second: it settles what is easy, and
    /// there is a move to fall back on. Then the solver looks for forced wins, on one thread and with a table of its own
    /// as large as that of the search, which is kept for the next solve. What it leaves of the limits goes to the normal
    /// search again, whose report is the last word where nothing is proven.
    ///
    /// # Errors
    /// [`HashError`] when a table had to be allocated and could not be.
    pub fn solve(
        &mut self,
        game: &Game,
        go: &Go,
        stop: &AtomicBool,
        observer: &mut dyn FnMut(&Report),
    ) -> Result<Report, HashError> {
        let start = Instant::now();
        let limits = self.limits(game.position(), go);
        let total = limits.soft.or(limits.hard);
        let quick = Go {
            depth: None,
            nodes: limits.nodes.map(|nodes| (nodes / 10).max(1)),
            move_time: match total {
                Some(total) => Some((total / 10).min(QUICK)),
                None => limits.nodes.is_none().then_some(QUICK),
            },
            clock: None,
        };
        let mut report = self.search(game, &quick, stop, observer)?;
        if is_settled(&report, game) {
            return Ok(report);
        }
        self.prepare_solver()?;
        let Some((_, table)) = &mut self.solver else {
            return Err(HashError(self.settings.hash_mib));
        };
        let nodes_left = |spent: u64| limits.nodes.map(|nodes| nodes.saturating_sub(spent));
        let allowance = Allowance {
            move_weights: self.settings.models.ordering(game.position().size()),
            limits: Limits {
                nodes: nodes_left(report.nodes),
                hard: total,
                ..Limits::default()
            },
            stop,
            elapsed: &|| start.elapsed(),
        };
        let mover = game.position().to_move();
        let is_ahead = report
            .lines
            .first()
            .is_none_or(|line| line.score >= Score::DRAW);
        let likely = if is_ahead { mover } else { !mover };
        let repetitions = self.settings.repetitions;
        let solution = with_position!(game.position(), p => solve(p, likely, game.history(), repetitions, table, &allowance));
        let mut spent = report.nodes + solution.nodes;
        if let Some(line) = proven_line(&solution) {
            report.depth = solution.line.len() as u32;
            report.seldepth = report.depth;
            report.hashfull = solution.hashfull;
            report.lines = vec![line];
        } else {
            let rest = Go {
                depth: None,
                nodes: nodes_left(spent),
                move_time: total.map(|total| total.saturating_sub(start.elapsed())),
                clock: None,
            };
            let is_over =
                rest.nodes == Some(0) || rest.move_time.is_some_and(|time| time.is_zero());
            if !is_over && !stop.load(Ordering::Relaxed) {
                report = self.search(game, &rest, stop, observer)?;
                spent += report.nodes;
            }
        }
        report.nodes = spent;
        report.time = start.elapsed();
        Ok(report)
    }

    /// The fewest plies, at most `longest`, in which the player to move forces a win whatever has been on the board
    /// before, wins by zugzwang left aside. `None` if there is no such win or it takes more than `nodes` positions to
    /// know.
    ///
    /// # Errors
    /// [`HashError`] when the solver's table had to be allocated and could not be.
    pub fn shortest_win(
        &mut self,
        game: &Game,
        longest: u32,
        nodes: u64,
    ) -> Result<Option<u32>, HashError> {
        self.prepare_solver()?;
        let Some((_, table)) = &mut self.solver else {
            return Err(HashError(self.settings.hash_mib));
        };
        let allowance = Allowance {
            move_weights: self.settings.models.ordering(game.position().size()),
            limits: Limits {
                nodes: Some(nodes),
                ..Limits::default()
            },
            stop: &AtomicBool::new(false),
            elapsed: &|| Duration::ZERO,
        };
        Ok(with_position!(game.position(), p => shortest_win(p, longest, table, &allowance)))
    }

    fn prepare_solver(&mut self) -> Result<(), HashError> {
        let wanted = self.settings.hash_mib;
        if self.solver.as_ref().is_none_or(|(mib, _)| *mib != wanted) {
            self.solver = None;
            if available_mib().is_some_and(|free| wanted > free) {
                return Err(HashError(wanted));
            }
            let table = SolverTable::new(wanted).map_err(|_| HashError(wanted))?;
            self.solver = Some((wanted, table));
        }
        Ok(())
    }
}

/// The longest normal search before a solve.
const QUICK: Duration = Duration::from_secs(1);

/// Whether the game is over or the search saw its end.
fn is_settled(report: &Report, game: &Game) -> bool {
    let is_proven = report
        .lines
        .first()
        .is_some_and(|line| line.solved.is_some());
    is_proven || game.position().outcome().is_some()
}

/// A proven result as a line of a report.
fn proven_line(solution: &Solution) -> Option<Line> {
    let solved = solution.solved?;
    let within = |plies: u32| (plies as usize).min(Score::MAX_PLY);
    let score = match solved {
        Solved::Win(plies) => Score::win_in(within(plies)),
        Solved::Loss(plies) => Score::loss_in(within(plies)),
        Solved::Draw(_) => Score::DRAW,
    };
    Some(Line {
        score,
        solved: Some(solved),
        pv: solution.line.clone(),
    })
}
