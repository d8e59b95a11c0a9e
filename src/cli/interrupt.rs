//! Ctrl-C and requests to terminate: the first one lets a command keep its results, the second ends the program.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::{Duration, Instant};

use super::progress::Progress;
use super::{error_line, is_closed_pipe, stderr};
#[cfg(unix)]
use crate::arena::play::process::Cancel;

/// Exit code after Ctrl-C, as shells have it.
pub const INTERRUPTED: u8 = 130;

/// A signal that follows the first one within this time is the same: `timeout` sends two.
const SAME_SIGNAL: Duration = Duration::from_millis(200);

/// Set while the main thread waits for input, which only the end of the program can cut short.
static IS_WAITING: AtomicBool = AtomicBool::new(false);

/// Calls `first` at the first signal. The second one ends the program at once.
pub fn on_signal(first: impl Fn() + Send + 'static) -> anyhow::Result<()> {
    let mut at = None;
    ctrlc::set_handler(move || match at {
        None => {
            at = Some(Instant::now());
            stderr::clear_line();
            first();
            if IS_WAITING.load(SeqCst) {
                end();
            }
        }
        Some(at) if at.elapsed() < SAME_SIGNAL => {}
        Some(_) => std::process::exit(INTERRUPTED.into()),
    })?;
    Ok(())
}

/// Ends the program at the first signal, with its live line of progress removed and a word.
pub fn end_on_signal(progress: &Progress) -> anyhow::Result<()> {
    let progress = progress.clone();
    on_signal(move || {
        progress.finish();
        end();
    })
}

fn end() -> ! {
    stderr::say(&"interrupted");
    std::process::exit(INTERRUPTED.into())
}

/// Reads what may come late or never. A signal ends the program meanwhile, so all results have to be written before.
pub fn awaited<T>(stop: &AtomicBool, read: impl FnOnce() -> T) -> T {
    IS_WAITING.store(true, SeqCst);
    // A signal that came before saw nobody wait.
    if stop.load(SeqCst) {
        end();
    }
    let read = read();
    IS_WAITING.store(false, SeqCst);
    read
}

/// A flag that the first signal sets. If the system has no thread left to wait for signals, they end the program as
/// usual.
pub fn stop_on_signal() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    if let Err(error) = on_signal(move || flag.store(true, SeqCst)) {
        log::warn!("Ctrl-C will end the program at once: {error}");
    }
    stop
}

/// A switch for runs that wait for other processes, which the first signal turns on.
#[cfg(unix)]
pub fn cancel_on_signal() -> anyhow::Result<Arc<Cancel>> {
    let cancel = Arc::new(Cancel::new()?);
    let switch = Arc::clone(&cancel);
    on_signal(move || switch.cancel())?;
    Ok(cancel)
}

/// The end of a run, given how it went, whether a signal ended it, and whether its result could be written. The run
/// itself comes first: an unread result must not hide how it ended.
///
/// # Errors
/// The reason why the run ended before its time, or else why its result could not be written.
pub fn end_of_run(
    played: anyhow::Result<()>,
    interrupted: bool,
    written: anyhow::Result<()>,
) -> anyhow::Result<ExitCode> {
    played?;
    if !interrupted {
        return written.map(|()| ExitCode::SUCCESS);
    }
    if let Err(error) = written
        && !is_closed_pipe(&error)
    {
        stderr::say(&format_args!("error: {}", error_line(&error)));
    }
    Ok(ExitCode::from(INTERRUPTED))
}

/// The end of a command that a signal stopped: reports the progress and how to continue.
pub fn interrupted(how_far: &str) -> ExitCode {
    stderr::say(&format_args!("interrupted: {how_far}"));
    ExitCode::from(INTERRUPTED)
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[test]
    fn how_a_run_ended_outranks_its_unread_result() {
        let failed = |kind: io::ErrorKind| Err(io::Error::from(kind).into());
        let [closed, full] = [io::ErrorKind::BrokenPipe, io::ErrorKind::StorageFull];
        for written in [Ok(()), failed(closed), failed(full)] {
            let code = end_of_run(Ok(()), true, written).unwrap();
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
