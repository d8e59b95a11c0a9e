//! Shell completions and man pages: every subcommand is in them, and shells and groff understand them. The version,
//! against what Cargo and the processor say.

use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Stdio};

use crate::common::BINARY;
use crate::folder::{Folder, ended, succeed};

/// The program's stdout.
fn tak_engine(words: &str) -> String {
    succeed(Command::new(BINARY).args(words.split_whitespace()))
}

/// The subcommands that `--help` lists under `parent`.
fn subcommands(parent: &str) -> Vec<String> {
    let help = tak_engine(&format!("{parent} --help"));
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
    for name in subcommands("") {
        let nested = subcommands(&name);
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

#[test]
fn every_shell_gets_a_script_with_every_subcommand() {
    let folder = Folder::new("completions");
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let script = tak_engine(&format!("completions {shell}"));
        for name in subcommands("") {
            assert!(script.contains(&name), "{shell}: no {name}");
        }
        for option in ["threads", "divide", "solve"] {
            assert!(script.contains(option), "{shell}: no --{option}");
        }
        folder.file(shell, script);
        if is_installed(shell) && shell != "powershell" {
            succeed(Command::new(shell).arg("-n").arg(folder.0.join(shell)));
        }
    }
}

#[test]
fn every_help_has_an_example() {
    for name in subcommands("") {
        assert!(tak_engine(&format!("{name} --help")).contains("Example"), "{name}");
    }
}

#[test]
fn bash_completes_with_the_script() {
    if !is_installed("bash") {
        return;
    }
    let folder = Folder::new("bash");
    folder.file("complete", tak_engine("completions bash"));
    let complete = |words: &str| {
        let command = format!(
            "source {}; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             [[ $(complete -p tak-engine) =~ -F\\ ([^\\ ]+) ]]; \
             \"${{BASH_REMATCH[1]}}\" tak-engine \"${{COMP_WORDS[COMP_CWORD]}}\" x; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
            folder.0.join("complete").display()
        );
        succeed(Command::new("bash").args(["-c", &command]))
    };
    assert_eq!(complete("tak-engine tour"), "tournament\n");
    assert_eq!(complete("tak-engine perft --div"), "--divide\n");
}

#[test]
fn every_subcommand_has_a_man_page() {
    let folder = Folder::new("man");
    folder.succeed("man .");
    let written: BTreeSet<String> =
        fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    let expected: BTreeSet<String> = pages().iter().map(|page| format!("{page}.1")).collect();
    assert_eq!(written, expected);
    if is_installed("groff") {
        for page in &written {
            let mut groff = Command::new("groff");
            let (text, warnings) = ended(groff.args(["-man", "-Tutf8", "-ww"]).arg(folder.0.join(page)), 0);
            assert!(!text.is_empty() && warnings.is_empty(), "{page}: {warnings}");
        }
    }
    assert!(folder.text("tak-engine-perft.1").contains("divide"));
}

#[test]
fn version_describes_the_build() {
    let first = format!("tak-engine {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(tak_engine("-V"), first);
    let long = tak_engine("--version");
    let value = |name: &str| {
        let line = long.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap_or_else(|| panic!("no {name}: {long}")).trim()
    };
    assert!(long.starts_with(&first), "{long}");
    assert_eq!(long.lines().count(), 5, "{long}");
    // Tests are no release build.
    assert_eq!(value("commit"), "unknown");
    assert!(value("target").starts_with(&format!("{}-", std::env::consts::ARCH)), "{long}");
    let features: Vec<_> = value("features").split(", ").collect();
    assert_eq!(features.contains(&"serve"), cfg!(feature = "serve"), "{long}");
    assert_eq!(features.contains(&"png"), cfg!(feature = "png"), "{long}");
}

/// The system's own list of what the processor can do.
#[cfg(all(target_os = "linux", target_arch = "x86_64", not(target_feature = "avx2")))]
#[test]
fn version_names_the_faster_build_for_this_processor() {
    let processor = fs::read_to_string("/proc/cpuinfo").unwrap();
    let flags = processor.lines().find(|line| line.starts_with("flags")).unwrap();
    let has = |flag: &str| flags.split_whitespace().any(|word| word == flag);
    let runs_v3 = ["avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe"].into_iter().all(has);
    assert_eq!(tak_engine("--version").contains("the faster build for x86-64-v3 runs here too"), runs_v3);
}
