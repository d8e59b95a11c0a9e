//! A puzzle as JSON: one object, one line.

use std::collections::BTreeMap;

use serde::Serialize;

use super::puzzle::{Puzzle, Step, Wrong};
use crate::board::{Color, Move};

#[derive(Serialize)]
struct Record<'a> {
    kind: &'static str,
    tps: String,
    size: usize,
    komi: f64,
    flats: [u8; 2],
    caps: [u8; 2],
    plies: Option<u32>,
    settled: Option<u32>,
    difficulty: u32,
    themes: Vec<&'static str>,
    solution: &'a Step,
    #[serde(skip_serializing_if = "<[Move]>::is_empty")]
    also: &'a [Move],
    wrong: &'a [Wrong],
    game: u64,
    ply: u32,
    tags: BTreeMap<&'a str, &'a str>,
}

/// The line for a puzzle of the game with this number, from 1, and these tags, without its end.
pub fn line(puzzle: &Puzzle, game: u64, tags: &[(String, String)]) -> serde_json::Result<String> {
    let setup = &puzzle.setup;
    let reserves = Color::ALL.map(|color| setup.reserves[color]);
    let mut unique = BTreeMap::new();
    for (name, value) in tags {
        // The first of equal names counts, as for those that are read.
        unique.entry(name.as_str()).or_insert(value.as_str());
    }
    serde_json::to_string(&Record {
        kind: puzzle.kind.name(),
        tps: setup.to_string(),
        size: setup.size.width(),
        komi: f64::from(setup.komi.half()) / 2.0,
        flats: reserves.map(|reserve| reserve.stones),
        caps: reserves.map(|reserve| reserve.caps),
        plies: puzzle.proof.map(|proof| proof.plies),
        settled: puzzle.proof.and_then(|proof| proof.settled),
        difficulty: puzzle.difficulty,
        themes: puzzle.themes.iter().map(|theme| theme.name()).collect(),
        solution: &puzzle.solution,
        also: &puzzle.also,
        wrong: &puzzle.wrong,
        game,
        ply: puzzle.ply,
        tags: unique,
    })
}
