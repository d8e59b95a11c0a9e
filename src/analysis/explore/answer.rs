//! The counts as JSON, and the games that do not count in words.

use serde::Serialize;

use super::tally::{Sums, Tally};
use crate::board::AnyPosition;
use crate::notation::counted;

/// The counts as JSON.
#[derive(Debug, Serialize)]
pub struct Answer {
    size: usize,
    tps: String,
    read: u64,
    games: u64,
    #[serde(flatten)]
    results: Sums,
    ended: u64,
    moves: Vec<Played>,
    left_out: Left,
}

#[derive(Debug, Serialize)]
struct Played {
    #[serde(rename = "move")]
    mv: String,
    games: u64,
    #[serde(flatten)]
    results: Sums,
    rating: Option<f64>,
    rated: u64,
}

#[derive(Debug, Serialize)]
struct Left {
    size: u64,
    komi: u64,
    opening: u64,
    reserves: u64,
    damaged: u64,
}

impl Answer {
    /// The counts of what was played from a position.
    pub fn new(position: &AnyPosition, tally: &Tally) -> Self {
        let moves = tally.ranked().into_iter().map(|(mv, row)| Played {
            mv: mv.to_string(),
            games: row.sums.games(),
            results: row.sums,
            rating: row.rating(),
            rated: row.rated,
        });
        Self {
            size: position.size().width(),
            tps: position.to_string(),
            read: tally.read,
            games: tally.sums.games(),
            results: tally.sums,
            ended: tally.ended,
            moves: moves.collect(),
            left_out: Left {
                size: tally.sizes.values().sum(),
                komi: tally.komis.values().sum(),
                opening: tally.openings,
                reserves: tally.reserves,
                damaged: tally.damaged,
            },
        }
    }
}

/// A line about the games that do not count, if there are any.
pub fn left_out(tally: &Tally) -> Option<String> {
    let mut parts = Vec::new();
    for (size, count) in &tally.sizes {
        parts.push(format!("{count} on {size}x{size}"));
    }
    for (komi, count) in &tally.komis {
        parts.push(format!("{count} with komi {komi}"));
    }
    let others = [
        (tally.openings, "with another opening rule"),
        (tally.reserves, "with other reserves"),
        (tally.damaged, "damaged"),
    ];
    parts.extend(others.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")));
    let read = counted(tally.read, "game", "games");
    (!parts.is_empty()).then(|| format!("left out of {read}: {}", parts.join(", ")))
}

/// The games and their results in words.
pub fn sentence(sums: &Sums) -> String {
    let [white, draws, black] = percents(sums);
    let unknown = if sums.unknown > 0 { format!(", {} without a result", sums.unknown) } else { String::new() };
    match sums.games() {
        0 => "no game has this position".to_owned(),
        games => format!("{}: White {white}, draw {draws}, Black {black}{unknown}", counted(games, "game", "games")),
    }
}

/// The shares of the results among the games that have one.
pub fn percents(sums: &Sums) -> [String; 3] {
    let known = sums.games() - sums.unknown;
    [sums.white, sums.draws, sums.black].map(|count| match known {
        0 => "-".to_owned(),
        _ => format!("{:.0} %", 100.0 * count as f64 / known as f64),
    })
}
