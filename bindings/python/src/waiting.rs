//! Threads that work without Python's lock, while the calling thread looks for Ctrl-C.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;

use crate::errors::{fault, guarded};

/// The interval in which a waiting thread looks for Ctrl-C.
const CTRL_C_INTERVAL: Duration = Duration::from_millis(20);

/// The stack of a thread that searches, as for the threads of the engine itself: Python's threads have less.
const STACK_BYTES: usize = 16 << 20;

/// Builds a thread that searches.
pub fn builder() -> thread::Builder {
    thread::Builder::new().name("search".into()).stack_size(STACK_BYTES)
}

/// Starts a thread that searches.
pub fn spawn(work: impl FnOnce() + Send + 'static) -> PyResult<()> {
    builder().spawn(work)?;
    Ok(())
}

/// Waits for a message. The work is stopped by Ctrl-C; its thread then ends by itself.
pub fn receive<T: Send>(py: Python<'_>, receiver: &Mutex<Receiver<T>>, stop: &AtomicBool) -> PyResult<Option<T>> {
    loop {
        let next = py.detach(|| {
            let receiver = receiver.lock().unwrap_or_else(PoisonError::into_inner);
            receiver.recv_timeout(CTRL_C_INTERVAL)
        });
        match next {
            Ok(message) => return Ok(Some(message)),
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
            Err(RecvTimeoutError::Timeout) => py.check_signals().inspect_err(|_| stop.store(true, Relaxed))?,
        }
    }
}

/// Runs work that ends soon after `stop` is set, which Ctrl-C does.
pub fn interruptible<T: Send>(py: Python<'_>, work: impl FnOnce(&AtomicBool) -> PyResult<T> + Send) -> PyResult<T> {
    let stop = AtomicBool::new(false);
    let (sender, receiver) = channel();
    thread::scope(|scope| {
        // A failure to send has no other cause than Ctrl-C.
        thread::Builder::new().spawn_scoped(scope, || _ = sender.send(guarded(|| work(&stop))))?;
        receive(py, &Mutex::new(receiver), &stop)?.unwrap_or_else(|| Err(fault(&"a thread ended without an answer")))
    })
}
