//! The number of cases in slow tests. By default they check fewer games, positions or texts than in CI:
//! `CASES=8 cargo test` checks eight times as many, as `.ci/full` does.

use std::num::NonZeroUsize;

/// The number of cases to check: `CASES` times `default` if that is set.
pub fn cases(default: usize) -> usize {
    let Some(text) = std::env::var_os("CASES") else {
        return default;
    };
    let times = text.to_str().and_then(|text| text.parse().ok());
    let times: NonZeroUsize =
        times.unwrap_or_else(|| panic!("CASES has to be a whole number from 1 on, and is {}", text.display()));
    default * times.get()
}

/// The step through a list for a default step: with a `CASES` as large as the step no item is skipped.
pub fn step(default: usize) -> usize {
    default.div_ceil(cases(1))
}

/// Returns whether there are enough cases, as in CI, for the rarer kinds to be among them.
pub fn are_many() -> bool {
    cases(1) >= 4
}
