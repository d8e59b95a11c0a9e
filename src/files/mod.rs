//! Careful file access: texts, journals, hashes. Independent of games.

pub mod hash;
pub mod journal;
pub mod merge;
pub use tak_core::files::text;
