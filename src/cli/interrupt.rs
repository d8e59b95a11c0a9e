//! Ctrl-C in runs of many games.

use std::sync::Arc;

use crate::arena::process::Cancel;

/// Exit code after Ctrl-C, as shells have it.
pub(super) const INTERRUPTED: u8 = 130;

/// A switch that Ctrl-C and a request to terminate turn on.
///
/// # Errors
/// When the system has no pipe left, or takes no handler.
pub(super) fn cancel_on_signal() -> anyhow::Result<Arc<Cancel>> {
    let cancel = Arc::new(Cancel::new()?);
    let on_signal = Arc::clone(&cancel);
    ctrlc::set_handler(move || {
        // A second signal ends the program at once.
        if on_signal.is_cancelled() {
            std::process::exit(INTERRUPTED.into());
        }
        on_signal.cancel();
    })?;
    Ok(cancel)
}
