//! Counting games: results, pairs, lengths, faults, speed. Pairs with a game still to come don't count.

use std::collections::{BTreeMap, HashMap};
use std::ops::AddAssign;

use super::verdict::TestState;
use crate::arena::record::{GameRecord, MoveRecord, Pairing, Termination};
use crate::arena::stats::scale::Scores;
use crate::arena::stats::strength::{Pentanomial, Wdl, ratio};
use crate::board::{ByColor, Color};

/// Results of one side, against one opponent or several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Games by the colour the side played.
    pub by_color: ByColor<Wdl>,
    /// Complete pairs of games.
    pub pairs: Pentanomial,
}

impl Tally {
    /// Games of both colours.
    pub fn wdl(&self) -> Wdl {
        self.by_color[Color::White] + self.by_color[Color::Black]
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        for color in Color::ALL {
            self.by_color[color] = self.by_color[color] + other.by_color[color];
        }
        self.pairs += other.pairs;
    }
}

/// Time used by an engine's moves, and the depths and nodes that it reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Effort {
    pub moves: u64,
    /// Time for all moves, in microseconds.
    pub time_us: u64,
    /// The longest time for a move, in microseconds.
    pub longest_us: u64,
    /// Moves in `depth_sum`.
    depth_moves: u64,
    depth_sum: u64,
    /// Nodes of all moves that came with a number of them.
    nodes: u64,
    /// Time for those moves, in microseconds.
    nodes_us: u64,
}

impl Effort {
    fn add(&mut self, mv: &MoveRecord) {
        self.moves += 1;
        self.time_us = self.time_us.saturating_add(mv.time_us);
        self.longest_us = self.longest_us.max(mv.time_us);
        // Depths with a proven result are meaningless: many engines then count up to their limit at once.
        if let Some(depth) = mv.depth.filter(|_| mv.solved.is_none()) {
            self.depth_moves += 1;
            self.depth_sum += u64::from(depth);
        }
        if let Some(nodes) = mv.nodes {
            self.nodes = self.nodes.saturating_add(nodes);
            self.nodes_us = self.nodes_us.saturating_add(mv.time_us);
        }
    }

    /// Mean depth of the moves that came with one and without a proven result.
    pub fn mean_depth(&self) -> Option<f64> {
        ratio(self.depth_sum as f64, self.depth_moves)
    }

    /// Nodes a second, over all moves that came with a number of nodes.
    pub fn nodes_per_second(&self) -> Option<f64> {
        ratio(self.nodes as f64 * 1e6, self.nodes_us)
    }

    /// Mean time for a move, in milliseconds.
    pub fn mean_ms(&self) -> Option<f64> {
        ratio(self.time_us as f64 / 1000.0, self.moves)
    }
}

/// Everything counted about a tournament. Games may come in any order; the same games give the same value.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Statistics {
    /// For any two engines that met, in both orders, from the view of the first.
    meetings: BTreeMap<(usize, usize), Tally>,
    /// By engine index.
    efforts: Vec<Effort>,
    /// By engine index, from games that were played to the end.
    scores: Vec<Scores>,
    /// Ends of games with the results they came with, from White's view.
    pub endings: BTreeMap<Termination, Wdl>,
    /// Faults by engine and kind.
    pub faults: BTreeMap<(usize, Termination), u64>,
    /// Number of games by length in plies, the opening included.
    pub lengths: BTreeMap<usize, u64>,
    /// A sequential test, if more is known about it than these games.
    pub test: Option<TestState>,
    /// First games of pairs whose second game is still to come: the engine that was White, and its half points.
    open_pairs: HashMap<u64, (usize, u8)>,
}

impl Statistics {
    /// No games yet, between this many engines.
    pub fn new(engines: usize) -> Self {
        Self { efforts: vec![Effort::default(); engines], scores: vec![Scores::default(); engines], ..Self::default() }
    }

    pub fn of<'a>(engines: usize, games: impl IntoIterator<Item = &'a GameRecord>) -> Self {
        let mut statistics = Self::new(engines);
        for game in games {
            statistics.add(game);
        }
        statistics
    }

    pub fn add(&mut self, game: &GameRecord) {
        for color in Color::ALL {
            let score = self.meetings.entry((game.engine(color), game.engine(!color))).or_default();
            score.by_color[color].add_half_points(game.result.half_points(color));
        }
        self.add_to_pair(game);
        for (color, mv) in game.engine_moves() {
            let engine = game.engine(color);
            if let Some(effort) = self.efforts.get_mut(engine) {
                effort.add(mv);
            }
            // The result of an adjudication follows from the scores, that of a fault has nothing to do with them.
            if let (Some(scores), Some(score)) = (self.scores.get_mut(engine), mv.score_cp)
                && game.termination.is_played()
            {
                scores.add(score, game.result.half_points(color));
            }
        }
        let ending = self.endings.entry(game.termination).or_default();
        ending.add_half_points(game.result.half_points(Color::White));
        if let Some(engine) = game.at_fault() {
            *self.faults.entry((engine, game.termination)).or_default() += 1;
        }
        *self.lengths.entry(game.moves.len()).or_default() += 1;
    }

    /// Completes the game's pair, or notes that its first game is over.
    fn add_to_pair(&mut self, game: &GameRecord) {
        let Pairing { pair, white, black, .. } = game.pairing;
        let Some((engine, earlier)) = self.open_pairs.remove(&pair) else {
            self.open_pairs.insert(pair, (white, game.result.half_points(Color::White)));
            return;
        };
        let opponent = if engine == white { black } else { white };
        let sum = usize::from(earlier + game.half_points(engine).unwrap_or_default());
        for (key, sum) in [((engine, opponent), sum), ((opponent, engine), 4 - sum)] {
            self.meetings.entry(key).or_default().pairs.0[sum] += 1;
        }
    }

    /// The sequential test of the first engine against the second.
    pub fn test_state(&self) -> TestState {
        self.test.unwrap_or_else(|| TestState { pairs: self.meeting(0, 1).pairs, decided: None })
    }

    pub fn engines(&self) -> usize {
        self.efforts.len()
    }

    pub fn games(&self) -> u64 {
        self.white().games()
    }

    pub fn meeting(&self, engine: usize, opponent: usize) -> Tally {
        let met = self.meetings.get(&(engine, opponent));
        met.copied().unwrap_or_default()
    }

    /// Results of `engine` against all others together.
    pub fn total(&self, engine: usize) -> Tally {
        let mut total = Tally::default();
        for (_, &score) in self.meetings.range((engine, 0)..=(engine, usize::MAX)) {
            total += score;
        }
        total
    }

    pub fn effort(&self, engine: usize) -> Effort {
        self.efforts.get(engine).copied().unwrap_or_default()
    }

    /// The scale of an engine's scores, see [`Scores::scale`]. `None` with fewer than 100 games: all scores of a game
    /// share its result, so they say little.
    pub fn score_scale(&self, engine: usize) -> Option<f64> {
        if self.total(engine).wdl().games() < 100 {
            return None;
        }
        self.scores.get(engine)?.scale()
    }

    /// Results of White in all games.
    pub fn white(&self) -> Wdl {
        self.endings.values().fold(Wdl::default(), |sum, &ending| sum + ending)
    }

    /// Games that an engine lost by a fault.
    pub fn faults_of(&self, engine: usize) -> u64 {
        let own = self.faults.iter().filter(|((at_fault, _), _)| *at_fault == engine);
        own.map(|(_, count)| count).sum()
    }

    /// Mean length of a game in plies, the opening included.
    pub fn mean_plies(&self) -> Option<f64> {
        let plies: u64 = self.lengths.iter().map(|(&plies, &games)| plies as u64 * games).sum();
        ratio(plies as f64, self.games())
    }
}
