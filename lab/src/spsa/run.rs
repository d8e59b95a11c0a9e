//! A run: its settings, the values after every pair of games, and the journal, one of `tak_engine::journals`.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};
use tak_engine::arena::record::{GameRecord, GameResult};
use tak_engine::arena::stats::strength::Wdl;
use tak_engine::arena::tournament::schedule::Schedule;
use tak_engine::board::{Color, Komi};
use tak_engine::journals::hash::fingerprint;
use tak_engine::journals::journal::{Journal, JournalError, Span, Visitor, Work};

use super::parameter::Tuned;
use super::step::{Iteration, Trial};

/// Pairs of games that are played around the same values, so that they need not wait for each other.
pub const ROUND_PAIRS: u64 = 32;

/// The settings that a run depends on. The number of games played at once is not among them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SpsaSettings {
    pub params: Vec<Tuned>,
    /// The boards, played on in turn.
    pub boards: Vec<BoardSettings>,
    pub nodes: u64,
    /// The table of each engine, in MiB.
    pub hash: u64,
    /// Pairs of games.
    pub iterations: u64,
    /// For directions, rounding and the order of openings.
    pub seed: u64,
    /// All other rules that change how games go, as names and values.
    pub rules: BTreeMap<String, String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardSettings {
    pub size: u8,
    pub half_komi: i32,
    pub openings: usize,
    /// A hash of them, to distinguish another suite of equal length.
    pub openings_hash: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairRecord {
    pub settings: String,
    /// From 1.
    pub iteration: u64,
    /// The values of the plus side, in the order of the parameters.
    pub plus: Vec<i32>,
    /// The values of the minus side.
    pub minus: Vec<i32>,
    /// The plus side had White in the first game, Black in the second.
    pub results: [GameResult; 2],
    /// The length of the games, openings included.
    pub plies: [usize; 2],
}

impl PairRecord {
    /// Half points of the plus side in each game.
    fn half_points(&self) -> [u8; 2] {
        let [first, second] = self.results;
        [first.half_points(Color::White), second.half_points(Color::Black)]
    }
}

impl SpsaSettings {
    /// Checks that they are consistent; they may come from a journal.
    pub fn check(&self) -> Result<(), String> {
        self.params.iter().try_for_each(Tuned::check)?;
        if self.params.is_empty() || self.boards.is_empty() {
            return Err("there are no parameters, or no boards".to_owned());
        }
        let most = Schedule::MAX_GAMES / 2;
        if !(1..=most).contains(&self.iterations) {
            return Err(format!("invalid number of iterations {}: expected 1 to {most}", self.iterations));
        }
        Ok(())
    }
}

impl fmt::Display for BoardSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let komi = Komi::from_half(self.half_komi.into()).unwrap_or_default();
        write!(f, "{0}x{0} komi {komi}", self.size)
    }
}

/// The state of a run: a pure function of its settings and of the results of its games.
///
/// Pairs count in the order of their iterations, not in the order in which they are finished. All of a round are played
/// around the values before it, so that the values do not depend on the number of games played at once.
#[derive(Debug)]
pub struct SpsaRun {
    pub settings: SpsaSettings,
    pub fingerprint: String,
    /// The values before the first iteration and after each that counts.
    pub path: Vec<Vec<f64>>,
    /// At the same places, the distance of a parameter without effect from its start, as a standard deviation: in steps, for
    /// a rate of 1.
    wander: Vec<f64>,
    /// Points of the plus side in finished pairs that wait for earlier ones.
    waiting: BTreeMap<u64, f64>,
    /// Games of the plus sides, those of waiting pairs included.
    pub score: Wdl,
}

impl SpsaRun {
    pub fn new(settings: SpsaSettings) -> Self {
        Self {
            path: vec![settings.params.iter().map(|param| param.start).collect()],
            wander: vec![0.0],
            waiting: BTreeMap::new(),
            score: Wdl::default(),
            fingerprint: fingerprint(&settings),
            settings,
        }
    }

    /// The number of iterations that count.
    pub fn counted(&self) -> u64 {
        self.path.len() as u64 - 1
    }

    /// The number of finished pairs, including those that wait for earlier ones.
    pub fn finished(&self) -> u64 {
        self.counted() + self.waiting.len() as u64
    }

    /// Returns whether the pair of this iteration is finished.
    pub fn has(&self, iteration: u64) -> bool {
        iteration <= self.counted() || self.waiting.contains_key(&iteration)
    }

    /// The parameters with their values after the last iteration that counts.
    pub fn values(&self) -> impl Iterator<Item = (&Tuned, f64)> {
        self.settings.params.iter().zip(self.path.iter().next_back().into_iter().flatten().copied())
    }

    /// The distance of a parameter from its start after this many iterations by chance alone, as a standard deviation in its
    /// steps. Directions are drawn alike for all parameters, so one without effect is pulled up and down by turns.
    pub fn by_chance(&self, param: &Tuned, iterations: usize) -> f64 {
        param.rate * self.wander.get(iterations).copied().unwrap_or_default()
    }

    /// The values of both sides in an iteration, from 1; `None` while pairs that it depends on are not finished.
    pub fn trial(&self, iteration: u64) -> Option<Trial> {
        let before_round = iteration.checked_sub(1)? / ROUND_PAIRS * ROUND_PAIRS;
        let values = self.path.get(usize::try_from(before_round).ok()?)?;
        Some(self.at(iteration).trial(&self.settings.params, values))
    }

    /// The iterations of the present round that are not finished.
    pub fn left_of_round(&self) -> impl Iterator<Item = u64> {
        let before = self.counted() / ROUND_PAIRS * ROUND_PAIRS;
        let end = self.settings.iterations.min(before + ROUND_PAIRS);
        (before + 1..=end).filter(|&iteration| !self.has(iteration))
    }

    /// The record of a finished pair of games, the first one first.
    ///
    /// # Errors
    /// If the values of the iteration are not known yet.
    pub fn pair(&self, iteration: u64, games: [&GameRecord; 2]) -> Result<PairRecord, String> {
        let Trial { plus, minus } = self.known_trial(iteration)?;
        Ok(PairRecord {
            settings: self.fingerprint.clone(),
            iteration,
            plus,
            minus,
            results: games.map(|game| game.result),
            plies: games.map(|game| game.moves.len()),
        })
    }

    /// Adds a finished pair.
    ///
    /// # Errors
    /// The reason why it does not belong to this run; nothing is changed then.
    pub fn enter(&mut self, pair: &PairRecord) -> Result<(), String> {
        self.check(pair)?;
        let half_points = pair.half_points();
        for game in half_points {
            self.score.add_half_points(game);
        }
        let points = half_points.map(|half_points| f64::from(half_points) - 1.0);
        self.waiting.insert(pair.iteration, points.iter().sum());
        while let Some(points) = self.waiting.remove(&(self.counted() + 1)) {
            let at = self.at(self.counted() + 1);
            let moved = at.moved(&self.settings.params, &self.path[self.path.len() - 1], points);
            self.path.push(moved);
            let before = self.wander.last().copied().unwrap_or_default();
            self.wander.push(before.hypot(at.pull() * points));
        }
        Ok(())
    }

    fn check(&self, pair: &PairRecord) -> Result<(), String> {
        let number = pair.iteration;
        if pair.settings != self.fingerprint {
            return Err(format!(
                "it belongs to a run with other settings ({}, not {})",
                pair.settings, self.fingerprint
            ));
        }
        if !(1..=self.settings.iterations).contains(&number) {
            return Err(format!("there is no iteration {number} in this run"));
        }
        if self.has(number) {
            return Err(format!("duplicate iteration {number}"));
        }
        let trial = self.known_trial(number)?;
        if (&trial.plus, &trial.minus) != (&pair.plus, &pair.minus) {
            return Err(format!("iteration {number} of this run is played with other values"));
        }
        Ok(())
    }

    fn known_trial(&self, iteration: u64) -> Result<Trial, String> {
        self.trial(iteration).ok_or_else(|| format!("iteration {iteration} comes before those that it depends on"))
    }

    fn at(&self, number: u64) -> Iteration {
        Iteration { number, of: self.settings.iterations, seed: self.settings.seed }
    }
}

/// Journals of runs.
#[derive(Debug)]
pub struct Spsa;

impl Work for Spsa {
    type Settings = SpsaSettings;
    type Record = PairRecord;
    type Note = ();
    const KEY: &'static str = "spsa";
    const WHAT: &'static str = "a tuning of parameters";

    fn compare(one: &SpsaSettings, other: &SpsaSettings) -> Vec<(&'static str, bool)> {
        vec![
            ("parameters", one.params != other.params),
            ("size, komi or openings", one.boards != other.boards),
            ("nodes", one.nodes != other.nodes),
            ("hash", one.hash != other.hash),
            ("iterations", one.iterations != other.iterations),
            ("seed", one.seed != other.seed),
            ("rules", one.rules != other.rules),
        ]
    }
}

/// Resumes a journal, or starts it if there is none or it has no pairs. Returns the state of the run, and the length of an
/// incomplete last line, which is cut off the file.
pub fn resume(path: &Path, settings: SpsaSettings) -> Result<(Journal<Spsa>, SpsaRun, u64), JournalError> {
    let mut run = None;
    let (journal, incomplete_bytes) = Journal::resume(path, &settings, &mut run)?;
    let run = run.unwrap_or_else(|| SpsaRun::new(settings));
    Ok((journal, run, incomplete_bytes))
}

/// Adds up the pairs of a journal.
impl Visitor<Spsa> for Option<SpsaRun> {
    fn begin(&mut self, settings: &SpsaSettings) -> Result<(), String> {
        settings.check()?;
        if self.as_ref().is_none_or(|run| run.finished() == 0) {
            *self = Some(SpsaRun::new(settings.clone()));
        }
        Ok(())
    }

    fn record(&mut self, pair: PairRecord, _: Span) -> Result<(), String> {
        self.as_mut().ok_or("there are no settings before it")?.enter(&pair)
    }
}

#[cfg(test)]
pub mod tests {
    use tak_engine::arena::record::GameResult::{BlackWin, Draw, WhiteWin};

    use super::*;
    use crate::spsa::parameter::choose;

    pub fn board(size: u8, openings: usize) -> BoardSettings {
        BoardSettings { size, half_komi: 0, openings, openings_hash: openings.to_string() }
    }

    pub fn settings(iterations: u64) -> SpsaSettings {
        let words = ["aspiration", "futility_margin=100.5,10", "null_move_most"];
        SpsaSettings {
            params: choose(&words.map(str::to_owned), 0.05).unwrap(),
            boards: vec![board(6, 7)],
            nodes: 20_000,
            hash: 16,
            iterations,
            seed: 7,
            rules: BTreeMap::new(),
        }
    }

    /// A pair of games that lasted 40 and 50 plies.
    pub fn pair(run: &SpsaRun, iteration: u64, results: [GameResult; 2]) -> PairRecord {
        let Trial { plus, minus } = run.trial(iteration).or_else(|| run.trial(1)).unwrap();
        PairRecord { settings: run.fingerprint.clone(), iteration, plus, minus, results, plies: [40, 50] }
    }

    /// Enters a pair whose results depend on the iteration alone.
    fn enter(run: &mut SpsaRun, iteration: u64) {
        let all = [WhiteWin, Draw, BlackWin, BlackWin, WhiteWin];
        let pair = pair(run, iteration, [all[iteration as usize % 5], all[iteration as usize % 3]]);
        run.enter(&pair).unwrap();
    }

    #[test]
    fn the_order_of_finishing_does_not_matter() {
        let mut in_order = SpsaRun::new(settings(80));
        (1..=80).for_each(|iteration| enter(&mut in_order, iteration));
        let mut reversed = SpsaRun::new(settings(80));
        for end in [32, 64, 80] {
            let mut round: Vec<u64> = reversed.left_of_round().collect();
            while let Some(last) = round.pop() {
                enter(&mut reversed, last);
                assert!(reversed.left_of_round().eq(round.iter().copied()) || round.is_empty());
            }
            assert_eq!(reversed.counted(), end);
        }
        assert_eq!(reversed.left_of_round().count(), 0);
        assert_eq!((&reversed.path, reversed.score), (&in_order.path, in_order.score));
        assert_ne!(in_order.path[80], in_order.path[0]);
    }

    /// Many runs whose results do not depend on the parameters.
    #[test]
    fn chance_moves_parameters_as_far_as_predicted() {
        let runs = 400;
        let mut squares = [0.0; 3];
        let mut predicted = [0.0; 3];
        for seed in 0..runs {
            let mut run = SpsaRun::new(SpsaSettings { seed, ..settings(100) });
            // Alike in every run: only the directions differ.
            (1..=100).for_each(|iteration| enter(&mut run, iteration));
            for (place, (param, value)) in run.values().enumerate() {
                squares[place] += f64::powi((value - param.start) / param.step, 2);
                predicted[place] = run.by_chance(param, 100);
            }
        }
        for (square, predicted) in squares.into_iter().zip(predicted) {
            let found = f64::sqrt(square / runs as f64);
            // A standard deviation from 400 numbers is right within 3.5 %.
            assert!((found / predicted - 1.0).abs() < 0.14, "{found}, predicted {predicted}");
        }
    }

    #[test]
    fn pairs_of_other_runs_are_refused() {
        type Change = fn(&mut PairRecord);
        let mut run = SpsaRun::new(settings(40));
        let good = pair(&run, 1, [Draw; 2]);
        let changes: [(Change, &str); 6] = [
            (|pair| pair.settings.clear(), "other settings"),
            (|pair| pair.iteration = 0, "there is no iteration 0"),
            (|pair| pair.iteration = 41, "there is no iteration 41"),
            (|pair| pair.iteration = 33, "comes before those that it depends on"),
            (|pair| pair.plus[0] += 1, "played with other values"),
            (|pair| pair.minus.truncate(1), "played with other values"),
        ];
        for (change, expected) in changes {
            let mut pair = good.clone();
            change(&mut pair);
            let error = run.enter(&pair).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
        assert_eq!(run.finished(), 0);
        run.enter(&good).unwrap();
        assert_eq!(run.enter(&good).unwrap_err(), "duplicate iteration 1");
    }

    #[test]
    fn inconsistent_settings_are_refused() {
        let changes: [fn(&mut SpsaSettings); 5] = [
            |settings| settings.params.clear(),
            |settings| settings.params[0].max = -1,
            |settings| settings.boards.clear(),
            |settings| settings.iterations = 0,
            |settings| settings.iterations = u64::MAX,
        ];
        for change in changes {
            let mut changed = settings(9);
            change(&mut changed);
            assert!(changed.check().is_err(), "{changed:?}");
        }
        settings(9).check().unwrap();
    }

    #[test]
    fn fractions_come_back_from_the_journal_unchanged() {
        for index in 1..2000 {
            let start = 10.0 + f64::from(index * 7919 % 110_000) / 1001.0;
            let word = format!("aspiration={start},{},0.0{index}", start / 7.0);
            let written = SpsaSettings { params: choose(&[word], 0.002).unwrap(), ..settings(9) };
            let read: SpsaSettings = serde_json::from_str(&serde_json::to_string(&written).unwrap()).unwrap();
            assert_eq!(read, written);
        }
    }
}
