//! A conversation with one process of an engine, recorded line by line.

use std::collections::VecDeque;
use std::fmt::Display;
use std::io;
use std::time::{Duration, Instant};

use super::settings::{CheckError, Settings};
use crate::arena::play::process::{Cancel, EngineIoError, Process};

/// The number of lines that are kept.
const MAX_LINES: usize = 200;
/// The length of a line that is kept, in characters.
const MAX_LINE_CHARS: usize = 200;

/// The reason that a conversation ended early.
#[derive(Debug)]
pub enum Stop {
    Fail(String),
    Crash(String),
    NotAnnounced(String),
    /// By no fault of the engine.
    Error(CheckError),
}

pub fn fail<T>(reason: impl Display) -> Result<T, Stop> {
    Err(Stop::Fail(reason.to_string()))
}

/// A process of the engine, and what was said so far.
pub struct Talk<'a> {
    pub settings: &'a Settings,
    cancel: &'a Cancel,
    process: Process,
    /// Shortened: `> ` and a line that was sent, or `< ` and one that was received.
    lines: VecDeque<String>,
    warnings: Vec<String>,
}

impl<'a> Talk<'a> {
    pub fn start(settings: &'a Settings, cancel: &'a Cancel) -> Result<Self, CheckError> {
        let process = Process::spawn(&settings.program)?;
        Ok(Self { settings, cancel, process, lines: VecDeque::new(), warnings: Vec::new() })
    }

    /// Kills the process. The lines and the warnings.
    pub fn end(self) -> (Vec<String>, Vec<String>) {
        (self.lines.into(), self.warnings)
    }

    /// Notes something unusual.
    pub fn warn(&mut self, reason: String) {
        if !self.warnings.contains(&reason) {
            self.warnings.push(reason);
        }
    }

    fn record(&mut self, mark: char, text: &str) {
        let short = text.char_indices().nth(MAX_LINE_CHARS).map(|(end, _)| format!("{} ...", &text[..end]));
        if self.lines.len() == MAX_LINES {
            self.lines.pop_front();
        }
        self.lines.push_back(format!("{mark} {}", short.as_deref().unwrap_or(text)));
    }

    pub fn send(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        let text = String::from_utf8_lossy(bytes);
        text.lines().for_each(|line| self.record('>', line));
        let deadline = Instant::now() + self.settings.patience();
        let sent = self.process.send(bytes, deadline, self.cancel);
        sent.map_err(|error| self.stop(&error, "reading its input"))
    }

    /// The next line, or `None` if there is none by then.
    fn line_by(&mut self, deadline: Instant, doing: &str) -> Result<Option<String>, Stop> {
        match self.process.line(deadline, self.cancel) {
            Ok(line) => {
                self.record('<', &line);
                Ok(Some(line))
            }
            Err(EngineIoError::Late) => Ok(None),
            Err(error) => Err(self.stop(&error, doing)),
        }
    }

    /// All lines up to the first whose first word is `head`, without it; and the words after it.
    pub fn until(&mut self, head: &str, time: Duration) -> Result<(Vec<String>, String), Stop> {
        let (deadline, mut lines) = (Instant::now() + time, Vec::new());
        loop {
            let Some(line) = self.line_by(deadline, &format!("waiting for {head}"))? else {
                return fail(format_args!("no {head} within {:.1} s", time.as_secs_f64()));
            };
            if let Some(rest) = line.trim().strip_prefix(head)
                && (rest.is_empty() || rest.starts_with(char::is_whitespace))
            {
                return Ok((lines, rest.trim().to_owned()));
            }
            lines.push(line);
        }
    }

    /// The lines within this time.
    pub fn said_within(&mut self, time: Duration, doing: &str) -> Result<Vec<String>, Stop> {
        let (deadline, mut lines) = (Instant::now() + time, Vec::new());
        while let Some(line) = self.line_by(deadline, doing)? {
            lines.push(line);
        }
        Ok(lines)
    }

    pub fn end_input(&mut self) {
        self.process.end_input();
    }

    /// Waits for the end of the process, which was asked for.
    pub fn exit(&mut self, asked_by: &str) -> Result<(), Stop> {
        let patience = self.settings.patience();
        let deadline = Instant::now() + patience;
        let late = || fail(format_args!("it still runs {:.1} s after {asked_by}", patience.as_secs_f64()));
        loop {
            // Its output has to be read, so that it can end.
            match self.process.line(deadline, self.cancel) {
                Ok(line) => self.record('<', &line),
                Err(EngineIoError::Closed(_)) => break,
                Err(EngineIoError::Late) => return late(),
                Err(error) => return Err(self.stop(&error, &format!("ending after {asked_by}"))),
            }
        }
        match self.process.exit_by(deadline) {
            None => late(),
            Some(status) if status.success() => Ok(()),
            Some(status) => Err(Stop::Crash(format!("it ended with {status} after {asked_by}"))),
        }
    }

    fn stop(&mut self, error: &EngineIoError, doing: &str) -> Stop {
        match error {
            EngineIoError::Cancelled => Stop::Error(CheckError::Cancelled),
            EngineIoError::Io(error) => Stop::Error(CheckError::Io(io::Error::new(error.kind(), error.to_string()))),
            EngineIoError::Late => Stop::Fail(format!("it does not read its input: {doing}")),
            EngineIoError::Flood(_) => Stop::Fail(format!("{error}, {doing}")),
            EngineIoError::Closed(end) => match self.process.exit_status() {
                Some(status) => Stop::Crash(format!("it ended ({status}), {doing}")),
                None => Stop::Fail(format!("it closed its {end}, {doing}")),
            },
        }
    }
}
