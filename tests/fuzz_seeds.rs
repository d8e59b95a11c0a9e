//! Runs every seed of the fuzzer through its target, see `docs/fuzzing.md`.

#![cfg(feature = "cli")]
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};

// The file that the fuzzer's programs use too.
#[path = "../fuzz/src/lib.rs"]
mod fuzz;

fn seeds_of(name: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(name);
    let entries = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut seeds: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    seeds.sort();
    assert!(!seeds.is_empty(), "{name} has no seeds");
    seeds
}

fn run(name: &str) {
    let target = fuzz::target(name);
    target(b"");
    for seed in seeds_of(name) {
        // Shown if the target fails.
        println!("{}", seed.display());
        target(&fs::read(&seed).unwrap());
    }
}

#[test]
fn every_target_has_a_program_and_a_test() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = fs::read_to_string(root.join("fuzz/Cargo.toml")).unwrap();
    let this = fs::read_to_string(root.join(file!())).unwrap();
    for (name, _) in fuzz::TARGETS {
        assert!(manifest.contains(&format!("name = \"{name}\"\n")), "{name}");
        assert!(this.contains(&format!("run(\"{name}\")")), "{name}");
        let program = fs::read_to_string(root.join(format!("fuzz/fuzz_targets/{name}.rs"))).unwrap();
        assert!(program.contains(&format!("target(\"{name}\")")), "{name}");
    }
    let programs = fs::read_dir(root.join("fuzz/fuzz_targets")).unwrap().count();
    assert_eq!(programs, fuzz::TARGETS.len());
}

#[test]
fn tei() {
    run("tei");
}

#[test]
fn tei_script() {
    run("tei_script");
}

#[test]
fn tps() {
    run("tps");
}

#[test]
fn moves() {
    run("moves");
}

#[test]
fn ptn() {
    run("ptn");
}

#[test]
fn reader() {
    run("reader");
}

#[test]
fn journal() {
    run("journal");
}

#[test]
fn command_line() {
    run("command_line");
}

#[test]
fn openings() {
    run("openings");
}

#[test]
fn weights() {
    run("weights");
}
