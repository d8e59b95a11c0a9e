//! What tests of several crates share: random games and boards, the number of cases, exhaustive
//! searches for forced wins (by our rules or those of fast-tak), and front ends.

#![allow(clippy::missing_panics_doc)]

pub mod brute_force;
pub mod cases;
pub mod dialogue;
pub mod fast_rules;
pub mod games;
mod hint;
pub mod local;
pub mod oracle;
pub mod playout;
pub mod tempo;

pub use crate::for_all_sizes;

/// The lines of a section of a table, which begins with `## NAME`.
pub fn section<'a>(table: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    let (_, rest) = table.split_once(&format!("\n## {name}\n")).expect(name);
    rest.lines().take_while(|line| !line.starts_with("## ")).filter(|line| !line.is_empty())
}
