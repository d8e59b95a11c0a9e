//! The examples of the README are real: every command runs, and prints what the README shows but for numbers that
//! depend on the machine and moves that depend on the version.

#![cfg(feature = "cli")]

use std::process::Command;

/// The console blocks as pairs of a command and the lines shown below it.
fn examples(text: &str) -> Vec<(String, Vec<String>)> {
    let mut examples: Vec<(String, Vec<String>)> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if inside {
            match line.strip_prefix("$ ") {
                Some(command) => examples.push((command.to_owned(), Vec::new())),
                None => examples
                    .last_mut()
                    .expect("a block starts with a command")
                    .1
                    .push(line.to_owned()),
            }
        }
    }
    examples
}

/// What must agree: the words without digits, which are the same on every machine.
fn shape(line: &str) -> Vec<&str> {
    line.split_whitespace()
        .take(2)
        .filter(|word| !word.contains(|c: char| c.is_ascii_digit()))
        .collect()
}

#[test]
fn commands_print_what_the_readme_shows() {
    let text = include_str!("../README.md");
    let mut run = 0;
    for (command, shown) in examples(text) {
        // Building and testing is what runs this test.
        if ["cargo test", "cargo bench", "make", "cargo build --release"]
            .contains(&command.as_str())
        {
            continue;
        }
        let here = command.replace("cargo run --release --", "tak-engine");
        assert!(
            here.contains("tak-engine"),
            "no idea how to check: {command}"
        );
        let here = here.replace("tak-engine", env!("CARGO_BIN_EXE_tak-engine"));
        let output = Command::new("sh")
            .args(["-c", &here])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .expect("a shell to run the examples");
        assert!(output.status.success(), "{command}: {output:?}");
        let printed = String::from_utf8(output.stdout).unwrap();
        let printed: Vec<_> = printed.lines().map(shape).collect();
        let shown: Vec<_> = shown.iter().map(|line| shape(line)).collect();
        assert_eq!(printed, shown, "{command}");
        run += 1;
    }
    assert!(run >= 4, "only {run} examples");
}
