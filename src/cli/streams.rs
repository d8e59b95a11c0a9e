//! Stdin and stdout of work that waits: when the reader of stdout goes away, it ends.

use std::io;

#[cfg(unix)]
use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// Checks that the reader of stdout has not gone away. The system reports errors without being asked for them.
///
/// # Errors
/// [`BrokenPipe`](io::ErrorKind::BrokenPipe) if it has.
#[cfg(unix)]
pub(super) fn check_reader() -> io::Result<()> {
    let out = io::stdout();
    match poll(&mut [PollFd::new(&out, PollFlags::empty())], Some(&Timespec::default())) {
        Ok(1..) => Err(io::ErrorKind::BrokenPipe.into()),
        _ => Ok(()),
    }
}

/// Elsewhere the next result that is written shows it.
#[allow(clippy::unnecessary_wraps)]
#[cfg(not(unix))]
pub(super) fn check_reader() -> io::Result<()> {
    Ok(())
}

/// Waits until there is something to read, or the end.
///
/// # Errors
/// [`BrokenPipe`](io::ErrorKind::BrokenPipe) when the reader of stdout goes away before.
#[cfg(unix)]
pub(super) fn await_input(input: &io::Stdin) -> io::Result<()> {
    let out = io::stdout();
    let mut fds = [PollFd::new(input, PollFlags::IN), PollFd::new(&out, PollFlags::empty())];
    // A signal may come between.
    while poll(&mut fds, None) == Err(rustix::io::Errno::INTR) {}
    // If the input has an error, reading shows it.
    let is_input_due = !fds[0].revents().is_empty();
    if is_input_due || fds[1].revents().is_empty() { Ok(()) } else { Err(io::ErrorKind::BrokenPipe.into()) }
}

/// Elsewhere reading waits.
#[allow(clippy::unnecessary_wraps)]
#[cfg(not(unix))]
pub(super) fn await_input(_: &io::Stdin) -> io::Result<()> {
    Ok(())
}
