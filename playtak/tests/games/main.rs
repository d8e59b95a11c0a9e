//! The bot through the real binary, against a server on loopback with an independent implementation of
//! the rules, and with many kinds of faults.

#![cfg(unix)]

mod bot;
mod ends;
mod play;
mod server;
mod usage;

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use server::Server;
use tak_engine::notation::{PtnGame, parse_games};

/// Far longer than anything here takes, even on a loaded machine.
const GUARD: Duration = Duration::from_secs(60);

const SEEK: [&str; 2] = ["--seek", "size=5 time=60 komi=2 color=black"];

/// A file for games that does not exist yet.
fn ptn_file(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("playtak");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    let _ = fs::remove_file(&path);
    path
}

/// Alice accepts the seek of the bot. Returns the number of the game, which follows `earlier` others.
fn begin(server: &Server, earlier: usize) -> u64 {
    server.accept("Guest1", "alice");
    server.wait_for("a game", |world| Some(world.games.get(earlier)?.number))
}

/// Alice places a flat, and the bot answers with this ply: its move.
fn play(server: &Server, number: u64, square: &str, ply: usize) -> String {
    server.act("alice", &format!("Game#{number} P {square}"));
    server.wait_for("a move", |world| {
        let ptn = &world.games.last()?.ptn;
        (ptn.len() == ply).then(|| ptn[ply - 1].clone())
    })
}

fn read_games(path: &Path) -> Vec<PtnGame> {
    let text = fs::read_to_string(path).unwrap();
    parse_games(&text).map(Result::unwrap).collect()
}

/// The games in a file are those that the server has seen.
fn assert_same_games(path: &Path, server: &Server) {
    let games = read_games(path);
    let world = server.world();
    assert_eq!(games.len(), world.games.len());
    for (kept, seen) in games.iter().zip(&world.games) {
        let moves: Vec<String> = kept.moves.iter().map(|mv| mv.mv.to_string()).collect();
        let seen_moves: Vec<String> =
            seen.ptn.iter().map(|mv| mv.parse::<tak_engine::board::Move>().unwrap().to_string()).collect();
        assert_eq!(moves, seen_moves, "game {}", seen.number);
        assert_eq!(kept.result, seen.result);
        assert_eq!(kept.tag("Player1"), Some(seen.players[0].as_str()));
    }
}

/// Waits until there is something.
fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begun.elapsed() < GUARD, "waited in vain for {what}");
        thread::sleep(Duration::from_millis(2));
    }
}
