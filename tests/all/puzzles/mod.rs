//! `tak-engine puzzles` as a user runs it. Its claims are checked by an independent exhaustive search
//! with the rules of fast-tak.
//!
//! `CASES=200 cargo test --release --test all puzzles` looks at so many of the shipped puzzles of each kind and size
//! instead of 1, and at so many times more positions of other games.

#![cfg(feature = "cli")]

mod proofs;
mod ptn;
mod runs;

use std::fs;
use std::path::{Path, PathBuf};

use crate::folder::Folder;
use crate::games;
use rand::SeedableRng;
use rand::rngs::StdRng;
use serde_json::Value;
use tak_engine::board::{AnyPosition, ByColor, Game, Komi, Move, Reserve, Setup};
use tak_engine::notation::{PtnGame, canonical_tps};

impl Folder {
    /// The stdout of a run in which nothing is wrong.
    fn puzzles(&self, words: &str) -> String {
        self.succeed_quietly(&format!("puzzles {words}"))
    }
}

/// A puzzle as its line says.
#[derive(Debug)]
struct Puzzle {
    kind: String,
    setup: Setup,
    plies: Option<u32>,
    settled: Option<u32>,
    first: Move,
    record: Value,
}

impl Puzzle {
    fn read(line: &str) -> Self {
        let record: Value = serde_json::from_str(line).unwrap();
        let text = |name: &str| record[name].as_str().unwrap().to_owned();
        let number = |name: &str| record[name].as_u64().map(|number| number as u32);
        let mut setup: Setup = text("tps").parse().unwrap();
        setup.komi = Komi::from_half((2.0 * record["komi"].as_f64().unwrap()) as i64).unwrap();
        let pieces = |name: &str, player: usize| record[name][player].as_u64().unwrap() as u8;
        setup.reserves =
            ByColor([0, 1].map(|player| Reserve { stones: pieces("flats", player), caps: pieces("caps", player) }));
        Self {
            kind: text("kind"),
            setup,
            plies: number("plies"),
            settled: number("settled"),
            first: mv(&record["solution"]),
            record,
        }
    }

    /// A text that does not depend on the side from which one looks, on the komi or on the kind.
    fn key(&self) -> String {
        let seen = |setup: &Setup| {
            let setup = Setup { move_number: 9, ..setup.clone() };
            format!("{} {:?}", canonical_tps(&setup), setup.reserves)
        };
        seen(&self.setup).min(seen(&self.setup.colors_swapped()))
    }
}

fn mv(node: &Value) -> Move {
    node["move"].as_str().unwrap().parse().unwrap()
}

fn read(lines: &str) -> Vec<Puzzle> {
    lines.lines().map(Puzzle::read).collect()
}

/// The puzzles that come with the program, the easy ones first: seldom are all of them looked at.
fn shipped() -> Vec<Puzzle> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("web/puzzles");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "jsonl"))
        .collect();
    files.sort();
    let texts = files.iter().map(|path| fs::read_to_string(path).unwrap());
    let mut puzzles: Vec<Puzzle> = texts.flat_map(|text| read(&text)).collect();
    puzzles.sort_by_key(|puzzle| (puzzle.plies, puzzle.record["difficulty"].as_u64()));
    puzzles
}

/// Games of all sorts: with odd komi and reserves, nearly full boards, tall stacks, last pieces, and repetition. None
/// begins in move 1 with stones on the board, which PTN does not know.
fn sampled<const N: usize>(count: usize) -> String {
    let mut rng = StdRng::seed_from_u64(N as u64);
    let samples = std::iter::repeat_with(|| games::sample::<N>(&mut rng));
    let known = samples.filter(|sample| sample.setup.move_number > 1 || sample.setup.stacks.is_empty());
    let games = known.take(count).map(|sample| {
        let mut game = Game::new(AnyPosition::from_setup(&sample.setup).unwrap());
        for mv in sample.moves {
            game.play(mv).unwrap();
        }
        PtnGame::from(&game).to_string()
    });
    games.collect::<Vec<_>>().join("\n")
}

/// One position, given as a game without moves.
fn position(tps: &str) -> String {
    format!("[TPS \"{tps}\"]\n\n")
}

/// The position of a puzzle, likewise.
fn game_before(puzzle: &Puzzle) -> String {
    let setup = &puzzle.setup;
    format!("[Komi \"{}\"]\n", setup.komi) + &position(&setup.to_string())
}

/// White wins in three plies, by `c2<` alone.
const TINUE: &str = "2,1,2,x2/1,1,1,x2/2,1,1,12C,1/12,1,1C,12S,1/2,12,2,x2 1 15";
