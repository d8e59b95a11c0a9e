//! The difficulty of finding the right move, and the wrong moves that look better at first.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::board::{AnyPosition, Game, Move};
use crate::engine::{Engine, HashError, Level, Limits, Settings};
use crate::search::Report;

/// Moves that are looked at as tempting.
const MAX_TEMPTING_MOVES: usize = 8;
/// Plies that a tempting move looks good for.
const GLANCE_PLIES: u32 = 2;
/// Tries of each level, with different seeds.
const LEVEL_TRIES: u32 = 4;
/// Levels in a row that find the move in every try, after which all stronger ones are taken to find it.
const SURE_LEVELS: u32 = 3;

/// An engine that forgets everything before every question.
pub struct Solver {
    engine: Engine,
}

fn settings() -> Settings {
    Settings { hash_mib: 1, ..Settings::default() }
}

impl Solver {
    /// `stop` ends its searches.
    pub fn new(stop: &Arc<AtomicBool>) -> Self {
        Self { engine: Engine::new(settings()).stopped_by(Arc::clone(stop)) }
    }

    /// The difficulty of finding one of the `right` moves, from 1 to 31: the number of the [`Level`] that finds one in half of its
    /// tries, taken as one more than the levels that miss it. A level that misses it in some of its tries counts in part.
    pub fn difficulty(&mut self, position: &AnyPosition, right: &[Move]) -> Result<u32, HashError> {
        let (mut missed, mut sure) = (0, 0);
        for level in Level::all() {
            let before = missed;
            for seed in 0..LEVEL_TRIES {
                let settings = Settings { level: Some(level), seed: seed.into(), ..settings() };
                let report = self.search(position, settings, Limits::default())?;
                missed += u32::from(!report.best().is_some_and(|mv| right.contains(&mv)));
            }
            sure = if missed == before { sure + 1 } else { 0 };
            if sure == SURE_LEVELS {
                break;
            }
        }
        Ok(1 + (missed + LEVEL_TRIES / 2) / LEVEL_TRIES)
    }

    /// The moves that look better than the `right` ones at first, the best one first.
    pub fn tempting(&mut self, position: &AnyPosition, right: &[Move]) -> Result<Vec<Move>, HashError> {
        let report =
            self.search(position, Settings { multipv: MAX_TEMPTING_MOVES, ..settings() }, Limits::depth(GLANCE_PLIES))?;
        let moves = report.lines.iter().filter_map(|line| line.pv.first());
        Ok(moves.copied().take_while(|mv| !right.contains(mv)).collect())
    }

    fn search(&mut self, position: &AnyPosition, settings: Settings, limits: Limits) -> Result<Report, HashError> {
        self.engine.clear();
        self.engine.set(settings);
        self.engine.analyse(&Game::new(position.clone()), limits)
    }
}
