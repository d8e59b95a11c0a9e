//! What a search is given, and what all its workers see of it: how much is used up, and which root moves are done.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::time::Duration;

use super::abdada::CurrentlySearching;
use super::eval_noise::EvalNoise;
use super::params::{shared_ahead, shared_group, shared_look, shared_look_many, shared_rounds};
use super::plan::Plan;
use super::policy::MoveWeights;
use super::repetition::Repetitions;
use super::score::Score;
use super::timeman::{GRACE, NODES_PER_LOOK};
use super::tt::Table;
use crate::board::{Move, Position};
use crate::eval::{Evaluator, evaluate};

/// Everything a search is given besides the position.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    /// The table, prepared with [`Table::next_search`].
    pub table: &'a Table,
    /// What positions are evaluated with.
    pub evaluator: &'a Evaluator,
    /// What moves are ordered by.
    pub move_weights: &'a MoveWeights,
    /// By how much the evaluation is off.
    pub noise: EvalNoise,
    /// When to end. While there is none nothing but `stop` ends the search; it may come while the search runs.
    pub plan: &'a OnceLock<Plan>,
    /// Becomes true when the search has to end at once.
    pub stop: &'a AtomicBool,
    /// The time since the search was asked for.
    pub elapsed: &'a (dyn Fn() -> Duration + Sync),
    /// A position that would occur this many times in game and line together is a draw; 0 for never.
    pub repetitions: u32,
    /// How many of the best root moves are wanted with a line each.
    pub multipv: usize,
    /// A root move that is left out.
    pub excluded: Option<Move>,
    /// Where the workers run; `None` runs a single one in the calling thread.
    pub pool: Option<&'a rayon::ThreadPool>,
}

#[cfg(test)]
impl<'a> Context<'a> {
    /// One worker with the shipped weights for a board of this size and no clock, where positions may come again.
    pub fn plain(size: crate::board::Size, table: &'a Table, plan: &'a OnceLock<Plan>, stop: &'a AtomicBool) -> Self {
        Self {
            table,
            evaluator: crate::eval::evaluator(size),
            move_weights: super::move_weights(size),
            noise: EvalNoise::default(),
            plan,
            stop,
            elapsed: &|| Duration::ZERO,
            repetitions: 0,
            multipv: 1,
            excluded: None,
            pool: None,
        }
    }
}

/// What all workers of a search see.
pub(super) struct Shared<'a> {
    pub given: Context<'a>,
    /// The positions of the game to which no way may lead back.
    pub repetitions: Repetitions,
    pub pass: Pass,
    /// The moves that workers are searching, a list for each group of them; none where there is a single worker.
    pub searching: Vec<CurrentlySearching>,
    /// When the search itself began; allocating the table may have taken a while.
    pub begun: Duration,
    /// Set when the first iteration is done. For [`GRACE`] only a node limit interrupts it, so that even a
    /// search that is stopped at once sees wins in one and what refutes its own move.
    pub started: AtomicBool,
    /// Set once for good when the search has to end.
    pub halted: AtomicBool,
    /// Nodes that have been granted to workers, visited or not.
    pub granted: AtomicU64,
    /// Nodes handed out at once: [`NODES_PER_LOOK`], with several workers `shared_look` or `shared_look_many`; less where a
    /// small limit has to go round.
    pub portion: u64,
    /// Where the workers take turns.
    #[cfg(test)]
    pub lockstep: Option<super::lockstep::Lockstep>,
}

impl<'a> Shared<'a> {
    /// For a search from a position with so many moves.
    pub fn new(given: Context<'a>, repetitions: Repetitions, moves: usize, workers: usize) -> Self {
        let nodes = given.plan.get().and_then(|plan| plan.nodes);
        let is_shared = workers > 1 && given.pool.is_some();
        let groups = if is_shared { workers.div_ceil(shared_group() as usize) } else { 0 };
        let most = match groups {
            0 => NODES_PER_LOOK,
            1 => NODES_PER_LOOK.min(shared_look() as u64),
            _ => NODES_PER_LOOK.min(shared_look_many() as u64),
        };
        Self {
            given,
            repetitions,
            pass: Pass::new(moves),
            searching: (0..groups).map(|_| CurrentlySearching::default()).collect(),
            begun: (given.elapsed)(),
            started: AtomicBool::new(false),
            halted: AtomicBool::new(false),
            granted: AtomicU64::new(0),
            portion: nodes.map_or(most, |limit| (limit / (shared_rounds() as u64 * workers as u64)).clamp(1, most)),
            #[cfg(test)]
            lockstep: None,
        }
    }

    /// The moves that the group of one worker is searching, where there are several workers.
    pub fn searching(&self, worker: usize) -> Option<&CurrentlySearching> {
        let group = worker.checked_rem(self.searching.len())?;
        self.searching.get(group)
    }

    /// How many plies deeper than the iteration a worker searches.
    ///
    /// Of many groups some are ahead, as in lazy SMP. It bets that so many do the same work anyway, while what those ahead
    /// have found is in the table when the next iteration begins. Tak breaks the bet where the score jumps: with another
    /// first move most of it is in vain.
    pub fn ahead(&self, worker: usize) -> i32 {
        let every = shared_ahead() as usize;
        let group = worker.checked_rem(self.searching.len());
        i32::from(group.is_some_and(|group| group % every == every - 1))
    }

    /// Whether there are so many workers that they are several groups.
    pub fn are_many(&self) -> bool {
        self.searching.len() > 1
    }

    /// When to end, as far as that is known.
    pub fn plan(&self) -> Plan {
        self.given.plan.get().copied().unwrap_or_default()
    }

    /// The static evaluation, as the player of this search sees it.
    pub fn evaluate<const N: usize>(&self, position: &Position<N>) -> Score {
        let noise = self.given.noise.of(position.hash());
        Score::centiflats(evaluate(position, self.given.evaluator) + noise)
    }

    /// The nodes a worker may visit before it asks again; 0 when it has to stop. Looks at the stop flag and the clock.
    pub fn grant(&self) -> u64 {
        let plan = self.plan();
        let late = || {
            let end = plan.hard.map(|hard| plan.begun.saturating_add(hard));
            end.is_some_and(|end| (self.given.elapsed)() >= end)
        };
        let excused = || !self.started.load(SeqCst) && (self.given.elapsed)() < self.begun + GRACE;
        if (self.given.stop.load(SeqCst) || late()) && !excused() {
            self.halted.store(true, SeqCst);
        }
        if self.is_stopped() {
            return 0;
        }
        let Some(limit) = plan.nodes else {
            return self.portion;
        };
        let before = self.granted.fetch_add(self.portion, SeqCst);
        let portion = limit.saturating_sub(before).min(self.portion);
        self.granted.fetch_sub(self.portion - portion, SeqCst);
        if portion == 0 {
            self.halted.store(true, SeqCst);
        }
        portion
    }

    /// Takes back nodes that were granted and not visited.
    pub fn give_back(&self, unused: u64) {
        if self.plan().nodes.is_some() {
            self.granted.fetch_sub(unused, SeqCst);
        }
    }

    pub fn is_stopped(&self) -> bool {
        self.halted.load(SeqCst)
    }
}

/// Which root moves of the present pass are done: workers deep in the tree ask it whether their work is still wanted.
#[derive(Debug)]
pub(super) struct Pass {
    done: Vec<AtomicBool>,
    over: AtomicBool,
}

impl Pass {
    /// For passes over at most `moves` root moves.
    pub fn new(moves: usize) -> Self {
        Self { done: (0..moves).map(|_| AtomicBool::new(false)).collect(), over: AtomicBool::new(false) }
    }

    pub fn begin(&self) {
        for done in &self.done {
            done.store(false, SeqCst);
        }
        self.over.store(false, SeqCst);
    }

    /// A root move has been searched. True if it had been already.
    pub fn finish(&self, index: usize) -> bool {
        self.done[index].swap(true, SeqCst)
    }

    pub fn is_done(&self, index: usize) -> bool {
        self.done[index].load(SeqCst)
    }

    /// A move has reached beta: nothing else matters any more.
    pub fn end(&self) {
        self.over.store(true, SeqCst);
    }

    pub fn is_over(&self) -> bool {
        self.over.load(SeqCst)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::OnceLock;

    use super::*;
    use crate::board::Size;

    #[test]
    fn of_many_groups_every_fourth_is_ahead() {
        let table = Table::new(1).unwrap();
        let (plan, never) = (OnceLock::new(), AtomicBool::new(false));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
        let pool = pool.unwrap();
        let ahead = |workers: usize| -> Vec<usize> {
            let context = Context { pool: Some(&pool), ..Context::plain(Size::ALL[3], &table, &plan, &never) };
            let shared = Shared::new(context, Repetitions::default(), 1, workers);
            assert_eq!(shared.are_many(), workers > 4);
            (0..workers).filter(|&n| shared.ahead(n) == 1).collect()
        };
        for few in [1, 2, 4, 5, 12] {
            assert_eq!(ahead(few), [0; 0], "{few}");
        }
        assert_eq!(ahead(13), [3, 7, 11]);
        assert_eq!(ahead(16), [3, 7, 11, 15]);
        assert_eq!(ahead(64).len(), 16);
    }
}
