//! Work on all cores whose results come in the order of the input, of which no more is read than is needed soon.

use std::any::Any;
use std::collections::BTreeMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
#[cfg(unix)]
use rustix::event::PollFd;

/// How many items for each thread may be read before an earlier one is done: enough to keep all threads busy when one
/// item takes long, and few enough for the memory.
const AHEAD: usize = 32;
/// How often the stop flag is read while no result comes.
pub(super) const STOP_CHECK: Duration = Duration::from_millis(50);

/// What the thread that takes the results has to know.
enum News<O> {
    /// The result of the item with this number.
    Result(usize, O),
    /// The number of items, once the input has ended or cannot be read further.
    End(usize, io::Result<()>),
    /// The rest is not wanted, or cannot be done.
    Failed(anyhow::Error),
}

/// Whether the work ends as soon as nobody reads stdout any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stdout {
    /// It does: that is where the results go.
    Watched,
    /// They go elsewhere.
    Left,
}

/// Ends the work early, and counts what is still being worked on.
#[derive(Clone)]
struct Ending {
    stop: Arc<AtomicBool>,
    busy: Arc<AtomicUsize>,
}

impl Ending {
    /// Claims that an item is being worked on, unless the work ends. Counted before the flag is read, so that an ending
    /// that finds no item in work is right.
    fn begin_item(&self) -> bool {
        self.busy.fetch_add(1, SeqCst);
        let may = !self.stop.load(SeqCst);
        if !may {
            self.end_item();
        }
        may
    }

    fn end_item(&self) {
        self.busy.fetch_sub(1, SeqCst);
    }

    /// Whether the work ends early and no item is being worked on.
    fn is_over(&self) -> bool {
        self.stop.load(SeqCst) && self.busy.load(SeqCst) == 0
    }
}

/// Works on every item that `next` gives, one thread for each of `states`, and hands the results to `take` on this
/// thread, in order, each as soon as all earlier ones are taken. `item` is what an item is called if the work on it panics.
/// Once `stop` is set no further item is begun; the results of those that were begun are still taken, in order.
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
    take: impl FnMut(O) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let ending = Ending { stop: Arc::clone(stop), busy: Arc::default() };
    let (give, given) = channel();
    let (tell, news) = channel();
    // Holds a token for each item that has been read and whose result has not been taken.
    let (places, taken) = sync_channel(AHEAD * states.len());
    // None of the threads is waited for: when the results are no longer wanted, one may wait for input that never comes,
    // and the others may be in a long search. The thread that reads is started first, since nothing works without it.
    let tell_end = tell.clone();
    let no_thread = "the system gives no thread, or no memory for it";
    thread::Builder::new().spawn(move || read_items(next, &give, &places, &tell_end)).context(no_thread)?;
    let given = Arc::new(Mutex::new(given));
    let work = Arc::new(work);
    for (index, mut state) in states.into_iter().enumerate() {
        let (work, given, tell) = (Arc::clone(&work), Arc::clone(&given), tell.clone());
        let ending = ending.clone();
        let work = move |item| work(&mut state, item);
        let started = thread::Builder::new().spawn(move || do_items(item, work, &given, &tell, &ending));
        match started {
            Err(error) if index == 0 => return Err(error).context(no_thread),
            Err(_) => {
                log::warn!("the system gives no more than {index} threads, going on with those");
                break;
            }
            Ok(_) => {}
        }
    }
    // If there is no such thread, the next result that is written shows it.
    #[cfg(unix)]
    if stdout == Stdout::Watched {
        drop(thread::Builder::new().spawn(move || watch_reader(&tell)));
    }
    take_in_order(&news, &taken, &ending, take)
}

/// Hands out the items until their end, until an error, or until no thread takes them any more.
fn read_items<I, O>(
    mut next: impl FnMut() -> io::Result<Option<I>>,
    give: &Sender<(usize, I)>,
    places: &SyncSender<()>,
    tell: &Sender<News<O>>,
) {
    let mut items = 0;
    while places.send(()).is_ok() {
        let end = match next() {
            Ok(Some(item)) => {
                if give.send((items, item)).is_err() {
                    return;
                }
                items += 1;
                continue;
            }
            Ok(None) => Ok(()),
            Err(error) => Err(error),
        };
        // If the thread that takes has ended, there is nothing to tell.
        let _ = tell.send(News::End(items, end));
        return;
    }
}

fn do_items<I, O>(
    name: &str,
    mut work: impl FnMut(I) -> O,
    given: &Mutex<Receiver<(usize, I)>>,
    tell: &Sender<News<O>>,
    ending: &Ending,
) {
    loop {
        let next = given.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Some((number, item)) = next.ok().filter(|_| ending.begin_item()) else { break };
        let news = match catch_unwind(AssertUnwindSafe(|| work(item))) {
            Ok(result) => News::Result(number, result),
            // A bug. There will be no result of this item to wait for.
            Err(panic) => News::Failed(anyhow!("{name} {}: {}", number + 1, text_of(&*panic))),
        };
        let is_taken = tell.send(news).is_ok();
        ending.end_item();
        if !is_taken {
            break;
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

/// Ends the work when the reader of stdout goes away, also in the middle of a search.
#[cfg(unix)]
fn watch_reader<O>(tell: &Sender<News<O>>) {
    use rustix::event::PollFlags;
    let out = io::stdout();
    // Errors are reported without being asked for. If there is one here, the next result that is written shows it.
    if poll(&mut [PollFd::new(&out, PollFlags::empty())]).is_ok() {
        let gone = io::Error::from(io::ErrorKind::BrokenPipe);
        let _ = tell.send(News::Failed(gone.into()));
    }
}

/// Waits until there is something to read, or the end.
///
/// # Errors
/// [`BrokenPipe`](io::ErrorKind::BrokenPipe) when the reader of stdout goes away before.
#[cfg(unix)]
pub(super) fn await_input(input: &io::Stdin) -> io::Result<()> {
    use rustix::event::PollFlags;
    let out = io::stdout();
    let mut fds = [PollFd::new(input, PollFlags::IN), PollFd::new(&out, PollFlags::empty())];
    match poll(&mut fds) {
        Ok(()) if fds[0].revents().is_empty() => Err(io::ErrorKind::BrokenPipe.into()),
        // Reading shows what is wrong.
        _ => Ok(()),
    }
}

/// Elsewhere reading waits.
#[cfg(not(unix))]
pub(super) fn await_input(_: &io::Stdin) -> io::Result<()> {
    Ok(())
}

/// Waits for an event, however often a signal comes between.
#[cfg(unix)]
fn poll(fds: &mut [PollFd<'_>]) -> rustix::io::Result<()> {
    loop {
        match rustix::event::poll(fds, None) {
            Err(rustix::io::Errno::INTR) => {}
            result => return result.map(drop),
        }
    }
}

/// Hands over the results in the order of their items.
fn take_in_order<O>(
    news: &Receiver<News<O>>,
    taken: &Receiver<()>,
    ending: &Ending,
    mut take: impl FnMut(O) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    let mut end = None;
    loop {
        // Read before the news: what is not in them then does not come any more.
        let is_over = ending.is_over();
        let item = if is_over {
            news.try_recv().map_err(|_| RecvTimeoutError::Disconnected)
        } else {
            news.recv_timeout(STOP_CHECK)
        };
        match item {
            Ok(News::Result(number, result)) => drop(waiting.insert(number, result)),
            Ok(News::End(items, result)) => end = Some((items, result)),
            Ok(News::Failed(error)) => return Err(error),
            Err(_) if is_over => return waiting.into_values().try_for_each(take),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => bail!("the input was not read to its end"),
        }
        while let Some(result) = waiting.remove(&next) {
            next += 1;
            take(result)?;
            // There is room for another item now.
            let _ = taken.recv();
        }
        if let Some((_, result)) = end.take_if(|(items, _)| *items == next) {
            return result.map_err(Into::into);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Item 1 takes until item 5 stops the work.
    #[test]
    fn what_was_begun_before_a_stop_is_taken_in_order() {
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
