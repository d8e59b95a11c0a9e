//! Threads for work without an engine of its own, or fewer of them if the system refuses some.

use std::panic::resume_unwind;
use std::thread;

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use crate::engine::fewer_and_fewer;

/// A pool of `wanted` threads, at least 1. If the system refuses some, it is smaller, down to the calling thread alone,
/// with a warning.
///
/// # Errors
/// If not even that is possible, since the calling thread belongs to a pool already.
pub fn pool(wanted: usize) -> Result<ThreadPool, ThreadPoolBuildError> {
    let build = |threads| ThreadPoolBuilder::new().num_threads(threads).build();
    fewer_and_fewer(wanted, build).or_else(|_| calling_thread())
}

fn calling_thread() -> Result<ThreadPool, ThreadPoolBuildError> {
    ThreadPoolBuilder::new().num_threads(1).use_current_thread().build()
}

/// The results of `work` on each of `wanted` threads. If the system refuses some, those before them do it, with a
/// warning; without any, the calling thread does. A panic continues in the calling thread.
pub fn at_once<T: Send>(wanted: usize, work: impl Fn() -> T + Sync) -> Vec<T> {
    thread::scope(|scope| {
        let mut workers = Vec::new();
        while workers.len() < wanted {
            match thread::Builder::new().spawn_scoped(scope, &work) {
                Ok(worker) => workers.push(worker),
                Err(error) => {
                    let count = workers.len().max(1);
                    log::warn!("could not start {wanted} threads ({error}); continuing with {count}");
                    break;
                }
            }
        }
        if workers.is_empty() {
            return vec![work()];
        }
        let join = |worker: thread::ScopedJoinHandle<'_, T>| worker.join().unwrap_or_else(|panic| resume_unwind(panic));
        workers.into_iter().map(join).collect()
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_calling_thread_can_be_a_pool() {
        let pool = calling_thread().unwrap();
        assert_eq!(pool.current_num_threads(), 1);
        assert_eq!(pool.install(|| rayon::join(|| 1, || 2)), (1, 2));
    }

    #[test]
    fn work_is_done_at_once_and_at_least_once() {
        let here = thread::current().id();
        let threads: HashSet<_> = at_once(5, || thread::current().id()).into_iter().collect();
        assert_eq!(threads.len(), 5);
        assert!(!threads.contains(&here));
        assert_eq!(at_once(0, || thread::current().id()), [here]);
    }
}
