//! The solver: proves who wins, where that can be proven.
//!
//! `forcing` searches for forced wins of either player by threats of growing order, `answers` says which moves may answer
//! a threat, `table` is the memory (a part of the search's table), `budget` the limits.

mod answers;
mod budget;
mod forcing;
mod table;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use self::budget::Budget;
use self::forcing::Forcing;
use self::table::SolverTable;
use super::{Memory, MoveWeights, Plan, Solved, Table, Worn};
use crate::board::{Color, Move, Position};

/// What a solve found out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Solution {
    /// The result for the player to move, `None` if nothing was proven. It takes at most the plies given, whatever the
    /// losing side does; [`shortest_win`] tells the fewest.
    pub solved: Option<Solved>,
    /// Play that leads to the result, the first move being the one to play. Shorter than the plies of the result only
    /// if a limit was reached while it was put together.
    pub line: Vec<Move>,
    /// Positions visited.
    pub nodes: u64,
    /// Fill of the table in thousandths.
    pub hashfull: u32,
}

/// When a solve has to end, the clock it is measured by, and what guides it.
pub(crate) struct Allowance<'a> {
    /// What moves are ordered by.
    pub move_weights: &'a MoveWeights,
    /// Only `nodes` and `hard` are looked at.
    pub plan: Plan,
    /// Becomes true when the solve has to end at once.
    pub stop: &'a AtomicBool,
    /// The time since the solve was asked for.
    pub elapsed: &'a dyn Fn() -> Duration,
}

/// The longest win looked for, in plies.
const LONGEST: u16 = 99;

/// The highest order of threats of each stage, and the nodes that may go into it. High orders find the long wins, low
/// orders find the others sooner. All stages together take some seconds.
const STAGES: [(u16, u64); 4] = [
    (1, 20_000),
    (2, 150_000),
    (3, 1_000_000),
    (u16::MAX, 4_000_000),
];

/// The player who does not look like winning gets this part of the nodes.
const UNLIKELY_SHARE: u64 = 8;

/// Solves `position`, in which the game must not be over, as far as `allowance` goes.
///
/// `likely` is who would be expected to win. `history` holds the hashes of the game's earlier positions; one that comes up
/// `repetitions` times in all is a draw (0 for never). `table` has been prepared with [`Table::next_search`]; what the
/// search remembers there is overwritten first.
#[must_use]
pub(crate) fn solve<const N: usize>(
    position: &Position<N>,
    likely: Color,
    history: &[u64],
    repetitions: u32,
    table: &Table,
    allowance: &Allowance<'_>,
) -> Solution {
    let worn = Worn::new(history, position.hash(), repetitions);
    let attackers = [(likely, 1), (!likely, UNLIKELY_SHARE)];
    prove(position, &attackers, false, &worn, table, allowance)
}

/// Looks for a road that `attacker` forces, whoever is to move in `position`; wins on flats do not count. The rest is as
/// for [`solve`].
#[cfg(feature = "cli")]
#[must_use]
pub(crate) fn forced_road<const N: usize>(
    position: &Position<N>,
    attacker: Color,
    history: &[u64],
    repetitions: u32,
    table: &Table,
    allowance: &Allowance<'_>,
) -> Solution {
    let worn = Worn::new(history, position.hash(), repetitions);
    prove(position, &[(attacker, 1)], true, &worn, table, allowance)
}

/// Tries the attackers in turn, stage by stage; each gets the nodes of the stage divided by its number.
fn prove<const N: usize>(
    position: &Position<N>,
    attackers: &[(Color, u64)],
    only_roads: bool,
    worn: &Worn,
    table: &Table,
    allowance: &Allowance<'_>,
) -> Solution {
    let table = SolverTable::new(table);
    let mut memory = Memory::default();
    let mut budget = Budget::new(allowance.plan, allowance.stop, allowance.elapsed);
    let mover = position.to_move();
    let mut solution = Solution::default();
    'stages: for (order, nodes) in STAGES {
        for &(attacker, share) in attackers {
            budget.stage = budget.nodes + nodes / share;
            let mut forcing = Forcing::new(
                position,
                attacker,
                worn,
                &table,
                &mut memory,
                allowance.move_weights,
                &mut budget,
            );
            forcing.only_roads = only_roads;
            if let Some(plies) = forcing.shortest(order, LONGEST) {
                forcing.budget.stage = u64::MAX;
                solution.line = forcing.line(order, plies);
                solution.solved = Some(if attacker == mover {
                    Solved::Win(plies.into())
                } else {
                    Solved::Loss(plies.into())
                });
                break 'stages;
            }
        }
    }
    solution.nodes = budget.nodes;
    solution.hashfull = table.fill();
    solution
}

/// The fewest plies, at most `longest`, in which the player to move forces a win by threats of any order; `None` if
/// there is no such win or `allowance` ended the search first. Wins by zugzwang are missed, see `forcing`.
pub(crate) fn shortest_win<const N: usize>(
    position: &Position<N>,
    longest: u32,
    table: &Table,
    allowance: &Allowance<'_>,
) -> Option<u32> {
    let table = SolverTable::new(table);
    let worn = Worn::default();
    let mut memory = Memory::default();
    let mut budget = Budget::new(allowance.plan, allowance.stop, allowance.elapsed);
    let mover = position.to_move();
    let mut forcing = Forcing::new(
        position,
        mover,
        &worn,
        &table,
        &mut memory,
        allowance.move_weights,
        &mut budget,
    );
    let longest = u16::try_from(longest)
        .unwrap_or(u16::MAX)
        .min(table::LONGEST);
    forcing.shortest(u16::MAX, longest).map(u32::from)
}
