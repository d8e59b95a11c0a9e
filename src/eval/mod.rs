//! Static evaluation: a weighted sum of hand-made features, in centiflats.

mod features;
mod terms;
mod weights;

pub use features::{FEATURES, TERMS, Term};
pub use terms::Sink;

use crate::board::{Color, Position, Reserve, Size};

/// Weights of one feature in centiflats: in the opening, the middle game and the end (the fourth is padding, so that
/// one feature is one vector addition).
pub type Weight = [i32; 4];

/// The weights of all features for one board size: of the player to move, then of the other one. Being to move makes
/// threats stronger and weaknesses smaller, so the same feature may be worth more or less.
pub type Weights = [[Weight; FEATURES]; 2];

/// The weights compiled in for `size`.
#[must_use]
pub fn weights(size: Size) -> &'static Weights {
    &weights::BY_SIZE[size.width() - 3]
}

/// How far a game has come, as shares of 256 for the opening, the middle game and the end.
///
/// Measured by what ends games that no road ends: pieces gone from the emptier reserve, or squares filled.
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

/// The progress (of 256) at which the weights of the middle game count alone.
const MIDDLE: i32 = 115;

/// The score of `position` in centiflats for the player to move. Road wins are not seen here: the search asks for them
/// first.
#[must_use]
pub fn evaluate<const N: usize>(position: &Position<N>) -> i32 {
    struct Sum<'a> {
        weights: &'a [Weight; FEATURES],
        total: Weight,
    }

    impl Sink for Sum<'_> {
        #[inline]
        fn add(&mut self, term: Term, index: usize, count: i32) {
            let weight = &self.weights[term.start + index];
            for (total, weight) in self.total.iter_mut().zip(weight) {
                *total += weight * count;
            }
        }
    }

    let [mut mover, mut waiting] = weights(Position::<N>::SIZE).each_ref().map(|weights| Sum {
        weights,
        total: [0; 4],
    });
    terms::features(position, &mut mover, &mut waiting);
    let total = std::array::from_fn(|phase| mover.total[phase] - waiting.total[phase]);
    in_phase(&total, phase(position)) / 256
}

fn in_phase(weight: &Weight, phase: [i32; 3]) -> i32 {
    weight
        .iter()
        .zip(phase)
        .map(|(weight, share)| weight * share)
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
pub fn explain<const N: usize>(position: &Position<N>) -> Vec<Explained> {
    struct ByTerm<'a> {
        weights: &'a [Weight; FEATURES],
        phase: [i32; 3],
        totals: Vec<(Term, i32)>,
    }

    impl Sink for ByTerm<'_> {
        fn add(&mut self, term: Term, index: usize, count: i32) {
            let value = count * in_phase(&self.weights[term.start + index], self.phase);
            if let Some((_, total)) = self.totals.iter_mut().find(|(other, _)| *other == term) {
                *total += value;
            }
        }
    }

    let [mut mover, mut waiting] = weights(Position::<N>::SIZE)
        .each_ref()
        .map(|weights| ByTerm {
            weights,
            phase: phase(position),
            totals: TERMS.iter().map(|&term| (term, 0)).collect(),
        });
    terms::features(position, &mut mover, &mut waiting);
    let share = |((term, own), (_, enemy)): ((Term, i32), (Term, i32))| Explained {
        name: term.name,
        score: f64::from(own - enemy) / 256.0,
    };
    let totals = mover.totals.into_iter().zip(waiting.totals);
    totals.map(share).collect()
}

/// A feature and how often it counts for the player to move, as a tuner wants it. Numbers from [`FEATURES`] on are the
/// features of the other player, which count negative.
pub type Count = (u16, i32);

/// The features of `position` that do not count zero.
#[must_use]
pub fn trace<const N: usize>(position: &Position<N>) -> Vec<Count> {
    struct Record([i32; FEATURES]);

    impl Sink for Record {
        fn add(&mut self, term: Term, index: usize, count: i32) {
            self.0[term.start + index] += count;
        }
    }

    let [mut mover, mut waiting] = [const { Record([0; FEATURES]) }; 2];
    terms::features(position, &mut mover, &mut waiting);
    let counts = mover.0.into_iter().chain(waiting.0.map(|count| -count));
    (0..).zip(counts).filter(|&(_, count)| count != 0).collect()
}
