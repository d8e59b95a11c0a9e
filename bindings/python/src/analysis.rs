//! Results of searches as Python values, and searches of many games at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyType};
use tak_engine::analysis::annotate::{AnnotatedGame, AnnotatedPly, Evaluation, ForcedWin, PositionValue, ptn_game};
use tak_engine::analysis::explain::{Reason, reasons};
use tak_engine::board::{Color, Game};
use tak_engine::engine::{Engine, SearchRequest, Settings, WeightSet};
use tak_engine::search::{Bound as Side, Line, Players, Report, Score, Solved, wdl};

use crate::errors::{failed, fault, guarded};
use crate::game::PyGame;
use crate::moves;
use crate::search::{Answer, Search};
use crate::values::{LimitArgument, color};
use crate::waiting::builder;

/// A score as `tak_engine.PovScore`.
fn pov_score(py: Python<'_>, score: Score, draws: u32, turn: Color) -> PyResult<Bound<'_, PyAny>> {
    static CLASSES: PyOnceLock<(Py<PyType>, Py<PyType>)> = PyOnceLock::new();
    let (pov, plain) = CLASSES.get_or_try_init(py, || {
        let module = py.import("tak_engine._score")?;
        let class = |name| Ok::<_, PyErr>(module.getattr(name)?.cast_into::<PyType>()?.unbind());
        Ok::<_, PyErr>((class("PovScore")?, class("Score")?))
    })?;
    let (cp, solved) = match score.solved() {
        Some(Solved::Win(plies)) => (None, Some(i64::from(plies))),
        Some(Solved::Loss(plies)) => (None, Some(-i64::from(plies))),
        None => (Some(score.value()), None),
    };
    let lost_now = solved == Some(0) && score.is_loss();
    let plain = plain.bind(py).call1((cp, solved, lost_now, draws))?;
    pov.bind(py).call1((plain, color(turn)))
}

/// The chances of a score in centiflats: win, draw and loss in thousandths.
#[pyfunction]
pub fn chances(centiflats: i32, draws: u32) -> [u32; 3] {
    wdl(Score::centiflats(centiflats), draws.min(1000), Players::Engines)
}

/// The answer of a search.
pub struct Found {
    report: Report,
    turn: Color,
    /// Those of each line, at the end of the search.
    reasons: Vec<Vec<Reason>>,
}

impl Found {
    pub fn so_far(report: Report, game: &Game) -> Self {
        Self { report, turn: game.position().to_move(), reasons: Vec::new() }
    }

    pub fn at_the_end(report: Report, game: &Game) -> Self {
        let reasons = report.lines.iter().map(|line| reasons(game, line, None)).collect();
        Self { reasons, ..Self::so_far(report, game) }
    }

    pub fn answer(self) -> Answer {
        Box::new(move |py| Ok(self.infos(py)?.into_any()))
    }

    /// The lines with the keys of python-chess.
    fn infos<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let lines = PyList::empty(py);
        for (index, line) in self.report.lines.iter().enumerate() {
            let info = info(py, &self.report, line, index + 1, self.turn)?;
            if let Some(reasons) = self.reasons.get(index) {
                info.set_item("reasons", reasons_of(py, reasons)?)?;
            }
            lines.append(info)?;
        }
        Ok(lines)
    }
}

fn reasons_of<'py>(py: Python<'py>, reasons: &[Reason]) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for reason in reasons {
        let entry = PyDict::new(py);
        entry.set_item("text", &reason.text)?;
        entry.set_item("kind", reason.kind)?;
        entry.set_item("squares", reason.squares.iter().map(ToString::to_string).collect::<Vec<_>>())?;
        entry.set_item("basis", reason.basis.name())?;
        list.append(entry)?;
    }
    Ok(list)
}

fn info<'py>(
    py: Python<'py>,
    report: &Report,
    line: &Line,
    number: usize,
    turn: Color,
) -> PyResult<Bound<'py, PyDict>> {
    let info = PyDict::new(py);
    info.set_item("multipv", number)?;
    info.set_item("depth", report.depth)?;
    info.set_item("seldepth", report.seldepth)?;
    info.set_item("nodes", report.nodes)?;
    info.set_item("nps", report.nps())?;
    info.set_item("time", report.time.as_secs_f64())?;
    info.set_item("hashfull", report.hashfull)?;
    info.set_item("score", pov_score(py, line.score, report.level_draws, turn)?)?;
    match line.bound {
        Some(Side::Lower) => info.set_item("lowerbound", true)?,
        Some(Side::Upper) => info.set_item("upperbound", true)?,
        None => {}
    }
    info.set_item("solved", line.solved.is_some())?;
    info.set_item("shortest", report.shortest && number == 1)?;
    info.set_item("pv", moves::list(py, &line.pv)?)?;
    Ok(info)
}

/// The static evaluation term by term for the player to move, in centiflats.
#[pyfunction]
pub fn explain<'py>(py: Python<'py>, game: PyRef<'_, PyGame>) -> PyResult<Bound<'py, PyDict>> {
    let position = game.game.position();
    let terms = guarded(|| Ok(position.explain(WeightSet::default().evaluator(position.size()))))?;
    let explained = PyDict::new(py);
    for term in terms {
        explained.set_item(term.name, term.score)?;
    }
    Ok(explained)
}

/// An annotated game as a dictionary, from which Python makes `AnnotatedGame`.
pub fn annotated(py: Python<'_>, game: AnnotatedGame) -> PyResult<Bound<'_, PyAny>> {
    let ptn = ptn_game(&game);
    let plies = PyList::empty(py);
    for ply in &game.plies {
        plies.append(ply_of(py, ply)?)?;
    }
    let whole = PyDict::new(py);
    whole.set_item("ptn", ptn.to_string())?;
    whole.set_item("start", game.start.as_ref().map(|start| evaluation_of(py, start)).transpose()?)?;
    whole.set_item("plies", plies)?;
    whole.set_item("decisive", game.decisive)?;
    whole.set_item("winner", game.winner.map(color))?;
    whole.set_item("accuracy", game.players.0.map(|player| player.accuracy()))?;
    Ok(whole.into_any())
}

fn ply_of<'py>(py: Python<'py>, ply: &AnnotatedPly) -> PyResult<Bound<'py, PyDict>> {
    let forced = |win: &Option<ForcedWin>| -> PyResult<Option<(u32, Bound<'py, PyList>)>> {
        win.as_ref().map(|win| Ok((win.plies, moves::list(py, &win.line)?))).transpose()
    };
    let values = PyDict::new(py);
    values.set_item("move", moves::object(py, ply.mv))?;
    values.set_item("turn", color(ply.color))?;
    values.set_item("number", ply.number)?;
    values.set_item("phase", ply.phase.to_string())?;
    let marks = [ply.threat.map(|threat| threat.to_string()), ply.mark.map(|mark| mark.to_string())];
    values.set_item("marks", marks.into_iter().flatten().collect::<String>())?;
    values.set_item("loss", ply.loss)?;
    values.set_item("before", value_of(py, ply.before)?)?;
    values.set_item("best", moves::list(py, &ply.best)?)?;
    values.set_item("after", evaluation_of(py, &ply.after)?)?;
    values.set_item("missed", forced(&ply.missed)?)?;
    values.set_item("allowed", forced(&ply.allowed)?)?;
    values.set_item("avoided", forced(&ply.avoided)?)?;
    Ok(values)
}

/// A score, and White's chances in percent between people.
type Valued<'py> = (Bound<'py, PyAny>, f64);

fn value_of(py: Python<'_>, value: PositionValue) -> PyResult<Valued<'_>> {
    Ok((pov_score(py, value.score, value.level_draws, Color::White)?, value.chance(Color::White)))
}

fn evaluation_of<'py>(py: Python<'py>, evaluation: &Evaluation) -> PyResult<(Valued<'py>, Bound<'py, PyList>)> {
    Ok((value_of(py, evaluation.value)?, moves::list(py, &evaluation.line)?))
}

/// Searches every game in turn, on `threads` engines of one thread each.
#[pyfunction]
pub fn analyse_many(
    games: Vec<PyRef<'_, PyGame>>,
    limit: LimitArgument,
    threads: usize,
    hash: usize,
) -> PyResult<Search> {
    let games: Vec<Game> = games.iter().map(|game| game.game.clone()).collect();
    let limits = limit.limits(Color::White)?;
    Search::start(Arc::default(), None, move |stop, send| {
        let next = AtomicUsize::new(0);
        // The answers of one thread, each with the number of its game.
        let answers = || -> PyResult<Vec<(usize, Found)>> {
            let mut engine = Engine::new(Settings { hash_mib: hash, ..Settings::default() });
            let numbers = std::iter::repeat_with(|| next.fetch_add(1, Relaxed));
            let games = numbers.map_while(|number| Some((number, games.get(number)?)));
            let found = games.take_while(|_| !stop.load(Relaxed)).map(|(number, game)| {
                // So that the answers do not depend on the number of threads.
                engine.clear();
                let request = SearchRequest::new(game.clone(), limits);
                let report = engine.run_with(&request, Some(stop), |_| {}).map_err(failed)?;
                Ok((number, Found::at_the_end(report, game)))
            });
            found.collect::<PyResult<_>>().inspect_err(|_| stop.store(true, Relaxed))
        };
        let found = thread::scope(|scope| {
            let start = || builder().spawn_scoped(scope, || guarded(answers));
            let threads: Vec<_> = (0..threads.min(games.len())).map(|_| start()).collect::<Result<_, _>>()?;
            let ends = threads.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| Err(fault(&*panic))));
            ends.collect::<PyResult<Vec<_>>>()
        })?;
        let mut found: Vec<(usize, Found)> = found.into_iter().flatten().collect();
        found.sort_by_key(|(number, _)| *number);
        send(Box::new(move |py| {
            let answers = found.iter().map(|(_, found)| found.infos(py)).collect::<PyResult<Vec<_>>>()?;
            Ok(PyList::new(py, answers)?.into_any())
        }));
        Ok(())
    })
}
