//! Elo, likelihood of superiority and the SPRT against published and independently computed values.

#![allow(clippy::float_cmp)]

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tak_engine::arena::stats::sprt::SprtModel::{self, Logistic, Normalized};
use tak_engine::arena::stats::sprt::{Decision, SprtSettings};
use tak_engine::arena::stats::strength::Pentanomial;

fn close(found: f64, expected: f64, tolerance: f64) -> bool {
    (found - expected).abs() <= tolerance
}

/// Values that fastchess's own tests expect (`app/tests/elo_test.cpp`), to the digits given there. Its counts split the
/// middle class into won-lost and drawn-drawn; they are added up here.
#[test]
fn pentanomial_elo_agrees_with_fastchess() {
    let cases = [
        ([34, 54, 63, 64, 75], (55.58, 27.65), (57.94, 28.28), 1.0),
        ([332, 433, 498, 333, 334], (-8.64, 10.33), (-9.17, 10.96), 0.0505),
        ([7895, 8757, 5685, 568, 9999], (-21.04, 2.95), (-19.01, 2.65), 0.0),
    ];
    for (counts, elo, normalized, superiority) in cases {
        let pairs = Pentanomial(counts);
        let found = pairs.elo().unwrap();
        assert!(close(found.value, elo.0, 0.005), "{found} for {pairs}");
        assert!(close(found.error.unwrap(), elo.1, 0.005), "{found} for {pairs}");
        let found = pairs.normalized_elo().unwrap();
        assert!(close(found.value, normalized.0, 0.005), "{found} for {pairs}");
        assert!(close(found.error.unwrap(), normalized.1, 0.005), "{found} for {pairs}");
        let found = pairs.superiority().unwrap();
        assert!(close(found, superiority, 0.000_05), "{found} for {pairs}");
    }
}

fn sprt(model: SprtModel, elo0: f64, elo1: f64) -> SprtSettings {
    SprtSettings { elo0, elo1, alpha: 0.05, beta: 0.05, model }
}

/// The first four values are those of fastchess's own tests (`app/tests/sprt_test.cpp`), with more digits. All were computed
/// by maximising the two likelihoods directly, with the hypothesis as an equality constraint, from thirty starting
/// points with the general optimiser SLSQP of `SciPy` 1.17; classes without a pair count 0.001. For 104 won pairs in a row
/// fastchess expects 2.94, because it stops its iteration while chances still move by 1e-4.
#[test]
fn log_likelihood_ratio_is_that_of_an_independent_optimiser() {
    let cases = [
        (Normalized, 0.0, 2.0, [365, 16618, 36229, 16974, 390], 2.250_368),
        (Normalized, -1.75, 0.25, [127, 4883, 10712, 5150, 104], 3.010_154),
        (Logistic, 0.5, 2.5, [223, 9863, 21279, 10037, 246], -3.074_126),
        (Logistic, 0.0, 2.0, [871, 26175, 55983, 26678, 821], -4.978_673),
        (Normalized, 0.0, 5.0, [0, 0, 0, 0, 104], 2.094_955),
        (Normalized, 0.0, 10.0, [3, 20, 40, 30, 7], 0.690_711),
        (Logistic, 0.0, 10.0, [3, 20, 40, 30, 7], 0.975_149),
        (Normalized, 0.0, 5.0, [0, 1, 0, 0, 0], -0.014_599),
        (Logistic, -5.0, 0.0, [0, 0, 12, 0, 0], 0.168_235),
        (Normalized, 0.0, 30.0, [10, 0, 25, 0, 31], 2.771_063),
        (Normalized, -10.0, 5.0, [0, 0, 12, 3, 0], 0.298_196),
        (Logistic, 0.0, 50.0, [0, 0, 0, 0, 6], 0.801_797),
    ];
    for (model, elo0, elo1, counts, expected) in cases {
        let found = sprt(model, elo0, elo1).log_likelihood_ratio(Pentanomial(counts));
        assert!(close(found, expected, 2e-6), "{found}, expected {expected} for {model} {counts:?}");
    }
}

#[test]
fn extreme_hypotheses_and_counts_stay_finite() {
    let most = SprtSettings::MAX_ELO;
    let mut random = StdRng::seed_from_u64(1);
    for _ in 0..2000 {
        // Counts of all orders of magnitude, and none at all.
        let counts = [(); 5].map(|()| {
            let digits = random.random_range(0..8);
            random.random_range(0..10u64.pow(digits)) / 10
        });
        for model in [Normalized, Logistic] {
            for (elo0, elo1) in [(-most, most), (most - 1.0, most), (0.0, 0.01)] {
                let llr = sprt(model, elo0, elo1).log_likelihood_ratio(Pentanomial(counts));
                assert!(llr.is_finite(), "{llr} for {model} {counts:?} [{elo0}, {elo1}]");
            }
        }
    }
}

/// ln 19 by Wald's formula for two chances of 5 %, ln(0.9 / 0.05) and ln(0.1 / 0.95) for 5 % and 10 %.
#[test]
fn bounds_are_walds() {
    let mut test = sprt(Normalized, 0.0, 5.0);
    assert_eq!(test.log_likelihood_ratio(Pentanomial::default()), 0.0);
    assert!(close(test.upper_bound(), 2.944_439, 1e-6));
    assert!(close(test.lower_bound(), -2.944_439, 1e-6));
    test.beta = 0.1;
    assert!(close(test.upper_bound(), 2.890_372, 1e-6));
    assert!(close(test.lower_bound(), -2.251_292, 1e-6));
    assert_eq!(test.decision(2.9), Decision::AcceptH1);
    assert_eq!(test.decision(2.8), Decision::Continue);
    assert_eq!(test.decision(-2.2), Decision::Continue);
    assert_eq!(test.decision(-2.3), Decision::AcceptH0);
}
