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
