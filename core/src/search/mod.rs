//! Alpha-beta search over positions, limits, a table and a clock given by the caller; no text, no protocol.
//!
//! `search` is the entry point. `deepening` repeats the search with growing depth, `parallel` splits one iteration over
//! workers, `node` is alpha-beta itself, `proof` completes the lines of proven results. A node uses
//!
//! - `searcher`: one worker and its state; `shared`: the state of all workers and the stop signals; `tt`: the table,
//! - `visit`: arguments and results of a node; `pulse`: the clock,
//! - `picker`: the order of the moves, and pruning; the order comes from `ordering`, `policy` and `history`,
//! - `evasions`, `singular`, `reduction`: forced moves, singular extension, late move reduction,
//! - `correction`: correction of the evaluation,
//! - `abdada`: workers that avoid the same work; `lockstep` simulates many cores in tests.
//!
//! `timeman` decides on time. `solve` is the second entry point: it proves results only.
//!
//! There are no cyclic dependencies between these files; a test checks their paths.

mod abdada;
mod correction;
mod deepening;
mod evasions;
mod history;
mod node;
mod ordering;
mod parallel;
pub mod params;
mod picker;
mod policy;
mod proof;
mod pulse;
mod reduction;
mod repetition;
mod report;
mod score;
mod searcher;
mod shared;
mod singular;
mod solve;
mod statics;
pub(crate) mod timeman;
mod tt;
mod visit;
mod wdl;

pub(crate) use history::Histories;
pub use policy::{MOVE_FEATURES, MoveWeights, move_weights};
pub(crate) use policy::{install, is_installed, move_odds};
pub(crate) use pulse::Pulse;
pub use report::{Line, Report};
pub use score::{Bound, Score, Solved};
pub(crate) use shared::Context;
pub use solve::{Attack, Prover, Verdict};
pub(crate) use solve::{Solution, SolveContext, forced_road, solve};
pub use timeman::Clock;
pub(crate) use timeman::{SearchLimits, TimeManager, Turn, Used};
// Public for `benches/table.rs` only.
pub use tt::{Entry, Table};
pub use wdl::{Players, expected_points, level_draws, wdl};

use repetition::Repetitions;
use shared::Shared;

use crate::board::Position;

/// Searches `position` until a limit is reached and calls `observer` after each iteration.
///
/// `history` holds the hashes of the game's earlier positions, as far back as they can recur. The proven lines of an
/// earlier search of this position are `known`. There is one worker per element of `worker_histories`. With one worker
/// and without time limits the search is deterministic.
///
/// # Panics
/// If `worker_histories` is empty.
pub(crate) fn search<const N: usize>(
    position: &Position<N>,
    history: &[u64],
    known: &[Line],
    context: Context<'_>,
    worker_histories: &mut [Histories],
    observer: &mut dyn FnMut(&Report),
) -> Report {
    assert!(!worker_histories.is_empty(), "a search needs a worker");
    age(worker_histories, context.pool);
    let roots = deepening::root_moves(position, known, &context, &worker_histories[0]);
    let repetitions = Repetitions::new(history, position.hash(), context.repetitions);
    let shared = Shared::new(context, repetitions, roots.len(), worker_histories.len());
    deepening::deepen(position, roots, &shared, worker_histories, observer)
}

fn age(worker_histories: &mut [Histories], pool: Option<&rayon::ThreadPool>) {
    match pool {
        Some(pool) => pool.scope(|scope| {
            for histories in worker_histories {
                scope.spawn(|_| histories.age());
            }
        }),
        None => worker_histories.iter_mut().for_each(Histories::age),
    }
}

#[cfg(test)]
mod lockstep;
