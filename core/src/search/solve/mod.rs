//! The solver: proves wins and losses.
//!
//! `forcing` searches for forced wins of either player by threats of growing order, `table` stores results (in the
//! slots of the search's table), `budget` holds the limits. `prover` solves sets of related positions with `forcing`.

mod budget;
mod forcing;
mod prover;
mod table;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use self::budget::Budget;
use self::forcing::{ANY_THREAT, EVERY_MOVE, Forcing, Solver};
use super::params::{solve_longest, solve_nodes_1, solve_nodes_2, solve_nodes_3, solve_nodes_any, solve_unlikely};
use super::policy::MoveWeights;
use super::pulse::Pulse;
use super::repetition::Repetitions;
use super::score::Solved;
use super::timeman::SearchLimits;
use super::tt::Table;
use crate::board::{Color, Move, Position};

pub use self::prover::{Attack, Prover, Verdict};

/// The result of a solve.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Solution {
    /// The result for the player to move, `None` if nothing was proven. The plies are an upper bound against every
    /// defence.
    pub solved: Option<Solved>,
    /// The plies of the result are the minimum.
    pub shortest: bool,
    /// The moves of the result, as many as its plies unless collecting them took too long.
    pub line: Vec<Move>,
    /// Positions visited, without those for the line.
    pub nodes: u64,
    /// Fill of the table in thousandths.
    pub hashfull: u32,
}

/// The input of a solve besides the position.
#[derive(Clone, Copy)]
pub(crate) struct SolveContext<'a> {
    /// The table, prepared with [`Table::next_search`]. Entries of the search are overwritten first.
    pub table: &'a Table,
    /// The hashes of the game's earlier positions.
    pub history: &'a [u64],
    /// The occurrence of a position at which it is a draw; 0 for never.
    pub repetitions: u32,
    /// For this board size.
    pub move_weights: &'a MoveWeights,
    /// Only `nodes` and `hard` are used.
    pub limits: SearchLimits,
    /// Ends the solve at once when set.
    pub stop: &'a AtomicBool,
    pub clock: &'a dyn Pulse,
}

/// Positions that may be visited to collect the line of a proven win: some milliseconds, after all limits. Most lines
/// take less than a thousand, because the table has the proof.
const LINE_NODES: u64 = 20_000;

/// The highest order of threats of each stage, and its node limit. High orders find long wins, low orders find the
/// others sooner. All stages together take some seconds.
fn stages() -> [(u16, u64); 4] {
    [(1, solve_nodes_1()), (2, solve_nodes_2()), (3, solve_nodes_3()), (ANY_THREAT, solve_nodes_any())]
        .map(|(order, nodes)| (order, nodes as u64))
}

/// Solves `position`, in which the game must not be over. `likely` is the player who is expected to win.
///
/// With `shortest` all moves of both players are searched as well, with growing depth, while a win in fewer plies is
/// possible. That also finds wins by zugzwang and on flats, but takes much longer.
pub(crate) fn solve<const N: usize>(
    position: &Position<N>,
    likely: Color,
    shortest: bool,
    context: &SolveContext<'_>,
) -> Solution {
    let mut solve = Solve::new(position, false, context);
    let win = solve.win(likely, shortest);
    solve.solution(win)
}

/// Searches for a road that `attacker` forces, with either player to move; wins on flats do not count.
pub(crate) fn forced_road<const N: usize>(
    position: &Position<N>,
    attacker: Color,
    context: &SolveContext<'_>,
) -> Solution {
    let mut solve = Solve::new(position, true, context);
    let win = stages().into_iter().find_map(|(order, nodes)| solve.by_threats(order, nodes, attacker));
    solve.solution(win)
}

/// The line of a win of `attacker` by threats, with either player to move, to the end of the game. For the search,
/// whose `repetitions` count and whose table is not used. `None` if proof or line need more than `nodes` positions.
pub(super) fn winning_line<const N: usize>(
    position: &Position<N>,
    attacker: Color,
    repetitions: &Repetitions,
    move_weights: &MoveWeights,
    nodes: u64,
) -> Option<Vec<Move>> {
    let mut table = Table::new(1)?;
    table.next_search();
    let never = AtomicBool::new(false);
    let budget = Budget::new(SearchLimits::default(), &never, &|| Duration::ZERO);
    let solver = Solver::new(false, repetitions.clone(), &table, move_weights, budget);
    let mut solve = Solve { position, solver };
    let win = solve.by_threats(ANY_THREAT, nodes, attacker)?;
    solve.solver.budget.extend(nodes);
    let line = solve.line(win);
    solve.wins(&line, attacker).then_some(line)
}

#[derive(Debug, Clone, Copy)]
struct Win {
    attacker: Color,
    order: u16,
    plies: u16,
    /// Neither player has a win in fewer plies.
    shortest: bool,
}

struct Solve<'a, const N: usize> {
    position: &'a Position<N>,
    solver: Solver<'a>,
}

impl<'a, const N: usize> Solve<'a, N> {
    fn new(position: &'a Position<N>, only_roads: bool, context: &SolveContext<'a>) -> Self {
        let &SolveContext { table, history, repetitions, move_weights, limits, stop, clock } = context;
        let repetitions = Repetitions::new(history, position.hash(), repetitions);
        let budget = Budget::new(limits, stop, clock);
        Self { position, solver: Solver::new(only_roads, repetitions, table, move_weights, budget) }
    }

    fn forcing(&mut self, attacker: Color) -> Forcing<'_, 'a, N> {
        self.solver.forcing(self.position, attacker)
    }

    /// A win of either player, by threats of growing order; the `shortest` one, by every move as well.
    fn win(&mut self, likely: Color, shortest: bool) -> Option<Win> {
        let mut win = None;
        for (order, nodes) in stages() {
            win = win
                .or_else(|| self.by_threats(order, nodes, likely))
                .or_else(|| self.by_threats(order, nodes / solve_unlikely() as u64, !likely));
            if shortest {
                // With few legal moves a full-width search is cheaper than high threat orders.
                if win.is_none() {
                    self.solver.budget.stage = self.solver.budget.nodes + nodes;
                }
                win = self.by_every_move(win);
                self.solver.budget.stage = u64::MAX;
            }
            if win.is_some() {
                return win;
            }
        }
        if shortest {
            win = self.by_every_move(None);
        }
        win
    }

    /// A win of `attacker` by threats of one order, within a node limit.
    fn by_threats(&mut self, order: u16, nodes: u64, attacker: Color) -> Option<Win> {
        self.solver.budget.stage = self.solver.budget.nodes + nodes;
        let found = self.forcing(attacker).shortest(order, solve_longest() as u16);
        self.solver.budget.stage = u64::MAX;
        found.map(|plies| Win { attacker, order, plies, shortest: false })
    }

    /// The win in the fewest plies, or `known` if a limit is reached.
    fn by_every_move(&mut self, known: Option<Win>) -> Option<Win> {
        let mover = self.position.to_move();
        let order = EVERY_MOVE;
        for plies in 1..known.map_or(solve_longest() as u16 + 1, |win| win.plies) {
            let mut open = false;
            for attacker in [mover, !mover] {
                let mut forcing = self.forcing(attacker);
                if forcing.wins_within(order, plies) {
                    return Some(Win { attacker, order, plies, shortest: true });
                }
                if forcing.stopped {
                    return known;
                }
                open |= forcing.truncated;
            }
            if !open {
                break;
            }
        }
        known.map(|win| Win { shortest: true, ..win })
    }

    /// Returns whether `line` ends the game with a win of `attacker`.
    fn wins(&self, line: &[Move], attacker: Color) -> bool {
        let mut position = self.position.clone();
        for &mv in line {
            position.play_unchecked(mv);
        }
        position.outcome().is_some_and(|outcome| outcome.winner == Some(attacker))
    }

    fn solution(mut self, win: Option<Win>) -> Solution {
        let mut line = win.map_or_else(Vec::new, |win| self.line(win));
        let nodes = self.solver.budget.nodes;
        let solved = win.map(|win| {
            if !self.wins(&line, win.attacker) {
                self.solver.budget.extend(LINE_NODES);
                line = self.line(win);
            }
            // The defender may have to end the game before the attacker's last move.
            let is_complete = self.wins(&line, win.attacker);
            let plies = if is_complete { line.len() as u32 } else { win.plies.into() };
            if win.attacker == self.position.to_move() { Solved::Win(plies) } else { Solved::Loss(plies) }
        });
        let shortest = win.is_some_and(|win| win.shortest);
        Solution { solved, shortest, line, nodes, hashfull: self.solver.table.fill() }
    }

    fn line(&mut self, win: Win) -> Vec<Move> {
        self.forcing(win.attacker).line(win.order, win.plies)
    }
}
