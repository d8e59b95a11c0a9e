//! `tak-engine check`: this engine passes every case, an engine with a fault fails its case, and no program hangs it.

#[cfg(target_os = "linux")]
mod faults;
mod programs;

use std::collections::BTreeMap;
use std::process::{Command, Output};
use std::thread;

use serde_json::Value;

use crate::common::BINARY;

/// Patience for all waits, since other tests run beside this one.
const SCALE: &str = "20";

fn check(engine: &str, words: &[&str]) -> Output {
    let mut command = Command::new(BINARY);
    command.args(["check", engine]).args(words).env_remove("RUST_LOG");
    command.output().unwrap()
}

/// A case that was run.
struct Found {
    verdict: String,
    /// Its object in the output.
    object: Value,
}

/// The cases of a check with `--json`, by name.
fn found(output: &Output) -> BTreeMap<String, Found> {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    let objects = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let word = |value: &Value| value.as_str().unwrap().to_owned();
    objects
        .map(|object| (word(&object["case"]), Found { verdict: word(&object["verdict"]), object: object.clone() }))
        .collect()
}

/// The cases that this engine does not announce.
const NOT_ANNOUNCED: [&str; 1] = ["ptn-ninja-older-dialect"];

#[test]
fn this_engine_passes_every_case() {
    let levels = ["start", "handshake", "positions", "options", "output", "malformed", "clients", "clock"];
    let checked = thread::scope(|scope| {
        let run = |level| move || check(BINARY, &["--only", level, "--json", "--scale", SCALE, "--clock-games", "1"]);
        let runs = levels.map(|level| (level, scope.spawn(run(level))));
        runs.map(|(level, run)| (level, run.join().unwrap()))
    });
    let mut count = 0;
    for (level, output) in checked {
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        for (name, Found { verdict, object }) in found(&output) {
            let expected = if NOT_ANNOUNCED.contains(&&*name) { "not announced" } else { "pass" };
            // How long a move takes depends on what else runs.
            let is_slow = level == "clock" && verdict == "warn";
            assert!(verdict == expected || is_slow, "{object:#}");
            count += usize::from(object["level"] == level);
        }
    }
    assert!(count > 150, "{count} cases");
}

#[test]
fn reports_are_text_json_or_markdown() {
    let words = ["--only", "names-itself", "--only", "ptn-ninja-older-dialect"];
    let text = String::from_utf8(check(BINARY, &words).stdout).unwrap();
    assert_eq!(
        text,
        "start      1 pass\n\
         handshake  1 pass\n\
         clients    1 not announced\n\n\
         not announced: clients/ptn-ninja-older-dialect: size lines: PTN Ninja speaks the later dialect with it\n"
    );
    let markdown = check(BINARY, &[&words[..], &["--markdown"]].concat()).stdout;
    let name = format!("tak-engine {}", env!("CARGO_PKG_VERSION"));
    assert_eq!(
        String::from_utf8(markdown).unwrap(),
        format!(
            "| engine | start | handshake | positions | options | output | malformed | clock | ptn-ninja-older-dialect |\n\
             | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n\
             | {name} | 1 of 1 | 1 of 1 | - | - | - | - | - | - |\n"
        )
    );
    let json = found(&check(BINARY, &[&words[..], &["--json"]].concat()));
    let object = &json["names-itself"].object;
    assert_eq!(object["level"], "handshake");
    assert_eq!(object["defined"], true);
    assert_eq!(object["lines"][0], "> tei");
    assert_eq!(object["lines"][1], "< id name tak-engine");
    assert_eq!(json["ptn-ninja-older-dialect"].object["verdict"], "not announced");
}
