//! The answer to `--version`, against what Cargo and the processor say.

use std::process::Command;

use crate::common::BINARY;
use crate::folder::succeed;

fn answer(flag: &str) -> String {
    succeed(Command::new(BINARY).arg(flag))
}

#[test]
fn version_describes_the_build() {
    let first = format!("tak-engine {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(answer("-V"), first);
    let long = answer("--version");
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
    let processor = std::fs::read_to_string("/proc/cpuinfo").unwrap();
    let flags = processor.lines().find(|line| line.starts_with("flags")).unwrap();
    let has = |flag: &str| flags.split_whitespace().any(|word| word == flag);
    let runs_v3 = ["avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe"].into_iter().all(has);
    assert_eq!(answer("--version").contains("the faster build for x86-64-v3 runs here too"), runs_v3);
}
