//! A shortage of the runner's own machine costs no engine a game: it is reported before the first game, or ends the run.

use super::*;
use tak_engine::arena::record::Termination;

#[test]
fn engines_are_checked_before_the_first_game() {
    let check = |test: &str, answers: &Answers, settings: &str| {
        let folder = new_folder(&format!("check-{test}"));
        let bad = folder.script("bad", answers);
        let words = format!("{} {bad} {settings}", good("fine"));
        let error = fail(&mut folder.tournament(&words), 1);
        assert!(!folder.0.join("games.jsonl").exists());
        no_process_left(&folder, "bad.pids");
        error
    };
    let spin = Answers { tei: "printf 'option name HalfKomi type spin default 0 min 0 max 4\\n';", ..WELL_BEHAVED };
    let sizes = Answers { tei: "printf 'size 5 6 halfkomi 0 4\\n';", ..WELL_BEHAVED };
    let mute = Answers { tei: "hang;", ..WELL_BEHAVED };
    let dead = Answers { start: "exit 0", ..WELL_BEHAVED };
    for (test, answers, settings, expected) in [
        ("komi", &WELL_BEHAVED, "--komi 2", "bad: it does not play a komi of 2: it has neither"),
        ("spin", &spin, "--komi 2.5", "it does not play a komi of 2.5: its HalfKomi is a number from 0 to 4"),
        ("halfkomi", &sizes, "--komi 1", "it does not play a komi of 1: it offers half komi 0 4"),
        ("size", &sizes, "--size 7", "it does not play 7x7; it offers 5 6"),
        ("option", &spin, "option.Hash=1", "it has no option \"Hash\"; it has HalfKomi"),
        (
            "opening",
            &spin,
            "--opening double-black",
            "it does not play the opening double-black: it has no option Opening",
        ),
        ("mute", &mute, "stall=0.3", "bad: stall: at tei: it did not answer in time"),
        ("dead", &dead, "", "bad: crash: at tei: it ended (exit status: 0)"),
    ] {
        let error = check(test, answers, settings);
        assert!(error.starts_with("error: engine bad: "), "{test}: {error}");
        assert!(error.contains(expected), "{test}: {error}");
    }
    let folder = new_folder("check-missing");
    let error = fail(&mut folder.tournament(&format!("{} --engine path=./no-such-engine", good("fine"))), 1);
    assert!(error.contains("engine no-such-engine: "), "{error}");
    assert!(error.contains("cannot be started"), "{error}");
}

/// The runner's own trouble is nobody's loss.
#[test]
fn too_few_files_are_reported_before_the_first_game() {
    let folder = new_folder("files");
    let bad = folder.script("bad", &WELL_BEHAVED);
    let words = format!("{} {bad} --games 40", good("good"));
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -n 40 && exec \"$0\" \"$@\"", BINARY, "tournament"]);
    shell.args(words.split_whitespace()).args(["--threads", "20", "--all-engines", "tc=10+0.1"]);
    shell.args(["--journal", "games.jsonl"]).current_dir(&folder.0);
    let error = fail(&mut shell, 1);
    assert!(error.contains("20 games at once") && error.contains("ulimit -n"), "{error}");
    assert!(!folder.0.join("games.jsonl").exists());
    assert!(!folder.0.join("bad.pids").exists(), "no engine was started");
}

/// After its second start the engine is gone for good and cannot be started again, for want of `starving`.
fn expect_breakdown(test: &str, starve: impl Fn(&Folder, &Child), expected: &str) {
    let folder = new_folder(test);
    let answers = Answers { go: "touch thinking; while ! [ -e starved ]; do sleep 0.01; done; exit 3", ..WELL_BEHAVED };
    let bad = folder.script("bad", &answers);
    let words = format!("{bad} st=30 {} --games 6 --size 5 --concurrency 1", good("good"));
    let mut command = folder.tournament(&words);
    let mut child = command.stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    wait_until("the first move", || folder.0.join("thinking").exists());
    starve(&folder, &child);
    folder.file("starved", "");
    wait_until("the end", || child.try_wait().unwrap().is_some());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", described(&output));
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(error.matches(expected).count(), 1, "{error}");
    assert!(error.contains("engine bad: it cannot be started: /bin/sh: Too many open files"), "{error}");
    // The game that it crashed in is its own, no other is.
    let games = folder.journal().games;
    let ends: Vec<Termination> = games.iter().map(|game| game.termination).collect();
    assert_eq!(ends, [Termination::Crash]);
}

#[cfg(target_os = "linux")]
#[test]
fn too_few_files_end_the_run_without_a_loss() {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};
    let starve = |_: &Folder, runner: &Child| {
        let few = Rlimit { current: Some(3), maximum: Some(3) };
        prlimit(Pid::from_raw(runner.id() as i32), Resource::Nofile, few).unwrap();
    };
    expect_breakdown("files-later", starve, "raise the limit of open files (ulimit -n)");
}

#[test]
fn an_unwritable_log_ends_the_run_without_a_loss() {
    let folder = new_folder("log");
    let bad = folder.script("bad", &WELL_BEHAVED);
    let words = format!("{bad} stderr=none/such.log {}", good("good"));
    let error = fail(&mut folder.tournament(&words), 1);
    assert!(error.contains("none/such.log: No such file"), "{error}");
    assert!(!folder.0.join("games.jsonl").exists());
}

#[test]
fn a_full_disk_ends_the_run_and_keeps_games() {
    let folder = new_folder("disk");
    let words = format!("{} {} --size 3 --games 40 --concurrency 2", good("one"), good("two"));
    let shell = |journal: &str| {
        let mut shell = Command::new("sh");
        let script = "trap '' XFSZ; ulimit -f 16 && exec \"$0\" \"$@\"";
        shell
            .args(["-c", script, BINARY, "tournament"])
            .args(words.split_whitespace())
            .args(["--journal", journal])
            .current_dir(&folder.0);
        shell
    };
    let error = fail(&mut shell("games.jsonl"), 1);
    assert!(error.contains("cannot append to games.jsonl"), "{error}");
    assert_eq!(error.matches("too large").count(), 1, "{error}");
    let contents = folder.journal();
    assert_eq!(contents.incomplete_bytes, 0);
    assert!((1..40).contains(&contents.games.len()));
    assert!(contents.games.iter().all(|game| !game.termination.is_fault()));
    succeed(&mut folder.tournament(&format!("{words} --resume")));
    assert_eq!(folder.journal().games.len(), 40);
    // The reason is reported even if nobody reads the standings.
    let (reader, unread) = std::io::pipe().unwrap();
    drop(reader);
    let error = fail(shell("unread.jsonl").stdout(Stdio::from(unread)), 1);
    assert!(error.contains("cannot append to unread.jsonl"), "{error}");
}
