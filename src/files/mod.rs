//! Careful file access: texts, journals, hashes. Independent of the game.

mod encoding;
#[cfg(feature = "cli")]
pub mod hash;
#[cfg(feature = "cli")]
pub mod journal;
#[cfg(feature = "cli")]
pub mod merge;
pub(crate) mod text;
