//! The arithmetic of an iteration: the values of both sides, and the parameters after the result.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use tak_engine::journals::hash::{fnv1a, fnv1a_more};

use super::parameter::Tuned;

/// The decay of the gain with the iterations; Spall's value for practice, as all programs use it.
const ALPHA: f64 = 0.602;
/// The same for the steps.
const GAMMA: f64 = 0.101;
/// The share of the iterations by which the gain is held back at first.
const STABILITY: f64 = 0.1;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Iteration {
    /// From 1.
    pub number: u64,
    /// Number of iterations in all.
    pub of: u64,
    /// Of the whole run.
    pub seed: u64,
}

/// The values of both sides, in the order of the parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trial {
    /// Moved along the directions of the iteration.
    pub plus: Vec<i32>,
    /// Moved against them.
    pub minus: Vec<i32>,
}

/// The random numbers of an iteration, for one parameter.
#[derive(Debug, Clone, Copy)]
struct Draw {
    /// 1 or -1.
    direction: f64,
    /// From 0 to 1, the same for both sides, so that they differ by two steps on average and never by rounding alone.
    rounding: f64,
}

impl Iteration {
    /// The values of both sides around these values.
    pub fn trial(self, params: &[Tuned], values: &[f64]) -> Trial {
        let mut trial = Trial { plus: Vec::with_capacity(params.len()), minus: Vec::with_capacity(params.len()) };
        for ((param, &value), draw) in params.iter().zip(values).zip(self.draws()) {
            let step = self.step(param) * draw.direction;
            // Rounded up with the probability of its fraction, so that fractions are tried as well, on average. Cut to the range
            // before: no value outside of it can come up.
            let whole = |value: f64| (param.clamped(value) + draw.rounding).floor() as i32;
            trial.plus.push(whole(value + step));
            trial.minus.push(whole(value - step));
        }
        trial
    }

    /// These values after the plus side has won by this many points (a win is 1, a loss -1).
    pub fn moved(self, params: &[Tuned], values: &[f64], points: f64) -> Vec<f64> {
        let all = params.iter().zip(values).zip(self.draws());
        all.map(|((param, &value), draw)| param.clamped(value + self.gain(param) * draw.direction * points)).collect()
    }

    /// The change that is tried: Spall's c.
    fn step(self, param: &Tuned) -> f64 {
        param.step * self.width()
    }

    /// The change per point: Spall's a, divided by c.
    fn gain(self, param: &Tuned) -> f64 {
        param.step * param.rate * self.pull()
    }

    /// The size of the steps, relative to the last iteration.
    fn width(self) -> f64 {
        libm::pow(self.of as f64 / self.number as f64, GAMMA)
    }

    /// The change per point, relative to the last iteration.
    pub fn pull(self) -> f64 {
        let (number, of) = (self.number as f64, self.of as f64);
        let held = STABILITY * of;
        libm::pow((held + of) / (held + number), ALPHA) / self.width()
    }

    /// A pure function of seed and number, so that a resumed run continues as a whole one.
    fn draws(self) -> impl Iterator<Item = Draw> {
        let seed = fnv1a(&self.seed.to_le_bytes());
        let mut random = Xoshiro256PlusPlus::seed_from_u64(fnv1a_more(seed, &self.number.to_le_bytes()));
        std::iter::repeat_with(move || Draw {
            direction: if random.random() { 1.0 } else { -1.0 },
            rounding: random.random(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn param(start: f64, step: f64, rate: f64, min: i32, max: i32) -> Tuned {
        Tuned { name: "test".to_owned(), start, step, rate, min, max }
    }

    /// Computed by a separate program from fishtest's formulas and the published generator.
    #[test]
    fn the_same_seed_gives_the_same_run() {
        let params = [param(50.0, 7.5, 0.002, 0, 1000), param(1.0, 0.5, 0.01, 0, 3), param(-2.0, 1.0, 0.002, -4, 8)];
        let values: Vec<f64> = params.iter().map(|param| param.start).collect();
        let at = Iteration { number: 10, of: 200, seed: 9 };
        let trial = at.trial(&params, &values);
        assert_eq!((trial.plus, trial.minus), (vec![40, 1, -4], vec![60, 2, -1]));
        let moved = at.moved(&params, &values, 2.0);
        for (moved, expected) in moved.into_iter().zip([49.926_442_208_132, 0.975_480_736_044, -2.009_807_705_582]) {
            assert!((moved - expected).abs() < 1e-9, "{moved}, expected {expected}");
        }
        // No value leaves its range.
        let ends: Vec<f64> = params.iter().map(|param| param.max.into()).collect();
        for number in 1..200 {
            let trial = Iteration { number, ..at }.trial(&params, &ends);
            for (value, param) in trial.plus.iter().chain(&trial.minus).zip(params.iter().cycle()) {
                assert!((param.min..=param.max).contains(value));
            }
        }
    }

    /// Games between two sides whose strength falls with the squared distance from the best values, won with the chance of
    /// Elo. The best values are far from the start, one of them between two whole numbers.
    #[test]
    fn noisy_games_lead_to_the_best_values() {
        // Start, step, range, the best value.
        let problem = [
            (param(40.0, 8.0, 0.02, 0, 200), 110.0),
            (param(2.0, 0.5, 0.02, 0, 6), 4.5),
            (param(6000.0, 500.0, 0.02, 2000, 16_000), 3500.0),
        ];
        let params = problem.clone().map(|(param, _)| param);
        // In Elo: a step beside the best value costs ten.
        let strength = |values: &[i32]| -> f64 {
            let all = problem.iter().zip(values);
            all.map(|((param, best), &value)| {
                let steps = (f64::from(value) - best) / param.step;
                -10.0 * steps * steps
            })
            .sum()
        };
        let mut random = Xoshiro256PlusPlus::seed_from_u64(77);
        let mut values: Vec<f64> = params.iter().map(|param| param.start).collect();
        let of = 10_000;
        for number in 1..=of {
            let at = Iteration { number, of, seed: 3 };
            let trial = at.trial(&params, &values);
            let difference = strength(&trial.plus) - strength(&trial.minus);
            let chance = 1.0 / (1.0 + 10f64.powf(-difference / 400.0));
            let mut points = 0.0;
            for _ in 0..2 {
                points += if random.random_bool(chance) { 1.0 } else { -1.0 };
            }
            values = at.moved(&params, &values, points);
        }
        for ((param, best), value) in problem.iter().zip(&values) {
            let before = (param.start - best).abs() / param.step;
            let after = (value - best).abs() / param.step;
            assert!(before > 4.0 && after < 1.0, "{value}, best {best}");
        }
    }
}
