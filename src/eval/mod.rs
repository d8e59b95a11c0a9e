//! Static evaluation: a weighted sum of hand-made features, in centiflats.

mod features;
mod terms;
mod weights;

use features::GONE;
pub use features::{FEATURES, TERMS};
pub use terms::Sink;
pub use weights::{Weight, Weights, weights};

use crate::board::{AnyPosition, Color, Position, Reserve, with_position};
use crate::weights::Term;

/// How far a game has come, as shares of the opening, the middle game and the end that add up to 256.
///
/// It is measured by what ends a game without a road: pieces gone from the emptier reserve, or squares filled.
#[must_use]
pub fn phase<const N: usize>(position: &Position<N>) -> [i32; 3] {
    let used = Color::ALL.map(|color| {
        let start: Reserve = position.start_reserves()[color];
        let left = i32::from(position.reserve(color).total());
        256 - 256 * left / i32::from(start.total())
    });
    let filled = 256 * position.occupied().count() as i32 / (N * N) as i32;
    let progress = used[0].max(used[1]).max(filled);
    if progress < MIDDLE {
        let middle = 256 * progress / MIDDLE;
        [256 - middle, middle, 0]
    } else {
        let end = 256 * (progress - MIDDLE) / (256 - MIDDLE);
        [0, 256 - end, end]
    }
}

/// How far a game has come, of 256, when only the weights of the middle game count.
const MIDDLE: i32 = 115;

/// The score of `position` in centiflats for the player to move. Whether a move wins by a road is not looked at: the search
/// has asked that before.
#[must_use]
pub fn evaluate<const N: usize>(position: &Position<N>, weights: &Weights) -> i32 {
    struct Sum<'a> {
        weights: &'a [Weight; FEATURES],
        total: Weight,
    }

    impl Sink for Sum<'_> {
        #[inline]
        fn add(&mut self, feature: usize, count: i32) {
            let weight = &self.weights[feature];
            for (total, weight) in self.total.iter_mut().zip(weight) {
                *total += weight * count;
            }
        }
    }

    let [mut mover, mut waiting] = weights.each_ref().map(|weights| Sum {
        weights,
        total: [0; 4],
    });
    terms::features(position, &mut mover, &mut waiting);
    let total = std::array::from_fn(|phase| mover.total[phase] - waiting.total[phase]);
    (in_phase(&total, phase(position)) / 256) as i32
}

fn in_phase(weight: &Weight, phase: [i32; 3]) -> i64 {
    weight
        .iter()
        .zip(phase)
        .map(|(&weight, share)| i64::from(weight) * i64::from(share))
        .sum()
}

/// One term of an explained evaluation.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "cli", derive(serde::Serialize))]
pub struct Explained {
    /// The term.
    pub name: &'static str,
    /// Its share of the score in centiflats, for the player to move.
    pub score: f64,
}

/// The evaluation term by term, for the player to move. The scores add up to [`evaluate`] but for the rounding of the
/// sum to whole centiflats.
#[must_use]
pub fn explain<const N: usize>(position: &Position<N>, weights: &Weights) -> Vec<Explained> {
    struct ByTerm<'a> {
        weights: &'a [Weight; FEATURES],
        phase: [i32; 3],
        totals: Vec<i64>,
    }

    impl Sink for ByTerm<'_> {
        fn add(&mut self, feature: usize, count: i32) {
            let term = TERMS.partition_point(|term| term.end() <= feature);
            self.totals[term] += i64::from(count) * in_phase(&self.weights[feature], self.phase);
        }
    }

    let [mut mover, mut waiting] = weights.each_ref().map(|weights| ByTerm {
        weights,
        phase: phase(position),
        totals: vec![0; TERMS.len()],
    });
    terms::features(position, &mut mover, &mut waiting);
    let totals = mover.totals.into_iter().zip(waiting.totals);
    let share = |(term, (own, enemy)): (&Term, (i64, i64))| Explained {
        name: term.name,
        score: (own - enemy) as f64 / 256.0,
    };
    TERMS.iter().zip(totals).map(share).collect()
}

/// A feature and how often it counts for the player to move, for fitting the weights. Numbers from [`FEATURES`] on are the
/// features of the other player, which count negative.
pub type Count = (u16, i32);

/// The features of `position` that do not count zero.
#[must_use]
pub fn trace<const N: usize>(position: &Position<N>) -> Vec<Count> {
    struct Counts([i32; FEATURES]);

    impl Sink for Counts {
        fn add(&mut self, feature: usize, count: i32) {
            self.0[feature] += count;
        }
    }

    let [mut mover, mut waiting] = [const { Counts([0; FEATURES]) }; 2];
    terms::features(position, &mut mover, &mut waiting);
    let counts = mover.0.into_iter().chain(waiting.0.map(|count| -count));
    (0..).zip(counts).filter(|&(_, count)| count != 0).collect()
}

/// What the evaluation says of a position of any size.
impl AnyPosition {
    /// The static evaluation term by term, for the player to move, see [`explain`].
    #[must_use]
    pub fn explain(&self, weights: &Weights) -> Vec<Explained> {
        with_position!(self, p => explain(p, weights))
    }

    /// The evaluation features that do not count zero, see [`trace`].
    #[must_use]
    pub fn trace(&self) -> Vec<Count> {
        with_position!(self, p => trace(p))
    }

    /// How far the game has come, see [`phase`].
    #[must_use]
    pub fn phase(&self) -> [i32; 3] {
        with_position!(self, p => phase(p))
    }
}
