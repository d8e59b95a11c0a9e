//! A file of self-play games with damage: either every whole game is read and kept, or the file is refused unchanged.

use std::fs;
use std::io;
use std::sync::OnceLock;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use tak_engine::board::{Color, Move, OpeningRule, PieceKind, Size, Square};
use tak_lab::games::{GameSettings, GameWriter, Ply, TrainingGame, read_games};

use crate::support::damage::{damage, file_of};

const GAMES: u32 = 5;

/// A file as `datagen` writes it.
struct Good {
    games: Vec<TrainingGame>,
    /// The start of each game, and the end of the last one.
    bounds: Vec<usize>,
    bytes: Vec<u8>,
}

#[test]
fn damaged_files_lose_no_whole_game() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    damaged(b"");
    for _ in 0..2000 {
        let mut data = [0; 24];
        let length = random.random_range(1..=data.len());
        random.fill(&mut data[..length]);
        damaged(&data[..length]);
    }
}

/// Damages the file as the bytes say, then reads it and continues it.
fn damaged(data: &[u8]) {
    let bytes = damage(&good().bytes, data);
    let path = file_of("games.bin", &bytes);
    let held = games_in(&path);
    let left = fs::read(&path).expect("the file is still there");
    assert_eq!(left, bytes, "reading changes nothing");
    if let Ok(held) = &held {
        nothing_whole_is_lost(held, &bytes);
    }
    let last = record(GAMES, 7);
    match GameWriter::open(&path, size(), &settings()) {
        Err(_) => {
            let left = fs::read(&path).expect("the file is still there");
            assert_eq!(left, bytes, "a refused file stays as it is");
        }
        Ok(mut file) => {
            file.append(&last).expect("there is room for a game");
            drop(file);
            let again = games_in(&path).expect("a continued file");
            nothing_whole_is_lost(&again, &bytes);
            assert_eq!(again.last(), Some(&last));
            if let Ok(held) = held {
                assert_eq!(again[..again.len() - 1], held);
            }
        }
    }
    fs::remove_file(&path).expect("the file is ours");
}

fn games_in(path: &std::path::Path) -> Result<Vec<TrainingGame>, Box<dyn std::error::Error>> {
    let games: io::Result<Vec<TrainingGame>> = read_games(path, size())?.collect();
    Ok(games?)
}

/// Every game whose bytes are all in the file must be among those read.
fn nothing_whole_is_lost(held: &[TrainingGame], bytes: &[u8]) {
    let good = good();
    for (game, bounds) in good.games.iter().zip(good.bounds.windows(2)) {
        let whole = &good.bytes[bounds[0]..bounds[1]];
        let is_there = bytes.windows(whole.len()).any(|window| window == whole);
        assert!(!is_there || held.contains(game), "game {} is lost", game.number);
    }
}

fn size() -> Size {
    Size::ALL[0]
}

fn settings() -> GameSettings {
    GameSettings::from([("nodes".to_owned(), "10".to_owned())])
}

fn good() -> &'static Good {
    static GOOD: OnceLock<Good> = OnceLock::new();
    GOOD.get_or_init(|| {
        let games: Vec<TrainingGame> = (0..GAMES).map(|number| record(number, 3 * number)).collect();
        let path = file_of("good.bin", b"");
        let mut file = GameWriter::open(&path, size(), &settings()).expect("a file of games");
        let length = || fs::metadata(&path).expect("the file").len() as usize;
        let mut bounds = vec![length()];
        for game in &games {
            file.append(game).expect("a game");
            bounds.push(length());
        }
        drop(file);
        let bytes = fs::read(&path).expect("the file");
        fs::remove_file(&path).expect("the file is ours");
        Good { games, bounds, bytes }
    })
}

/// A game with moves of all kinds of bits; it need not be playable.
fn record(number: u32, plies: u32) -> TrainingGame {
    let ply = |ply: u32| Ply {
        mv: Move::place(PieceKind::Wall, Square::new(ply as usize % 3, ply as usize / 3 % 3)),
        score: -3 + ply as i16,
    };
    TrainingGame {
        number,
        half_komi: -4,
        opening_rule: OpeningRule::Swap,
        winner: [None, Some(Color::White), Some(Color::Black)][number as usize % 3],
        opening: 2,
        plies: (0..plies).map(ply).collect(),
    }
}
