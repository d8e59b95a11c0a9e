//! The engine shared by all front ends: settings, the table, the workers, and one search at a time.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock, OnceLock};
use std::time::Duration;

use crate::board::{AnyPosition, Color, Game, Move, with_position};
use crate::search::{Context, Histories, Report, SearchLimits, Table, TimeManager, Turn, search, timeman};

pub mod bench;
mod level;
#[doc(hidden)]
pub mod memory;
mod packed;
mod permissions;
mod ponder;
mod proofs;
mod request;
mod skill;
mod solve;
mod solve_moves;
mod thread;
mod threads;
mod time;
mod weight_set;

pub use level::Level;
pub use packed::{PackedError, has_weights, install_weights};
pub use permissions::Permissions;
pub use ponder::Ponder;
pub use request::{Limits, SearchRequest, Task};
pub use thread::EngineThread;
pub use threads::fewer_and_fewer;
pub use time::TimeSource;
pub use weight_set::{WeightSet, WeightSetError};

use memory::{ask_for_large_pages, available_mib, available_space_mib};
use proofs::Proofs;
use time::Stopwatch;

/// Engine settings. Changes take effect with the next search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Size of the transposition table in MiB; 0 is taken as 1.
    pub hash_mib: usize,
    /// Search workers. At most a few more than there are processors are started.
    pub threads: usize,
    /// Number of root moves to report a line for.
    pub multipv: usize,
    /// Subtracted from every time limit for the delay between front end and engine.
    pub move_overhead: Duration,
    /// The number of occurrences, in game and search line, at which a position is scored as a draw; 0 for never.
    pub repetitions: u32,
    /// Playing strength; `None` for full strength. A level uses one thread and a separate table.
    pub level: Option<Level>,
    /// Random seed for levels.
    pub seed: u64,
    /// The weights of evaluation and move order.
    pub weights: WeightSet,
}

/// The usual size of the table in MiB. A page shares the memory of a phone with all others.
pub(crate) const HASH_MIB: usize = if cfg!(target_family = "wasm") { 16 } else { 64 };

impl Settings {
    /// The most lines that are reported.
    pub const MAX_MULTIPV: usize = 64;
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            hash_mib: HASH_MIB,
            threads: 1,
            multipv: 1,
            move_overhead: timeman::MOVE_OVERHEAD,
            repetitions: 3,
            level: None,
            seed: 0,
            weights: WeightSet::default(),
        }
    }
}

/// A table that could not be allocated, and its size in MiB.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not enough memory for a {0} MiB transposition table")]
pub struct HashError(pub usize);

/// Stack of a search worker in bytes: the longest line is 250 plies, and unoptimised frames are large.
const WORKER_STACK_BYTES: usize = 16 << 20;

/// Memory of a worker besides the table, in MiB: its histories and the used part of its stack.
const WORKER_MIB: usize = 4;

/// The number of workers that are started even with fewer processors. More workers that share a processor would delay
/// each other when a limit is reached.
const MIN_WORKER_LIMIT: usize = 4;

/// A search engine: settings, the table and the worker threads. It stores its findings in the table, the histories of
/// the workers and the time management; [`Engine::clear`] resets all of them.
///
/// ```
/// # use tak_engine_core as tak_engine;
/// use tak_engine::board::{AnyPosition, Game};
/// use tak_engine::engine::{Engine, Limits, Settings};
///
/// let position: AnyPosition = "x3/1,1,x/2,2,x 1 3".parse()?;
/// let settings = Settings { hash_mib: 1, ..Settings::default() };
/// let mut engine = Engine::new(settings);
/// let report = engine.analyse(&Game::new(position), Limits::depth(3))?;
/// assert_eq!(report.best(), Some("c2".parse()?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Engine {
    settings: Settings,
    table: Option<(usize, Table)>,
    /// One per worker; there may be fewer workers than requested.
    worker_histories: Vec<Histories>,
    /// The requested number of threads when the workers were started.
    workers_for: usize,
    pool: Option<rayon::ThreadPool>,
    time: TimeSource,
    timeman: TimeManager,
    proofs: Proofs,
    /// Stops any work without a separate stop flag.
    stop: Arc<AtomicBool>,
}

impl Engine {
    /// Creates an engine that reads the time from the system. Allocates nothing yet.
    pub fn new(settings: Settings) -> Self {
        Self::with_time(settings, TimeSource::default())
    }

    /// The same with another clock: an [`Instant`](std::time::Instant), for the time since then, or any other
    /// [`TimeSource`].
    pub fn with_time(settings: Settings, time: impl Into<TimeSource>) -> Self {
        Self {
            settings,
            table: None,
            worker_histories: Vec::new(),
            workers_for: 0,
            pool: None,
            time: time.into(),
            timeman: TimeManager::default(),
            proofs: Proofs::default(),
            stop: Arc::default(),
        }
    }

    /// Lets `stop` end any work without a separate stop flag: a search, an annotation.
    #[must_use]
    pub fn stopped_by(self, stop: Arc<AtomicBool>) -> Self {
        Self { stop, ..self }
    }

    /// The flag that ends such work.
    pub fn stop(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// The clock.
    pub fn time(&self) -> &TimeSource {
        &self.time
    }

    /// The current settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes the settings. They take effect with [`Engine::prepare`] or the next analysis. With other weights, or if
    /// draws by repetition are enabled or disabled, everything learned is cleared, because it depends on them.
    pub fn set(&mut self, settings: Settings) {
        let is_drawn = |settings: &Settings| settings.repetitions > 0;
        let judges_alike = settings.weights == self.settings.weights && is_drawn(&settings) == is_drawn(&self.settings);
        if !judges_alike {
            self.clear();
        }
        self.settings = settings;
    }

    /// Allocates the table and starts the workers for the current settings, unless that has been done.
    ///
    /// Writes to all memory of both, which takes about a second for a table of some GiB. An analysis also calls this,
    /// but then its time is running.
    ///
    /// # Errors
    /// [`HashError`] if there is not enough memory for the table; the engine then keeps its table or uses a smaller
    /// one.
    pub fn prepare(&mut self) -> Result<(), HashError> {
        self.prepare_until(&AtomicBool::new(false))
    }

    /// The same, but ends soon after `stop` becomes true. Then the system allocates the rest during searches.
    ///
    /// # Errors
    /// Those of [`Engine::prepare`].
    pub fn prepare_until(&mut self, stop: &AtomicBool) -> Result<(), HashError> {
        let prepared = self.prepare_table();
        self.prepare_workers();
        if let Some((_, table)) = &mut self.table
            && !table.is_written()
            && !table.is_used()
        {
            ask_for_large_pages(table.memory());
            table.clear_until(stop, self.pool.as_ref());
        }
        prepared
    }

    fn prepare_table(&mut self) -> Result<(), HashError> {
        let wanted = self.settings.hash_mib.max(1);
        let held = self.table.as_ref().map_or(0, |(mib, _)| *mib);
        if held == wanted {
            return Ok(());
        }
        let mut new = self.new_table(wanted);
        if new.is_none() && wanted < held {
            // There are not enough addresses for both.
            self.table = None;
            new = Table::new(wanted);
        }
        if let Some(table) = new {
            // Untouched, it was not yet backed by memory beside the old one, so the peak is that of one table.
            self.table = Some((wanted, table));
            return Ok(());
        }
        if self.table.is_none() {
            // If the free memory is unknown, the system may grant more than there is.
            let most = available_mib().map_or(Settings::default().hash_mib, |_| wanted);
            let halves = std::iter::successors(Some(most.min(wanted / 2)), |&mib| Some(mib / 2));
            let mut halves = halves.take_while(|&mib| mib > 1).chain([1]);
            self.table = halves.find_map(|mib| Some((mib, self.new_table(mib)?)));
        }
        Err(HashError(wanted))
    }

    /// A table of `mib` MiB to replace the current one, if there is memory for it, as far as that is known.
    fn new_table(&self, mib: usize) -> Option<Table> {
        let held = self.table.as_ref().map_or(0, |(mib, _)| *mib);
        // The smallest table is always tried, since a search needs one.
        let fits = mib <= held.max(1) || has_room(mib, held);
        fits.then(|| Table::new(mib)).flatten()
    }

    /// Starts the requested number of workers, limited by processors, threads and memory.
    fn prepare_workers(&mut self) {
        let asked = self.settings.threads.max(1);
        if self.workers_for == asked && !self.worker_histories.is_empty() {
            return;
        }
        self.workers_for = asked;
        self.pool = None;
        self.worker_histories.clear();
        let wanted = asked.min(room_for_workers());
        if wanted < asked {
            log::warn!("too few processors for {asked} threads; using {wanted}");
        }
        // A new table uses no memory before it is written to.
        let reserved = self.table.as_ref().map_or(0, |(mib, table)| if table.is_written() { 0 } else { *mib });
        let room = available_mib().map_or(wanted, |free| (free.saturating_sub(reserved) / WORKER_MIB).max(1));
        let room = available_space_mib().map_or(room, |free| {
            let stacks = free / (WORKER_MIB + (WORKER_STACK_BYTES >> 20));
            room.min(stacks.max(1))
        });
        if room < wanted {
            log::warn!("not enough memory for {wanted} threads; using {room}");
        }
        let build =
            |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(WORKER_STACK_BYTES).build();
        // A single worker runs in the calling thread.
        self.pool = Some(wanted.min(room))
            .filter(|&threads| threads > 1)
            .and_then(|threads| fewer_and_fewer(threads, build).ok())
            .filter(|pool| pool.current_num_threads() > 1);
        let workers = self.pool.as_ref().map_or(1, rayon::ThreadPool::current_num_threads);
        self.worker_histories.resize_with(workers, Histories::default);
        // As for the table, memory is allocated by the first write.
        self.worker_histories.iter_mut().for_each(Histories::clear);
    }

    /// Clears everything learned from earlier searches: for a new game.
    pub fn clear(&mut self) {
        self.clear_findings();
        self.timeman = TimeManager::default();
    }

    /// Clears the table and the histories. What was learned of the clock in this game stays.
    pub fn clear_findings(&mut self) {
        if let Some((_, table)) = &mut self.table
            && table.is_used()
        {
            table.clear(self.pool.as_ref());
        }
        self.worker_histories.iter_mut().for_each(Histories::clear);
        self.proofs = Proofs::default();
    }

    /// Searches within limits that count from the start of the stopwatch. They may be set while the search runs.
    fn search(&mut self, run: &mut Run<'_>, limits: &OnceLock<SearchLimits>) -> Result<Report, HashError> {
        // A smaller table is better than no search.
        let _ = self.prepare_until(run.stop);
        let table = ready(&mut self.table, &self.settings)?;
        let Settings { multipv, repetitions, .. } = self.settings;
        let context = Context { multipv, pool: self.pool.as_ref(), ..run.context(&self.settings, table, limits) };
        let game = run.game;
        let known = self.proofs.take(game, repetitions);
        let histories = &mut self.worker_histories[..];
        let report =
            with_position!(game.position(), p => search(p, game.history(), &known, context, histories, run.observer));
        self.proofs = Proofs::of(game, repetitions, &report.lines);
        Ok(report)
    }

    /// Converts `limits` for this position and the current settings.
    fn search_limits(&mut self, position: &AnyPosition, limits: &Limits) -> SearchLimits {
        let overhead = self.settings.move_overhead;
        let planned = limits.clock.map(|clock| self.timeman.plan(clock, turn(position), overhead));
        let fixed = limits.move_time.map(|time| timeman::move_time(time, overhead));
        SearchLimits { depth: limits.depth, nodes: limits.nodes, ..planned.unwrap_or_default().within(fixed) }
    }
}

/// One request, with its clock, its stop flag and the observer of its reports.
struct Run<'a> {
    game: &'a Game,
    /// The moves to search; `None` for all.
    moves: Option<&'a [Move]>,
    stopwatch: &'a Stopwatch,
    stop: &'a AtomicBool,
    observer: &'a mut dyn FnMut(&Report),
}

impl<'r> Run<'r> {
    /// A search for one line, by one worker.
    fn context<'a>(&self, settings: &'a Settings, table: &'a Table, limits: &'a OnceLock<SearchLimits>) -> Context<'a>
    where
        'r: 'a,
    {
        let size = self.game.position().size();
        Context {
            table,
            evaluator: settings.weights.evaluator(size),
            move_weights: settings.weights.ordering(size),
            limits,
            stop: self.stop,
            clock: self.stopwatch,
            repetitions: settings.repetitions,
            multipv: 1,
            moves: self.moves,
            pool: None,
        }
    }
}

/// Prepares the table for a search.
fn ready<'a>(table: &'a mut Option<(usize, Table)>, settings: &Settings) -> Result<&'a Table, HashError> {
    let (_, table) = table.as_mut().ok_or(HashError(settings.hash_mib))?;
    table.next_search();
    Ok(table)
}

fn turn(position: &AnyPosition) -> Turn {
    let reserves = position.reserves();
    let reserve = reserves[Color::White].total().min(reserves[Color::Black].total());
    Turn { color: position.to_move(), ply: position.ply(), size: position.size(), reserve: reserve.into() }
}

/// The maximum number of useful workers.
fn room_for_workers() -> usize {
    static WORKER_LIMIT: LazyLock<usize> = LazyLock::new(|| {
        let processors = std::thread::available_parallelism();
        processors.map_or(MIN_WORKER_LIMIT, |count| count.get().max(MIN_WORKER_LIMIT))
    });
    *WORKER_LIMIT
}

/// Checks that there is memory for a table of `wanted` MiB besides everything allocated, as far as it is known.
///
/// # Errors
/// [`HashError`] if there is not.
pub fn check_memory(wanted: usize) -> Result<(), HashError> {
    if has_room(wanted, 0) { Ok(()) } else { Err(HashError(wanted)) }
}

/// Returns whether there is room for a table of `wanted` MiB after one of `held` MiB is freed.
fn has_room(wanted: usize, held: usize) -> bool {
    [available_mib(), available_space_mib()].into_iter().flatten().all(|free| wanted <= free + held)
}

/// Checks that a search has room in the address space, as far as that is limited.
pub(crate) fn check_space() -> Result<(), HashError> {
    match available_space_mib() {
        Some(0) => Err(HashError(1)),
        _ => Ok(()),
    }
}
