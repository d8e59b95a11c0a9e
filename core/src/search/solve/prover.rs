//! Solves a set of related positions, such as all successors of one position, with a shared table.
//!
//! The history of the positions is ignored: a win never needs a position twice, so no position recurs often enough
//! within these few plies to be a draw.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::budget::Budget;
use super::forcing::{ANY_THREAT, EVERY_MOVE, Forcing, Solver};
use super::table;
use crate::board::{AnyPosition, Color, Move, Position, with_position};
use crate::search::policy::MoveWeights;
use crate::search::repetition::Repetitions;
use crate::search::timeman::SearchLimits;
use crate::search::tt::Table;

/// The moves searched for the attacker. All moves of the defender are searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attack {
    /// Threats of any order. Finds most wins quickly; finding none proves nothing.
    Threats,
    /// Every move. Finds every win, and proves it if none exists.
    EveryMove,
}

impl Attack {
    const fn order(self) -> u16 {
        match self {
            Self::Threats => ANY_THREAT,
            Self::EveryMove => EVERY_MOVE,
        }
    }
}

/// The result of a search for a win.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The attacker wins against every defence.
    Wins,
    /// The searched moves do not win within these plies.
    NotWithin,
    /// The searched moves do not win in any number of plies.
    Never,
}

/// Searches for wins of one attacker.
pub struct Prover<'a> {
    attacker: Color,
    solver: Solver<'a>,
}

impl<'a> Prover<'a> {
    /// With `only_roads` wins on flats do not count. `table` has been prepared with
    /// [`Table::next_search`]. Once `stop` is set it proves nothing more.
    pub(crate) fn new(
        attacker: Color,
        only_roads: bool,
        table: &'a Table,
        move_weights: &'a MoveWeights,
        stop: &'a AtomicBool,
    ) -> Self {
        let budget = Budget::new(SearchLimits::default(), stop, &|| Duration::ZERO);
        Self { attacker, solver: Solver::new(only_roads, Repetitions::default(), table, move_weights, budget) }
    }

    /// Searches for a win of the attacker in `position`, in which the game must not be over, within `plies`. `None` if
    /// more than `nodes` positions are needed.
    pub fn within(&mut self, position: &AnyPosition, attack: Attack, plies: u32, nodes: u64) -> Option<Verdict> {
        with_position!(position, p => self.ask(p, nodes, |forcing| {
            let wins = forcing.wins_within(attack.order(), in_range(plies));
            match (wins, forcing.stopped) {
                (_, true) => None,
                (true, _) => Some(Verdict::Wins),
                (false, _) if forcing.truncated => Some(Verdict::NotWithin),
                (false, _) => Some(Verdict::Never),
            }
        }))
    }

    /// The minimum number of plies, at most `longest`, in which the attacker wins `position`, in which the game must
    /// not be over. `None` without such a win, or if more than `nodes` positions are needed.
    pub fn shortest(&mut self, position: &AnyPosition, attack: Attack, longest: u32, nodes: u64) -> Option<u32> {
        with_position!(position, p => self.ask(p, nodes, |forcing| {
            forcing.shortest(attack.order(), in_range(longest)).map(u32::from)
        }))
    }

    /// The moves of a win within `plies` that was found before: the attacker wins as soon as possible, the defender
    /// loses as late as possible. Incomplete if more than `nodes` positions are needed.
    pub fn line(&mut self, position: &AnyPosition, attack: Attack, plies: u32, nodes: u64) -> Vec<Move> {
        with_position!(position, p => self.ask(p, nodes, |forcing| {
            forcing.line(attack.order(), in_range(plies))
        }))
    }

    /// The attacker's move of a win within `plies` that was found before. `None` if the defender is to move, or if more
    /// than `nodes` positions are needed.
    pub fn winning_move(&mut self, position: &AnyPosition, attack: Attack, plies: u32, nodes: u64) -> Option<Move> {
        if position.to_move() != self.attacker {
            return None;
        }
        with_position!(position, p => self.ask(p, nodes, |forcing| {
            forcing.winning_move(attack.order(), in_range(plies))
        }))
    }

    /// Positions visited so far.
    pub fn nodes(&self) -> u64 {
        self.solver.budget.nodes
    }

    fn ask<const N: usize, T>(
        &mut self,
        position: &Position<N>,
        nodes: u64,
        question: impl FnOnce(&mut Forcing<'_, 'a, N>) -> T,
    ) -> T {
        self.solver.budget.stage = self.solver.budget.nodes.saturating_add(nodes);
        question(&mut self.solver.forcing(position, self.attacker))
    }
}

fn in_range(plies: u32) -> u16 {
    u16::try_from(plies).unwrap_or(u16::MAX).min(table::MAX_WIN)
}
