//! Threads, or fewer of them if the system refuses some.

/// The result of `start` with `wanted` threads; if that fails, with half of them, and so on down to one, with a warning
/// each.
///
/// # Errors
/// That of one thread.
pub fn fewer_and_fewer<T, E: std::fmt::Display>(wanted: usize, start: impl Fn(usize) -> Result<T, E>) -> Result<T, E> {
    let mut threads = wanted.max(1);
    loop {
        match start(threads) {
            Ok(started) => return Ok(started),
            Err(error) if threads == 1 => return Err(error),
            Err(error) => {
                let fewer = threads / 2;
                log::warn!("could not start {threads} threads ({error}); trying {fewer}");
                threads = fewer;
            }
        }
    }
}
