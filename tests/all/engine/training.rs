//! `tak-engine datagen` and `tune` through the real binary: files that are damaged, in use, of other settings, or
//! not regular files.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use tak_engine::board::{AnyPosition, MoveKind, OpeningRule, PieceKind, Setup, Size};
use tak_engine::training::{TrainingGame, read_games};

use crate::brute_force::wins;
use crate::common::BINARY;
use crate::folder::{self, ended};

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

#[cfg(unix)]
#[test]
fn devices_and_folders_are_refused() {
    for device in ["/dev/full", "/dev/zero", "/dev/null"] {
        for words in [DATAGEN, "tune --size 3 --games"] {
            let printed_text = fail(words, Path::new(device));
            assert!(printed_text.contains("not a regular file"), "{words} {device}: {printed_text}");
        }
    }
    let folder = fail(DATAGEN, Path::new(env!("CARGO_TARGET_TMPDIR")));
    assert!(folder.contains("not a regular file"), "{folder}");
    let old = fresh("old.bin");
    fs::write(&old, b"takgames\x01\x03").unwrap();
    for words in [DATAGEN, "tune --size 3 --games"] {
        let printed_text = fail(words, &old);
        assert!(printed_text.contains("regenerate the file"), "{words}: {printed_text}");
    }
    assert_eq!(fs::read(&old).unwrap(), b"takgames\x01\x03");
}

/// A fit takes hours, so a file that cannot be written is reported before it, and no other file is overwritten.
#[cfg(unix)]
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
fn suites_of_forced_wins_are_made_and_checked() {
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

    let file = fresh("forced.txt");
    fs::write(&file, format!("# A suite.\n{suite}")).unwrap();
    let table = folder::succeed(&mut command("forced check --nodes 200000", &file));
    let rows: Vec<Vec<&str>> = table.lines().skip(1).map(|line| line.split_ascii_whitespace().collect()).collect();
    assert_eq!(rows.len(), counts.len() + 1, "{table}");
    for (row, (plies, count)) in rows.iter().zip(&counts) {
        assert_eq!(row[..2], [plies.to_string(), count.to_string()], "{table}");
    }
    assert_eq!(rows[0][..5], ["3", "1", "1", "100.0", "%"], "{table}");
    assert_eq!(rows[4][..2], ["all", "4"], "{table}");

    // Positions without a win, and malformed lines.
    for (line, expected) in [
        ("1,1,1,x/x4/1,1,1,x/2,2,x2 2 5 0 3", "is a win, not Loss(2)"),
        ("x3/1,1,x/2,2,x 1 3 0.25 1", "line 1: invalid komi \"0.25\""),
        ("x3/1,1,x/2,2,x 2 3 0 x", "invalid number of plies \"x\""),
        ("x3/x3/x3", "expected TPS, komi and plies"),
    ] {
        fs::write(&file, line).unwrap();
        let printed_text = fail("forced check --nodes 1000", &file);
        assert!(printed_text.contains(expected), "{line}: {printed_text}");
    }
}
