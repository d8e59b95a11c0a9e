//! Searches in threads of their own. Python waits for their answers, or polls them when it is told that there are some.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use pyo3::exceptions::PyStopIteration;
use pyo3::prelude::*;

use crate::errors::{check_process, fault, guarded};
use crate::waiting::{receive, spawn};

/// Whether Python ends. A thread that calls it then can abort the process.
static PYTHON_ENDS: RwLock<bool> = RwLock::new(false);

/// Ends all notifications, before Python itself ends.
#[pyfunction]
pub fn end_notifications(py: Python<'_>) {
    // A thread that is about to notify waits for Python's lock.
    py.detach(|| *PYTHON_ENDS.write().unwrap_or_else(PoisonError::into_inner) = true);
}

/// Calls a function of Python from any thread.
fn wake(notify: &Py<PyAny>) {
    let ends = PYTHON_ENDS.read().unwrap_or_else(PoisonError::into_inner);
    if !*ends {
        // An event loop that is closed has nobody who waits.
        Python::attach(|py| _ = notify.call0(py));
    }
}

/// Makes a value of Python of what a search has found.
pub type Answer = Box<dyn for<'py> FnOnce(Python<'py>) -> PyResult<Bound<'py, PyAny>> + Send>;

/// A search that runs. It is stopped when it is dropped.
#[pyclass(module = "tak_engine._native", frozen)]
pub struct Search {
    stop: Arc<AtomicBool>,
    answers: Mutex<Receiver<Answer>>,
    /// That of the thread which searches.
    process: u32,
}

impl Search {
    /// Starts `work`, which gets the stop flag and a function that sends answers. After each of them and at the end
    /// `notify` is called, in the thread of the work.
    pub fn start(
        stop: Arc<AtomicBool>,
        notify: Option<Py<PyAny>>,
        work: impl FnOnce(&Arc<AtomicBool>, &dyn Fn(Answer)) -> PyResult<()> + Send + 'static,
    ) -> PyResult<Self> {
        let (sender, receiver) = channel::<Answer>();
        let stopped = Arc::clone(&stop);
        spawn(move || {
            let wake = || notify.iter().for_each(wake);
            let send = |answer| {
                // Nobody listens any more if an answer cannot be sent.
                _ = sender.send(answer);
                wake();
            };
            if let Err(error) = guarded(|| work(&stopped, &send)) {
                send(Box::new(|_| Err(error)));
            }
            drop(sender);
            wake();
        })?;
        Ok(Self { stop, answers: Mutex::new(receiver), process: std::process::id() })
    }

    fn check(&self) -> PyResult<()> {
        check_process("this search", self.process)
    }
}

#[pymethods]
impl Search {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    /// Waits for the next answer.
    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.check()?;
        receive(py, &self.answers, &self.stop)?.map(|answer| answer(py)).transpose()
    }

    /// The next answer; `None` if there is none yet. Raises `StopIteration` at the end.
    fn poll<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.check()?;
        let next = self.answers.lock().unwrap_or_else(PoisonError::into_inner).try_recv();
        match next {
            Ok(answer) => answer(py).map(Some),
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => Err(PyStopIteration::new_err(())),
        }
    }

    /// Waits for the end and returns the last answer.
    fn result<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.check()?;
        let mut last = None;
        while let Some(answer) = receive(py, &self.answers, &self.stop)? {
            last = Some(answer);
        }
        last.map_or_else(|| Err(fault(&"the search ended without an answer")), |answer| answer(py))
    }

    /// Ends the search soon.
    fn stop(&self) {
        self.stop.store(true, Relaxed);
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        self.stop();
    }
}
