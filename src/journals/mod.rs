//! Journals and hashes: a JSON object per line, resumed and merged. Independent of games.

pub mod hash;
pub mod journal;
pub mod merge;
