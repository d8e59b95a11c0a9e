//! Shell completions and man pages: every subcommand is in them, and shells and groff understand them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn tak_engine(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tak-engine")).args(args).output().unwrap()
}

/// The subcommands that `--help` lists under `parents`.
fn subcommands(parents: &[&str]) -> Vec<String> {
    let output = tak_engine(&[parents, &["--help"]].concat());
    assert!(output.status.success(), "{parents:?}: {output:?}");
    let help = String::from_utf8(output.stdout).unwrap();
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    listed
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        // One that is also a flag has that after a comma.
        .map(|name| name.trim_end_matches(','))
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

/// `tak-engine`, `tak-engine-perft`, `tak-engine-tournament-merge` and all the others.
fn pages() -> BTreeSet<String> {
    let mut pages = BTreeSet::from(["tak-engine".to_owned()]);
    for name in subcommands(&[]) {
        let nested = subcommands(&[&name]);
        pages.extend(nested.iter().map(|inner| format!("tak-engine-{name}-{inner}")));
        pages.insert(format!("tak-engine-{name}"));
    }
    assert!(pages.contains("tak-engine-tournament-merge"), "{pages:?}");
    pages
}

/// Returns whether the program can be run here at all.
fn is_installed(program: &str) -> bool {
    let status = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok()
}

fn fresh_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    folder
}

#[test]
fn every_shell_gets_a_script_with_every_subcommand() {
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let output = tak_engine(&["completions", shell]);
        assert!(output.status.success(), "{shell}: {output:?}");
        let script = String::from_utf8(output.stdout).unwrap();
        for name in subcommands(&[]) {
            assert!(script.contains(&name), "{shell}: no {name}");
        }
        for option in ["concurrency", "divide", "solve"] {
            assert!(script.contains(option), "{shell}: no --{option}");
        }
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("tak-engine.{shell}"));
        fs::write(&file, script).unwrap();
        if is_installed(shell) && shell != "powershell" {
            let check = Command::new(shell).arg("-n").arg(&file).output().unwrap();
            assert!(check.status.success(), "{shell}: {check:?}");
        }
    }
    assert_eq!(tak_engine(&["completions", "command.com"]).status.code(), Some(2));
}

#[test]
fn bash_completes_with_the_script() {
    if !is_installed("bash") {
        return;
    }
    let script = tak_engine(&["completions", "bash"]).stdout;
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("complete.bash");
    fs::write(&file, script).unwrap();
    let complete = |words: &str| {
        let command = format!(
            "source {}; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             [[ $(complete -p tak-engine) =~ -F\\ ([^\\ ]+) ]]; \
             \"${{BASH_REMATCH[1]}}\" tak-engine \"${{COMP_WORDS[COMP_CWORD]}}\" x; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
            file.display()
        );
        let output = Command::new("bash").args(["-c", &command]).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(complete("tak-engine tour"), "tournament\n");
    assert_eq!(complete("tak-engine perft --div"), "--divide\n");
}

#[test]
fn every_subcommand_has_a_man_page() {
    let folder = fresh_folder("man/man1");
    let output = tak_engine(&["man", folder.to_str().unwrap()]);
    assert!(output.status.success(), "{output:?}");
    let written: BTreeSet<String> =
        fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    let expected: BTreeSet<String> = pages().iter().map(|page| format!("{page}.1")).collect();
    assert_eq!(written, expected);
    if is_installed("groff") {
        for page in &written {
            let output = Command::new("groff").args(["-man", "-Tutf8", "-ww"]).arg(folder.join(page)).output().unwrap();
            assert!(output.status.success(), "{page}: {output:?}");
            assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{page}");
            assert!(!output.stdout.is_empty(), "{page}");
        }
    }
    let page = fs::read_to_string(folder.join("tak-engine-perft.1")).unwrap();
    assert!(page.contains("divide"), "{page}");
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no-folder");
    fs::write(&file, "").unwrap();
    let output = tak_engine(&["man", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert!(complaint.contains("no-folder"), "{complaint}");
}
