//! What is wrong with a line of a front end.

use std::fmt::Display;

/// The reason why a line, or a part of it, cannot be executed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct CommandError(String);

impl CommandError {
    pub(super) fn of(error: impl Display) -> Self {
        Self(error.to_string())
    }

    pub(super) fn unknown(word: &str) -> Self {
        Self(format!("unknown command \"{word:.40}\""))
    }

    pub(super) fn missing(what: &str) -> Self {
        Self(format!("{what} is missing"))
    }

    pub(super) fn unexpected(command: &str, word: &str) -> Self {
        Self(format!("unexpected \"{word:.40}\" in {command}"))
    }

    pub(super) fn repeated(word: &str) -> Self {
        Self(format!("{word} is given twice"))
    }
}

/// The first part of a line that is skipped.
pub(super) type Fault = Option<CommandError>;
