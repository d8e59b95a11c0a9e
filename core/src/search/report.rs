//! Search results as plain data: reported to an observer during the search and returned at its end.

use std::time::Duration;

use super::score::{Bound, Score, Solved};
use super::wdl::{Players, wdl};
use crate::board::Move;

/// One line of play with its score. In MultiPV searches the k-th best root move has the k-th line.
///
/// ```
/// # use tak_engine_core as tak_engine;
/// use tak_engine::board::Game;
/// use tak_engine::engine::{Engine, Limits, Settings};
/// use tak_engine::search::{Players, Solved};
///
/// let settings = Settings { hash_mib: 1, multipv: 2, ..Settings::default() };
/// let mut engine = Engine::new(settings);
/// let report = engine.analyse(&Game::new("x3/1,1,x/2,2,x 1 3".parse()?), Limits::depth(2))?;
/// let [best, second] = &report.lines[..] else { panic!("two lines are asked for") };
/// assert_eq!((best.solved, report.wdl(best, Players::Engines)), (Some(Solved::Win(1)), [1000, 0, 0]));
/// assert!(second.score <= best.score && second.pv[0] != best.pv[0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// For the player to move at the root. Before an iteration is complete it is the evaluation of the position, unless
    /// a win is proven.
    pub score: Score,
    /// The side of the exact value if the score is only a bound, as in a search that was stopped.
    pub bound: Option<Bound>,
    /// The proven result, if any. In one search it is not taken back, and its plies do not grow.
    pub solved: Option<Solved>,
    /// The moves of the line, all legal; the first is the root move. Nothing follows the end of the game or a draw by
    /// repetition. The line of a proven result has as many moves as the result has plies, and ends the game.
    pub pv: Vec<Move>,
}

/// The state of a search after an iteration (or after its end).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    /// Plies of the last completed iteration; 0 if none was.
    pub depth: u32,
    /// The deepest ply reached.
    pub seldepth: u32,
    /// The first line has a proven result in the minimum number of plies. Only a solve for the shortest win can set
    /// this.
    pub shortest: bool,
    /// The lines, best first: one per MultiPV line, at most one per legal move, and one only if the solver has proven
    /// the result. Empty only if the game is over, or if no legal move was to be searched.
    pub lines: Vec<Line>,
    /// Positions visited.
    pub nodes: u64,
    /// Since the search began.
    pub time: Duration,
    /// Fill of the transposition table in thousandths.
    pub hashfull: u32,
    /// Draw probability of an equal position at this stage of the game, in thousandths; see [`super::level_draws`].
    pub level_draws: u32,
}

impl Report {
    /// The move to play, unless the game is over.
    pub fn best(&self) -> Option<Move> {
        self.lines.first()?.pv.first().copied()
    }

    /// Win, draw and loss probabilities of a line for the player to move, in thousandths with the sum 1000.
    pub fn wdl(&self, line: &Line, players: Players) -> [u32; 3] {
        wdl(line.score, self.level_draws, players)
    }

    /// Nodes per second.
    pub fn nps(&self) -> u64 {
        let nanos = self.time.as_nanos().max(1);
        u64::try_from(u128::from(self.nodes) * 1_000_000_000 / nanos).unwrap_or(u64::MAX)
    }
}

#[derive(Debug, Clone)]
pub(super) struct RootMove {
    pub mv: Move,
    /// The score of the current pass, minus infinity if it did not raise alpha.
    pub score: Score,
    /// The side of the exact value if the score is only a bound.
    pub bound: Option<Bound>,
    /// In the iteration before this one.
    pub previous: Score,
    /// The best line so far, `mv` first.
    pub line: Vec<Move>,
    /// The proven result in the fewest plies so far. Unlike a result in the table it is not lost.
    pub proof: Option<Line>,
    /// Nodes of this iteration.
    pub nodes: u64,
}

impl RootMove {
    pub fn new(mv: Move) -> Self {
        let unknown = -Score::INFINITE;
        Self { mv, score: unknown, bound: None, previous: unknown, line: vec![mv], proof: None, nodes: 0 }
    }

    /// The score of a search of this move, corrected by what is proven.
    pub fn corrected(&self, score: Score) -> Score {
        match &self.proof {
            Some(proof) if proof.score.is_win() => score.max(proof.score),
            Some(proof) => score.min(proof.score),
            None => score,
        }
    }
}
