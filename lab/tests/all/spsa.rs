//! `tak-lab tune --spsa` as a user runs it: refused without the feature `tuning`, else small runs, whole and killed.

use crate::support::folder::{Folder, ended};

/// Four parameters on two boards, so small that a pair takes milliseconds.
const RUN: &str = "tune --spsa --param quiescence_* --param policy_weight=60.5,40 --param null_move_margin --size 3,4 \
    --komi 0,2 --nodes 50 --hash 1 --iterations 80 --rate 0.05 --seed 3";

/// The one line on stderr of a run that must fail with `code`.
fn refused(folder: &Folder, words: &str, code: i32) -> String {
    let (out, text) = ended(&mut folder.command(words), code);
    assert_eq!((out.as_str(), text.lines().count()), ("", 1), "{words}: {text}");
    text
}

#[cfg(not(feature = "tuning"))]
#[test]
fn without_the_feature_the_build_names_it() {
    let folder = Folder::new("spsa-fixed");
    let error = "error: this build has no search parameters to tune; build with --features tuning\n";
    assert_eq!(refused(&folder, RUN, 2), error);
}

#[cfg(feature = "tuning")]
mod tuning {
    use std::fs;
    use std::path::Path;
    use std::process::{Child, Stdio};
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    use regex::Regex;

    use super::{RUN, refused};
    use crate::support::folder::Folder;

    /// Far longer than anything here takes, even on a loaded machine.
    const GUARD: Duration = Duration::from_secs(120);

    fn pairs(folder: &Folder, journal: &str) -> usize {
        let text = fs::read_to_string(folder.0.join(journal)).unwrap_or_default();
        text.lines().count().saturating_sub(1)
    }

    /// Starts a run of which `RUN` is the beginning.
    fn start(folder: &Folder, words: &str) -> Child {
        let mut command = folder.command(&format!("{RUN} {words}"));
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    }

    /// The lines at the end of a whole run.
    fn result(folder: &Folder, words: &str) -> String {
        let output = start(folder, words).wait_with_output().unwrap();
        assert!(output.status.success(), "{words}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Programs that were started in this folder and run.
    fn processes_in(folder: &Path) -> usize {
        let all = fs::read_dir("/proc").into_iter().flatten().flatten();
        let folders = all.filter_map(|process| fs::read_link(process.path().join("cwd")).ok());
        folders.filter(|cwd| cwd == folder).count()
    }

    #[test]
    fn a_resumed_tuning_equals_a_whole_one() {
        let folder = Folder::new("spsa-runs");
        let whole = result(&folder, "--concurrency 2 --journal whole.jsonl");
        assert_eq!(pairs(&folder, "whole.jsonl"), 80);

        let mut killed = start(&folder, "--concurrency 1 --journal killed.jsonl");
        let began = Instant::now();
        while pairs(&folder, "killed.jsonl") < 40 {
            assert!(began.elapsed() < GUARD, "no pair is finished");
            sleep(Duration::from_millis(1));
        }
        // SIGKILL.
        killed.kill().unwrap();
        killed.wait().unwrap();
        let done = pairs(&folder, "killed.jsonl");
        assert!((40..80).contains(&done), "{done}");
        while processes_in(&folder.0) > 0 {
            assert!(began.elapsed() < GUARD, "engines are left behind");
            sleep(Duration::from_millis(5));
        }
        // The end of a line that was being written.
        let text = folder.text("killed.jsonl") + "{\"settings\":\"";
        folder.file("killed.jsonl", text);
        let resume = "--concurrency 3 --journal killed.jsonl --resume";
        assert_eq!(result(&folder, resume), whole);
        assert_eq!(pairs(&folder, "killed.jsonl"), 80);
        // Nothing remains to be played, and the result is the same.
        assert_eq!(result(&folder, resume), whole);

        let lines: Vec<&str> = whole.lines().collect();
        assert_eq!(lines[0], "3x3 komi 0, 4x4 komi 2: 80 of 80 pairs of games, 50 nodes a move");
        let pasted = Regex::new(r"(?m)^    ([a-z_]+) = -?[0-9_]+ .*; // ").unwrap();
        let names: Vec<&str> = pasted.captures_iter(&whole).map(|found| found.get(1).unwrap().as_str()).collect();
        let tuned = ["quiescence_factor", "quiescence_plies", "null_move_margin", "policy_weight"];
        assert_eq!(names, tuned);
        let moved = Regex::new(r"(?m)^    policy_weight = .* // 60\.5 -> ([0-9.]+), ").unwrap();
        let end = &moved.captures(&whole).unwrap()[1];
        // The engines do get their values: with equal ones every pair would be even.
        assert_ne!(end, "60.5");

        // The journal belongs to these settings, and is not begun again.
        let error = refused(&folder, &format!("{RUN} --journal whole.jsonl"), 1);
        assert!(error.contains("whole.jsonl already exists; continue it with --resume"));
        let other = format!("{RUN} --journal whole.jsonl --resume").replace("--seed 3", "--seed 4");
        let error = refused(&folder, &other, 1);
        assert!(
            error.ends_with("whole.jsonl was written by a tuning of parameters with different settings: seed\n"),
            "{error}"
        );
    }

    #[test]
    fn senseless_settings_are_refused_with_one_line() {
        let folder = Folder::new("spsa-refused");
        folder.file("four", "a1 d4\n");
        for (words, expected_error) in [
            (
                "--size 3 --param futilities",
                "error: --param: unknown parameter \"futilities\"; available: aspiration, ",
            ),
            ("--size 3 --param futility_base --rate -1", "error: --param: invalid rate -1 of futility_base"),
            ("--size 3,4,5 --komi 0,2", "error: --komi: 2 values for 3 boards"),
            ("--size 3,4 --openings four", "error: --openings: expected a file for each of the 2 boards, not 1"),
            ("--size 4 --openings four --journal four", "error: four is named twice"),
        ] {
            let error = refused(&folder, &format!("tune --spsa {words}"), 2);
            assert!(error.starts_with(expected_error), "{words}: {error}");
        }
        let error = refused(&folder, "tune --spsa --size 3 --openings four --journal new.jsonl", 1);
        assert!(error.starts_with("error: openings four: line 1: "), "{error}");
        let error = refused(&folder, "tune --spsa --size 3 --openings none --journal new.jsonl", 1);
        assert!(error.starts_with("error: cannot read none: "), "{error}");
        assert!(!folder.0.join("new.jsonl").exists());
    }
}
