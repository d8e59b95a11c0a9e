//! Checks of a TEI engine, case by case: `tak-engine check`.
//!
//! A case is a short conversation with a fresh process of the engine and a verdict about it. [`cases`] lists them all, a
//! file a level. What TEI means is read from its text, `tei.md` of PTN Ninja; a case that the text does not decide says
//! what known engines do.

pub mod case;
mod clients;
mod clock;
mod descendants;
mod handshake;
mod malformed;
mod options;
mod output;
mod positions;
pub mod report;
pub mod settings;
mod start;
mod talk;

use crate::arena::play::process::Cancel;
use case::{Case, Finding, Level, Verdict};
use settings::{CheckError, Settings};
use talk::{Stop, Talk};

/// All cases, in the order in which they are run.
pub fn cases() -> Vec<Case> {
    let of_level = |level| {
        let cases = match level {
            Level::Start => start::cases(),
            Level::Handshake => handshake::cases(),
            Level::Positions => positions::cases(),
            Level::Options => options::cases(),
            Level::Output => output::cases(),
            Level::Malformed => malformed::cases(),
            Level::Clients => clients::cases(),
            Level::Clock => clock::cases(),
        };
        cases.into_iter().map(move |case| Case { level, ..case })
    };
    Level::ALL.into_iter().flat_map(of_level).collect()
}

/// Runs a case with a process of its own. All processes of the engine are gone when this returns.
pub fn run(case: &Case, settings: &Settings, cancel: &Cancel) -> Result<Finding, CheckError> {
    descendants::adopt()?;
    let mut talk = Talk::start(settings, cancel)?;
    let ended = (case.conversation)(&mut talk);
    let (lines, warnings) = talk.end();
    if !descendants::kill() {
        return Err(CheckError::LeftBehind);
    }
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
