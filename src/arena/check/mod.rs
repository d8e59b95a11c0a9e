//! What a TEI engine does, case by case: `tak-engine check`.
//!
//! A case is a short conversation with a fresh process of the engine and a verdict about it. [`cases`] lists them all, a
//! file a level. What TEI means is read from its text, `tei.md` of PTN Ninja; a case that the text does not decide says
//! what known engines do.

mod clients;
mod clock;
mod descendants;
mod handshake;
mod malformed;
mod options;
mod output;
mod positions;
pub mod report;
mod start;
mod talk;

use std::fmt;
use std::time::Duration;

use crate::arena::play::process::{Cancel, Program, SpawnError};
use crate::board::Size;
pub use talk::Line;
use talk::{Stop, Talk};

/// A group of cases.
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
        f.pad(match self {
            Self::Start => "start",
            Self::Handshake => "handshake",
            Self::Positions => "positions",
            Self::Options => "options",
            Self::Output => "output",
            Self::Malformed => "malformed",
            Self::Clients => "clients",
            Self::Clock => "clock",
        })
    }
}

/// What a case rests on.
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
    conversation: Box<Conversation>,
}

/// Talks to an engine. An `Ok` is a pass, unless the talk has warnings.
type Conversation = dyn Fn(&mut Talk) -> Result<(), Stop>;

impl Case {
    fn new(
        level: Level,
        name: impl Into<String>,
        basis: Basis,
        conversation: impl Fn(&mut Talk) -> Result<(), Stop> + 'static,
    ) -> Self {
        Self { level, name: name.into(), basis, conversation: Box::new(conversation) }
    }
}

/// All cases, in the order in which they are run.
pub fn cases() -> Vec<Case> {
    let levels = [
        start::cases(),
        handshake::cases(),
        positions::cases(),
        options::cases(),
        output::cases(),
        malformed::cases(),
        clients::cases(),
        clock::cases(),
    ];
    levels.into_iter().flatten().collect()
}

/// How a case ended, the worst last.
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

/// How patient the checks are and what they use where the engine leaves a choice.
#[derive(Debug, Clone)]
pub struct Settings {
    pub program: Program,
    /// Every wait is two seconds times this.
    pub scale: f64,
    /// The board of most cases.
    pub size: Size,
    /// Games that the clock is measured in.
    pub clock_games: u32,
}

impl Settings {
    fn patience(&self) -> Duration {
        Duration::from_secs(2).mul_f64(self.scale)
    }
}

/// The end of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub verdict: Verdict,
    /// One line for each warning, or the reason of the verdict. Empty for a pass.
    pub reasons: Vec<String>,
    /// What was said, the last lines of it.
    pub lines: Vec<Line>,
}

/// A check that could not be made, which is no fault of the engine.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    #[error("cannot start the engine: {0}")]
    Spawn(#[from] SpawnError),
    #[error("the check was stopped")]
    Cancelled,
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// Runs a case with a process of its own. All processes of the engine are gone when this returns.
pub fn run(case: &Case, settings: &Settings, cancel: &Cancel) -> Result<Finding, CheckError> {
    descendants::adopt()?;
    let mut talk = Talk::start(settings, cancel)?;
    let ended = (case.conversation)(&mut talk);
    let (lines, warnings) = talk.end();
    descendants::kill();
    let (verdict, reasons) = match ended {
        Ok(()) if warnings.is_empty() => (Verdict::Pass, warnings),
        Ok(()) => (Verdict::Warn, warnings),
        Err(Stop::Fail(reason)) => (Verdict::Fail, vec![reason]),
        Err(Stop::Crash(reason)) => (Verdict::Crash, vec![reason]),
        Err(Stop::NotAnnounced(reason)) => (Verdict::NotAnnounced, vec![reason]),
        Err(Stop::Error(error)) => return Err(error),
    };
    Ok(Finding { verdict, reasons, lines })
}
