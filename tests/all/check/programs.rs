//! Programs that are no engines: each is named, nothing hangs and nothing is left behind.

use std::thread;
use std::time::Duration;

use super::{check, found};
use crate::common::wait_for_end;
use crate::folder::Folder;

#[test]
fn programs_that_cannot_be_run_are_named() {
    let folder = Folder::new("check-programs");
    folder.file("text", "no program\n");
    for (name, expected) in [("none", "No such file"), ("text", "Permission denied"), (".", "Permission denied")] {
        let path = folder.0.join(name).display().to_string();
        let output = check(&path, &["--only", "start"]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{stderr}");
        let line = format!("error: cannot start the engine: {path}: {expected}");
        assert!(stderr.starts_with(&line), "{stderr}");
    }
}

/// The check of a shell script, with little patience; the verdict and the reason of the first case.
fn script(text: &str, words: &[&str]) -> (String, String) {
    let words = [&["--json", "--scale", "0.5", "--only", "start"], words, &["--", "-c", text]].concat();
    let output = check("/bin/sh", &words);
    assert_eq!(output.status.code(), Some(1));
    let mut found = found(&output);
    let first = found.remove("answers-tei").unwrap();
    // There is nothing to say about the others.
    assert!(found.values().all(|other| other.verdict == "not announced"));
    (first.verdict, first.object["reasons"][0].as_str().unwrap().to_owned())
}

#[test]
fn other_programs_fail_at_the_first_case() {
    let is = |script: (String, String), verdict: &str, reason: &str| {
        assert!(script.0 == verdict && script.1.contains(reason), "{script:?}");
    };
    is(script("exit 3", &[]), "crash", "exit status: 3");
    is(script("kill -SEGV $$", &[]), "crash", "signal: 11");
    is(script("while read -r line; do :; done", &[]), "fail", "no teiok within 1.0 s");
    is(script("sleep 1000", &[]), "fail", "no teiok within 1.0 s");
    is(script("trap '' TERM INT HUP; while :; do sleep 1; done", &[]), "fail", "no teiok within 1.0 s");
    is(script("exec >&-; sleep 1000", &[]), "fail", "closed its output");
}

#[test]
fn a_flood_is_named() {
    for text in ["yes hello", "tr '\\0' x < /dev/zero"] {
        let output = check("/bin/sh", &["--json", "--scale", "20", "--only", "answers-tei", "--", "-c", text]);
        let first = &found(&output)["answers-tei"];
        assert_eq!(first.verdict, "fail");
        assert!(first.object["reasons"][0].as_str().unwrap().starts_with("it printed more than "), "{}", first.object);
    }
}

/// Text of an engine cannot command the terminal.
#[test]
fn control_characters_are_replaced() {
    let script = r"printf 'id name \033[2Jx\n'; sleep 1000";
    let output = check("/bin/sh", &["--scale", "0.5", "--only", "answers-tei", "--", "-c", script]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("    < id name \u{fffd}[2Jx\n"), "{text:?}");
    assert!(!text.contains('\x1b'), "{text:?}");
}

/// On Linux also one that starts the next in a session of its own and ends, so that it never has the same number.
#[cfg(target_os = "linux")]
#[test]
fn a_chain_of_processes_ends() {
    let folder = Folder::new("check-chain");
    let program = "[ -e stop ] || { echo $$ > last; setsid sh ./chain & }";
    folder.file("chain", program);
    let text = "sh ./chain; while [ ! -s last ]; do sleep 0.01; done; echo teiok; sleep 1000";
    folder.file("engine", text);
    let words = format!("check /bin/sh --scale 10 --only answers-tei -- {}", folder.0.join("engine").display());
    assert!(folder.run(&words).status.success());
    let last = folder.text("last");
    thread::sleep(Duration::from_millis(300));
    let later = folder.text("last");
    folder.file("stop", "");
    assert_eq!(later, last, "the chain goes on");
}

/// Processes of its group, and with `setsid` those outside it.
#[test]
fn no_process_is_left_behind() {
    let folder = Folder::new("check-forks");
    let mut text = "sleep 1000 & echo $! >> pids; (sleep 1000 & echo $! >> pids; sleep 1000) &\n".to_owned();
    if cfg!(target_os = "linux") {
        text += "setsid sh -c 'echo $$ >> pids; sleep 1000' &\n\
                 setsid sh -c 'setsid sh -c \"echo \\$\\$ >> pids; sleep 1000\" & sleep 1000' &\n";
    }
    text += "while [ $(wc -l < pids) -lt COUNT ]; do sleep 0.01; done; echo teiok; sleep 1000";
    let count = if cfg!(target_os = "linux") { "4" } else { "2" };
    let text = text.replace("COUNT", count);
    let words = format!("check /bin/sh --scale 10 --only answers-tei -- {}", folder.0.join("forks").display());
    folder.file("forks", text);
    assert!(folder.run(&words).status.success());
    folder.text("pids").lines().for_each(wait_for_end);
}
