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
fn mistakes_are_told_in_words_of_our_own() {
    for (words, said) in [
        ("pertf", "unknown command pertf, did you mean perft?"),
        ("annotate g.ptn --treads 2", "unknown option --treads, did you mean --threads?"),
        ("perft 2 b.ptn", "\"b.ptn\" is one argument too many"),
        ("annotate", "a PTN file is missing, or - for stdin"),
        (
            "explore g.ptn --size 5 --tps x3",
            "--tps: cannot read \"x3\": a TPS has three words (board, side to move, move number), found 1",
        ),
        ("analyse --solve --depth 5", "--solve cannot be used with --depth"),
        ("annotate g.ptn --nodes 1x", "--nodes: \"1x\" is not a whole number such as 5, 10k, 2M or 1e6"),
        ("annotate g.ptn --depth 121", "--depth: 121 is out of range, expected 1 to 120"),
        ("annotate g.ptn --nodes 0", "--nodes: 0 is out of range, expected 1 or more"),
        ("annotate g.ptn --time 1x", "--time: \"1x\" is not a time such as 3s, 200ms or 2m"),
        ("annotate g.ptn --time -1s", "--time: \"-1s\" is out of range, expected 1ms to 24h"),
        ("analyse -t -1s", "--time: \"-1s\" is out of range, expected 1ms to 24h"),
        ("annotate g.ptn --nodes -5", "--nodes: -5 is out of range, expected 1 or more"),
        ("annotate g.ptn --size -3", "--size: invalid board size \"-3\": expected 3 to 8"),
        ("perft 1 --tps --divide", "--tps needs a value"),
        ("replay ", "\"\" is given: expected a TPS, a PTN file, or - for stdin"),
        ("perft -1", "-1: a value cannot be negative here"),
        ("perft 101", "DEPTH: 101 is out of range, expected 0 to 100"),
        ("analyse --lvl 3", "unknown option --lvl, did you mean --level?"),
        (
            "analyse --nodes 99999999999999999999",
            "--nodes: 99999999999999999999 is out of range, expected 1 to 18446744073709551615",
        ),
        ("analyse --nodes 1e20", "--nodes: 1e20 is out of range, expected 1 to 18446744073709551615"),
        ("analyse --nodes -1e3", "--nodes: -1e3 is out of range, expected 1 or more"),
        ("analyse --game 1 --size 5", "--game needs PTN games, not positions"),
        ("openings --size 5 --count 1 --seed x", "--seed: \"x\" is not a whole number such as 5, 10k, 2M or 1e6"),
        ("annotate g.ptn --time", "--time needs a value"),
        ("perft 3 --opening no", "--opening: invalid value \"no\": expected one of swap, no-swap, double-black"),
    ] {
        let error = fail(Command::new(BINARY).args(words.split(' ')), 2);
        assert_eq!(error.lines().next(), Some(&*format!("error: {said}")), "{words}");
        assert!(!error.contains("tip:") && !error.contains("For more information"), "{error}");
    }
    // Long words are not echoed.
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
    #[cfg(feature = "serve")]
    assert!(
        fail(Command::new(BINARY).args(["serve", "--port", "65536"]), 2)
            .starts_with("error: --port: 65536 is out of range, expected 0 to 65535")
    );
    // Short forms, units and the earlier names of an option.
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
