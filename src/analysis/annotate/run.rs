//! Annotates the games of a file, on all cores.

use std::io;
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::available_parallelism;
use std::time::Duration;

use rayon::prelude::*;

use super::analysis::PositionAnalysis;
use super::examine::{GameAnalysis, settings_for};
use super::game::AnnotatedGame;
use super::journal::AnnotationJournal;
use super::judge::judge;
use super::source::Source;
use crate::analysis::games::Terms;
use crate::board::Game;
use crate::engine::{Engine, HashError, Limits, WeightSet, check_memory};
use crate::journals::journal::JournalError;
use crate::notation::GameText;
use crate::ordered::in_order;

/// How [`run`] annotates games.
pub struct Job<'a> {
    /// For each position.
    pub limits: Limits,
    /// What the games are read with.
    pub terms: Terms,
    /// The weights to search with.
    pub weights: WeightSet,
    /// Threads, at least 1. They share the games, and when no more are left, the positions of those in progress.
    pub threads: usize,
    /// Finished games are kept here, and not analysed again.
    pub journal: Option<&'a AnnotationJournal>,
    /// Ends the work: games that are not finished are left out.
    pub stop: Arc<AtomicBool>,
    /// Called with finished steps, of which each position of a game but the last takes two.
    pub step: &'a (dyn Fn(usize) + Sync),
    /// Called now and then; its error ends the work.
    pub check: &'a (dyn Fn() -> io::Result<()> + Sync),
}

/// A second for each position, on all cores.
impl Default for Job<'_> {
    fn default() -> Self {
        Self {
            limits: Limits::move_time(Duration::from_secs(1)),
            terms: Terms::default(),
            weights: WeightSet::default(),
            threads: available_parallelism().map_or(1, NonZeroUsize::get),
            journal: None,
            stop: Arc::default(),
            step: &|_| {},
            check: &|| Ok(()),
        }
    }
}

/// The reason why [`run`] ended before the last game.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub enum AnnotateError {
    /// The games could not be read, the result not be taken, or the threads not be started.
    Io(#[from] io::Error),
    /// There is not enough memory for the tables.
    Memory(#[from] HashError),
    /// The journal could not be read or written.
    Journal(#[from] JournalError),
}

/// Annotates the games that `next` gives with their numbers, several at once, and hands them to `take` in their order,
/// each as soon as all earlier ones are taken. The number of threads changes nothing but times.
///
/// ```
/// use std::io::Cursor;
/// use tak_engine::analysis::annotate::{Job, ptn_text, run};
/// use tak_engine::analysis::games::PtnGames;
/// use tak_engine::engine::Limits;
///
/// let text = "[Size \"5\"]\n\n1. c3 e1 2. d2 d3\n\n[Size \"6\"]\n\n1. a1 f6 2. zz\n";
/// let mut games = PtnGames::new(Cursor::new(text));
/// let mut annotated = Vec::new();
/// run(move || games.next(), &Job { limits: Limits::nodes(100), ..Job::default() }, |game| {
///     annotated.push(ptn_text(&game));
///     Ok(())
/// })?;
/// assert!(annotated[0].contains("2. d2 {name:\"tak-engine\""));
/// // A game is annotated up to its first fault.
/// assert!(annotated[1].contains("{*tak-engine: line 7: invalid move \"zz\""));
/// # Ok::<(), tak_engine::analysis::annotate::AnnotateError>(())
/// ```
///
/// # Errors
/// [`AnnotateError`], those of `next` and `take` included.
pub fn run(
    next: impl FnMut() -> io::Result<Option<(u64, GameText)>> + Send + 'static,
    job: &Job,
    mut take: impl FnMut(AnnotatedGame) -> io::Result<()>,
) -> Result<(), AnnotateError> {
    let settings = settings_for(&job.limits, job.weights.clone());
    check_memory(settings.hash_mib.saturating_mul(job.threads))?;
    let mut engines = Vec::new();
    for _ in 0..job.threads {
        let mut engine = Engine::new(settings.clone());
        engine.prepare()?;
        engines.push(engine);
    }
    let engines = Mutex::new(engines);
    let work = |(): &mut (), (number, text): (u64, GameText)| {
        let source = Source::new(number, &text, job.terms.read(&text));
        let analyses = match &source.game {
            Some(game) => job.analyse(number, game, &engines)?,
            None => Some(Vec::new()),
        };
        Ok(analyses.map(|analyses| judge(source, &analyses)))
    };
    let take = |game: Result<Option<AnnotatedGame>, AnnotateError>| match game? {
        Some(game) => Ok(take(game)?),
        None => Ok(()),
    };
    in_order(vec![(); job.threads], next, work, job.check, &job.stop, take)
}

impl Job<'_> {
    /// Analyses a game, or takes it from the journal. `None` if it was stopped.
    fn analyse(
        &self,
        number: u64,
        game: &Game,
        engines: &Mutex<Vec<Engine>>,
    ) -> Result<Option<Vec<PositionAnalysis>>, AnnotateError> {
        let moves = game.moves().len();
        if let Some(held) = self.journal.map(|journal| journal.recall(number)).transpose()?.flatten() {
            if held.len() != moves + 1 {
                let what =
                    format!("invalid journal: game {} has {} positions, not {}", number + 1, moves + 1, held.len());
                return Err(io::Error::new(io::ErrorKind::InvalidData, what).into());
            }
            (self.step)(2 * held.len());
            return Ok(Some(held));
        }
        let step = || (self.step)(1);
        let analysis = GameAnalysis::new(game, self.limits, &self.stop, &step);
        let engines = || engines.lock().unwrap_or_else(PoisonError::into_inner);
        let finished = Mutex::new(None);
        // Threads without a game help. There is an engine for each thread, and a thread has one at a time.
        (0..analysis.parts().min(self.threads)).into_par_iter().with_max_len(1).try_for_each(|_| {
            let Some(mut engine) = engines().pop() else { return Ok(()) };
            let all = analysis.work(&mut engine);
            engines().push(engine);
            if let Some(all) = all? {
                // At once: this thread may help with another game before it ends this one.
                self.journal.map(|journal| journal.keep(number, &all)).transpose()?;
                *finished.lock().unwrap_or_else(PoisonError::into_inner) = Some(all);
            }
            Ok::<_, AnnotateError>(())
        })?;
        Ok(finished.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}
