//! The extent of the tests. At a desk somebody waits for them, so there the slowest look at fewer games, positions or
//! texts than in CI: `CASES=8 cargo test` takes eight times as many, as `.ci/run` does.

use std::num::NonZeroUsize;

/// The number of cases to check: `CASES` times `at_a_desk` if that is set.
pub fn cases(at_a_desk: usize) -> usize {
    let Some(text) = std::env::var_os("CASES") else {
        return at_a_desk;
    };
    let times = text.to_str().and_then(|text| text.parse().ok());
    let times: NonZeroUsize =
        times.unwrap_or_else(|| panic!("CASES has to be a whole number from 1 on, and is {}", text.display()));
    at_a_desk * times.get()
}

/// The step in which to go through a list where it is this one at a desk: with `CASES` as large as that, nothing is
/// passed over.
pub fn step(at_a_desk: usize) -> usize {
    at_a_desk.div_ceil(cases(1))
}

/// Returns whether there are enough cases, as in CI, for the rarer kinds to be among them.
pub fn are_many() -> bool {
    cases(1) >= 4
}
