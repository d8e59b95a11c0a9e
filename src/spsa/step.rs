//! The arithmetic of an iteration: what both sides play with, and where its result moves the values.

use super::margin::Tuned;
use crate::arena::splitmix::SplitMix64;
use crate::journal::{fnv1a, fnv1a_more};

/// How fast the gain falls with the iterations; Spall's value for practice, as all programs use it.
const ALPHA: f64 = 0.602;
/// The same for the steps.
const GAMMA: f64 = 0.101;
/// The share of the iterations by which the gain is held back at first.
const STABILITY: f64 = 0.1;

/// One of the iterations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Iteration {
    /// From 1.
    pub number: u64,
    /// How many there are in all.
    pub of: u64,
    /// Of the whole run.
    pub seed: u64,
}

/// The values that both sides play with, in the order of the margins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trial {
    /// Moved along the directions of the iteration.
    pub plus: Vec<i32>,
    /// Moved against them.
    pub minus: Vec<i32>,
}

/// What is random in an iteration, for one margin.
#[derive(Debug, Clone, Copy)]
struct Draw {
    /// 1 or -1.
    direction: f64,
    /// From 0 to 1, the same for both sides, so that they differ by two steps on average and never by rounding alone.
    rounding: f64,
}

impl Iteration {
    /// What both sides play with around these values.
    pub fn trial(self, margins: &[Tuned], values: &[f64]) -> Trial {
        let mut trial = Trial { plus: Vec::with_capacity(margins.len()), minus: Vec::with_capacity(margins.len()) };
        for ((margin, &value), draw) in margins.iter().zip(values).zip(self.draws()) {
            let step = self.step(margin) * draw.direction;
            // Rounded up as often as its fraction says, so that fractions are tried as well, on average. Cut to the range
            // before: no value outside of it can come up.
            let whole = |value: f64| (margin.clamped(value) + draw.rounding).floor() as i32;
            trial.plus.push(whole(value + step));
            trial.minus.push(whole(value - step));
        }
        trial
    }

    /// These values after the plus side has won by so many points of games (a win is 1, a loss -1).
    pub fn moved(self, margins: &[Tuned], values: &[f64], points: f64) -> Vec<f64> {
        let all = margins.iter().zip(values).zip(self.draws());
        all.map(|((margin, &value), draw)| margin.clamped(value + self.gain(margin) * draw.direction * points))
            .collect()
    }

    /// What is added and taken off: Spall's c.
    fn step(self, margin: &Tuned) -> f64 {
        margin.step * self.width()
    }

    /// What a point moves the value by: Spall's a, divided by c.
    fn gain(self, margin: &Tuned) -> f64 {
        margin.step * margin.rate * self.pull()
    }

    /// How many times as large the steps are as in the last iteration.
    fn width(self) -> f64 {
        libm::pow(self.of as f64 / self.number as f64, GAMMA)
    }

    /// How many times as much a point moves the values as in the last iteration.
    pub fn pull(self) -> f64 {
        let (number, of) = (self.number as f64, self.of as f64);
        let held = STABILITY * of;
        libm::pow((held + of) / (held + number), ALPHA) / self.width()
    }

    /// A pure function of seed and number, so that a run that is continued goes on as it would have.
    fn draws(self) -> impl Iterator<Item = Draw> {
        let seed = fnv1a(&self.seed.to_le_bytes());
        let mut random = SplitMix64(fnv1a_more(seed, &self.number.to_le_bytes()));
        std::iter::repeat_with(move || Draw {
            direction: if random.below(2) == 0 { 1.0 } else { -1.0 },
            rounding: random.unit(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn margin(start: f64, step: f64, rate: f64, min: i32, max: i32) -> Tuned {
        Tuned { name: "test".to_owned(), start, step, rate, min, max }
    }

    /// The gains as fishtest's server writes them, from the names of its form. Nothing is left out or put together.
    fn as_fishtest_has_it(margin: &Tuned, iteration: Iteration) -> (f64, f64) {
        let (alpha, gamma) = (0.602, 0.101);
        let (num_iter, iter) = (iteration.of as f64, iteration.number as f64);
        let big_a = 0.1 * num_iter;
        let (c_end, r_end) = (margin.step, margin.rate);
        let c = c_end * num_iter.powf(gamma);
        let a_end = r_end * c_end.powi(2);
        let a = a_end * (big_a + num_iter).powf(alpha);
        let iter_c = c / iter.powf(gamma);
        let iter_a = a / (big_a + iter).powf(alpha);
        let iter_r = iter_a / iter_c.powi(2);
        (iter_c, iter_r * iter_c)
    }

    #[test]
    fn gains_are_those_of_fishtest() {
        let margin = margin(50.0, 7.5, 0.002, 0, 1000);
        let of = 12_345;
        for number in [1, 2, 10, 999, 6000, of] {
            let at = Iteration { number, of, seed: 1 };
            let (step, gain) = as_fishtest_has_it(&margin, at);
            assert!((at.step(&margin) / step - 1.0).abs() < 1e-12, "{number}");
            assert!((at.gain(&margin) / gain - 1.0).abs() < 1e-12, "{number}");
        }
        let last = Iteration { number: of, of, seed: 1 };
        assert!((last.step(&margin) - 7.5).abs() < 1e-12);
        assert!((last.gain(&margin) - 7.5 * 0.002).abs() < 1e-12);
    }

    #[test]
    fn a_result_moves_every_value_along_its_direction() {
        let margins =
            [margin(50.0, 7.5, 0.002, 0, 1000), margin(1.0, 0.5, 0.01, 0, 3), margin(-2.0, 1.0, 0.002, -4, 8)];
        let values: Vec<f64> = margins.iter().map(|margin| margin.start).collect();
        for number in 1..200 {
            let at = Iteration { number, of: 200, seed: 9 };
            let trial = at.trial(&margins, &values);
            for points in [-2.0, -0.5, 0.0, 1.0] {
                let moved = at.moved(&margins, &values, points);
                for (place, margin) in margins.iter().enumerate() {
                    let by = trial.plus[place] - trial.minus[place];
                    let moved = moved[place] - values[place];
                    let gain = as_fishtest_has_it(margin, at).1;
                    assert!((moved.abs() - gain * f64::abs(points)).abs() < 1e-12);
                    // Rounding may make both sides equal, but turns no direction.
                    assert!(moved * f64::from(by) * points >= 0.0);
                }
            }
        }
    }

    /// Each draw is checked against its own definition: directions even and independent, whole values right on average.
    #[test]
    fn values_are_rounded_without_bias_and_stay_in_range() {
        let margins = [
            margin(1.3, 0.2, 0.002, 0, 3),
            margin(40.0, 5.5, 0.002, 10, 120),
            margin(118.0, 5.5, 0.002, 10, 120),
            margin(-3.9, 1.0, 0.002, -4, 8),
        ];
        let values: Vec<f64> = margins.iter().map(|margin| margin.start).collect();
        let of = 20_000;
        let mut sums = [[0.0; 2]; 4];
        let mut squares = [[0.0; 2]; 4];
        let (mut ups, mut agree) = ([0; 4], 0);
        for number in 1..=of {
            let at = Iteration { number, of, seed: 5 };
            let trial = at.trial(&margins, &values);
            let draws: Vec<Draw> = at.draws().take(4).collect();
            agree += i32::from((draws[0].direction - draws[1].direction).abs() < 0.5);
            for (place, margin) in margins.iter().enumerate() {
                let up = draws[place].direction > 0.0;
                ups[place] += i32::from(up);
                let step = at.step(margin) * draws[place].direction;
                let sides = [(trial.plus[place], step), (trial.minus[place], -step)];
                for (side, (whole, step)) in sides.into_iter().enumerate() {
                    assert!((margin.min..=margin.max).contains(&whole));
                    let wanted = margin.clamped(values[place] + step);
                    let error = f64::from(whole) - wanted;
                    assert!(error.abs() < 1.0);
                    sums[place][side] += error;
                    squares[place][side] += error * error;
                }
            }
        }
        let count = of as f64;
        for (place, (sums, squares)) in sums.into_iter().zip(squares).enumerate() {
            for (sum, square) in sums.into_iter().zip(squares) {
                // Five standard deviations of a sum of so many errors.
                assert!(sum.abs() <= 5.0 * square.sqrt() + 1e-6, "{place}: {sum}");
            }
            let spread = 5.0 * count.sqrt() / 2.0;
            assert!((f64::from(ups[place]) - count / 2.0).abs() < spread);
        }
        assert!((f64::from(agree) - count / 2.0).abs() < 5.0 * count.sqrt() / 2.0);
    }

    /// Games between two sides whose strength falls with the squared distance from the best values, won by chance as Elo
    /// says. The best values are far from the start, one of them between two whole numbers.
    #[test]
    fn noisy_games_lead_to_the_best_values() {
        // Start, step, range, the best value.
        let problem = [
            (margin(40.0, 8.0, 0.02, 0, 200), 110.0),
            (margin(2.0, 0.5, 0.02, 0, 6), 4.5),
            (margin(6000.0, 500.0, 0.02, 2000, 16_000), 3500.0),
        ];
        let margins = problem.clone().map(|(margin, _)| margin);
        // In Elo: a step beside the best value costs ten.
        let strength = |values: &[i32]| -> f64 {
            let all = problem.iter().zip(values);
            all.map(|((margin, best), &value)| {
                let steps = (f64::from(value) - best) / margin.step;
                -10.0 * steps * steps
            })
            .sum()
        };
        let mut random = SplitMix64(77);
        let mut values: Vec<f64> = margins.iter().map(|margin| margin.start).collect();
        let of = 10_000;
        for number in 1..=of {
            let at = Iteration { number, of, seed: 3 };
            let trial = at.trial(&margins, &values);
            let difference = strength(&trial.plus) - strength(&trial.minus);
            let chance = 1.0 / (1.0 + 10f64.powf(-difference / 400.0));
            let mut points = 0.0;
            for _ in 0..2 {
                points += if random.unit() < chance { 1.0 } else { -1.0 };
            }
            values = at.moved(&margins, &values, points);
        }
        for ((margin, best), value) in problem.iter().zip(&values) {
            let before = (margin.start - best).abs() / margin.step;
            let after = (value - best).abs() / margin.step;
            assert!(before > 4.0 && after < 1.0, "{value}, best {best}");
        }
    }
}
