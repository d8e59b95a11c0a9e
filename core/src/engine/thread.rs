//! A thread with an engine: runs jobs in order and can stop them.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, JoinHandle};
use std::{io, mem};

use super::Engine;

/// Stack of the thread in bytes: enough for the deepest line at the largest frames. Only touched pages cost memory.
const STACK_BYTES: usize = 64 << 20;

/// A panic, as [`std::thread::JoinHandle::join`] returns it.
type Panic = Box<dyn Any + Send>;

type Job = Box<dyn FnOnce(&mut Engine) + Send>;

/// An engine on a separate thread, for front ends that must not wait for a search. Jobs run in the order of submission.
/// Dropping it stops them all and joins the thread.
#[derive(Debug)]
pub struct EngineThread {
    jobs: Option<Sender<Job>>,
    /// Shared by all jobs since the last stop.
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl EngineThread {
    /// Starts the thread. A panic in a job ends it: `lost` is called with the panic, and no other job runs.
    ///
    /// # Errors
    /// If the system cannot start a thread.
    pub fn start(mut engine: Engine, lost: impl FnOnce(Panic) + Send + 'static) -> io::Result<Self> {
        let (jobs, received) = channel::<Job>();
        let work = move || {
            let run = || received.into_iter().for_each(|job| job(&mut engine));
            if let Err(panic) = catch_unwind(AssertUnwindSafe(run)) {
                lost(panic);
            }
        };
        let thread = thread::Builder::new().name("engine".to_owned()).stack_size(STACK_BYTES).spawn(work)?;
        Ok(Self { jobs: Some(jobs), stop: Arc::default(), thread: Some(thread) })
    }

    /// Queues a job. Its flag is set to stop it, before it begins or while it runs. Does nothing if the thread is lost.
    pub fn submit(&mut self, job: impl FnOnce(&mut Engine, &Arc<AtomicBool>) + Send + 'static) {
        let stop = Arc::clone(&self.stop);
        let job: Job = Box::new(move |engine| job(engine, &stop));
        // If the thread is lost, `lost` has been called.
        let _ = self.jobs.as_ref().map(|jobs| jobs.send(job));
    }

    /// Asks all jobs submitted so far to stop.
    pub fn stop(&mut self) {
        mem::take(&mut self.stop).store(true, Relaxed);
    }
}

impl Drop for EngineThread {
    fn drop(&mut self) {
        self.stop();
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::engine::{Settings, TimeSource};

    fn engine() -> Engine {
        Engine::with_time(Settings::default(), TimeSource::new(|| Duration::ZERO))
    }

    #[test]
    fn stop_reaches_earlier_jobs_and_no_later_one() {
        let mut thread = EngineThread::start(engine(), |_| {}).unwrap();
        let (sender, flags) = channel();
        let submit = |thread: &mut EngineThread, waits: bool| {
            let sender = sender.clone();
            thread.submit(move |_, stop| {
                while waits && !stop.load(Relaxed) {
                    thread::yield_now();
                }
                sender.send(stop.load(Relaxed)).unwrap();
            });
        };
        submit(&mut thread, true);
        submit(&mut thread, false);
        thread.stop();
        submit(&mut thread, false);
        assert_eq!(flags.iter().take(3).collect::<Vec<_>>(), [true, true, false]);
    }

    #[test]
    fn a_panic_is_reported_and_ends_all_jobs() {
        let (sender, panics) = channel();
        let lost = move |panic: Panic| sender.send(panic.downcast_ref::<&str>().copied().map(str::to_owned)).unwrap();
        let mut thread = EngineThread::start(engine(), lost).unwrap();
        thread.submit(|_, _| panic!("as an engine might"));
        assert_eq!(panics.recv().unwrap().as_deref(), Some("as an engine might"));
        thread.submit(|_, _| unreachable!());
    }

    #[test]
    fn dropping_stops_and_waits() {
        let (sender, ended) = channel();
        let mut thread = EngineThread::start(engine(), |_| {}).unwrap();
        thread.submit(move |_, stop| {
            while !stop.load(Relaxed) {
                thread::yield_now();
            }
            sender.send(()).unwrap();
        });
        drop(thread);
        assert_eq!(ended.try_recv(), Ok(()));
    }
}
