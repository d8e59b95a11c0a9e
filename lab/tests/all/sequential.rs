//! A sequential test over several runners errs no more often than over one: a simulation with made-up engines.
//!
//! Each runner plays its share of the pairs one after the other, sees the others' pairs up to 60 s late, and stops when the
//! pairs that it sees decide the test. Games last longer if they are drawn, so what is known early is not what is known
//! late. If the games that one engine wins are shorter than those that it loses, the pairs in progress are worse for it
//! than those that count: this is shown too. `CASES=100 cargo test --package tak-lab sequential -- --nocapture` plays
//! 10,000 tests of each kind instead of 100, and prints a table: the share of wrong decisions, and the wasted pairs.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::env;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tak_engine::arena::stats::sprt::{Decision, SprtModel, SprtSettings};
use tak_engine::arena::stats::strength::Pentanomial;

const TEST: SprtSettings =
    SprtSettings { elo0: 0.0, elo1: 20.0, alpha: 0.05, beta: 0.05, model: SprtModel::Normalized };
/// Seconds after which a pair is seen by the others at the latest.
const LONGEST_DELAY: f64 = 60.0;
/// Mean seconds of a game that the first engine loses, draws and wins.
const LENGTHS: [(&str, [f64; 3]); 2] =
    [("draws are long", [70.0, 180.0, 70.0]), ("wins are short", [90.0, 180.0, 60.0])];

/// Made-up engines: the chances of the first one to lose, draw and win, as White and as Black.
#[derive(Clone, Copy)]
struct Engines([[f64; 3]; 2]);

impl Engines {
    /// White wins more often than Black; `lead` goes from losses to wins.
    fn with_lead(lead: f64) -> Self {
        Self([[0.35, 0.15, 0.5], [0.5, 0.15, 0.35]].map(|[loss, draw, win]| [loss - lead, draw, win + lead]))
    }

    /// Engines whose pairs have this normalised Elo, by halving an interval: the mean lead over half a point, divided by
    /// the deviation of a pair, as the test defines it.
    fn with_normalized_elo(elo: f64) -> Self {
        let (mut low, mut high) = (0.0, 0.3);
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            let pairs = Self::with_lead(middle).pair_chances();
            let mean: f64 = (0..5).map(|i| pairs[i] * i as f64 / 4.0).sum();
            let variance: f64 = (0..5).map(|i| pairs[i] * (i as f64 / 4.0 - mean).powi(2)).sum();
            let ratio = (mean - 0.5) / (variance.sqrt() * std::f64::consts::SQRT_2);
            if ratio * 800.0 / std::f64::consts::LN_10 < elo {
                low = middle;
            } else {
                high = middle;
            }
        }
        Self::with_lead(low)
    }

    fn pair_chances(self) -> [f64; 5] {
        let mut chances = [0.0; 5];
        for (first, a) in self.0[0].into_iter().enumerate() {
            for (second, b) in self.0[1].into_iter().enumerate() {
                chances[first + second] += a * b;
            }
        }
        chances
    }

    /// Half points of a pair and its seconds.
    fn play(self, lengths: [f64; 3], rng: &mut StdRng) -> (usize, f64) {
        let (mut points, mut seconds) = (0, 0.0);
        for [loss, draw, _] in self.0 {
            let chance: f64 = rng.random();
            let half_points = usize::from(chance >= loss) + usize::from(chance >= loss + draw);
            points += half_points;
            seconds += lengths[half_points] * rng.random_range(0.5..1.5);
        }
        (points, seconds)
    }
}

/// How a test ended: the decision, its pairs, and the pairs that were finished or being played beyond these.
struct End {
    decision: Decision,
    pairs: u64,
    wasted: u64,
}

/// One test by so many runners.
fn test(engines: Engines, lengths: [f64; 3], runners: usize, rng: &mut StdRng) -> End {
    // For each runner the times at which its pairs ended, with its pairs until then.
    let mut known: Vec<Vec<(f64, Pentanomial)>> = vec![vec![(0.0, Pentanomial::default())]; runners];
    // What each runner has seen of the others: a folder never shows less than before.
    let mut seen = vec![vec![0; runners]; runners];
    let mut playing = BinaryHeap::new();
    let next = |runner: usize, now: f64, rng: &mut StdRng| {
        let (points, seconds) = engines.play(lengths, rng);
        // Whole microseconds can be ordered.
        (Reverse(((now + seconds) * 1e6) as u64), runner, points)
    };
    for runner in 0..runners {
        playing.push(next(runner, 0.0, rng));
    }
    loop {
        let (Reverse(end), runner, points) = playing.pop().unwrap();
        let now = end as f64 / 1e6;
        let mut own = known[runner].last().unwrap().1;
        own.0[points] += 1;
        known[runner].push((now, own));
        let mut all = own;
        for other in (0..runners).filter(|&other| other != runner) {
            let until = now - rng.random_range(0.0..LONGEST_DELAY);
            let shown = known[other].partition_point(|&(time, _)| time <= until).saturating_sub(1);
            seen[runner][other] = seen[runner][other].max(shown);
            let pairs = known[other][seen[runner][other]].1;
            all.0.iter_mut().zip(pairs.0).for_each(|(sum, count)| *sum += count);
        }
        let decision = TEST.decision(TEST.log_likelihood_ratio(all));
        if decision != Decision::Continue {
            let finished: u64 = known.iter().map(|pairs| pairs.last().unwrap().1.pairs()).sum();
            // The others learn of the decision up to a minute later, when their next pair ends.
            let wasted = finished - all.pairs() + runners as u64 - 1;
            return End { decision, pairs: all.pairs(), wasted };
        }
        playing.push(next(runner, now, rng));
    }
}

#[test]
fn several_runners_err_as_seldom_as_one() {
    let cases: u64 = env::var("CASES").map_or(1, |cases| cases.parse().unwrap());
    let tests = 100 * cases;
    println!(
        "| lengths | runners | truth | wrong | mean pairs | pairs wasted |\n| --- | --- | --- | --- | --- | --- |"
    );
    for (name, lengths) in LENGTHS {
        for (elo, wrong) in [(TEST.elo0, Decision::AcceptH1), (TEST.elo1, Decision::AcceptH0)] {
            let engines = Engines::with_normalized_elo(elo);
            let truth = if wrong == Decision::AcceptH1 { "H0" } else { "H1" };
            let shares = [1, 4, 16].map(|runners| {
                let mut rng = StdRng::seed_from_u64(runners as u64);
                let ends: Vec<End> = (0..tests).map(|_| test(engines, lengths, runners, &mut rng)).collect();
                let mean = |value: fn(&End) -> u64| ends.iter().map(value).sum::<u64>() as f64 / tests as f64;
                let share = ends.iter().filter(|end| end.decision == wrong).count() as f64 / tests as f64;
                let (percent, pairs, wasted) = (100.0 * share, mean(|end| end.pairs), mean(|end| end.wasted));
                println!("| {name} | {runners} | {truth} | {percent:.2} % | {pairs:.0} | {wasted:.1} |");
                share
            });
            // Half a percentage point, or one and a half, and three deviations of the difference of two such shares.
            let allowed = if name == "draws are long" { 0.005 } else { 0.015 };
            let noise = 3.0 * (2.0 * TEST.alpha * (1.0 - TEST.alpha) / tests as f64).sqrt();
            let least = shares.into_iter().fold(1.0, f64::min);
            let most = shares.into_iter().fold(0.0, f64::max);
            assert!(most - least <= allowed + noise && most <= TEST.alpha + allowed + noise, "{name}: {shares:?}");
        }
    }
}
