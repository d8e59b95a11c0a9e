//! The fuzz targets: one function each, which panics if an invariant is violated.
//!
//! The fuzzer's programs in `fuzz_targets/` call these functions, and so does `tests/fuzz_seeds.rs` in the ordinary
//! tests with every seed, so that functions and seeds stay up to date.

mod claims;
mod command_line;
mod damage;
mod journal;
mod notation;
mod reader;
mod script;
mod tei;
mod weights;

/// Takes the bytes of one input.
pub type Target = fn(&[u8]);

/// Every target with its name, which is also that of its folder of seeds and of its program.
pub const TARGETS: [(&str, Target); 10] = [
    ("tei", tei::session),
    ("tei_script", script::session),
    ("tps", notation::tps),
    ("moves", notation::moves),
    ("ptn", notation::ptn),
    ("reader", reader::damaged),
    ("openings", notation::openings),
    ("journal", journal::damaged),
    ("weights", weights::file),
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
