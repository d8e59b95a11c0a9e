//! Runs every seed of the fuzzer through its target, see `docs/CONTRIBUTING.md`.

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

macro_rules! tests_of_targets {
    ($($name:ident)*) => {
        const TESTED: &[&str] = &[$(stringify!($name)),*];
        $(
            #[test]
            fn $name() {
                run(stringify!($name));
            }
        )*
    };
}

tests_of_targets! { tei tei_script tps moves ptn reader weights openings journal command_line }

#[test]
fn every_target_has_a_program_and_a_test() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = fs::read_to_string(root.join("fuzz/Cargo.toml")).unwrap();
    assert_eq!(fuzz::TARGETS.iter().map(|(name, _)| *name).collect::<Vec<_>>(), TESTED);
    for name in TESTED {
        assert!(manifest.contains(&format!("name = \"{name}\"\n")), "{name}");
        let program = fs::read_to_string(root.join(format!("fuzz/fuzz_targets/{name}.rs"))).unwrap();
        assert!(program.contains(&format!("target(\"{name}\")")), "{name}");
    }
    let programs = fs::read_dir(root.join("fuzz/fuzz_targets")).unwrap().count();
    assert_eq!(programs, TESTED.len());
}
