//! The settings of the checks, and the errors that prevent them.

use std::time::Duration;

use super::state::Unknown;
use crate::arena::play::process::{Program, SpawnError};
use crate::board::Size;

/// The time limits of the checks, and their choices where the engine leaves one.
#[derive(Debug, Clone)]
pub struct Settings {
    pub program: Program,
    /// Every wait is two seconds times this.
    pub scale: f64,
    /// The board of most cases.
    pub size: Size,
    pub clock_games: usize,
}

impl Settings {
    pub fn patience(&self) -> Duration {
        Duration::from_secs(2).mul_f64(self.scale)
    }
}

/// A check that could not be made, which is no fault of the engine.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    #[error("cannot start the engine: {0}")]
    Spawn(#[from] SpawnError),
    #[cfg(target_os = "linux")]
    #[error("the engine starts processes faster than they can be ended")]
    LeftBehind,
    #[error("invalid script of a check: {0}")]
    Script(#[from] Unknown),
    #[error("the check was stopped")]
    Cancelled,
    #[error(transparent)]
    Io(#[from] std::io::Error),
}
