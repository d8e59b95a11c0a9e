//! Shell completions and man pages: every subcommand is in them, and shells and groff understand them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::common::BINARY;
use crate::folder::{self, ended, fail};

/// The program's stdout.
fn tak_engine(args: &[&str]) -> String {
    folder::succeed(Command::new(BINARY).args(args))
}

/// The subcommands that `--help` lists under `parents`.
fn subcommands(parents: &[&str]) -> Vec<String> {
    let help = tak_engine(&[parents, &["--help"]].concat());
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    listed
        .take_while(|line| !line.is_empty())
        // Others continue a description.
        .filter(|line| !line.starts_with("   "))
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
        let script = tak_engine(&["completions", shell]);
        for name in subcommands(&[]) {
            assert!(script.contains(&name), "{shell}: no {name}");
        }
        for option in ["threads", "divide", "solve"] {
            assert!(script.contains(option), "{shell}: no --{option}");
        }
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("tak-engine.{shell}"));
        fs::write(&file, script).unwrap();
        if is_installed(shell) && shell != "powershell" {
            folder::succeed(Command::new(shell).arg("-n").arg(&file));
        }
    }
    fail(Command::new(BINARY).args(["completions", "command.com"]), 2);
}

#[test]
fn every_help_has_an_example() {
    for name in subcommands(&[]) {
        assert!(tak_engine(&[&name, "--help"]).contains("Example"), "{name}");
    }
}

#[test]
fn bash_completes_with_the_script() {
    if !is_installed("bash") {
        return;
    }
    let script = tak_engine(&["completions", "bash"]);
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("complete.bash");
    fs::write(&file, script).unwrap();
    let complete = |words: &str| {
        let command = format!(
            "source {}; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             [[ $(complete -p tak-engine) =~ -F\\ ([^\\ ]+) ]]; \
             \"${{BASH_REMATCH[1]}}\" tak-engine \"${{COMP_WORDS[COMP_CWORD]}}\" x; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
            file.display()
        );
        folder::succeed(Command::new("bash").args(["-c", &command]))
    };
    assert_eq!(complete("tak-engine tour"), "tournament\n");
    assert_eq!(complete("tak-engine perft --div"), "--divide\n");
}

#[test]
fn every_subcommand_has_a_man_page() {
    let folder = fresh_folder("man/man1");
    tak_engine(&["man", folder.to_str().unwrap()]);
    let written: BTreeSet<String> =
        fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    let expected: BTreeSet<String> = pages().iter().map(|page| format!("{page}.1")).collect();
    assert_eq!(written, expected);
    if is_installed("groff") {
        for page in &written {
            let mut groff = Command::new("groff");
            let (text, warnings) = ended(groff.args(["-man", "-Tutf8", "-ww"]).arg(folder.join(page)), 0);
            assert!(!text.is_empty() && warnings.is_empty(), "{page}: {warnings}");
        }
    }
    let page = fs::read_to_string(folder.join("tak-engine-perft.1")).unwrap();
    assert!(page.contains("divide"), "{page}");
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no-folder");
    fs::write(&file, "").unwrap();
    let complaint = fail(Command::new(BINARY).arg("man").arg(file), 1);
    assert!(complaint.contains("no-folder"), "{complaint}");
}
