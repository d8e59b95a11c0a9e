//! The input of a search, and the state that all its workers share.
//!
//! Signals that stop a search or a part of it:
//!
//! | signal | set when | effect |
//! | --- | --- | --- |
//! | [`Context::stop`] | the front end asks for the end | sets `halted`, after the first iteration or its grace |
//! | [`Shared::halted`] | `stop` is set, or time or nodes run out | all workers unwind to the root |
//! | [`Shared::depth`] | an iteration is complete | from the first on `stop` and limits count, from the third on the hard one |
//! | [`Pass::end`] | a root move reaches beta | workers leave the pass |
//! | [`Pass::finish`] | a root move is searched | other workers leave that move |
//!
//! A worker that notices one of them, or that another one has settled a node above, leaves its nodes by an `Unwind`.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::SeqCst};
use std::time::Duration;

use super::abdada::CurrentlySearching;
use super::params::{shared_ahead, shared_group, shared_look, shared_look_many, shared_rounds};
use super::policy::MoveWeights;
use super::pulse::Pulse;
use super::repetition::Repetitions;
use super::score::Score;
use super::timeman::{NODES_PER_LOOK, SearchLimits, nodes_until_look};
use super::tt::Table;
use crate::board::{Move, Position, Ways};
use crate::eval::{Evaluator, evaluate_in};

/// The input of a search besides the position.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    /// The table, prepared with [`Table::next_search`].
    pub table: &'a Table,
    /// Weights of the evaluation.
    pub evaluator: &'a Evaluator,
    /// For this board size.
    pub move_weights: &'a MoveWeights,
    /// Search limits; they may be set while the search runs. Until then only `stop` ends it.
    pub limits: &'a OnceLock<SearchLimits>,
    /// Ends the search at once when set.
    pub stop: &'a AtomicBool,
    pub clock: &'a dyn Pulse,
    /// A position that would occur this many times in game and line together is a draw; 0 for never.
    pub repetitions: u32,
    /// Number of root moves to report a line for.
    pub multipv: usize,
    /// The root moves to search; `None` for all legal ones.
    pub moves: Option<&'a [Move]>,
    /// Threads of the workers; `None` runs a single one in the calling thread.
    pub pool: Option<&'a rayon::ThreadPool>,
}

#[cfg(test)]
impl<'a> Context<'a> {
    /// One worker with the shipped weights for a board of this size, without a clock or draws by repetition.
    pub fn plain(
        size: crate::board::Size,
        table: &'a Table,
        limits: &'a OnceLock<SearchLimits>,
        stop: &'a AtomicBool,
    ) -> Self {
        Self {
            table,
            evaluator: crate::eval::evaluator(size),
            move_weights: super::move_weights(size),
            limits,
            stop,
            clock: &|| Duration::ZERO,
            repetitions: 0,
            multipv: 1,
            moves: None,
            pool: None,
        }
    }
}

/// State shared by all workers of a search.
pub(super) struct Shared<'a> {
    pub context: Context<'a>,
    /// Positions of the game whose next occurrence is a draw.
    pub repetitions: Repetitions,
    pub pass: Pass,
    /// The moves that workers are searching: one list per group of workers, none for a single worker.
    pub searching: Vec<CurrentlySearching>,
    /// Start of the search proper, after a table was allocated.
    pub begun: Duration,
    /// The last complete iteration. For [`SearchLimits::grace`] only a node limit interrupts the first, so that even a
    /// search that is stopped at once finds a win in one and avoids an immediate loss.
    pub depth: AtomicU32,
    /// Set when the search has to end, and never cleared.
    pub halted: AtomicBool,
    /// Nodes allotted to workers, visited or not.
    pub allotted: AtomicU64,
    /// Nodes allotted at a time: [`NODES_PER_LOOK`], with several workers `shared_look` or `shared_look_many`; fewer if
    /// a small limit has to suffice for all of them, and before a limit of time.
    pub portion: u64,
}

impl<'a> Shared<'a> {
    /// Creates the state for a search of `moves` root moves by `workers` workers.
    pub fn new(context: Context<'a>, repetitions: Repetitions, moves: usize, workers: usize) -> Self {
        let nodes = context.limits.get().and_then(|limits| limits.nodes);
        let is_shared = workers > 1 && context.pool.is_some();
        let groups = if is_shared { workers.div_ceil(shared_group() as usize) } else { 0 };
        let most = match groups {
            0 => NODES_PER_LOOK,
            1 => NODES_PER_LOOK.min(shared_look() as u64),
            _ => NODES_PER_LOOK.min(shared_look_many() as u64),
        };
        Self {
            context,
            repetitions,
            pass: Pass::new(moves),
            searching: (0..groups).map(|_| CurrentlySearching::default()).collect(),
            begun: context.clock.poll(),
            depth: AtomicU32::new(0),
            halted: AtomicBool::new(false),
            allotted: AtomicU64::new(0),
            portion: nodes.map_or(most, |limit| (limit / (shared_rounds() as u64 * workers as u64)).clamp(1, most)),
        }
    }

    /// The moves that the group of a worker is searching; `None` for a single worker.
    pub fn searching(&self, worker: usize) -> Option<&CurrentlySearching> {
        let group = worker.checked_rem(self.searching.len())?;
        self.searching.get(group)
    }

    /// Additional depth of a worker in plies.
    ///
    /// With many groups some search ahead, as in lazy SMP. Assumes that many groups repeat the same work anyway, while
    /// the results of those ahead are in the table when the next iteration begins. Fails if the score jumps: with
    /// another first move most of that work is lost.
    pub fn ahead(&self, worker: usize) -> i32 {
        let every = shared_ahead() as usize;
        let group = worker.checked_rem(self.searching.len());
        i32::from(group.is_some_and(|group| group % every == every - 1))
    }

    /// Returns whether the workers form several groups.
    pub fn are_many(&self) -> bool {
        self.searching.len() > 1
    }

    /// The search limits, none until they are set.
    pub fn limits(&self) -> SearchLimits {
        self.context.limits.get().copied().unwrap_or_default()
    }

    /// The static evaluation.
    pub fn evaluate<const N: usize>(&self, position: &Position<N>) -> Score {
        self.evaluate_in(position, &position.ways())
    }

    /// The same by the ways of the players.
    pub fn evaluate_in<const N: usize>(&self, position: &Position<N>, ways: &Ways) -> Score {
        Score::centiflats(evaluate_in(position, ways, self.context.evaluator))
    }

    /// Checks the clock and the stop flag and returns the nodes a worker may visit before it asks again; 0 to stop.
    pub fn allot(&self) -> u64 {
        let limits = self.limits();
        let depth = self.depth.load(SeqCst);
        let now = self.context.clock.poll();
        let latest = limits.latest(depth).map(|latest| limits.begun.saturating_add(latest));
        let is_late = latest.is_some_and(|latest| now >= latest);
        let excused_until = self.begun + limits.grace();
        let is_excused = depth == 0 && now < excused_until;
        if (self.context.stop.load(SeqCst) || is_late) && !is_excused {
            self.halted.store(true, SeqCst);
        }
        if self.is_stopped() {
            return 0;
        }
        let end = latest.map(|latest| if is_late { excused_until } else { latest });
        let wanted = nodes_until_look(end.map(|end| end.saturating_sub(now)), self.portion);
        let Some(limit) = limits.nodes else {
            return wanted;
        };
        let before = self.allotted.fetch_add(wanted, SeqCst);
        let portion = limit.saturating_sub(before).min(wanted);
        self.allotted.fetch_sub(wanted - portion, SeqCst);
        if portion == 0 {
            self.halted.store(true, SeqCst);
        }
        portion
    }

    /// Returns allotted nodes that were not visited.
    pub fn give_back(&self, unused: u64) {
        if self.limits().nodes.is_some() {
            self.allotted.fetch_sub(unused, SeqCst);
        }
    }

    pub fn is_stopped(&self) -> bool {
        self.halted.load(SeqCst)
    }
}

/// The finished root moves of the current pass; workers deep in the tree check whether their work is still needed.
#[derive(Debug)]
pub(super) struct Pass {
    done: Vec<AtomicBool>,
    over: AtomicBool,
}

impl Pass {
    /// Creates the state for passes over at most `moves` root moves.
    pub fn new(moves: usize) -> Self {
        Self { done: (0..moves).map(|_| AtomicBool::new(false)).collect(), over: AtomicBool::new(false) }
    }

    pub fn begin(&self) {
        for done in &self.done {
            done.store(false, SeqCst);
        }
        self.over.store(false, SeqCst);
    }

    /// Marks a root move as searched. Returns whether it already was.
    pub fn finish(&self, index: usize) -> bool {
        self.done[index].swap(true, SeqCst)
    }

    pub fn is_done(&self, index: usize) -> bool {
        self.done[index].load(SeqCst)
    }

    /// Ends the pass, because a move has reached beta.
    pub fn end(&self) {
        self.over.store(true, SeqCst);
    }

    pub fn is_over(&self) -> bool {
        self.over.load(SeqCst)
    }
}
