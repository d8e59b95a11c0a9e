//! The solver: proves who wins, where that can be proven, and never guesses.
//!
//! Three ways in turn, cheapest first: sequences of taks of growing length (`forcing`), for the player to move and for
//! the opponent; the same with one quiet move, and short wins by any moves, for the player to move; then proof-number search without a
//! bound on length (`proof`), again for both, a little at a time; and where a win is refuted, whether the other player
//! can hold a draw. `goal` says what counts as reached, `table` is the
//! memory, `budget` the limits.

mod budget;
mod forcing;
mod goal;
mod proof;
mod table;

use std::collections::TryReserveError;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use self::budget::Budget;
use self::forcing::{Forcing, Reach, Width};
use self::goal::{Goal, Worn};
use self::proof::{Numbers, Proof, Verdict};
use self::table::Known;
use super::{Limits, Solved};
use crate::board::{ByColor, Move, Position};

/// What a solve found out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Solution {
    /// The result for the player to move, `None` if nothing was proven. It takes at most the plies given, whatever the
    /// losing side does; [`shortest_win`] tells the fewest.
    pub solved: Option<Solved>,
    /// Play that leads to the result, the first move being the one to play. Shorter than the plies of the result only
    /// if a limit was reached while it was put together.
    pub line: Vec<Move>,
    /// Positions visited.
    pub nodes: u64,
    /// The longest line looked at, in plies.
    pub seldepth: u32,
    /// Fill of the table in thousandths.
    pub hashfull: u32,
    /// Since the solve was asked for.
    pub time: Duration,
}

/// The memory of a solver.
#[derive(Debug)]
pub struct SolverTable {
    reaches: Known<Reach>,
    numbers: Known<Numbers>,
}

impl SolverTable {
    /// A table of `mib` MiB, a quarter of it for `forcing`.
    ///
    /// # Errors
    /// When the allocator has no room for it.
    pub fn new(mib: usize) -> Result<Self, TryReserveError> {
        let reaches = Known::new(mib / 4)?;
        let numbers = Known::new(mib - mib / 4)?;
        Ok(Self { reaches, numbers })
    }

    fn clear(&mut self) {
        self.reaches.clear();
        self.numbers.clear();
    }
}

/// When a solve has to end, and the clock it is measured by.
pub struct Allowance<'a> {
    /// `nodes` and `hard` count, the others don't.
    pub limits: Limits,
    /// Becomes true when the solve has to end at once.
    pub stop: &'a AtomicBool,
    /// The time since the solve was asked for.
    pub elapsed: &'a dyn Fn() -> Duration,
}

/// Nodes for the threat sequences of each player before the next stage begins: a fraction of a second.
const TAK_NODES: u64 = 50_000;

/// Nodes for wins with one quiet move on each line, and again for wins by any moves. Instead of any moves, two quiet ones
/// on each line were tried: 34 of 40 forced wins solved instead of 36.
const WIDE_NODES: u64 = 400_000;

/// The longest win looked for in both of them, in plies.
const LONGEST_SEQUENCE: u16 = 99;

/// Nodes of the first slice of proof-number search. Each further slice for the same player has a quarter more.
const FIRST_SLICE: u64 = 10_000;

/// Solves `position`, in which the game must not be over, as far as `allowance` goes.
///
/// `history` holds the hashes of the game's earlier positions; one that comes up `repetitions` times in all is a draw
/// (0 for never).
pub fn solve<const N: usize>(
    position: &Position<N>,
    history: &[u64],
    repetitions: u32,
    table: &mut SolverTable,
    allowance: &Allowance<'_>,
) -> Solution {
    table.clear();
    let worn = Worn::new(history, position.hash(), repetitions);
    let mut budget = Budget::new(allowance.limits, allowance.stop, allowance.elapsed);
    let mut solution = Solution::default();
    if let Some((solved, line)) = by_forcing(position, &worn, table, &mut budget) {
        solution.seldepth = line.len() as u32;
        solution.solved = Some(solved);
        solution.line = line;
    } else {
        by_proof(position, &worn, table, &mut budget, &mut solution);
    }
    solution.nodes = budget.nodes;
    solution.hashfull = table.numbers.fill();
    solution.time = budget.time();
    solution
}

/// The fewest plies in which the player to move forces a win, at most `longest`, found by trying all moves of both
/// players; `None` if there is no such win or `allowance` ended the search first.
pub fn shortest_win<const N: usize>(
    position: &Position<N>,
    longest: u32,
    table: &mut SolverTable,
    allowance: &Allowance<'_>,
) -> Option<u32> {
    table.reaches.clear();
    let worn = Worn::default();
    let mut budget = Budget::new(allowance.limits, allowance.stop, allowance.elapsed);
    let goal = Goal::win(position.to_move());
    let known = &mut table.reaches;
    let mut forcing = Forcing::new(position, goal, Width::All, &worn, known, &mut budget);
    let longest = u16::try_from(longest).unwrap_or(u16::MAX);
    forcing.shortest(longest).map(u32::from)
}

/// Looks for a sequence of taks that wins, for either player, and for a short win by any moves.
fn by_forcing<const N: usize>(
    position: &Position<N>,
    worn: &Worn,
    table: &mut SolverTable,
    budget: &mut Budget<'_>,
) -> Option<(Solved, Vec<Move>)> {
    let mover = position.to_move();
    for (attacker, width, nodes) in [
        (mover, Width::Quiet(0), TAK_NODES),
        (!mover, Width::Quiet(0), TAK_NODES),
        (mover, Width::Quiet(1), WIDE_NODES),
        (mover, Width::All, WIDE_NODES),
    ] {
        budget.stage = budget.nodes + nodes;
        let goal = Goal::win(attacker);
        let known = &mut table.reaches;
        let mut forcing = Forcing::new(position, goal, width, worn, known, budget);
        if let Some(plies) = forcing.shortest(LONGEST_SEQUENCE) {
            forcing.budget.stage = u64::MAX;
            let line = forcing.line(plies);
            let plies = u32::from(plies);
            let solved = if attacker == mover {
                Solved::Win(plies)
            } else {
                Solved::Loss(plies)
            };
            return Some((solved, line));
        }
    }
    None
}

/// Proof-number search for both players by turns, since nobody knows who wins.
fn by_proof<const N: usize>(
    position: &Position<N>,
    worn: &Worn,
    table: &mut SolverTable,
    budget: &mut Budget<'_>,
    solution: &mut Solution,
) {
    let mover = position.to_move();
    let mut open = vec![Goal::win(mover), Goal::win(!mover)];
    // Plies in which each player is sure of a draw.
    let mut holds = ByColor([None; 2]);
    let mut slice = FIRST_SLICE;
    while !open.is_empty() && !budget.is_over() {
        for goal in std::mem::take(&mut open) {
            budget.stage = budget.nodes + slice;
            let mut proof = Proof::new(position, goal, worn, &mut table.numbers, budget);
            let verdict = proof.run();
            solution.seldepth = solution.seldepth.max(proof.deepest as u32);
            solution.solved = match verdict {
                Verdict::Open => {
                    open.push(goal);
                    None
                }
                Verdict::Refuted if goal.draw_is_enough => None,
                // The other player may hold a draw. That the win failed is no proof of it, see `proof`.
                Verdict::Refuted => {
                    open.push(Goal::draw(!goal.attacker));
                    None
                }
                Verdict::Proven(plies) if goal.draw_is_enough => {
                    holds[goal.attacker] = Some(plies);
                    match holds.0 {
                        [Some(white), Some(black)] => Some(Solved::Draw(white.max(black).into())),
                        _ => None,
                    }
                }
                Verdict::Proven(plies) if goal.attacker == mover => Some(Solved::Win(plies.into())),
                Verdict::Proven(plies) => Some(Solved::Loss(plies.into())),
            };
            if let Some(solved) = solution.solved {
                let goal = match solved {
                    Solved::Draw(_) => Goal::draw(mover),
                    _ => goal,
                };
                budget.stage = u64::MAX;
                let mut proof = Proof::new(position, goal, worn, &mut table.numbers, budget);
                solution.line = proof.line();
                return;
            }
        }
        slice += slice / 4;
    }
}
