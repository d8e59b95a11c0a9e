//! How games end.

use pyo3::prelude::*;
use tak_engine::board::{EndReason, Game};
use tak_engine::notation::winner_of;

use crate::errors::invalid;
use crate::text::{Tags, ends_game, result_in};
use crate::values::color;

/// How a game ended, see `Game.outcome`.
#[pyclass(module = "tak_engine", frozen, get_all, eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The winner, "white" or "black"; None for a draw.
    winner: Option<&'static str>,
    /// "road", "flats", or "other" for an end that does not follow from the board: a resignation, a loss on time, an
    /// agreed draw.
    reason: &'static str,
    /// As in PTN, such as "R-0" or "1-0".
    result: String,
}

#[pymethods]
impl Outcome {
    #[new]
    fn new(winner: Option<&str>, reason: &str, result: &str) -> PyResult<Self> {
        let known = ["road", "flats", "other"].into_iter().find(|&known| known == reason);
        let of_result = winner_of(result).map(color);
        let Some(reason) = known.filter(|_| ends_game(result) && of_result == winner) else {
            let winner = winner.unwrap_or("None");
            return Err(invalid(format!("no game ends with winner {winner}, reason {reason} and result {result}")));
        };
        Ok(Self { winner: of_result, reason, result: result.to_owned() })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (Option<&'static str>, &'static str, String)) {
        (py.get_type::<Self>().into_any(), (self.winner, self.reason, self.result.clone()))
    }

    fn __repr__(&self) -> String {
        let winner = self.winner.map_or_else(|| "None".to_owned(), |winner| format!("'{winner}'"));
        format!("Outcome(winner={winner}, reason='{}', result='{}')", self.reason, self.result)
    }
}

impl Outcome {
    /// The end of a game by the rules, or else by the result in its tags.
    pub fn of(game: &Game, tags: &Tags) -> Option<Self> {
        if let Some(outcome) = game.position().outcome() {
            let reason = if outcome.reason == EndReason::Road { "road" } else { "flats" };
            return Some(Self { winner: outcome.winner.map(color), reason, result: outcome.to_string() });
        }
        let result = result_in(tags)?;
        Some(Self { winner: winner_of(result).map(color), reason: "other", result: result.to_owned() })
    }
}
