//! A build without the bot and without PNG names both, and how to get them.

#![cfg(not(any(feature = "playtak", feature = "png")))]

use std::process::Command;

use crate::common::BINARY;

#[test]
fn missing_features_are_named_with_exit_code_2() {
    let help = Command::new(BINARY).arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let is_named = |line: &str| line.trim_start().starts_with("playtak ") && line.contains("--features playtak");
    assert!(help.lines().any(is_named), "{help}");
    let empty = "x3/x3/x3 1 1";
    for (arguments, answer) in [
        (&["playtak"][..], "this build has no playtak bot; install with --features playtak"),
        (&["playtak", "--guest", "--seek", "size=5"], "this build has no playtak bot; install with --features playtak"),
        (&["draw", empty, "--out", "board.png"], "this build has no PNG; install with --features png"),
    ] {
        let output = Command::new(BINARY).args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains(answer), "{arguments:?}: {error}");
    }
}
