//! The engine: one search at a time, each in a thread of its own.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use pyo3::prelude::*;
use tak_engine::analysis::annotate::{annotate_text, settings_for};
use tak_engine::engine::{Engine, Level, SearchRequest, Settings, Task, WeightSet};
use tak_engine::notation::GameText;

use crate::analysis::{Found, annotated};
use crate::errors::{check_process, failed, fault, invalid};
use crate::game::PyGame;
use crate::moves::PyMove;
use crate::search::Search;
use crate::values::LimitArgument;

/// The engine behind `tak_engine.Engine`.
#[pyclass(name = "Engine", module = "tak_engine._native", frozen)]
pub struct PyEngine {
    settings: Settings,
    engine: Arc<Mutex<Engine>>,
    /// Stops the last analysis that was begun.
    analysis: Mutex<Arc<AtomicBool>>,
    /// Stop the searches that run or wait.
    running: Mutex<Vec<Weak<AtomicBool>>>,
    /// The next search forgets earlier ones.
    forgets: Arc<AtomicBool>,
    process: u32,
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
        Ok(Self {
            settings,
            engine,
            analysis: Mutex::default(),
            running: Mutex::default(),
            forgets: Arc::default(),
            process: std::process::id(),
        })
    }

    /// Begins a search. `task` is "analyse", "analysis", "play", "solve" or "shortest". An analysis of this engine that
    /// still runs is stopped; any other search is waited for. `moves` are the only moves to search.
    #[pyo3(signature = (game, limit, task, multipv, moves, notify))]
    fn start(
        &self,
        game: PyRef<'_, PyGame>,
        limit: LimitArgument,
        task: &str,
        multipv: usize,
        moves: Option<Vec<PyRef<'_, PyMove>>>,
        notify: Option<Py<PyAny>>,
    ) -> PyResult<Search> {
        // Each search starts its first thread. A fork copies no others, so the rest are missing, and a search that ran
        // never ends.
        if self.settings.threads > 1 || self.engine.try_lock().is_err() {
            check_process("this engine", self.process)?;
        }
        let (task, level, is_analysis) = match task {
            "play" => (Task::Play, self.settings.level, false),
            "solve" => (Task::Solve, None, false),
            "shortest" => (Task::Shortest, None, false),
            task => (Task::Play, None, task == "analysis"),
        };
        let settings = Settings { multipv, level, ..self.settings.clone() };
        let limits = limit.limits(game.game.position().to_move())?;
        let moves = moves.map(|moves| moves.iter().map(|mv| mv.0).collect());
        let request = SearchRequest { task, moves, ..SearchRequest::new(game.game.clone(), limits) };
        let stop = Arc::default();
        self.add_running(&stop);
        self.stop_analysis(if is_analysis { Arc::clone(&stop) } else { Arc::default() });
        let (engine, forgets) = (Arc::clone(&self.engine), Arc::clone(&self.forgets));
        Search::start(stop, notify, move |stop, send| {
            let mut engine = engine.lock().unwrap_or_else(PoisonError::into_inner);
            if forgets.swap(false, Relaxed) {
                engine.clear();
            }
            let found = catch_unwind(AssertUnwindSafe(|| {
                engine.set(settings.clone());
                let report = engine.run_with(&request, Some(stop), |report| {
                    send(Found::so_far(report.clone(), &request.game).answer());
                });
                report.map(|report| Found::at_the_end(report, &request.game))
            }));
            let found = found.map_err(|panic| {
                // What it has learned may be in disorder.
                *engine = Engine::new(settings);
                fault(&*panic)
            })?;
            send(found.map_err(failed)?.answer());
            Ok(())
        })
    }

    /// Forgets what was learned from earlier searches, when the one that runs has ended.
    fn clear(&self) {
        self.stop_analysis(Arc::default());
        self.forgets.store(true, Relaxed);
    }

    /// Stops all searches that run or wait.
    fn stop(&self) {
        let running = std::mem::take(&mut *self.running.lock().unwrap_or_else(PoisonError::into_inner));
        running.iter().filter_map(Weak::upgrade).for_each(|stop| stop.store(true, Relaxed));
    }
}

impl PyEngine {
    /// Remembers what stops a search.
    fn add_running(&self, stop: &Arc<AtomicBool>) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.retain(|other| other.strong_count() > 0);
        running.push(Arc::downgrade(stop));
    }

    /// Stops the analysis that runs, and remembers what stops the next one.
    fn stop_analysis(&self, next: Arc<AtomicBool>) {
        let mut analysis = self.analysis.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *analysis, next).store(true, Relaxed);
    }
}

/// The level whose strength is nearest.
#[pyfunction]
pub fn level_of_elo(elo: i32) -> u8 {
    Level::of_elo(elo).number()
}

/// Judges every move of a game, with an engine of its own, see `Engine.annotate`.
#[pyfunction]
pub fn annotate_game(game: PyRef<'_, PyGame>, limit: LimitArgument, notify: Option<Py<PyAny>>) -> PyResult<Search> {
    let limits = limit.limits(game.game.position().to_move())?;
    // As text, which has comments, marks and variations.
    let text: GameText = game.text(Vec::new())?.into();
    Search::start(Arc::default(), notify, move |stop, send| {
        let mut engine = Engine::new(settings_for(&limits, WeightSet::default())).stopped_by(Arc::clone(stop));
        if let Some(found) = annotate_text(&text, limits, &mut engine).map_err(failed)? {
            send(Box::new(move |py| annotated(py, found)));
        }
        Ok(())
    })
}
