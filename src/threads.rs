//! Pools of threads for work without an engine of its own.

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use crate::engine::fewer_and_fewer;

/// A pool of `wanted` threads, at least 1. If the system refuses some, it is smaller, with a warning.
///
/// # Errors
/// If the system gives no thread at all.
pub fn pool(wanted: usize) -> Result<ThreadPool, ThreadPoolBuildError> {
    fewer_and_fewer(wanted, |threads| ThreadPoolBuilder::new().num_threads(threads).build())
}
