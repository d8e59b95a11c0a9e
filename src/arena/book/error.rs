//! What can be wrong with an opening suite, and where.

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::board::{IllegalMove, OpeningRule, SetupError, Size};
use crate::notation::{MoveTextError, PtnTextError, SetupTextError};

/// Why a suite cannot be used.
///
/// ```
/// use tak_engine::arena::book::{self, BookError};
/// use tak_engine::board::{Komi, Setup, Size};
///
/// let board = Setup::empty(Size::new(5)?, Komi::ZERO);
/// assert!(matches!(book::parse("# none yet\n", None, &board), Err(BookError::Empty)));
/// let error = book::parse("a1 e5\na1 a1\n", None, &board).unwrap_err();
/// assert_eq!(error.to_string(), "line 2: move 2, a1, is illegal: square a1 is not empty");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The file cannot be read.
    #[error("cannot read {}: {reason}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        #[source]
        reason: io::Error,
    },
    /// There is nothing in it.
    #[error("there is no opening in it")]
    Empty,
    /// An opening that cannot be played.
    #[error("{place}: {fault}")]
    Opening {
        /// Where it is.
        place: Place,
        /// What is wrong with it.
        #[source]
        fault: OpeningError,
    },
    /// A PTN game that cannot be read.
    #[error(transparent)]
    Ptn(#[from] PtnTextError),
    /// What is wrong with a suite, and in which file it is.
    #[error("openings {}: {fault}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong in it.
        #[source]
        fault: Box<BookError>,
    },
}

/// A place in a suite, counted from 1.
///
/// ```
/// use tak_engine::arena::book::Place;
///
/// assert_eq!(Place::Line(12).to_string(), "line 12");
/// assert_eq!(Place::Game { number: 3, line: 17 }.to_string(), "game 3, from line 17");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A line of the file.
    Line(usize),
    /// A game of a PTN file.
    Game {
        /// Which one.
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

/// Why an opening cannot be played.
///
/// ```
/// use tak_engine::arena::book::{self, BookError, OpeningError, Place};
/// use tak_engine::board::{Komi, Setup, Size};
///
/// let board = Setup::empty(Size::new(3)?, Komi::ZERO);
/// // White has a road before the engines take over.
/// let error = book::parse("a1 c1 c2 a2 c3", None, &board).unwrap_err();
/// let BookError::Opening { place, fault } = error else { panic!("{error}") };
/// assert_eq!((place, fault), (Place::Line(1), OpeningError::Over));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpeningError {
    /// A word that is no move.
    #[error(transparent)]
    Move(#[from] MoveTextError),
    /// A line that is no position.
    #[error(transparent)]
    Tps(#[from] SetupTextError),
    /// A position that cannot be.
    #[error("the position is impossible: {0}")]
    Setup(#[from] SetupError),
    /// A list of moves where nothing else tells the board.
    #[error("a list of moves does not say for which size of board it is, as PTN games do")]
    NoSize,
    /// An opening for another board.
    #[error("it is for size {found}, the tournament has size {expected}")]
    Size {
        /// Its size.
        found: Size,
        /// The tournament's.
        expected: Size,
    },
    /// A game with other first turns.
    #[error("its first turns are those of {found}, the tournament's those of {expected}")]
    FirstTurns {
        /// Its rule for them.
        found: OpeningRule,
        /// The tournament's.
        expected: OpeningRule,
    },
    /// Other than the standard reserves, of which engines cannot be told.
    #[error("its reserves are not the standard ones")]
    Reserves,
    /// A move that the rules forbid.
    #[error("move {number}, {text}, is illegal: {reason}")]
    Illegal {
        /// From 1, both players counted.
        number: usize,
        /// The move.
        text: String,
        /// Why.
        reason: IllegalMove,
    },
    /// Nothing is left to be played.
    #[error("the game is over after it")]
    Over,
}
