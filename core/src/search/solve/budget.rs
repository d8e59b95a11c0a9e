//! Remaining node and time budget of a solve.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::search::pulse::Pulse;
use crate::search::timeman::{SOLVER_NODES_PER_LOOK, SearchLimits, nodes_until_look};

/// Nodes visited and the limits on them, the clock and the stop flag.
pub(super) struct Budget<'a> {
    limits: SearchLimits,
    stop: &'a AtomicBool,
    clock: &'a dyn Pulse,
    /// Positions visited.
    pub nodes: u64,
    /// The number of nodes, counted over the whole solve, at which the current stage ends.
    pub stage: u64,
    /// Number of nodes at the next check of the clock.
    next_look: u64,
    over: bool,
}

impl<'a> Budget<'a> {
    pub fn new(limits: SearchLimits, stop: &'a AtomicBool, clock: &'a dyn Pulse) -> Self {
        Self { limits, stop, clock, nodes: 0, stage: u64::MAX, next_look: 0, over: false }
    }

    /// Replaces all limits, and the stop flag, by a number of nodes from now on.
    pub fn extend(&mut self, nodes: u64) {
        static NOT_STOPPED: AtomicBool = AtomicBool::new(false);
        self.limits = SearchLimits { nodes: Some(self.nodes + nodes), ..SearchLimits::default() };
        self.stop = &NOT_STOPPED;
        self.over = false;
    }

    /// Counts a node. False when the stage has to end, and from then on until the next stage begins; or when the whole
    /// solve has to end, and from then on always.
    pub fn visit(&mut self) -> bool {
        if self.nodes >= self.next_look {
            let now = self.clock.poll();
            let left = self.limits.hard.map(|hard| hard.saturating_sub(now));
            self.next_look = self.nodes + nodes_until_look(left, SOLVER_NODES_PER_LOOK);
            self.over |= self.stop.load(Relaxed) || self.limits.hard.is_some_and(|hard| now >= hard);
        }
        self.over |= self.limits.nodes.is_some_and(|nodes| self.nodes >= nodes);
        if self.over || self.nodes >= self.stage {
            return false;
        }
        self.nodes += 1;
        true
    }
}
