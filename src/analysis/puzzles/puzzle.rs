//! A puzzle: plain data.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use crate::board::{Move, Setup};
use crate::notation::canonical_tps;

/// The task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A road that cannot be prevented. One move alone leads to it.
    Tinue,
    /// One move alone avoids a forced loss.
    Defence,
    /// One move alone keeps a won or a level position, as far as long searches show.
    Best,
    /// One move alone wins the count of flats.
    Flats,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Tinue, Self::Defence, Self::Best, Self::Flats];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Tinue => "tinue",
            Self::Defence => "defence",
            Self::Best => "best",
            Self::Flats => "flats",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Kind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let kind = Self::ALL.into_iter().find(|kind| kind.name() == text);
        kind.ok_or_else(|| format!("invalid kind of puzzle {text:?}"))
    }
}

/// One of the things that a puzzle is about. The solver is the player to move, and the moves are the solver's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Theme {
    /// A capstone flattens a wall.
    Flatten,
    /// A spread drops pieces on three squares or more.
    LongSpread,
    /// The first move of a forced road threatens no road.
    QuietStart,
    /// After a move at least two squares complete a road, and no answer stops both.
    TwoThreats,
    /// The capstone stops a road with the first move.
    CapstoneBlock,
    /// The road at the end runs along an edge.
    EdgeRoad,
    /// The road at the end stays away from the edges beside it.
    CentreRoad,
    /// A player has at most as many pieces in reserve as the board is wide.
    FewPieces,
}

impl Theme {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Flatten,
        Self::LongSpread,
        Self::QuietStart,
        Self::TwoThreats,
        Self::CapstoneBlock,
        Self::EdgeRoad,
        Self::CentreRoad,
        Self::FewPieces,
    ];

    /// Its name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Flatten => "flatten",
            Self::LongSpread => "long-spread",
            Self::QuietStart => "quiet-start",
            Self::TwoThreats => "two-threats",
            Self::CapstoneBlock => "capstone-block",
            Self::EdgeRoad => "edge-road",
            Self::CentreRoad => "centre-road",
            Self::FewPieces => "few-pieces",
        }
    }
}

/// A position with one right move, or with right moves on one square alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Puzzle {
    /// The task.
    pub kind: Kind,
    /// The position, with komi and reserves.
    pub setup: Setup,
    /// Plies played in the game before.
    pub ply: u32,
    /// The proof; `None` for [`Kind::Best`].
    pub proof: Option<Proof>,
    /// The right move, and how the game continues.
    pub solution: Step,
    /// Other right moves: in the place of a mistake, other pieces on the square of the first one may be as good.
    pub also: Vec<Move>,
    /// Wrong moves that look right, and their refutations.
    pub wrong: Vec<Wrong>,
    /// The number of the [level](crate::engine::Level) that finds the right move in half of its tries, or one more than
    /// the last.
    pub difficulty: u32,
    /// What it is about.
    pub themes: Vec<Theme>,
}

/// In how many plies a puzzle is decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Proof {
    /// The right move wins within these plies; or, in [`Kind::Defence`], every other move loses within them.
    pub plies: u32,
    /// No other move wins within so many plies; or, in [`Kind::Defence`], the right move does not lose within them.
    /// `None` if that is so in any number of plies.
    pub settled: Option<u32>,
}

/// A move, and the answers to it that matter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Step {
    #[serde(rename = "move")]
    pub mv: Move,
    /// The answers to it; empty if the solution ends.
    pub answers: Vec<Step>,
}

impl Step {
    /// The move, and each time the first answer.
    pub fn main_line(&self) -> Vec<Move> {
        std::iter::successors(Some(self), |step| step.answers.first()).map(|step| step.mv).collect()
    }

    /// A line of play: each move is the only answer to the one before.
    pub fn line(moves: &[Move]) -> Vec<Self> {
        let moves = moves.iter().rev();
        moves.fold(Vec::new(), |answers, &mv| vec![Self { mv, answers }])
    }
}

/// A wrong move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Wrong {
    #[serde(rename = "move")]
    pub mv: Move,
    /// The moves after it that show why.
    pub answer: Vec<Move>,
}

/// A text that is the same for positions that are the same puzzle: rotated, mirrored, with colours swapped, at another
/// move number, or with another komi. A solver sees the same board again, although with another komi another move can be
/// right, mostly in `flats`.
pub fn key(setup: &Setup) -> String {
    let seen = |setup: &Setup| {
        let [white, black] = setup.reserves.0;
        let numberless = Setup {
            // From move 2 on the number changes nothing.
            move_number: 2,
            ..setup.clone()
        };
        format!("{} {}/{} {}/{}", canonical_tps(&numberless), white.stones, white.caps, black.stones, black.caps)
    };
    seen(setup).min(seen(&setup.colors_swapped()))
}
