//! The difficulty of finding the right move, by ordinary searches of the position.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::puzzle::{Difficulty, MOST_NODES};
use crate::board::{AnyPosition, Game, Move};
use crate::engine::{Engine, HashError, Limits, SearchRequest, Settings};
use crate::search::Report;

/// Moves that are looked at as tempting.
const MOST_TEMPTING: usize = 8;
/// Plies that a tempting move looks good for.
const GLANCE: u32 = 2;

/// An engine that forgets everything before every question.
pub struct Solver {
    engine: Engine,
}

fn settings(multipv: usize) -> Settings {
    Settings { hash_mib: 1, multipv, ..Settings::default() }
}

impl Solver {
    /// `stop` ends its searches.
    pub fn new(stop: &Arc<AtomicBool>) -> Self {
        Self { engine: Engine::new(settings(1)).stopped_by(Arc::clone(stop)) }
    }

    /// The difficulty of finding `right`, and the wrong moves that look better at first, the best one first.
    pub fn difficulty(&mut self, position: &AnyPosition, right: Move) -> Result<(Difficulty, Vec<Move>), HashError> {
        let game = Game::new(position.clone());
        self.engine.clear();
        self.engine.set(settings(MOST_TEMPTING));
        let report = self.engine.analyse(&game, Limits::depth(GLANCE))?;
        let moves = report.lines.iter().filter_map(|line| line.pv.first());
        let tempting: Vec<Move> = moves.copied().take_while(|&mv| mv != right).collect();

        self.engine.clear();
        self.engine.set(settings(1));
        let mut found = None;
        let mut note = |report: &Report| {
            if report.best() == Some(right) {
                found.get_or_insert(report.nodes);
            } else {
                found = None;
            }
        };
        let request = SearchRequest::new(game, Limits::nodes(MOST_NODES));
        let report = self.engine.run_with(&request, None, &mut note)?;
        note(&report);
        let difficulty = Difficulty { tempting: tempting.len() as u32, nodes: found };
        Ok((difficulty, tempting))
    }
}
