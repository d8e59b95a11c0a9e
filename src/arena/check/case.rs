//! A case and how it ends.

use std::fmt;

use super::talk::{Line, Stop, Talk};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Start,
    Handshake,
    Positions,
    Options,
    Output,
    Malformed,
    Clients,
    Clock,
}

impl Level {
    pub const ALL: [Self; 8] = [
        Self::Start,
        Self::Handshake,
        Self::Positions,
        Self::Options,
        Self::Output,
        Self::Malformed,
        Self::Clients,
        Self::Clock,
    ];
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{self:?}").to_lowercase())
    }
}

/// The source of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// The text says so, in other words.
    Text(&'static str),
    /// The text says nothing, or contradicts itself. What engines or clients do.
    Undefined(&'static str),
}

impl fmt::Display for Basis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write!(f, "text: {text}"),
            Self::Undefined(text) => write!(f, "undefined: {text}"),
        }
    }
}

/// One thing that an engine may do well or badly.
pub struct Case {
    pub level: Level,
    /// Unique among all cases.
    pub name: String,
    pub basis: Basis,
    pub(super) conversation: Box<Conversation>,
}

/// Talks to an engine. An `Ok` is a pass, unless the talk has warnings.
type Conversation = dyn Fn(&mut Talk) -> Result<(), Stop>;

/// A case of the first level; [`cases`](super::cases) sets the level of its file.
pub(super) fn case(
    name: impl Into<String>,
    basis: Basis,
    conversation: impl Fn(&mut Talk) -> Result<(), Stop> + 'static,
) -> Case {
    Case { level: Level::Start, name: name.into(), basis, conversation: Box::new(conversation) }
}

/// The result of a case, the worst last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The engine does not announce what the case needs.
    NotAnnounced,
    Pass,
    /// Unusual, but nothing breaks.
    Warn,
    Fail,
    /// The process ended.
    Crash,
}

impl Verdict {
    pub const ALL: [Self; 5] = [Self::Pass, Self::Warn, Self::Fail, Self::Crash, Self::NotAnnounced];

    pub fn is_failure(self) -> bool {
        self >= Self::Fail
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::NotAnnounced => "not announced",
            Self::Pass => "pass",
            Self::Warn => "warn",
            Self::Fail => "fail",
            Self::Crash => "crash",
        })
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub verdict: Verdict,
    /// One line for each warning, or the reason of the verdict. Empty for a pass.
    pub reasons: Vec<String>,
    /// The last lines of the conversation.
    pub lines: Vec<Line>,
}
