//! Searches, each in a thread of its own.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyList;
use tak_engine::analysis::annotate::{AnnotatedGame, annotate, settings_for};
use tak_engine::board::Game;
use tak_engine::engine::{Engine, Level, Limits, SearchRequest, Settings, Task, WeightSet};
use tak_engine::search::Report;

use crate::analysis::{annotated, infos};
use crate::errors::{failed, fault, guarded, invalid};
use crate::game::PyGame;
use crate::values::LimitArgument;
use crate::waiting::{receive, spawn};

/// The engine behind `tak_engine.Engine`.
#[pyclass(name = "Engine", module = "tak_engine._native", frozen)]
pub struct PyEngine {
    settings: Settings,
    engine: Arc<Mutex<Engine>>,
    /// Stops the last analysis that was begun.
    analysis: Mutex<Arc<AtomicBool>>,
}

#[pymethods]
impl PyEngine {
    #[new]
    fn new(threads: usize, hash: usize, level: Option<u8>, seed: u64) -> PyResult<Self> {
        let no_level =
            || invalid(format!("level {} is out of range, expected 1 to {}", level.unwrap_or(0), Level::MAX));
        let level = level.map(|number| Level::new(number).ok_or_else(no_level)).transpose()?;
        let settings = Settings { threads, hash_mib: hash, level, seed, ..Settings::default() };
        let engine = Arc::new(Mutex::new(Engine::new(settings.clone())));
        Ok(Self { settings, engine, analysis: Mutex::default() })
    }

    /// Begins a search. `task` is "analyse", "play", "solve" or "shortest". An analysis of this engine that still runs
    /// is stopped; any other search is waited for.
    fn start(&self, game: PyRef<'_, PyGame>, limit: LimitArgument, task: &str, multipv: usize) -> PyResult<Search> {
        let (task, level) = match task {
            "play" => (Task::Play, self.settings.level),
            "solve" => (Task::Solve, None),
            "shortest" => (Task::Shortest, None),
            _ => (Task::Play, None),
        };
        let settings = Settings { multipv, level, ..self.settings.clone() };
        let request = SearchRequest { task, ..SearchRequest::new(game.game.clone(), limit.try_into()?) };
        let game = game.game.clone();
        let stop = Arc::new(AtomicBool::new(false));
        let (sender, receiver) = channel();
        let (engine, stopped) = (Arc::clone(&self.engine), Arc::clone(&stop));
        self.stop_analysis(&stop);
        spawn(move || search(&engine, &settings, &request, &stopped, &sender))?;
        Ok(Search { game, stop, receiver: Mutex::new(receiver), last: Mutex::default() })
    }

    /// Forgets what was learned from earlier searches.
    fn clear(&self, py: Python<'_>) {
        self.stop_analysis(&Arc::default());
        py.detach(|| self.engine.lock().unwrap_or_else(PoisonError::into_inner).clear());
    }
}

impl PyEngine {
    /// Stops the analysis that runs, and remembers what stops the next one.
    fn stop_analysis(&self, next: &Arc<AtomicBool>) {
        let mut analysis = self.analysis.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *analysis, Arc::clone(next)).store(true, Relaxed);
    }
}

/// A report of a search, or its end.
enum Message {
    Report(Report),
    End(PyResult<Report>),
}

/// Runs a search with an engine that is not in use elsewhere.
fn search(
    engine: &Mutex<Engine>,
    settings: &Settings,
    request: &SearchRequest,
    stop: &AtomicBool,
    sender: &Sender<Message>,
) {
    let mut engine = engine.lock().unwrap_or_else(PoisonError::into_inner);
    // Nobody listens any more if a message cannot be sent.
    let found = catch_unwind(AssertUnwindSafe(|| {
        engine.set(settings.clone());
        engine.run_with(request, Some(stop), |report| _ = sender.send(Message::Report(report.clone())))
    }));
    let end = match found {
        Ok(found) => found.map_err(failed),
        Err(panic) => {
            // What it has learned may be in disorder.
            *engine = Engine::new(settings.clone());
            Err(fault(&*panic))
        }
    };
    _ = sender.send(Message::End(end));
}

/// A search that runs.
#[pyclass(module = "tak_engine._native", frozen)]
pub struct Search {
    game: Game,
    stop: Arc<AtomicBool>,
    receiver: Mutex<Receiver<Message>>,
    last: Mutex<Option<Report>>,
}

#[pymethods]
impl Search {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    /// The next report, as a list of the lines; the last one is that of the end.
    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyList>>> {
        self.next(py)?.map(|(report, is_end)| infos(py, &report, &self.game, is_end)).transpose()
    }

    /// Waits for the end and returns the last report.
    fn result<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        while self.next(py)?.is_some() {}
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner).clone();
        infos(py, &last.unwrap_or_default(), &self.game, true)
    }

    /// Ends the search soon.
    fn stop(&self) {
        self.stop.store(true, Relaxed);
    }
}

impl Search {
    /// The next report, and whether it is that of the end.
    fn next(&self, py: Python<'_>) -> PyResult<Option<(Report, bool)>> {
        let (report, is_end) = match receive(py, &self.receiver, &self.stop)? {
            None => return Ok(None),
            Some(Message::Report(report)) => (report, false),
            Some(Message::End(report)) => (report?, true),
        };
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(report.clone());
        Ok(Some((report, is_end)))
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        self.stop.store(true, Relaxed);
    }
}

/// Judges every move of a game, with an engine of its own, see `Engine.annotate`.
#[pyfunction]
pub fn annotate_game<'py>(
    py: Python<'py>,
    game: PyRef<'_, PyGame>,
    limit: LimitArgument,
) -> PyResult<Bound<'py, PyAny>> {
    let (played, limits): (Game, Limits) = (game.game.clone(), limit.try_into()?);
    let stop = Arc::new(AtomicBool::new(false));
    let settings = settings_for(&limits, WeightSet::default());
    let mut engine = Engine::new(settings).stopped_by(Arc::clone(&stop));
    let (sender, receiver) = channel::<PyResult<Option<AnnotatedGame>>>();
    spawn(move || {
        let found = guarded(|| annotate(&played, limits, &mut engine).map_err(failed));
        // Nobody listens after Ctrl-C.
        _ = sender.send(found);
    })?;
    match receive(py, &Mutex::new(receiver), &stop)? {
        Some(Ok(Some(found))) => annotated(py, found, &game),
        Some(Err(error)) => Err(error),
        Some(Ok(None)) | None => Err(fault(&"the search ended without an answer")),
    }
}
