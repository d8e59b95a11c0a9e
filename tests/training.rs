//! `tak-engine datagen` and `tune` through the real binary: what they do with files that are damaged, in use, of other
//! settings, or no files at all.

#![cfg(feature = "cli")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tak_engine::board::{MoveKind, OpeningRule, PieceKind, Size};
use tak_engine::training::{TrainingGame, read_games};

const BINARY: &str = env!("CARGO_BIN_EXE_tak-engine");

fn fresh(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("training-{name}"));
    let _ = fs::remove_file(&path);
    path
}

/// Runs the binary with these words and a file as arguments.
fn run(words: &str, file: &Path) -> Output {
    command(words, file).output().unwrap()
}

fn command(words: &str, file: &Path) -> Command {
    let mut command = Command::new(BINARY);
    command
        .args(words.split(' '))
        .arg(file)
        .env_remove("RUST_LOG");
    command
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn succeed(words: &str, file: &Path) -> String {
    let output = run(words, file);
    assert!(output.status.success(), "{words}: {}", stderr(&output));
    stderr(&output)
}

fn fail(words: &str, file: &Path) -> String {
    let output = run(words, file);
    assert_eq!(
        output.status.code(),
        Some(1),
        "{words}: {}",
        stderr(&output)
    );
    stderr(&output)
}

const DATAGEN: &str = "datagen --size 3 --nodes 30 --threads 1 --games 20 --out";

#[test]
fn a_flipped_byte_costs_one_game_and_is_told() {
    let path = fresh("flipped.bin");
    assert_eq!(succeed(DATAGEN, &path), "");
    let whole = fs::read(&path).unwrap();
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 1;
    fs::write(&path, &damaged).unwrap();
    let told = succeed("tune --size 3 --epochs 1 --games", &path);
    assert!(told.contains("damaged bytes in 1 places"), "{told}");
    let told = succeed(DATAGEN, &path);
    assert!(told.contains("damaged bytes in 1 places"), "{told}");
    // The lost game was played again, the same as before, and nothing else was touched.
    let mended = fs::read(&path).unwrap();
    assert!(mended.starts_with(&damaged));
    let again = &mended[damaged.len()..];
    assert!(!again.is_empty() && whole.windows(again.len()).any(|part| part == again));
}

#[test]
fn other_settings_are_refused() {
    let path = fresh("settings.bin");
    succeed(DATAGEN, &path);
    let whole = fs::read(&path).unwrap();
    for (other, expected) in [
        ("--seed 2", "seed 1, not 2"),
        ("--opening-plies 4", "opening-plies 8, not 4"),
        ("--opening no-swap", "opening swap, not no-swap"),
        ("--nodes 31", "nodes 30, not 31"),
        ("--size 4", "3x3 games, expected 4x4"),
    ] {
        let flag = other.split(' ').next().unwrap();
        let words: Vec<&str> = DATAGEN.split(' ').collect();
        let words: Vec<&str> = match words.iter().position(|word| *word == flag) {
            Some(place) => [&words[..place], &words[place + 2..]].concat(),
            None => words,
        };
        let words = words.join(" ").replace("--out", &format!("{other} --out"));
        let told = fail(&words, &path);
        assert!(told.contains(expected), "{other}: {told}");
        assert_eq!(fs::read(&path).unwrap(), whole, "{other}");
    }
    // More games and more threads are no other settings.
    succeed(
        "datagen --size 3 --nodes 30 --threads 2 --games 22 --out",
        &path,
    );
    assert!(fs::read(&path).unwrap().len() > whole.len());
}

#[test]
fn two_runs_cannot_share_a_file() {
    let path = fresh("shared.bin");
    let endless = "datagen --size 6 --nodes 300 --threads 1 --games 1000000 --out";
    let mut first = command(endless, &path)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let begin = Instant::now();
    while fs::metadata(&path).map_or(0, |file| file.len()) < 500 {
        assert!(begin.elapsed() < Duration::from_secs(60));
        sleep(Duration::from_millis(10));
    }
    let told = fail(endless, &path);
    assert!(told.contains("in use by another process"), "{told}");
    first.kill().unwrap();
    first.wait().unwrap();
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_refused() {
    for device in ["/dev/full", "/dev/zero", "/dev/null"] {
        for words in [DATAGEN, "tune --size 3 --games"] {
            let told = fail(words, Path::new(device));
            assert!(
                told.contains("not a regular file"),
                "{words} {device}: {told}"
            );
        }
    }
    let folder = fail(DATAGEN, Path::new(env!("CARGO_TARGET_TMPDIR")));
    assert!(folder.contains("not a regular file"), "{folder}");
    let old = fresh("old.bin");
    fs::write(&old, b"takgames\x01\x03").unwrap();
    for words in [DATAGEN, "tune --size 3 --games"] {
        let told = fail(words, &old);
        assert!(told.contains("make it anew"), "{words}: {told}");
    }
    assert_eq!(fs::read(&old).unwrap(), b"takgames\x01\x03");
}

/// All positions of these games would take some gigabytes.
#[cfg(target_os = "linux")]
#[test]
fn no_more_is_read_than_positions_are_asked_for() {
    let path = fresh("many.bin");
    succeed(
        "datagen --size 3 --nodes 1 --threads 1 --games 1 --out",
        &path,
    );
    let header = fs::read(&path).unwrap().len();
    succeed(
        "datagen --size 3 --nodes 1 --threads 1 --games 200 --out",
        &path,
    );
    let whole = fs::read(&path).unwrap();
    let mut file = fs::OpenOptions::new().append(true).open(&path).unwrap();
    for _ in 0..2000 {
        file.write_all(&whole[header..]).unwrap();
    }
    for (words, expected) in [
        ("--model evaluation --positions 1000", "111 held out"),
        ("--model ordering --positions 40000", " held out"),
    ] {
        let mut shell = Command::new("sh");
        shell.args(["-c", "ulimit -v 400000 && exec \"$0\" \"$@\"", BINARY]);
        shell.args("tune --size 3 --epochs 1".split(' '));
        shell
            .args(words.split(' '))
            .arg("--games")
            .arg(&path)
            .env("MALLOC_ARENA_MAX", "1");
        let output = shell.output().unwrap();
        assert!(output.status.success(), "{words}: {}", stderr(&output));
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(told.contains(expected), "{told}");
    }
    fs::remove_file(&path).unwrap();
}

#[test]
fn games_with_other_openings_are_kept_as_they_were_played() {
    let size = Size::new(4).unwrap();
    for opening in OpeningRule::ALL {
        let path = fresh(&format!("{opening}.bin"));
        let words = format!("datagen --size 4 --nodes 30 --games 20 --opening {opening} --out");
        succeed(&words, &path);
        let games = read_games(&path, size).unwrap();
        let games: Vec<TrainingGame> = games.collect::<Result<_, _>>().unwrap();
        assert_eq!(games.len(), 20);
        let mut walls_first = 0;
        for game in games {
            assert_eq!(game.opening_rule, opening);
            let mut position = game.start(size);
            for (index, ply) in game.plies.iter().enumerate() {
                position
                    .play(ply.mv)
                    .unwrap_or_else(|error| panic!("{opening}, ply {index}: {error}"));
                let wall = ply.mv.kind() == MoveKind::Place(PieceKind::Wall);
                walls_first += usize::from(index < 2 && wall);
            }
        }
        assert_eq!(walls_first > 0, opening == OpeningRule::NoSwap, "{opening}");
        succeed("tune --size 4 --epochs 1 --games", &path);
    }
}
