//! `datagen`, `games`, `forced` and `tune` through the real binary: files that are damaged, of other settings, or not
//! regular files.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use tak_engine::board::{AnyPosition, Color, Game, MoveKind, OpeningRule, PieceKind, Setup, Size};
use tak_engine::notation::parse_games;
use tak_lab::games::{TrainingGame, read_games};

use crate::support::BINARY;
use crate::support::folder::{self, ended};
use tak_core::testing::brute_force::wins;

fn fresh(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("training-{name}"));
    let _ = fs::remove_file(&path);
    path
}

/// The binary with these words and a file as arguments.
fn command(words: &str, file: &Path) -> Command {
    let mut command = Command::new(BINARY);
    command.args(words.split(' ')).arg(file).env_remove("RUST_LOG");
    command
}

/// Stderr of a run that succeeds.
fn succeed(words: &str, file: &Path) -> String {
    ended(&mut command(words, file), 0).1
}

fn fail(words: &str, file: &Path) -> String {
    folder::fail(&mut command(words, file), 1)
}

const DATAGEN: &str = "datagen --size 3 --nodes 30 --threads 1 --games 20 --out";

#[test]
fn a_damaged_game_is_refused_with_its_place() {
    let path = fresh("flipped.bin");
    assert_eq!(succeed(DATAGEN, &path), "");
    let whole = fs::read(&path).unwrap();
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 1;
    fs::write(&path, &damaged).unwrap();
    for words in ["tune --size 3 --epochs 1 --games", DATAGEN] {
        let printed_text = fail(words, &path);
        assert!(printed_text.contains("damaged game at byte "), "{words}: {printed_text}");
        assert_eq!(fs::read(&path).unwrap(), damaged);
    }
    // Cut there, the file is completed with the same games as before.
    let printed_text = fail(DATAGEN, &path);
    let place = printed_text.split("at byte ").nth(1).and_then(|text| text.split(';').next()).unwrap();
    fs::write(&path, &damaged[..place.parse().unwrap()]).unwrap();
    assert_eq!(succeed(DATAGEN, &path), "");
    assert_eq!(fs::read(&path).unwrap(), whole);
}

/// Written by commit 6790af0.
#[test]
fn older_files_of_games_are_read() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files/games.bin");
    let games = read_games(&path, Size::new(3).unwrap()).unwrap();
    let games: Vec<TrainingGame> = games.collect::<Result<_, _>>().unwrap();
    assert_eq!(games.iter().map(|game| game.number).collect::<Vec<_>>(), [0, 1, 2, 3]);
    assert_eq!(games.iter().map(|game| game.plies.len()).sum::<usize>(), 46);
    for game in games {
        let mut position = game.start(Size::new(3).unwrap());
        for ply in &game.plies {
            position.play(ply.mv).unwrap();
        }
    }
}

#[test]
fn other_settings_are_refused() {
    let path = fresh("settings.bin");
    succeed(DATAGEN, &path);
    let whole = fs::read(&path).unwrap();
    for (flag, other, expected) in [
        ("--out", "--seed 2 --out", "seed 1, not 2"),
        ("--out", "--opening-plies 4 --out", "opening-plies 8, not 4"),
        ("--out", "--opening no-swap --out", "opening swap, not no-swap"),
        ("--out", "--quick-plies 6 --out", "quick-plies unset, not 6"),
        ("--nodes 30", "--nodes 31", "nodes 30, not 31"),
        ("--size 3", "--size 4", "3x3 games, expected 4x4"),
    ] {
        let printed_text = fail(&DATAGEN.replace(flag, other), &path);
        assert!(printed_text.contains(expected), "{other}: {printed_text}");
        assert_eq!(fs::read(&path).unwrap(), whole, "{other}");
    }
    // More games and more threads are not different settings.
    succeed("datagen --size 3 --nodes 30 --threads 2 --games 22 --out", &path);
    let more = fs::read(&path).unwrap();
    assert!(more.len() > whole.len());
    // Fewer are there already, and those beyond them stay and are counted.
    let printed_text = folder::succeed(&mut command(&DATAGEN.replace("--games 20", "--games 2"), &path));
    let end = format!("22 games in {}, 0 plies played now\n", path.display());
    assert_eq!(printed_text, end);
    assert_eq!(fs::read(&path).unwrap(), more);
}

#[test]
fn half_of_the_games_have_quick_plies() {
    let path = fresh("quick.bin");
    succeed("datagen --size 5 --nodes 30 --games 40 --opening-plies 2 --quick-plies 20 --out", &path);
    let size = Size::new(5).unwrap();
    let games: Vec<TrainingGame> = read_games(&path, size).unwrap().collect::<Result<_, _>>().unwrap();
    let mut longer = 0;
    for game in &games {
        let mut position = game.start(size);
        for (index, ply) in game.plies.iter().enumerate() {
            assert!(index >= usize::from(game.opening) || ply.score == 0, "{}, ply {index}", game.number);
            position.play(ply.mv).unwrap();
        }
        assert!(game.opening <= 22, "{}", game.opening);
        longer += usize::from(game.opening > 2);
    }
    assert!((10..=30).contains(&longer), "{longer} of {}", games.len());
}

#[test]
fn devices_and_folders_are_refused() {
    for device in ["/dev/full", "/dev/zero", "/dev/null"] {
        for words in [DATAGEN, "tune --size 3 --games"] {
            let printed_text = fail(words, Path::new(device));
            assert!(printed_text.contains("not a regular file"), "{words} {device}: {printed_text}");
        }
    }
    let folder = fail(DATAGEN, Path::new(env!("CARGO_TARGET_TMPDIR")));
    assert!(folder.contains("is a directory"), "{folder}");
    let old = fresh("old.bin");
    fs::write(&old, b"takgames\x01\x03").unwrap();
    for words in [DATAGEN, "tune --size 3 --games"] {
        let printed_text = fail(words, &old);
        assert!(printed_text.contains("regenerate the file"), "{words}: {printed_text}");
    }
    assert_eq!(fs::read(&old).unwrap(), b"takgames\x01\x03");
}

/// A fit takes hours, so a file that cannot be written is reported before it, and no other file is overwritten.
#[test]
fn a_fit_is_not_lost() {
    let folder = fresh("fits");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir(&folder).unwrap();
    let games = folder.join("games.bin");
    succeed(DATAGEN, &games);
    let tune = |out: &str, code| {
        let words = "tune --size 3 --epochs 1 --games";
        ended(command(words, &games).arg("--out").arg(folder.join(out)), code).0
    };
    for (out, code) in [("", 1), ("fits/", 1), ("fits/.", 1), ("missing/fit.txt", 1), ("games.bin", 2)] {
        assert_eq!(tune(out, code), "", "{out}: fitted first");
    }
    fs::write(folder.join("fit.tmp"), "other").unwrap();
    let link = folder.join("null.txt");
    std::os::unix::fs::symlink("/dev/null", &link).unwrap();
    for out in ["fit.txt", "null.txt"] {
        tune(out, 0);
    }
    assert_eq!(fs::read(folder.join("fit.tmp")).unwrap(), b"other");
    assert!(!fs::metadata(&link).unwrap().is_file());
    assert!(!fs::read(folder.join("fit.txt")).unwrap().is_empty());
    fs::remove_dir_all(&folder).unwrap();
}

/// All positions of these games would take some gigabytes.
#[cfg(target_os = "linux")]
#[test]
fn no_more_is_read_than_positions_are_asked_for() {
    let path = fresh("many.bin");
    succeed("datagen --size 3 --nodes 1 --threads 1 --games 1 --out", &path);
    let header = fs::read(&path).unwrap().len();
    succeed("datagen --size 3 --nodes 1 --threads 1 --games 200 --out", &path);
    let whole = fs::read(&path).unwrap();
    let mut file = fs::OpenOptions::new().append(true).open(&path).unwrap();
    for _ in 0..2000 {
        file.write_all(&whole[header..]).unwrap();
    }
    for (words, expected) in
        [("--model evaluation --positions 1000", "111 held out"), ("--model ordering --positions 40000", " held out")]
    {
        let mut shell = Command::new("sh");
        shell.args(["-c", "ulimit -v 400000 && exec \"$0\" \"$@\"", BINARY]);
        shell.args("tune --size 3 --epochs 1".split(' '));
        shell.args(words.split(' ')).arg("--games").arg(&path).env("MALLOC_ARENA_MAX", "1");
        let printed_text = folder::succeed(&mut shell);
        assert!(printed_text.contains(expected), "{printed_text}");
    }
    fs::remove_file(&path).unwrap();
}

#[test]
fn games_with_other_openings_are_stored_as_played() {
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
                position.play(ply.mv).unwrap_or_else(|error| panic!("{opening}, ply {index}: {error}"));
                let wall = ply.mv.kind() == MoveKind::Place(PieceKind::Wall);
                walls_first += usize::from(index < 2 && wall);
            }
        }
        assert_eq!(walls_first > 0, opening == OpeningRule::NoSwap, "{opening}");
        succeed("tune --size 4 --epochs 1 --games", &path);
    }
}

#[test]
fn suites_of_forced_wins_are_shortest_wins() {
    let games = fresh("forced.bin");
    let datagen = "datagen --size 4 --nodes 100 --games 40 --out";
    succeed(datagen, &games);
    let suite = folder::succeed(&mut command("forced make --size 4 --nodes 20000 --each 1 --games", &games));
    let mut counts = BTreeMap::new();
    for line in suite.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let [tps @ .., komi, plies] = words.as_slice() else {
            panic!("{line}");
        };
        let setup = Setup { komi: komi.parse().unwrap(), ..tps.join(" ").parse().unwrap() };
        let position = AnyPosition::from_setup(&setup).unwrap();
        let plies: u32 = plies.parse().unwrap();
        assert!(!wins(&position, plies.min(3) - 2), "{line}");
        assert!(plies > 3 || wins(&position, plies), "{line}");
        *counts.entry(plies).or_insert(0) += 1;
    }
    assert_eq!(counts, BTreeMap::from([(3, 1), (5, 1), (7, 1), (9, 1)]));
    // Missing wins are reported at the end.
    let printed_text = fail("forced make --size 4 --nodes 100 --each 1000 --games", &games);
    assert!(printed_text.contains("wins still wanted by plies: {3: 9"), "{printed_text}");
}

#[test]
fn games_as_ptn_are_the_games_of_the_file() {
    let path = fresh("ptn.bin");
    succeed("datagen --size 4 --nodes 30 --games 20 --opening double-black --out", &path);
    let text = folder::succeed(&mut command("games", &path));
    let played: Vec<TrainingGame> = read_games(&path, Size::ALL[1]).unwrap().collect::<Result<_, _>>().unwrap();
    let read: Vec<_> = parse_games(&text).map(Result::unwrap).collect();
    assert_eq!((played.len(), read.len()), (20, 20));
    let mut proven = 0;
    for (played, read) in played.iter().zip(&read) {
        let game: Game = read.game().unwrap();
        assert_eq!(game.start(), &played.start(Size::ALL[1]));
        assert!(game.moves().iter().eq(played.plies.iter().map(|ply| &ply.mv)));
        assert_eq!(read.tag("Round").unwrap(), played.number.to_string());
        let winner = played.winner.map(Color::index);
        let result = read.result.as_deref().unwrap();
        assert_eq!(result.ends_with("-0").then_some(0).or(result.starts_with("0-").then_some(1)), winner, "{result}");
        proven += usize::from(game.position().outcome().is_none() && winner.is_some());
    }
    assert!(proven > 0);
    // A file that is there already stays, and the games themselves are never overwritten.
    let ptn = fresh("ptn.ptn");
    fs::write(&ptn, "kept").unwrap();
    let written = |code, flags: &[&str]| ended(command("games", &path).arg("--out").args(flags), code).1;
    assert!(written(1, &[ptn.to_str().unwrap()]).contains("it already exists; use --force"));
    assert!(written(2, &[path.to_str().unwrap(), "--force"]).contains("is named twice"));
    written(0, &[ptn.to_str().unwrap(), "--force"]);
    assert_eq!(fs::read_to_string(&ptn).unwrap(), text);
}

#[test]
fn a_missing_file_is_named() {
    for words in ["games", "forced make --size 5 --games", "tune --size 5 --games"] {
        let error = fail(words, Path::new("none.bin"));
        assert_eq!(error, "error: cannot read none.bin: No such file or directory (os error 2)\n", "{words}");
    }
}
