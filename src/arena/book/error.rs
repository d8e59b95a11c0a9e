//! Errors of opening suites, with their places.

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::board::{IllegalMove, OpeningRule, SetupError, Size};
use crate::notation::{MoveTextError, PtnTextError, SetupTextError};

/// The reason why a suite cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The file cannot be read.
    #[error("openings {}: {reason}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        reason: io::Error,
    },
    /// There is nothing in it.
    #[error("it has no openings")]
    Empty,
    /// An opening that cannot be played.
    #[error("{place}: {fault}")]
    Opening {
        /// Its place.
        place: Place,
        /// The fault.
        #[source]
        fault: OpeningError,
    },
    /// A PTN game that cannot be read.
    #[error(transparent)]
    Ptn(#[from] PtnTextError),
    /// A fault of a suite, with the name of its file.
    #[error("openings {}: {fault}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The fault.
        #[source]
        fault: Box<BookError>,
    },
}

/// A place in a suite, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A line of the file.
    Line(usize),
    /// A game of a PTN file.
    Game {
        /// Its number.
        number: usize,
        /// The line where it begins.
        line: usize,
    },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(number) => write!(f, "line {number}"),
            Self::Game { number, line } => write!(f, "game {number}, from line {line}"),
        }
    }
}

/// The reason why an opening cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpeningError {
    /// A word that is not a move.
    #[error(transparent)]
    Move(#[from] MoveTextError),
    /// A line that is not a position.
    #[error(transparent)]
    Tps(#[from] SetupTextError),
    /// A position that cannot be.
    #[error("the position is impossible: {0}")]
    Setup(#[from] SetupError),
    /// A list of moves without a board size.
    #[error("a move list does not specify a board size; use PTN games with a Size tag")]
    NoSize,
    /// An opening for another board.
    #[error("it is for size {found}, but the tournament has size {expected}")]
    Size {
        /// Its size.
        found: Size,
        /// The tournament's.
        expected: Size,
    },
    /// A game with other first turns.
    #[error("the opening uses the {found} rule, but the tournament uses {expected}")]
    FirstTurns {
        /// Its rule for them.
        found: OpeningRule,
        /// The tournament's.
        expected: OpeningRule,
    },
    /// Other than the standard reserves: TEI cannot express them.
    #[error("its reserves are not the standard ones")]
    Reserves,
    /// A move that the rules forbid.
    #[error("move {number}, {text}, is illegal: {reason}")]
    Illegal {
        /// From 1, both players counted.
        number: usize,
        /// The move.
        text: String,
        /// The reason.
        reason: IllegalMove,
    },
    /// Nothing is left to be played.
    #[error("the game is over after it")]
    Over,
}
