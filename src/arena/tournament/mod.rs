//! A tournament as data: its list of games, its settings, its journal, and statistics about the engines.

pub mod folder;
pub mod journal;
pub mod merge;
pub(crate) mod ptn;
pub mod schedule;
pub mod sequential;
pub mod settings;
pub mod standings;
pub mod statistics;
pub mod verdict;
