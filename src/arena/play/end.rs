//! The end of a game: by the rules, by adjudication, or by a fault.

use super::player::Fault;
use crate::arena::tournament::record::{GameResult, Termination};
use crate::board::Color;

/// The end of a game, before its moves are added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct End {
    pub result: GameResult,
    pub termination: Termination,
    pub detail: Option<String>,
}

impl End {
    pub fn new(winner: Option<Color>, termination: Termination) -> Self {
        Self { result: GameResult::from_winner(winner), termination, detail: None }
    }

    pub fn fault(loser: Color, fault: Fault) -> Self {
        Self { result: GameResult::win(!loser), termination: fault.termination, detail: Some(fault.detail) }
    }
}
