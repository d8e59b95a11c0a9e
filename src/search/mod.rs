//! Alpha-beta search. Knows positions, limits and the table it is given; no text, no protocol, no clock of its own.
//!
//! `search` is the way in. `deepening` repeats the search with growing depth, `parallel` splits one iteration over
//! workers, `node` is alpha-beta itself, all of its recursion but one step of `singular`. What it asks on the way:
//! `searcher` is one worker, `abdada` keeps workers from doing the same work, `picker` says which move is next, by `ordering`,
//! `policy` and `history`, and which are left out; `evasions` says which moves are of use against a threat, `singular`
//! whether the table's is the only good one, `reduction` how deeply late ones are searched; `correction` mends the evaluation,
//! `eval_noise` blurs it for weak players, `tt` is the memory, `timeman` shares out the clock.
//! In tests `lockstep` stands in for cores that are not there. `solve` is the other way in: it proves results and nothing else.
//!
//! No file here uses one that uses it; a test reads the paths.

mod abdada;
mod correction;
mod deepening;
mod eval_noise;
mod evasions;
mod history;
mod node;
mod ordering;
mod parallel;
pub mod params;
mod picker;
mod plan;
mod policy;
mod reduction;
mod repetition;
mod report;
mod root;
mod score;
mod searcher;
mod shared;
mod singular;
mod solve;
pub(crate) mod timeman;
mod tt;
mod wdl;

pub(crate) use eval_noise::EvalNoise;
pub(crate) use history::Histories;
pub(crate) use plan::Plan;
#[cfg(feature = "cli")]
pub(crate) use policy::MOVE_FEATURES;
pub use policy::{MoveWeights, move_weights};
pub use report::{Line, Report};
pub use score::{Bound, Score, Solved};
pub(crate) use shared::Context;
pub(crate) use solve::{Allowance, Solution, shortest_win, solve};
#[cfg(feature = "cli")]
pub(crate) use solve::{Attack, Prover, Verdict, forced_road};
pub use timeman::Clock;
pub(crate) use timeman::{TimeManager, Turn};
// Public for `benches/table.rs` alone: without a search there is nothing to keep in it.
#[doc(hidden)]
pub use tt::{Entry, Table};
pub use wdl::{Players, expected_points, level_draws, wdl};

use repetition::Repetitions;
use shared::Shared;

use crate::board::Position;

/// Searches `position` until a limit is reached and tells `observer` after each iteration.
///
/// `history` holds the hashes of the game's earlier positions, as far back as they may come up again. There is a worker
/// for each of `worker_histories`, of which there must be at least one. With exactly one the search is deterministic, but for
/// limits of time.
///
/// # Panics
/// If `worker_histories` is empty.
pub(crate) fn search<const N: usize>(
    position: &Position<N>,
    history: &[u64],
    context: Context<'_>,
    worker_histories: &mut [Histories],
    observer: &mut dyn FnMut(&Report),
) -> Report {
    assert!(!worker_histories.is_empty(), "a search needs a worker");
    age(worker_histories, context.pool);
    let mut moves = Vec::new();
    position.generate_moves(&mut moves);
    let repetitions = Repetitions::new(history, position.hash(), context.repetitions);
    let shared = Shared::new(context, repetitions, moves.len(), worker_histories.len());
    deepening::deepen(position, &shared, worker_histories, observer)
}

/// Makes every memory ready for a search, on all threads of the pool.
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
