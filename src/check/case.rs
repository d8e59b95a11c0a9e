//! A case and how it ends.

use std::fmt;

/// One thing that an engine may do well or badly.
#[derive(Debug, Clone)]
pub struct Case {
    pub level: &'static str,
    /// Unique among all cases.
    pub name: &'static str,
    /// True if the text of TEI decides it.
    pub is_defined: bool,
    /// What the text says, in other words, or what engines or clients do.
    pub basis: &'static str,
    /// The lines of its script.
    pub steps: Vec<&'static str>,
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
    /// The last lines of the conversation. Sent lines begin with `> `, received ones with `< `.
    pub lines: Vec<String>,
}
