//! A build without the bot and without PNG names both, and how to get them.

#![cfg(not(any(feature = "playtak", feature = "png")))]

use std::process::Command;

use crate::common::BINARY;
use crate::folder::{fail, succeed};

#[test]
fn missing_features_are_named_with_exit_code_2() {
    let help = succeed(Command::new(BINARY).arg("--help"));
    let is_named = |line: &str| line.trim_start().starts_with("playtak ") && line.contains("--features playtak");
    assert!(help.lines().any(is_named), "{help}");
    let empty = "x3/x3/x3 1 1";
    for (arguments, answer) in [
        (&["playtak"][..], "this build has no playtak bot; install with --features playtak"),
        (&["playtak", "--guest", "--seek", "size=5"], "this build has no playtak bot; install with --features playtak"),
        (&["draw", empty, "--out", "board.png"], "this build has no PNG; install with --features png"),
    ] {
        let error = fail(Command::new(BINARY).args(arguments), 2);
        assert!(error.contains(answer), "{arguments:?}: {error}");
    }
}
