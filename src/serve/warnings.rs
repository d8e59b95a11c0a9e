//! Warnings about clients, limited so that no client can fill the log.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The maximum number of warnings.
const MAX_WARNINGS: u64 = 50;

/// Logs a warning that clients can cause repeatedly.
pub fn warn(text: &str) {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    match COUNT.fetch_add(1, Relaxed) {
        0..MAX_WARNINGS => log::warn!("{text}"),
        MAX_WARNINGS => log::warn!("further warnings about clients are not logged"),
        _ => {}
    }
}
