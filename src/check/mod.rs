//! Checks of a TEI engine, case by case: `tak-engine check`.
//!
//! A case is a short conversation with a fresh process of the engine and a verdict about it. The cases are scripts, a file
//! a level, in `cases`; [`run`] and [`state`] interpret them. What TEI means is read from its text, `tei.md` of PTN Ninja; a
//! case that the text does not decide says what known engines do.

pub mod case;
mod clock;
#[cfg(target_os = "linux")]
mod descendants;
mod lines;
pub mod report;
mod run;
mod script;
pub mod settings;
mod state;
mod talk;

use crate::arena::play::process::Cancel;
use case::{Case, Finding, Verdict};
use run::Run;
pub use script::LEVELS;
use settings::{CheckError, Settings};
use talk::{Stop, Talk};

/// All cases, in the order in which they are run.
pub fn cases() -> Vec<Case> {
    script::SCRIPTS.cases.clone()
}

/// Runs a case with a process of its own. All processes of the engine are gone when this returns.
pub fn run(case: &Case, settings: &Settings, cancel: &Cancel) -> Result<Finding, CheckError> {
    #[cfg(target_os = "linux")]
    descendants::adopt()?;
    let mut talk = Talk::start(settings, cancel)?;
    let mut run = Run::new(&mut talk);
    let ended = case.steps.iter().try_for_each(|step| run.step(step));
    let (lines, warnings) = talk.end();
    #[cfg(target_os = "linux")]
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
