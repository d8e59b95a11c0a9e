//! Pools of threads for work without an engine of its own.

use std::thread;
use std::time::Duration;

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use crate::engine::fewer_and_fewer;

/// The time that the threads of a pool which could not be completed get to end.
const TIME_TO_END: Duration = Duration::from_millis(20);

/// A pool of `wanted` threads, at least 1. If the system refuses some, it is smaller, down to the calling thread alone,
/// with a warning.
///
/// # Errors
/// If not even that is possible, since the calling thread belongs to a pool already.
pub fn pool(wanted: usize) -> Result<ThreadPool, ThreadPoolBuildError> {
    workers(wanted).or_else(|_| calling_thread())
}

/// A [`pool`] whose threads work while the calling one waits for something else, so that it cannot be one of them.
///
/// # Errors
/// If the system gives no thread at all.
pub(crate) fn workers(wanted: usize) -> Result<ThreadPool, ThreadPoolBuildError> {
    fewer_and_fewer(wanted, |threads| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        // Those that were started for it have to end before others can take their places.
        pool.inspect_err(|_| thread::sleep(TIME_TO_END))
    })
}

fn calling_thread() -> Result<ThreadPool, ThreadPoolBuildError> {
    ThreadPoolBuilder::new().num_threads(1).use_current_thread().build()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_calling_thread_can_be_a_pool() {
        let pool = calling_thread().unwrap();
        assert_eq!(pool.current_num_threads(), 1);
        assert_eq!(pool.install(|| rayon::join(|| 1, || 2)), (1, 2));
    }
}
