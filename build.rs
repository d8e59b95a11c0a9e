//! The part of `tak-engine --version` about the build: the target, and the commit of a release build.
//!
//! Tests and libraries have no commit: with it every commit would build them again.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=TAK_ENGINE_TARGET={}", env::var("TARGET").unwrap_or_default());
    let is_program = env::var_os("CARGO_FEATURE_CLI").is_some();
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    if is_program
        && is_release
        && let Some(commit) = packaged().or_else(checked_out)
    {
        println!("cargo::rustc-env=TAK_ENGINE_COMMIT={commit}");
    }
}

/// The commit that a package from a registry was made of. Cargo writes it into the package.
fn packaged() -> Option<String> {
    let info = fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let (_, rest) = info.split_once(r#""sha1": ""#)?;
    rest.split_once('"').map(|(commit, _)| commit.to_owned())
}

/// The commit that is checked out, if the source belongs to a repository at all: it may have been unpacked in another.
fn checked_out() -> Option<String> {
    git(&["ls-files", "--error-unmatch", "build.rs"])?;
    // A file that changes with every commit.
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    if Path::new(&log).exists() {
        println!("cargo::rerun-if-changed={log}");
    }
    git(&["rev-parse", "HEAD"])
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
