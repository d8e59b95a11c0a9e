//! Tournaments: books, journals, statistics, reports, and the runner at the real binary.

#[cfg(feature = "cli")]
mod data;
#[cfg(feature = "cli")]
mod journal;
mod openings;
#[cfg(feature = "cli")]
mod report;
#[cfg(feature = "cli")]
mod stats;
#[cfg(all(feature = "cli", unix))]
mod tournament;
