//! Alpha-beta search. Knows positions, limits and the table it is given; no text, no protocol, no clock of its own.
//!
//! `search` is the way in. `deepening` repeats the search with growing depth, `parallel` splits one iteration over
//! workers, `busy` keeps them from doing the same work, `searcher` is one worker, `node`, `picker` and `moves` are
//! alpha-beta itself, `ordering`, `policy` and `history` decide what it tries first, `reduction` how deep, `correction`
//! mends the evaluation, `noise` blurs it for weak players, `tt` is the memory, `timeman` shares out the clock. `solve` is the other way in: it proves
//! results and nothing else.

mod busy;
mod correction;
mod deepening;
mod history;
mod moves;
mod node;
mod noise;
mod ordering;
mod parallel;
pub mod params;
mod picker;
mod plan;
mod policy;
mod reduction;
mod report;
mod score;
mod searcher;
mod solve;
pub(crate) mod timeman;
mod tt;
mod wdl;
mod worn;

pub(crate) use history::Memory;
pub(crate) use noise::Noise;
pub(crate) use plan::Plan;
#[cfg(feature = "cli")]
pub(crate) use policy::MOVE_FEATURES;
pub use policy::{MoveWeights, move_weights};
pub use report::{Line, Report};
pub use score::{Score, Solved};
pub(crate) use solve::{Allowance, Solution, shortest_win, solve};
pub use timeman::Clock;
pub(crate) use timeman::{TimeManager, Turn};
pub use tt::{Bound, Entry, Table};
pub use wdl::{CHANCE_SCALE, wdl};

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::time::Duration;

use busy::Busy;
use worn::Worn;

use crate::board::{Move, Position};
use crate::eval::{Weights, evaluate};

/// Everything a search is given besides the position.
pub(crate) struct Context<'a> {
    /// The table, prepared with [`Table::next_search`].
    pub table: &'a Table,
    /// What the evaluation weighs with.
    pub weights: &'a Weights,
    /// What moves are ordered by.
    pub move_weights: &'a MoveWeights,
    /// By how much the evaluation is off.
    pub noise: Noise,
    /// When to end.
    pub plan: Plan,
    /// Becomes true when the search has to end at once.
    pub stop: &'a AtomicBool,
    /// The time since the search was asked for.
    pub elapsed: &'a (dyn Fn() -> Duration + Sync),
    /// A position that would occur this many times in game and line together is a draw; 0 for never.
    pub repetitions: u32,
    /// How many of the best root moves are wanted with a line each.
    pub multipv: usize,
    /// Where the workers run; `None` runs a single one in the calling thread.
    pub pool: Option<&'a rayon::ThreadPool>,
}

/// Searches `position` until a limit is reached and tells `observer` after each iteration.
///
/// `history` holds the hashes of the game's earlier positions, as far back as they may come up again. There is a worker
/// for each of `memories`, of which there must be at least one. With exactly one the search is deterministic, but for
/// limits of time.
///
/// # Panics
/// If `memories` is empty.
pub(crate) fn search<const N: usize>(
    position: &Position<N>,
    history: &[u64],
    context: &Context<'_>,
    memories: &mut [Memory],
    observer: &mut dyn FnMut(&Report),
) -> Report {
    assert!(!memories.is_empty(), "a search needs a worker");
    age(memories, context.pool);
    let workers = memories.len() as u64;
    let mut moves = Vec::new();
    position.generate_moves(&mut moves);
    let shared = Shared {
        table: context.table,
        weights: context.weights,
        move_weights: context.move_weights,
        noise: context.noise,
        plan: context.plan,
        stop: context.stop,
        elapsed: context.elapsed,
        repeats: context.repetitions > 0,
        worn: Worn::new(history, position.hash(), context.repetitions),
        pass: Pass::new(moves.len()),
        busy: (workers > 1 && context.pool.is_some()).then(Busy::default),
        begun: (context.elapsed)(),
        started: AtomicBool::new(false),
        halted: AtomicBool::new(false),
        granted: AtomicU64::new(0),
        portion: context.plan.nodes.map_or(Shared::PORTION, |limit| {
            (limit / (8 * workers)).clamp(1, Shared::PORTION)
        }),
    };
    deepening::deepen(
        position,
        &shared,
        memories,
        context.pool,
        context.multipv,
        observer,
    )
}

/// Makes every memory ready for a search, on all threads of the pool.
fn age(memories: &mut [Memory], pool: Option<&rayon::ThreadPool>) {
    match pool {
        Some(pool) => pool.scope(|scope| {
            for memory in memories {
                scope.spawn(|_| memory.age());
            }
        }),
        None => memories.iter_mut().for_each(Memory::age),
    }
}

/// What all workers of a search see.
struct Shared<'a> {
    table: &'a Table,
    weights: &'a Weights,
    move_weights: &'a MoveWeights,
    noise: Noise,
    plan: Plan,
    stop: &'a AtomicBool,
    elapsed: &'a (dyn Fn() -> Duration + Sync),
    /// Whether repetition is a draw at all.
    repeats: bool,
    worn: Worn,
    pass: Pass,
    /// The moves that workers are searching, where there are several workers.
    busy: Option<Busy>,
    /// When the search itself began; allocating the table may have taken a while.
    begun: Duration,
    /// Set when the first iteration is done. For [`Shared::GRACE`] only a node limit interrupts it, so that even a
    /// search that is stopped at once sees wins in one and what refutes its own move.
    started: AtomicBool,
    /// Set once for good when the search has to end.
    halted: AtomicBool,
    /// Nodes that have been granted to workers, visited or not.
    granted: AtomicU64,
    /// Nodes handed out at once: [`Shared::PORTION`], less where a small limit has to go round.
    portion: u64,
}

impl Shared<'_> {
    /// The static evaluation, as the player of this search sees it.
    fn evaluate<const N: usize>(&self, position: &Position<N>) -> Score {
        let noise = self.noise.of(position.hash());
        Score::centiflats(evaluate(position, self.weights) + noise)
    }

    /// The most nodes handed out at once. Before it gets more, a worker looks at the stop flag, the clock and what the
    /// others have done: with so few nodes that is every millisecond or two.
    const PORTION: u64 = 512;

    /// How long a first iteration may go on although it should stop.
    const GRACE: Duration = Duration::from_millis(5);

    /// The nodes a worker may visit before it asks again; 0 when it has to stop.
    fn grant(&self) -> u64 {
        let late = || self.plan.hard.is_some_and(|hard| (self.elapsed)() >= hard);
        let excused = || !self.started.load(SeqCst) && (self.elapsed)() < self.begun + Self::GRACE;
        if (self.stop.load(SeqCst) || late()) && !excused() {
            self.halted.store(true, SeqCst);
        }
        if self.is_stopped() {
            return 0;
        }
        let Some(limit) = self.plan.nodes else {
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
    fn give_back(&self, unused: u64) {
        if self.plan.nodes.is_some() {
            self.granted.fetch_sub(unused, SeqCst);
        }
    }

    fn is_stopped(&self) -> bool {
        self.halted.load(SeqCst)
    }
}

/// Which root moves of the present pass are done: workers deep in the tree ask it whether their work is still wanted.
#[derive(Debug)]
struct Pass {
    done: Vec<AtomicBool>,
    over: AtomicBool,
}

impl Pass {
    /// For passes over at most `moves` root moves.
    fn new(moves: usize) -> Self {
        Self {
            done: (0..moves).map(|_| AtomicBool::new(false)).collect(),
            over: AtomicBool::new(false),
        }
    }

    fn begin(&self) {
        for done in &self.done {
            done.store(false, SeqCst);
        }
        self.over.store(false, SeqCst);
    }

    /// A root move has been searched. True if it had been already.
    fn finish(&self, index: usize) -> bool {
        self.done[index].swap(true, SeqCst)
    }

    fn is_done(&self, index: usize) -> bool {
        self.done[index].load(SeqCst)
    }

    /// A move has reached beta: nothing else matters any more.
    fn end(&self) {
        self.over.store(true, SeqCst);
    }

    fn is_over(&self) -> bool {
        self.over.load(SeqCst)
    }
}

/// A move at the root.
#[derive(Debug, Clone)]
struct RootMove {
    mv: Move,
    /// What the present pass found, minus infinity if it did not raise alpha.
    score: Score,
    /// The score of the last iteration.
    previous: Score,
    /// The best line known, `mv` first.
    line: Vec<Move>,
    /// Nodes spent on it in this iteration.
    nodes: u64,
}

impl RootMove {
    fn new(mv: Move) -> Self {
        Self {
            mv,
            score: -Score::INFINITE,
            previous: -Score::INFINITE,
            line: vec![mv],
            nodes: 0,
        }
    }
}
