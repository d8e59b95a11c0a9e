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

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn fewer_threads_are_tried_down_to_one() {
        let tried = RefCell::new(Vec::new());
        let most = |most| {
            let tried = &tried;
            move |threads| {
                tried.borrow_mut().push(threads);
                if threads <= most { Ok(threads) } else { Err("none left") }
            }
        };
        assert_eq!(fewer_and_fewer(12, most(4)), Ok(3));
        assert_eq!(fewer_and_fewer(12, most(0)), Err("none left"));
        assert_eq!(fewer_and_fewer(0, most(9)), Ok(1));
        assert_eq!(tried.into_inner(), [12, 6, 3, 12, 6, 3, 1, 1]);
    }
}
