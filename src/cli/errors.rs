//! Errors of commands and their exit codes.

use std::io;

use crate::arena::openings::book::BookError;

/// Exit code for a command that was understood but failed.
pub const FAILURE: u8 = 1;
/// Exit code for wrong usage.
const USAGE: u8 = 2;

/// Wrong usage that shows only once the command line has been read: settings that make no sense together or with the
/// files they name. A command that gives this as its error ends with 2.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct Usage(pub anyhow::Error);

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

/// A file that is missing, or whose contents cannot be used, is a failure wherever it is named, not wrong usage.
pub fn exit_code(error: &anyhow::Error) -> u8 {
    let is_of_file = |cause: &(dyn std::error::Error + 'static)| cause.is::<io::Error>() || cause.is::<BookError>();
    match error.downcast_ref::<Usage>() {
        Some(Usage(inner)) if !inner.chain().any(is_of_file) => USAGE,
        _ => FAILURE,
    }
}

pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}
