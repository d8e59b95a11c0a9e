//! Careful file access: texts, journals, hashes. Independent of the game.

// The library alone needs only a part of it.
#[cfg_attr(not(feature = "cli"), allow(dead_code))]
mod encoding;
#[cfg(feature = "cli")]
pub mod hash;
#[cfg(feature = "cli")]
pub mod journal;
#[cfg(feature = "cli")]
pub mod merge;
#[cfg_attr(not(feature = "cli"), allow(dead_code))]
pub(crate) mod text;
