//! Commands that are refused: each says why, and changes no file.

use std::fs;

use rayon::prelude::*;

use crate::folder::Folder;

/// The commands with their exit codes and answers. They run among these files.
const TABLE: &str = include_str!("refused.txt");

const GAME: &str = "[Size \"5\"]\n\n1. a1 e5\n2. c3 *\n";

const FILES: [(&str, &str); 15] = [
    ("bare.ptn", "1. a1 zz\n"),
    ("binary", "\x7fELF\x02\x01\0\0\0"),
    ("binary.ptn", "\x7fELF\x02\x01\0\0\0"),
    ("empty.ptn", "\n"),
    ("faults.ptn", "[Size \"5\"]\n1. zz\n\n[Size \"5\"]\n1. yy\n"),
    ("game.ptn", GAME),
    (
        "games.ptn",
        "[Size \"5\"]\n[Komi \"2\"]\n\n1. a1 e5 2. c3 {centre} d4' 3. c3> d4-- *\n\n\
         [Size \"4\"]\n[Opening \"no-swap\"]\n\n1. a1 d4 2. a2 a2 *\n",
    ),
    ("list.tps", "x3/x3/x3 1 1\nx4/x4/x4/x4 1 1\n"),
    ("match.toml", "seed = 2\n"),
    ("prose.txt", "Dear reader,\nthis is \u{1b}[31mnot a game.\n"),
    ("suite.txt", "a1 b2\n"),
    ("there.jsonl", "mine\n"),
    ("there.ptn", "mine\n"),
    ("there.svg", GAME),
    ("weights.txt", "a1 = b1 =\n"),
];

/// The words of a command line, in which quotes keep blanks.
fn words(line: &str) -> Vec<&str> {
    let parts = line.split('"').enumerate();
    parts.flat_map(|(at, part)| if at % 2 == 1 { vec![part] } else { part.split_whitespace().collect() }).collect()
}

#[test]
fn refused_commands_say_why_and_change_no_file() {
    let folder = Folder::new("refused");
    for (name, text) in FILES {
        folder.file(name, text);
    }
    std::os::unix::fs::symlink("game.ptn", folder.0.join("link.ptn")).unwrap();
    let answered = |part: &str| {
        let Some(command) = part.strip_prefix("$ ").and_then(|rest| rest.lines().next()) else {
            return part.to_owned();
        };
        if command.starts_with("serve") && !cfg!(feature = "serve") {
            return part.to_owned();
        }
        let output = folder.command("").args(words(command)).output().unwrap();
        assert!(output.stdout.is_empty(), "{command}");
        let said = String::from_utf8(output.stderr).unwrap();
        let said = said.split("\n\nUsage: ").next().unwrap();
        format!("$ {command}\n{} {}", output.status.code().unwrap(), said.trim_end())
    };
    let parts: Vec<&str> = TABLE.trim_end().split("\n\n").collect();
    let answers: Vec<String> = parts.par_iter().map(|part| answered(part)).collect();
    if std::env::var_os("UPDATE_EXAMPLES").is_some() {
        let table = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/all/program/refused.txt");
        return fs::write(table, answers.join("\n\n") + "\n").unwrap();
    }
    for (answer, part) in answers.iter().zip(parts) {
        assert_eq!(answer, part);
    }
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), FILES.len() + 1);
    for (name, text) in FILES {
        assert_eq!(folder.text(name), text, "{name}");
    }
}
