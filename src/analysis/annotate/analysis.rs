//! The engine's analysis of one position: what games are judged by, and what the journal keeps.

use serde::{Deserialize, Serialize};

use crate::board::{AnyPosition, Color, Move, Size, Symmetry};
use crate::search::Score;

/// The analysis of a position of a game. Scores are for the player to move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PositionAnalysis {
    /// The best that the player to move can get.
    pub score: Score,
    /// The line that gets it; empty if the game is over.
    #[serde(with = "moves_text")]
    pub line: Vec<Move>,
    /// Plies of the last completed iteration.
    pub depth: u32,
    /// Positions visited by all that was done here.
    pub nodes: u64,
    /// The time that all of it took, in milliseconds.
    pub ms: u64,
    /// The player who forces a road from here, proven by the solver.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub road: Option<Color>,
    /// The best without the move that was played, if that was examined: see [`super::examine`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other: Option<Alternative>,
    /// The result that the move played alone keeps, as longer searches confirmed: see [`super::examine`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only: Option<OnlyMove>,
}

/// A result that only one move keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnlyMove {
    /// A won position, which any other move makes level.
    Win,
    /// A won position, which any other move loses.
    WinOrLoss,
    /// A level position, which any other move loses.
    Level,
}

/// The best that can be had without the move that was played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alternative {
    /// For the player to move.
    pub score: Score,
    /// The line that gets it.
    #[serde(with = "moves_text")]
    pub line: Vec<Move>,
}

impl PositionAnalysis {
    /// Turns the line by a symmetry of the position if it then begins with `mv`: of moves
    /// that are equally good none is a mistake.
    pub fn turn_to(&mut self, mv: Move, position: &AnyPosition) {
        let Some(&first) = self.line.first().filter(|&&first| first != mv) else { return };
        let size = position.size();
        if let Some(symmetry) = position.symmetries().into_iter().find(|symmetry| symmetry.mv(first, size) == mv) {
            self.turn(symmetry, size);
        }
    }

    /// Turns the lines as the board is turned.
    pub fn turn(&mut self, symmetry: Symmetry, size: Size) {
        let other = self.other.iter_mut().flat_map(|other| &mut other.line);
        self.line.iter_mut().chain(other).for_each(|mv| *mv = symmetry.mv(*mv, size));
    }

    /// At a position in which the game is over, with this result for the player who would be to move.
    pub fn over(score: Score) -> Self {
        Self { score, line: Vec::new(), depth: 0, nodes: 0, ms: 0, road: None, other: None, only: None }
    }
}

/// Moves as PTN, separated by blanks.
mod moves_text {
    use serde::{Deserialize, Deserializer, Serializer, de};

    use crate::board::Move;
    use crate::notation::MoveTextError;

    pub fn serialize<S: Serializer>(moves: &[Move], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&crate::notation::moves_text(moves))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Move>, D::Error> {
        String::deserialize(from)?
            .split_ascii_whitespace()
            .map(str::parse)
            .collect::<Result<_, MoveTextError>>()
            .map_err(de::Error::custom)
    }
}
