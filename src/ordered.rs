//! Work on several threads with results in the order of the input, which is read only as far as needed soon.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::threads::workers;

/// Items per thread that may be read before an earlier one is done: enough to keep all threads busy when one item takes
/// long, and few enough for the memory.
const MAX_ITEMS_AHEAD: usize = 32;
/// The interval in which the stop flag and `check` are called while nothing else happens.
const STOP_CHECK: Duration = Duration::from_millis(50);

/// An item and the place of its result.
type Order<I, O> = (I, SyncSender<io::Result<O>>);

/// Works on every item that `next` gives, on a pool with one thread for each of `states`, and hands the results to `take`
/// on this thread, in order, each as soon as all earlier ones are taken. Once `stop` is set no further item is started;
/// the results of those already started, which are the first ones, are still taken. `check` is called now and then; its
/// error ends the work.
///
/// After an error `stop` is set, so that the threads, which are waited for, end their work early. The thread that reads
/// is not waited for, since its input may never come. A panic in `work` continues here.
///
/// # Errors
/// Those of `next`, `check` and `take`, and of starting the threads.
pub(crate) fn in_order<S: Send, I: Send + 'static, O: Send + 'static, E: From<io::Error>>(
    states: Vec<S>,
    next: impl FnMut() -> io::Result<Option<I>> + Send + 'static,
    work: impl Fn(&mut S, I) -> O + Sync,
    check: impl Fn() -> io::Result<()>,
    stop: &AtomicBool,
    mut take: impl FnMut(O) -> Result<(), E>,
) -> Result<(), E> {
    let (give, given) = channel();
    let (queue, results) = sync_channel(MAX_ITEMS_AHEAD * states.len());
    let pool = workers(states.len()).map_err(io::Error::other)?;
    thread::Builder::new().spawn(move || read_items(next, &give, &queue))?;
    let given = Arc::new(Mutex::new(given));
    let states = Mutex::new(states);
    let (work, states) = (&work, &states);
    let mut take_all = |results: Receiver<Receiver<io::Result<O>>>| {
        while let Some(result) = receive(&results, &check, || stop.load(SeqCst))? {
            match receive(&result, &check, || false)? {
                Some(result) => take(result?)?,
                // It was not started.
                None if stop.load(SeqCst) => {}
                // The work on it panicked.
                None => {
                    stop.store(true, SeqCst);
                    break;
                }
            }
        }
        Ok(())
    };
    pool.in_place_scope(|scope| {
        // One on each thread, and not where a thread waits for others to finish a part of its work.
        scope.spawn_broadcast(move |_, _| {
            let state = states.lock().unwrap_or_else(PoisonError::into_inner).pop();
            if let Some(mut state) = state {
                do_items(|item| work(&mut state, item), &given, stop);
            }
        });
        let taken = take_all(results);
        stop.fetch_or(taken.is_err(), SeqCst);
        taken
    })
}

/// Hands out the items until their end, until an error, or until no thread takes them any more. Queues the places of
/// their results in the same order.
fn read_items<I, O>(
    mut next: impl FnMut() -> io::Result<Option<I>>,
    give: &Sender<Order<I, O>>,
    queue: &SyncSender<Receiver<io::Result<O>>>,
) {
    while let Some(item) = next().transpose() {
        let (result, place) = sync_channel(1);
        if queue.send(place).is_err() {
            return;
        }
        let is_taken = match item {
            Ok(item) => give.send((item, result)).is_ok(),
            Err(error) => result.send(Err(error)).is_err(),
        };
        if !is_taken {
            return;
        }
    }
}

/// Works on items until there are no more, or until a stop. The rest is dropped with the end of the last worker, which
/// also ends the reading.
fn do_items<I, O>(mut work: impl FnMut(I) -> O, given: &Mutex<Receiver<Order<I, O>>>, stop: &AtomicBool) {
    loop {
        // Under the lock, so that no later item is started if this one is not.
        let given = given.lock().unwrap_or_else(PoisonError::into_inner);
        let next = given.recv_timeout(STOP_CHECK);
        if stop.load(SeqCst) {
            return;
        }
        drop(given);
        match next {
            Ok((item, result)) => drop(result.send(Ok(work(item)))),
            Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// Waits for the next item. `None` if no more will come, or if `is_over` while none comes.
fn receive<T>(
    items: &Receiver<T>,
    check: impl Fn() -> io::Result<()>,
    is_over: impl Fn() -> bool,
) -> io::Result<Option<T>> {
    loop {
        match items.recv_timeout(STOP_CHECK) {
            Ok(item) => return Ok(Some(item)),
            Err(RecvTimeoutError::Timeout) if !is_over() => check()?,
            Err(_) => return Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Item 1 takes until item 5 stops the work.
    #[test]
    fn results_begun_before_a_stop_are_taken_in_order() {
        let stop = AtomicBool::new(false);
        let mut items = 0..;
        let work = |(): &mut (), item| {
            while item == 1 && !stop.load(SeqCst) {
                thread::yield_now();
            }
            stop.fetch_or(item == 5, SeqCst);
            item
        };
        let mut taken = Vec::new();
        let take = |item| {
            taken.push(item);
            Ok::<_, io::Error>(())
        };
        in_order(vec![(), ()], move || Ok(items.next()), work, || Ok(()), &stop, take).unwrap();
        assert!(taken.starts_with(&[0, 1, 2, 3, 4, 5]) && taken.is_sorted(), "{taken:?}");
    }

    #[test]
    fn a_stop_or_an_error_ends_a_wait_for_input() {
        let next = || -> io::Result<Option<()>> {
            loop {
                thread::park();
            }
        };
        let run = |is_stopped, check: fn() -> io::Result<()>| {
            let stop = AtomicBool::new(is_stopped);
            in_order(vec![()], next, |(), ()| (), check, &stop, |()| Ok::<_, io::Error>(()))
        };
        run(true, || Ok(())).unwrap();
        run(false, || Err(io::ErrorKind::BrokenPipe.into())).unwrap_err();
    }

    #[test]
    fn a_panic_ends_the_work_and_continues_here() {
        let mut items = 0..;
        let work = |(): &mut (), item: u32| assert!(item < 100, "on purpose");
        let run = || {
            let stop = AtomicBool::new(false);
            let next = move || Ok(items.next());
            in_order(vec![(), ()], next, work, || Ok(()), &stop, |()| Ok::<_, io::Error>(()))
        };
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err());
    }
}
