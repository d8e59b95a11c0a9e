//! Errors of commands and their exit codes.

use std::fmt::Display;
use std::io;

/// Exit code for a command that was understood but failed.
pub const FAILURE: u8 = 1;
/// Exit code for wrong usage.
const USAGE: u8 = 2;

/// Wrong usage that shows only once the command line has been read: settings that make no sense together or with the
/// files they name. A command that gives this as its error ends with 2. It is made where the mistake is found; a file
/// that is missing, or whose contents cannot be used, is no wrong usage.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Usage(String);

/// [`Usage`] as the error of a command.
pub fn usage(mistake: impl Display) -> anyhow::Error {
    Usage(mistake.to_string()).into()
}

/// Wrong usage with an error and its causes as the reason.
pub fn usage_by(error: &anyhow::Error) -> anyhow::Error {
    usage(error_line(error))
}

/// An error and its causes in one line. Many errors name their cause themselves; a cause that is at the end of the
/// message already is not repeated.
pub fn error_line(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.ends_with(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

pub fn exit_code(error: &anyhow::Error) -> u8 {
    if error.is::<Usage>() { USAGE } else { FAILURE }
}

pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}
