//! Slow references for the tests of the fits: slopes and minima of functions of a few numbers, by values alone.

/// The slope of `height` at `point` in the direction of one number, by central differences.
pub fn slope(height: &dyn Fn(&[f64]) -> f64, point: &[f64], number: usize) -> f64 {
    const STEP: f64 = 1e-6;
    let at = |offset: f64| {
        let mut point = point.to_vec();
        point[number] += offset;
        height(&point)
    };
    (at(STEP) - at(-STEP)) / (2.0 * STEP)
}

/// The lowest point of a convex function, sought from `start` by steps along the axes and along the sum of a round of
/// them. Steps are halved if none leads down (Hooke and Jeeves 1961).
pub fn lowest(height: &dyn Fn(&[f64]) -> f64, start: &[f64], first: f64, last: f64) -> Vec<f64> {
    let mut best = start.to_vec();
    let mut least = height(&best);
    let mut step = first;
    while step > last {
        let before = best.clone();
        for number in 0..best.len() {
            for offset in [step, -step] {
                let mut point = best.clone();
                point[number] += offset;
                let found = height(&point);
                if found < least {
                    (best, least) = (point, found);
                    break;
                }
            }
        }
        if best == before {
            step /= 2.0;
            continue;
        }
        let further: Vec<f64> = best.iter().zip(&before).map(|(b, a)| 2.0 * b - a).collect();
        let found = height(&further);
        if found < least {
            (best, least) = (further, found);
        }
    }
    best
}
