//! The numbers that the charts show.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use super::charts::Curve;
use crate::arena::record::GameRecord;
use crate::arena::stats::sprt::SprtSettings;
use crate::arena::stats::strength::Pentanomial;

/// More points than this cannot be distinguished.
const MAX_POINTS: usize = 400;
/// More columns than this are too thin.
const MAX_COLUMNS: usize = 40;
/// Pairs after which a score is steady enough to scale a chart by.
const STEADY_PAIRS: u64 = 10;

/// The pairs of an engine after each complete one, with the number of games that were over by then.
fn course(engine: usize, games: &[GameRecord]) -> Vec<(f64, Pentanomial)> {
    let mut open: HashMap<u64, u8> = HashMap::new();
    let mut pairs = Pentanomial::default();
    let mut course = Vec::new();
    for (number, game) in (1..).zip(games) {
        let Some(points) = game.half_points(engine) else {
            continue;
        };
        if let Some(first) = open.remove(&game.pairing.pair) {
            pairs.0[usize::from(first + points)] += 1;
            course.push((f64::from(number), pairs));
        } else {
            open.insert(game.pairing.pair, points);
        }
    }
    thinned(course)
}

/// Entries at equal distances, at most [`MAX_POINTS`], and the last one.
pub fn thinned<T>(entries: Vec<T>) -> Vec<T> {
    let step = entries.len().div_ceil(MAX_POINTS).max(1);
    let last = entries.len().saturating_sub(1);
    let numbered = entries.into_iter().enumerate();
    numbered.filter(|(index, _)| index % step == 0 || *index == last).map(|(_, entry)| entry).collect()
}

/// The score after each pair of games.
pub type Points = Vec<(f64, f64)>;
/// Lower and upper limit of the score after each pair of games.
pub type Band = Vec<(f64, f64, f64)>;

/// The score of an engine over time with its 95 % band, which begins when there is a spread to compute it from.
pub fn score(engine: usize, games: &[GameRecord]) -> (Points, Band) {
    let course = course(engine, games);
    let points = course.iter().filter_map(|&(x, pairs)| Some((x, pairs.mean()?)));
    let band = course.iter().filter_map(|&(x, pairs)| {
        let mean = pairs.mean()?;
        let margin = pairs.margin()?;
        (pairs.pairs() >= STEADY_PAIRS).then_some((x, mean - margin, mean + margin))
    });
    (points.collect(), band.collect())
}

/// A range for the y axis that shows the later part of the lines well. The first games, whose scores jump, may lie
/// outside of it.
pub fn range_of_scores(lines: &[Curve]) -> Range<f64> {
    let mut range = 0.45..0.55;
    let mut include = |score: f64| {
        range.start = f64::min(range.start, score);
        range.end = f64::max(range.end, score);
    };
    for line in lines {
        let steady = line.points.len() / 5;
        line.points[steady..].iter().for_each(|point| include(point.1));
        let steady = line.band.len() / 10;
        for &(_, low, high) in &line.band[steady..] {
            include(low);
            include(high);
        }
    }
    (range.start - 0.02).max(0.0)..(range.end + 0.02).min(1.0)
}

/// The log-likelihood ratio of a test of the first engine over time.
pub fn llr(test: &SprtSettings, games: &[GameRecord]) -> Points {
    let course = course(0, games);
    let start = std::iter::once((0.0, 0.0));
    let points = course.iter().map(|&(x, pairs)| (x, test.log_likelihood_ratio(pairs)));
    start.chain(points).collect()
}

/// Counts of lengths in columns `(start, end, count)` of a round width.
pub fn histogram(lengths: &BTreeMap<usize, u64>) -> Vec<(f64, f64, u64)> {
    let (Some((&first, _)), Some((&last, _))) = (lengths.first_key_value(), lengths.last_key_value()) else {
        return Vec::new();
    };
    let round_widths = (0..).flat_map(|power| [1, 2, 5].map(|digit| digit * 10usize.pow(power)));
    let width = round_widths.into_iter().find(|width| (last - first) / width < MAX_COLUMNS).unwrap_or(usize::MAX);
    let begin = first / width;
    let mut columns: Vec<(f64, f64, u64)> =
        (begin..=last / width).map(|column| ((column * width) as f64, ((column + 1) * width) as f64, 0)).collect();
    for (&length, &games) in lengths {
        columns[length / width - begin].2 += games;
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_hold_every_game() {
        assert_eq!(histogram(&BTreeMap::new()), []);
        assert_eq!(histogram(&BTreeMap::from([(40, 3)])), [(40.0, 41.0, 3)]);
        let lengths: BTreeMap<usize, u64> = (17..=160).map(|plies| (plies, 2)).collect();
        let columns = histogram(&lengths);
        assert_eq!(columns.first(), Some(&(15.0, 20.0, 6)));
        assert_eq!(columns.last(), Some(&(160.0, 165.0, 2)));
        assert!(columns.len() <= MAX_COLUMNS);
        assert_eq!(columns.iter().map(|column| column.2).sum::<u64>(), 288);
        let one_huge = BTreeMap::from([(1, 1), (1_000_000, 1)]);
        assert!(histogram(&one_huge).len() <= MAX_COLUMNS + 1);
    }

    #[test]
    fn thinning_keeps_the_last() {
        let thin = thinned((0..10_000).collect());
        assert!(thin.len() <= MAX_POINTS + 1);
        assert_eq!((thin[0], thin.last()), (0, Some(&9999)));
        assert_eq!(thinned(vec![1, 2, 3]), [1, 2, 3]);
        assert!(thinned(Vec::<u8>::new()).is_empty());
    }
}
