//! The answer to `--version`: what a report of a bug needs to know about the build.

use std::fmt::Write;
use std::sync::LazyLock;

/// Each feature that changes what the program can do, and whether this build has it.
const FEATURES: [(&str, bool); 3] =
    [("png", cfg!(feature = "png")), ("serve", cfg!(feature = "serve")), ("tuning", cfg!(feature = "tuning"))];

/// A level of x86-64 processors.
struct Level {
    name: &'static str,
    /// True if this build uses all instructions of the level.
    is_used: bool,
    /// True if this processor has them.
    is_here: bool,
}

#[cfg(target_arch = "x86_64")]
macro_rules! level {
    ($name:literal, $($feature:tt),*) => {
        Level {
            name: $name,
            is_used: cfg!(all($(target_feature = $feature),*)),
            is_here: [$(std::arch::is_x86_feature_detected!($feature)),*].iter().all(|&has| has),
        }
    };
}

/// From the highest to the lowest.
fn levels() -> Vec<Level> {
    #[cfg(target_arch = "x86_64")]
    return vec![
        level!("x86-64-v4", "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"),
        level!("x86-64-v3", "avx2", "bmi1", "bmi2", "f16c", "fma", "lzcnt", "movbe"),
        level!("x86-64-v2", "cmpxchg16b", "popcnt", "sse3", "sse4.1", "sse4.2", "ssse3"),
        level!("x86-64", "sse2"),
    ];
    #[cfg(not(target_arch = "x86_64"))]
    return vec![Level { name: std::env::consts::ARCH, is_used: true, is_here: true }];
}

/// The level that is the fastest build of a release.
const FASTEST_LEVEL: &str = "x86-64-v3";

/// The instructions that this build uses, and a hint if a faster build would run on this processor.
fn processor(levels: &[Level]) -> String {
    let used = levels.iter().position(|level| level.is_used).unwrap_or(levels.len() - 1);
    let name = levels[used].name;
    let has_faster = levels[..used].iter().any(|level| level.name == FASTEST_LEVEL && level.is_here);
    if has_faster { format!("{name}; the faster build for {FASTEST_LEVEL} runs here too") } else { name.to_owned() }
}

/// The version alone, and below it commit, target, features and processor.
pub(super) static LONG_VERSION: LazyLock<String> = LazyLock::new(|| {
    let features: Vec<_> = FEATURES.iter().filter(|(_, is_on)| *is_on).map(|(name, _)| *name).collect();
    let features = if features.is_empty() { "none".to_owned() } else { features.join(", ") };
    let mut text = env!("CARGO_PKG_VERSION").to_owned();
    for (name, value) in [
        ("commit", option_env!("TAK_ENGINE_COMMIT").unwrap_or("unknown")),
        ("target", env!("TAK_ENGINE_TARGET")),
        ("features", &features),
        ("processor", &processor(&levels())),
    ] {
        let _ = write!(text, "\n{name:<10} {value}");
    }
    text
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faster_build_is_named_only_if_it_runs_here() {
        let hint = |used: usize, here: usize| {
            let level = |index, name| Level { name, is_used: index >= used, is_here: index >= here };
            let names = ["x86-64-v4", "x86-64-v3", "x86-64-v2", "x86-64"];
            processor(&names.into_iter().enumerate().map(|(index, name)| level(index, name)).collect::<Vec<_>>())
        };
        assert_eq!(hint(2, 0), "x86-64-v2; the faster build for x86-64-v3 runs here too");
        assert_eq!(hint(3, 1), "x86-64; the faster build for x86-64-v3 runs here too");
        assert_eq!(hint(2, 2), "x86-64-v2");
        assert_eq!(hint(1, 0), "x86-64-v3");
        assert_eq!(hint(0, 0), "x86-64-v4");
    }
}
