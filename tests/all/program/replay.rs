//! `tak-engine replay` through the real binary.

use std::process::Command;

use crate::folder::output_for;

struct Answer {
    code: i32,
    lines: Vec<String>,
    complaint: String,
}

/// From stdin.
fn replay(ptn: &[u8]) -> Answer {
    let output = output_for(Command::new(env!("CARGO_BIN_EXE_tak-engine")).args(["replay", "-"]), ptn);
    Answer {
        code: output.status.code().unwrap(),
        lines: String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect(),
        complaint: String::from_utf8(output.stderr).unwrap(),
    }
}

#[test]
fn every_game_gets_its_line() {
    let answer = replay(
        b"[Size \"3\"]\n[Result \"R-0\"]\n\n1. a3 a1 {comment}\n2. b1 b3\n3. c1 R-0\n\n\
          [Size \"3\"]\n[Komi \"0.5\"]\n\n1. a1 c1\n\n\
          [TPS \"1,2,1/2S,1,2/2,x,1S 1 5\"]\n[Komi \"1\"]\n[Result \"1/2-1/2\"]\n\n5. b1'' 1/2-1/2\n",
    );
    assert_eq!(
        answer.lines,
        [
            "game 1: 5 plies, result R-0, tag R-0, 2,2,x/x3/1,1,1 2 3",
            "game 2: 2 plies, result *, tag -, x3/x3/2,x,1 1 2",
            "game 3: 1 plies, result 1/2-1/2, tag 1/2-1/2, 1,2,1/2S,1,2/2,1,1S 2 5",
        ]
    );
    assert_eq!((answer.code, answer.complaint.as_str()), (0, ""));
}

#[test]
fn a_bad_game_is_reported_and_the_others_run() {
    let answer = replay(
        b"[Size \"3\"]\n1. a3 a1\n2. a1> b3\n3. c3\n\n\
          [Size \"3\"]\n1. a1 a1\n\n\
          [Size \"3\"]\n1. a1 qq\n\n\
          [Size \"5\"]\n[TPS \"x5/x5/x5/x5/2C,x3,2C 1 9\"]\n1. a2\n\n\
          [Size \"3\"]\n1. a3 a1\n2. b1 b3\n3. c1 c3\n\n\
          [Size \"6\"]\n[Player1 \"J\xf6rg\"]\n1. a1 f6 *\n",
    );
    assert_eq!(
        answer.lines,
        [
            "game 1: 5 plies, result *, tag -, 2,2,1/x3/x,1,x 2 3",
            "game 2: line 7: illegal move 1 of Black, a1: square a1 is not empty",
            "game 3: line 10: invalid move \"qq\": expected a piece (F, S, C), a count (1 to 8) or a file (a to h) at character 1, found 'q'",
            "game 4: line 12: cannot start: Black has 2 capstones, the reserve is 1",
            "game 5: line 19: illegal move 3 of Black, c3: the game is over",
            "game 6: 2 plies, result *, tag -, x5,1/x6/x6/x6/x6/2,x5 1 2",
        ]
    );
    assert_eq!(answer.code, 1);
    let warning = "game 6: warning: line 22: \"[Player1 \\\"Jörg\\\"]\" is not standard: text that is not UTF-8";
    assert_eq!(answer.complaint, format!("{warning}\nerror: 4 of 6 games could not be replayed\n"));
}

/// Devices mostly never end, and hold no text. Pipes end, regardless of their name.
#[cfg(unix)]
#[test]
fn devices_are_limited_and_pipes_are_read() {
    let run = |script: &str| {
        let mut shell = Command::new("sh");
        let output = shell.args(["-c", script, env!("CARGO_BIN_EXE_tak-engine")]).output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(text).unwrap())
    };
    for (script, path) in [("exec \"$0\" replay /dev/zero", "/dev/zero"), ("exec \"$0\" replay - < /dev/zero", "stdin")]
    {
        // In KiB: too little for the gibibyte that a file may have.
        let (code, message) = run(&format!("ulimit -v 400000; {script}"));
        let expected = format!("error: cannot read {path}: it is not text\n");
        assert_eq!((code, message), (Some(1), expected));
    }
    let empty = "error: no game in /dev/null\n".to_owned();
    assert_eq!(run("exec \"$0\" replay /dev/null"), (Some(1), empty));
    // More than a device may give.
    let long = "yes '[Size \"5\"]\n1. a1 e5 {a comment}\n' | head -c 2000000";
    for path in ["-", "/dev/stdin"] {
        let (code, message) = run(&format!("{long} | \"$0\" replay {path}"));
        assert_eq!(code, Some(1), "the last game is cut");
        let games = message.lines().filter(|line| line.contains(": 2 plies, ")).count();
        assert!(games > 40_000, "{games} games");
    }
}

/// The rules give 0-R.
const ROAD_OF_BLACK: &str = "1. a1 c3 2. c2 a2 3. b2 a3";

#[test]
fn results_that_contradict_the_rules_are_reported() {
    for (tag, moves, complaint) in [
        ("", format!("{ROAD_OF_BLACK} R-0"), "the result \"R-0\" contradicts the rules: the result is 0-R"),
        (
            "[Result \"R-0\"]\n",
            format!("{ROAD_OF_BLACK} 0-R"),
            "the Result tag \"R-0\" contradicts the rules: the result is 0-R",
        ),
        (
            "[Result \"1-0\"]\n",
            "1. a1 c3 0-1".to_owned(),
            "the Result tag \"1-0\" contradicts the result \"0-1\" after the moves",
        ),
    ] {
        let answer = replay(format!("[Size \"3\"]\n{tag}{moves}").as_bytes());
        let expected = format!("game 1: {complaint}\nerror: the result of 1 of 1 games is contradictory\n");
        assert_eq!((answer.code, answer.complaint), (1, expected));
    }
}
