//! The fuzz targets: one function each, which panics if an invariant is violated.
//!
//! The fuzzer's programs in `fuzz_targets/` call these functions, and so does `tests/fuzz_seeds.rs` in the ordinary
//! tests with every seed, so that functions and seeds stay up to date.

#[cfg(feature = "cli")]
mod command_line;
#[cfg_attr(not(feature = "cli"), allow(dead_code))]
mod damage;
#[cfg(feature = "cli")]
mod journal;
mod notation;
#[cfg(feature = "cli")]
mod openings;
mod reader;
mod script;
mod tei;
mod weights;

/// Takes the bytes of one input.
pub type Target = fn(&[u8]);

/// Every target with its name, which is also that of its folder of seeds and of its program. Those of the program need
/// its feature.
pub const TARGETS: &[(&str, Target)] = &[
    ("tei", tei::session),
    ("tei_script", script::session),
    ("tps", notation::tps),
    ("moves", notation::moves),
    ("ptn", notation::ptn),
    ("reader", reader::damaged),
    ("weights", weights::file),
    #[cfg(feature = "cli")]
    ("openings", openings::suite),
    #[cfg(feature = "cli")]
    ("journal", journal::damaged),
    #[cfg(feature = "cli")]
    ("command_line", command_line::arguments),
];

/// The target of this name.
///
/// # Panics
/// If there is none.
pub fn target(name: &str) -> Target {
    let found = TARGETS.iter().find(|(known, _)| *known == name);
    found.expect("a known target").1
}
