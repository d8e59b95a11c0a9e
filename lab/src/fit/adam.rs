//! Gradient descent.

use std::ops::ControlFlow;

use rayon::prelude::*;

/// The slopes and the loss of `items`, added up. `add` adds the slopes of an item to the given ones and returns its loss.
/// Parts of a fixed size, added up in order, give the same result on any number of cores.
pub(super) fn add_up<T: Sync>(
    items: &[T],
    part: usize,
    weights: usize,
    add: impl Fn(&T, &mut [f32]) -> f64 + Sync,
) -> (Vec<f32>, f64) {
    let of_part = |items: &[T]| {
        let mut slopes = vec![0.0; weights];
        let loss: f64 = items.iter().map(|item| add(item, &mut slopes)).sum();
        (slopes, loss)
    };
    let parts: Vec<_> = items.par_chunks(part).map(of_part).collect();
    parts.into_iter().fold((vec![0.0; weights], 0.0), |(mut sums, loss), (slopes, more)| {
        sums.iter_mut().zip(slopes).for_each(|(sum, slope)| *sum += slope);
        (sums, loss + more)
    })
}

/// The same divided by the number of items.
pub(super) fn mean<T: Sync>(
    items: &[T],
    part: usize,
    weights: usize,
    add: impl Fn(&T, &mut [f32]) -> f64 + Sync,
) -> (Vec<f32>, f64) {
    let (mut slopes, loss) = add_up(items, part, weights, add);
    let count = items.len().max(1) as f32;
    for slope in &mut slopes {
        *slope /= count;
    }
    (slopes, loss / f64::from(count))
}

/// The result of an epoch of a fit.
#[derive(Debug, Clone, Copy)]
pub struct Epoch {
    pub number: u32,
    /// Mean loss over the training samples.
    pub loss: f64,
}

/// Adam (Kingma and Ba 2015): every weight gets steps of its own size, however rare its feature is. The steps shrink to
/// zero towards the last epoch, along a cosine, so that the weights come to rest.
pub(super) struct Adam {
    /// The first step of a weight.
    step: f32,
    epochs: u32,
    epoch: u32,
    /// The shares of the mean slope and of the mean square of slopes that an epoch keeps.
    keep: [f64; 2],
    mean: Vec<f32>,
    square: Vec<f32>,
}

impl Adam {
    /// For this number of weights; `keep_square` is the share of the mean square of slopes that an epoch keeps.
    pub(super) fn new(weights: usize, epochs: u32, step: f32, keep_square: f64) -> Self {
        Self { step, epochs, epoch: 0, keep: [0.9, keep_square], mean: vec![0.0; weights], square: vec![0.0; weights] }
    }

    /// The largest change of a weight in the next epoch.
    pub(super) fn step(&self) -> f32 {
        let turn = f64::from(self.epoch) / f64::from(self.epochs) * std::f64::consts::PI;
        self.step * (0.5 + 0.5 * turn.cos()) as f32
    }

    /// All epochs, or until `progress` ends it. `slopes` gives the mean slopes and the mean loss at a point, `pull` the
    /// summand for the slope of a weight, given its number and its value.
    pub(super) fn run(
        mut self,
        point: &mut [f32],
        slopes: impl Fn(&[f32]) -> (Vec<f32>, f64),
        pull: impl Fn(usize, f32) -> f32,
        mut progress: impl FnMut(Epoch) -> ControlFlow<()>,
    ) {
        for number in 1..=self.epochs {
            let (slopes, loss) = slopes(point);
            self.descend(point, |weight, value| slopes[weight] + pull(weight, value));
            if progress(Epoch { number, loss }).is_break() {
                break;
            }
        }
    }

    /// One epoch: moves every weight against its slope, which is given the weight's number and its value.
    pub(super) fn descend(&mut self, point: &mut [f32], slope: impl Fn(usize, f32) -> f32) {
        let step = self.step();
        self.epoch += 1;
        let keep = self.keep.map(|keep| keep as f32);
        let take = self.keep.map(|keep| (1.0 - keep) as f32);
        // The means begin at zero and so are too small at first. This makes up for it.
        let weight = keep.map(|keep| 1.0 - keep.powi(self.epoch as i32));
        let means = self.mean.iter_mut().zip(&mut self.square);
        for (number, (value, (mean, square))) in point.iter_mut().zip(means).enumerate() {
            let slope = slope(number, *value);
            *mean = keep[0] * *mean + take[0] * slope;
            *square = keep[1] * *square + take[1] * slope * slope;
            *value -= step * (*mean / weight[0]) / ((*square / weight[1]).sqrt() + 1e-9);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_lowest_point_whatever_the_scale() {
        let lowest = [3.0, -2.0, 0.5];
        let scale = [1e-4, 1.0, 1e3];
        let mut point = [0.0; 3];
        let mut adam = Adam::new(3, 300, 0.1, 0.999);
        for _ in 0..300 {
            adam.descend(&mut point, |i, value| scale[i] * (value - lowest[i]));
        }
        for (value, lowest) in point.iter().zip(lowest) {
            assert!((value - lowest).abs() < 0.05, "{value} for {lowest}");
        }
    }
}
