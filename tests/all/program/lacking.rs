//! Commands and features that are not in the program, and where they are.

use std::process::Command;

use crate::common::BINARY;
use crate::folder::{fail, succeed};

#[test]
fn moved_commands_name_what_does_their_work_with_exit_code_2() {
    let help = succeed(Command::new(BINARY).arg("--help"));
    for (name, program) in [
        ("annotate merge", "cat"),
        ("datagen", "tak-lab"),
        ("forced", "tak-lab"),
        ("playtak", "tak-playtak"),
        ("tune", "tak-lab"),
    ] {
        for arguments in ["", " --help", " --any size=5"].map(|more| format!("{name}{more}")) {
            for before in ["", "help "] {
                let arguments = format!("{before}{arguments}");
                let error = fail(Command::new(BINARY).args(arguments.split(' ')), 2);
                assert!(error.contains(program) && error.lines().count() == 1, "{arguments}: {error}");
            }
        }
        assert!(!help.lines().any(|line| line.trim_start().starts_with(&format!("{name} "))), "{help}");
    }
}

#[cfg(not(feature = "png"))]
#[test]
fn missing_features_are_named_with_exit_code_2() {
    let error = fail(Command::new(BINARY).args(["draw", "x3/x3/x3 1 1", "--out", "board.png"]), 2);
    assert!(error.contains("this build has no PNG; install with --features png"), "{error}");
}

#[test]
fn long_words_are_not_echoed() {
    let error = fail(Command::new(BINARY).args(["analyse", &"x1 1 ".repeat(20)]), 2);
    assert!(error.contains("found 40") && error.len() < 200, "{error}");
    let long = "x".repeat(10_000);
    for words in [
        &["analyse", "--nodes", &long][..],
        &["analyse", "--color", &long],
        &["analyse", &format!("--{long}")],
        &["analyse", &format!("{long}/{long}/{long}")],
        &[&long],
        &["tournament", "--engine", &long],
        &["check", "engine", "--only", &long],
    ] {
        let error = fail(Command::new(BINARY).args(words), 2);
        assert!(error.len() < 500 && error.starts_with("error: ") && error.contains("xxx..."), "{error}");
    }
}

#[test]
fn options_have_short_forms_units_and_earlier_names() {
    for words in [
        "perft 2 -s 3 -j 1",
        "perft 1 --opening NoSwap --tps x3/x3/x3 1 1 --divide",
        "explore g.ptn --jobs 1",
        "perft 1 --concurrency 1",
        "openings --size 3 --plies 1 --count 1 --depth 1 --jobs 1",
        "explore --tps x3/x3/x3 1 1 g.ptn",
        "explore --tps=x3/x3/x3 1 1 g.ptn",
        "analyse x5/x5/x5/x5/x5 1 1 --nodes 9 --komi -2",
        "annotate g.ptn -n 1k -j 1 --depth 1 --time 1s",
        "analyse x3/x3/x3 1 1 --nodes 9 --depth 1 -t 1s",
        "analyse --size 3 --nodes 1e18 --depth 1",
    ] {
        let said = String::from_utf8(Command::new(BINARY).args(words.split(' ')).output().unwrap().stderr).unwrap();
        assert!(!said.contains("option") && !said.contains("argument") && !said.contains("--"), "{words}: {said}");
    }
}

#[test]
fn help_is_no_wider_than_columns_or_100() {
    let names = "analyse annotate bench check draw explore openings perft puzzles replay serve tournament";
    for name in names.split(' ').chain([""]) {
        for (columns, width) in [(Some("80"), 80), (None, 100)] {
            let mut command = Command::new(BINARY);
            command.args(name.split_whitespace()).arg("--help").env_remove("COLUMNS");
            command.envs(columns.map(|columns| ("COLUMNS", columns)));
            let help = succeed(&mut command);
            let longest = help.lines().map(|line| line.chars().count()).max().unwrap();
            assert!(longest <= width, "{name}: {longest}");
            // One option has one name for its value in all commands.
            for (option, value) in
                [("threads", "N"), ("size", "N"), ("count", "N"), ("nodes", "N"), ("depth", "PLIES"), ("hash", "MIB")]
            {
                let values: Vec<&str> = help.split(&format!("--{option} <")).skip(1).collect();
                assert!(values.iter().all(|rest| rest.starts_with(&format!("{value}>"))), "{name} --{option}: {help}");
            }
        }
    }
}
