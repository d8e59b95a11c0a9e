//! The actions that a conversation asks for, and its searches.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::board::Move;
use crate::engine::{Engine, HashError, Ponder, SearchRequest, Settings};
use crate::search::Report;

/// Something for the program around a conversation to do, in the order given.
#[derive(Debug)]
pub enum Action {
    /// Print this message: one line, or all lines of a report, without the last line break.
    Say(String),
    /// Change the settings of the engine.
    Set(Settings),
    /// Change the settings of the engine, prepare it and pass the result to `Conversation::prepared`. [`Action::Stop`]
    /// ends it early.
    Prepare(Settings),
    /// Make the engine forget the last game.
    Clear,
    /// Clear the engine's table and histories.
    ClearHash,
    /// Run this search, see [`Search::run`].
    Start(Search),
    /// Stop the search, or the preparation.
    Stop,
    /// End the program.
    Quit,
}

/// A search for the engine.
#[derive(Debug)]
pub struct Search(pub(super) Kind);

#[derive(Debug)]
pub(super) enum Kind {
    /// For a `go` line that was read at `read`; with `ponders`, the opponent's time is used after it.
    Go { request: Box<SearchRequest>, read: Duration, ponders: bool },
    /// On the opponent's time.
    Ponder(Arc<Ponder>),
}

/// The result of a [`Search`], which may run on another thread.
#[derive(Debug)]
pub struct Finished {
    pub(super) report: Result<Report, HashError>,
    /// The move to play. There is one even if nothing could be searched.
    pub(super) best: Option<Move>,
    /// The search for the opponent's time.
    pub(super) ponder: Option<Arc<Ponder>>,
}

impl Search {
    /// Runs the search until it ends by itself or `stop` becomes true. Reports are for `Conversation::report`, the
    /// result is for `Conversation::finished`.
    pub fn run(self, engine: &mut Engine, stop: &AtomicBool, observer: impl FnMut(&Report)) -> Finished {
        let (report, game, ponders) = match self.0 {
            Kind::Go { mut request, read, ponders } => {
                request.waited = engine.time().now().saturating_sub(read);
                (engine.run_with(&request, Some(stop), observer), request.game, ponders)
            }
            Kind::Ponder(ponder) => (ponder.run(engine, stop, observer), ponder.game().clone(), ponder.is_hit()),
        };
        let best = match &report {
            Ok(report) => report.best(),
            Err(_) => game.legal_moves().first().copied(),
        };
        let line = report.as_ref().ok().and_then(|report| report.lines.first()).filter(|_| ponders);
        let ponder = line.and_then(|line| engine.ponder(&game, &line.pv)).map(Arc::new);
        Finished { report, best, ponder }
    }
}
