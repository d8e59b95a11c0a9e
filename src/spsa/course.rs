//! The values after every pair of games.

use std::collections::BTreeMap;

use super::journal::{PairRecord, SpsaSettings};
use super::margin::Tuned;
use super::step::{Iteration, Trial};
use crate::arena::strength::Wdl;

/// How a run has gone so far: a pure function of its settings and of the results of its games.
///
/// Pairs count in the order of their iterations, whatever the order in which they are finished. Each is played around the
/// values of a fixed number of iterations before, the delay, so that many games can be played at once and it does not
/// matter how many.
#[derive(Debug)]
pub struct Course {
    settings: SpsaSettings,
    fingerprint: String,
    /// The values before the first iteration and after each that counts.
    path: Vec<Vec<f64>>,
    /// At the same places, how far a margin that decides nothing is from its start, as a standard deviation: in steps, for a
    /// rate of 1.
    wander: Vec<f64>,
    /// Points of the plus side in pairs that are finished, while earlier ones are not.
    waiting: BTreeMap<u64, f64>,
    score: Wdl,
}

impl Course {
    /// A run of which nothing is done.
    pub fn new(settings: SpsaSettings) -> Self {
        let start = settings.margins.iter().map(|margin| margin.start);
        Self {
            path: vec![start.collect()],
            wander: vec![0.0],
            waiting: BTreeMap::new(),
            score: Wdl::default(),
            fingerprint: settings.fingerprint(),
            settings,
        }
    }

    /// What the run is.
    pub fn settings(&self) -> &SpsaSettings {
        &self.settings
    }

    /// A short text that stands for the settings.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// How many iterations count.
    pub fn counted(&self) -> u64 {
        self.path.len() as u64 - 1
    }

    /// How many pairs are finished, with those that wait for earlier ones.
    pub fn finished(&self) -> u64 {
        self.counted() + self.waiting.len() as u64
    }

    /// Whether the pair of this iteration is finished.
    pub fn has(&self, iteration: u64) -> bool {
        iteration <= self.counted() || self.waiting.contains_key(&iteration)
    }

    /// The values before the first iteration and after each that counts.
    pub fn path(&self) -> &[Vec<f64>] {
        &self.path
    }

    /// The values after the last iteration that counts.
    pub fn values(&self) -> &[f64] {
        self.path.last().map_or(&[], Vec::as_slice)
    }

    /// How far a margin would be from its start after so many iterations by chance alone, as a standard deviation in its
    /// steps. Directions are drawn alike for all margins, so one that decides nothing is pulled up and down by turns.
    pub fn by_chance(&self, margin: &Tuned, iterations: usize) -> f64 {
        margin.rate * self.wander.get(iterations).copied().unwrap_or_default()
    }

    /// Games of the plus sides, those of waiting pairs included.
    pub fn score(&self) -> Wdl {
        self.score
    }

    /// What both sides play with in an iteration, from 1; `None` while pairs that it needs are not finished.
    pub fn trial(&self, iteration: u64) -> Option<Trial> {
        let around = iteration.saturating_sub(self.settings.delay);
        let values = self.path.get(usize::try_from(around).ok()?)?;
        Some(self.at(iteration).trial(&self.settings.margins, values))
    }

    /// Takes in a finished pair.
    ///
    /// # Errors
    /// Why it is none of this run at this place; nothing is changed then.
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
            let moved = at.moved(&self.settings.margins, self.values(), points);
            self.path.push(moved);
            let before = self.wander.last().copied().unwrap_or_default();
            self.wander.push(before.hypot(at.pull() * points));
        }
        Ok(())
    }

    fn check(&self, pair: &PairRecord) -> Result<(), String> {
        let number = pair.iteration;
        if pair.settings != self.fingerprint {
            return Err(format!("it is of a run with other settings ({}, not {})", pair.settings, self.fingerprint));
        }
        if !(1..=self.settings.iterations).contains(&number) {
            return Err(format!("there is no iteration {number} in this run"));
        }
        if self.has(number) {
            return Err(format!("iteration {number} is there already"));
        }
        let trial = self.trial(number);
        let trial = trial.ok_or_else(|| format!("iteration {number} comes before those that it depends on"))?;
        if (&trial.plus, &trial.minus) != (&pair.plus, &pair.minus) {
            return Err(format!("iteration {number} of this run is played with other values"));
        }
        Ok(())
    }

    fn at(&self, number: u64) -> Iteration {
        Iteration { number, of: self.settings.iterations, seed: self.settings.seed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::record::GameResult::{self, BlackWin, Draw, WhiteWin};
    use crate::spsa::journal::testing::{pair, settings};

    /// Results that depend on the iteration alone.
    fn results(iteration: u64) -> [GameResult; 2] {
        let all = [WhiteWin, Draw, BlackWin, BlackWin, WhiteWin];
        [all[iteration as usize % 5], all[iteration as usize % 3]]
    }

    fn enter(course: &mut Course, iteration: u64) {
        let pair = pair(course, iteration, results(iteration));
        course.enter(&pair).unwrap();
    }

    #[test]
    fn the_order_of_finishing_does_not_matter() {
        let mut in_order = Course::new(settings(60, 4));
        (1..=60).for_each(|iteration| enter(&mut in_order, iteration));
        let mut shuffled = Course::new(settings(60, 4));
        for four in 0..15 {
            for next in [3, 1, 4, 2] {
                let iteration = 4 * four + next;
                // Its values are known as soon as those of four iterations before are.
                enter(&mut shuffled, iteration);
                assert!(shuffled.has(iteration));
            }
            assert_eq!(shuffled.counted(), 4 * four + 4);
        }
        assert_eq!(shuffled.path(), in_order.path());
        assert_eq!(shuffled.score(), in_order.score());
        assert_eq!(in_order.path().len(), 61);
        assert_ne!(in_order.values(), in_order.path()[0]);
    }

    /// The same course written down directly: a list of values, each made of the one before.
    #[test]
    fn every_pair_is_played_around_the_values_of_the_delay_before() {
        for delay in [1, 3, 100] {
            let settings = settings(30, delay);
            let mut course = Course::new(settings.clone());
            let mut twin: Vec<Vec<f64>> = vec![settings.margins.iter().map(|m| m.start).collect()];
            for number in 1..=30 {
                let at = Iteration { number, of: 30, seed: settings.seed };
                let around = number.max(delay) - delay;
                let trial = at.trial(&settings.margins, &twin[around as usize]);
                assert_eq!(course.trial(number), Some(trial));
                enter(&mut course, number);
                let [first, second] = results(number);
                let worth = |result| match result {
                    WhiteWin => 1.0,
                    Draw => 0.0,
                    BlackWin => -1.0,
                };
                let points = worth(first) - worth(second);
                let last = twin.last().unwrap();
                twin.push(at.moved(&settings.margins, last, points));
            }
            assert_eq!(course.path(), twin);
        }
    }

    /// Many runs whose results have nothing to do with the margins.
    #[test]
    fn chance_alone_moves_margins_as_far_as_is_told() {
        let mut squares = [0.0; 3];
        let runs = 400;
        let mut told = Vec::new();
        for seed in 0..runs {
            let mut course = Course::new(SpsaSettings { seed, ..settings(100, 1) });
            // Alike in every run: only the directions differ.
            (1..=100).for_each(|iteration| enter(&mut course, iteration));
            let margins = &course.settings().margins;
            told = margins.iter().map(|margin| course.by_chance(margin, 100)).collect();
            for (place, margin) in margins.iter().enumerate() {
                let moved = (course.values()[place] - margin.start) / margin.step;
                squares[place] += moved * moved;
            }
        }
        for (square, told) in squares.into_iter().zip(told) {
            let found = f64::sqrt(square / runs as f64);
            // A standard deviation from 400 numbers is right within 3.5 %.
            assert!((found / told - 1.0).abs() < 0.14, "{found}, told {told}");
        }
    }

    #[test]
    fn pairs_of_other_runs_are_refused() {
        let mut course = Course::new(settings(10, 2));
        assert_eq!(course.trial(3), None);
        let good = pair(&course, 1, [Draw; 2]);
        let refused = |course: &mut Course, change: &dyn Fn(&mut PairRecord)| {
            let mut pair = good.clone();
            change(&mut pair);
            course.enter(&pair).unwrap_err()
        };
        assert!(refused(&mut course, &|pair| pair.settings.clear()).contains("other settings"));
        for number in [0, 11, u64::MAX] {
            let fault = refused(&mut course, &|pair| pair.iteration = number);
            assert!(fault.starts_with("there is no iteration"), "{fault}");
        }
        let fault = refused(&mut course, &|pair| pair.iteration = 3);
        assert!(fault.ends_with("comes before those that it depends on"));
        let fault = refused(&mut course, &|pair| pair.plus[0] += 1);
        assert!(fault.ends_with("is played with other values"));
        let fault = refused(&mut course, &|pair| pair.minus.truncate(1));
        assert!(fault.ends_with("is played with other values"));
        assert_eq!(course.finished(), 0);
        course.enter(&good).unwrap();
        let fault = refused(&mut course, &|_| ());
        assert_eq!(fault, "iteration 1 is there already");
        assert_eq!((course.finished(), course.score().draws), (1, 2));
    }
}
