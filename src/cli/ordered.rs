//! Work on all cores with results in the order of the input, which is read only as far as needed soon.

use std::any::Any;
use std::collections::BTreeMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, anyhow};
#[cfg(unix)]
use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// Items per thread that may be read before an earlier one is done: enough to keep all threads busy when one
/// item takes long, and few enough for the memory.
const MAX_ITEMS_AHEAD: usize = 32;
/// The interval in which the stop flag and the reader of stdout are checked while nothing else happens.
pub(super) const STOP_CHECK: Duration = Duration::from_millis(50);

/// The use of stdout: work for a reader who has gone away ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stdout {
    /// It does: the results go there.
    Watched,
    /// They go elsewhere.
    Left,
}

/// Something with its place in the input, from 0. The reader's error comes in place of the item after the last one.
type Numbered<T, E> = (usize, Result<T, E>);

/// Works on every item that `next` gives, one thread for each of `states`, and hands the results to `take` on this
/// thread, in order, each as soon as all earlier ones are taken. `item` names an item if the work on it
/// panics. Once `stop` is set no further item is started; the results of those already started are still taken, in order.
///
/// # Errors
/// Those of `next` and `take`, and of starting the first thread.
pub(super) fn in_order<S: Send + 'static, I: Send + 'static, O: Send + 'static>(
    item: &'static str,
    states: Vec<S>,
    next: impl FnMut() -> io::Result<Option<I>> + Send + 'static,
    work: impl Fn(&mut S, I) -> O + Send + Sync + 'static,
    stdout: Stdout,
    stop: &Arc<AtomicBool>,
    mut take: impl FnMut(O) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let (give, given) = channel();
    let (sender, results) = channel();
    // Holds a token for each item that has been read and whose result has not been taken.
    let (places, taken) = sync_channel(MAX_ITEMS_AHEAD * states.len());
    // None of the threads is waited for: when the results are no longer wanted, one may wait for input that never
    // comes, and the others may be in a long search. The thread that reads is started first, since nothing works
    // without it.
    let no_thread = "the system gives no thread, or no memory for it";
    thread::Builder::new().spawn(move || read_items(next, &give, &places)).context(no_thread)?;
    let given = Arc::new(Mutex::new(given));
    let work = Arc::new(work);
    for (index, mut state) in states.into_iter().enumerate() {
        let (work, given, sender, stop) = (Arc::clone(&work), Arc::clone(&given), sender.clone(), Arc::clone(stop));
        let work = move |item| work(&mut state, item);
        let started = thread::Builder::new().spawn(move || do_items(item, work, &given, &sender, &stop));
        match started {
            Err(error) if index == 0 => return Err(error).context(no_thread),
            Err(_) => {
                log::warn!("the system gives no more than {index} threads, continuing with those");
                break;
            }
            Ok(_) => {}
        }
    }
    drop(sender);
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    loop {
        match results.recv_timeout(STOP_CHECK) {
            Ok((number, result)) => drop(waiting.insert(number, result)),
            Err(RecvTimeoutError::Timeout) if stdout == Stdout::Watched && is_reader_gone() => {
                return Err(io::Error::from(io::ErrorKind::BrokenPipe).into());
            }
            Err(RecvTimeoutError::Timeout) => {}
            // All threads have ended. After a stop results of items between those started are missing.
            Err(RecvTimeoutError::Disconnected) => return waiting.into_values().try_for_each(|result| take(result?)),
        }
        while let Some(result) = waiting.remove(&next) {
            next += 1;
            take(result?)?;
            // There is room for another item now.
            let _ = taken.try_recv();
        }
    }
}

/// Hands out the items until their end, until an error, or until no thread takes them any more.
fn read_items<I>(
    mut next: impl FnMut() -> io::Result<Option<I>>,
    give: &Sender<Numbered<I, io::Error>>,
    places: &SyncSender<()>,
) {
    for number in 0.. {
        let Some(item) = places.send(()).ok().and_then(|()| next().transpose()) else { return };
        let is_last = item.is_err();
        if give.send((number, item)).is_err() || is_last {
            return;
        }
    }
}

/// Works on items until there are no more, or until `stop` is set.
fn do_items<I, O>(
    name: &str,
    mut work: impl FnMut(I) -> O,
    given: &Mutex<Receiver<Numbered<I, io::Error>>>,
    sender: &Sender<Numbered<O, anyhow::Error>>,
    stop: &AtomicBool,
) {
    loop {
        let given = given.lock().unwrap_or_else(PoisonError::into_inner);
        // Read with the lock, so that threads do not wait one after the other.
        if stop.load(SeqCst) {
            return;
        }
        let next = given.recv_timeout(STOP_CHECK);
        drop(given);
        let (number, item) = match next {
            Ok(next) => next,
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => return,
        };
        let result = item.map_err(anyhow::Error::from).and_then(|item| {
            // A panic is a bug. There will be no result of this item to wait for.
            catch_unwind(AssertUnwindSafe(|| work(item)))
                .map_err(|panic| anyhow!("{name} {}: {}", number + 1, text_of(&*panic)))
        });
        if sender.send((number, result)).is_err() {
            return;
        }
    }
}

fn text_of(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic")
}

/// Returns whether the reader of stdout has gone away. The system reports errors without being asked for them.
#[cfg(unix)]
fn is_reader_gone() -> bool {
    let out = io::stdout();
    poll(&mut [PollFd::new(&out, PollFlags::empty())], Some(&Timespec::default())).is_ok_and(|events| events > 0)
}

/// Elsewhere the next result that is written shows it.
#[cfg(not(unix))]
fn is_reader_gone() -> bool {
    false
}

/// Waits until there is something to read, or the end.
///
/// # Errors
/// [`BrokenPipe`](io::ErrorKind::BrokenPipe) when the reader of stdout goes away before.
#[cfg(unix)]
pub(super) fn await_input(input: &io::Stdin) -> io::Result<()> {
    let out = io::stdout();
    let mut fds = [PollFd::new(input, PollFlags::IN), PollFd::new(&out, PollFlags::empty())];
    // A signal may come between.
    while poll(&mut fds, None) == Err(rustix::io::Errno::INTR) {}
    // If the input has an error, reading shows it.
    let is_input_due = !fds[0].revents().is_empty();
    if is_input_due || fds[1].revents().is_empty() { Ok(()) } else { Err(io::ErrorKind::BrokenPipe.into()) }
}

/// Elsewhere reading waits.
#[allow(clippy::unnecessary_wraps)]
#[cfg(not(unix))]
pub(super) fn await_input(_: &io::Stdin) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Item 1 takes until item 5 stops the work.
    #[test]
    fn results_begun_before_a_stop_are_taken_in_order() {
        let stop = Arc::new(AtomicBool::new(false));
        let mut items = 0..;
        let flag = Arc::clone(&stop);
        let work = move |(): &mut (), item| {
            while item == 1 && !flag.load(SeqCst) {
                thread::yield_now();
            }
            flag.fetch_or(item == 5, SeqCst);
            item
        };
        let mut taken = Vec::new();
        in_order(
            "item",
            vec![(), ()],
            move || Ok(items.next()),
            work,
            Stdout::Left,
            &stop,
            |item| {
                taken.push(item);
                Ok(())
            },
        )
        .unwrap();
        assert!(taken.starts_with(&[0, 1, 2, 3, 4, 5]) && taken.is_sorted(), "{taken:?}");
    }

    #[test]
    fn a_stop_ends_a_wait_for_input() {
        let stop = Arc::new(AtomicBool::new(true));
        let next = || -> io::Result<Option<()>> {
            loop {
                thread::park();
            }
        };
        in_order("item", vec![()], next, |(), ()| (), Stdout::Left, &stop, |()| Ok(())).unwrap();
    }
}
