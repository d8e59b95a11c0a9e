//! Ctrl-C in runs of many games.

use std::process::ExitCode;
use std::sync::Arc;

use super::{is_closed_pipe, stderr, told_once};
use crate::arena::play::process::Cancel;

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

/// The end of a run of many games, given how they were played, whether Ctrl-C ended them, and whether the result was told.
/// The run itself comes first: a result that nobody reads must not hide what happened to it.
///
/// # Errors
/// What ended the run before its time, or else why its result could not be told.
pub(super) fn end_of_run(
    played: anyhow::Result<()>,
    interrupted: bool,
    told: anyhow::Result<()>,
) -> anyhow::Result<ExitCode> {
    played?;
    if !interrupted {
        return told.map(|()| ExitCode::SUCCESS);
    }
    if let Err(error) = told
        && !is_closed_pipe(&error)
    {
        stderr::say(&format_args!("error: {}", told_once(&error)));
    }
    Ok(ExitCode::from(INTERRUPTED))
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[test]
    fn what_happened_to_a_run_counts_for_more_than_who_reads_its_result() {
        let failed = |kind: io::ErrorKind| Err(io::Error::from(kind).into());
        let [closed, full] = [io::ErrorKind::BrokenPipe, io::ErrorKind::StorageFull];
        for told in [Ok(()), failed(closed), failed(full)] {
            let code = end_of_run(Ok(()), true, told).unwrap();
            assert_eq!(code, ExitCode::from(INTERRUPTED));
        }
        let error = end_of_run(failed(full), false, failed(closed)).unwrap_err();
        assert!(!is_closed_pipe(&error), "{error}");
        let error = end_of_run(Ok(()), false, failed(closed)).unwrap_err();
        assert!(is_closed_pipe(&error), "{error}");
        let code = end_of_run(Ok(()), false, Ok(())).unwrap();
        assert_eq!(code, ExitCode::SUCCESS);
    }
}
