//! Opening suites: move lists, positions in TPS, or PTN games. Every entry is checked by the rules before it is used.

use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use crate::board::AnyPosition;
use crate::board::{ByColor, IllegalMove, Move, OpeningRule, Reserve, Setup, SetupError, Size};
use crate::notation::{
    MoveTextError, PtnTextError, SetupTextError, parse_first_move, parse_games, parse_move,
};
use crate::system::files::read_text;

/// Where a game begins.
///
/// ```
/// use tak_engine::arena::book;
/// use tak_engine::board::{Komi, Setup, Size};
///
/// let board = Setup::empty(Size::new(5)?, Komi::ZERO);
/// let openings = book::parse("# corners\na1 e5\na1 e1 c3\n", None, &board)?;
/// assert_eq!(openings.len(), 2);
/// assert_eq!(openings[1].start, board);
/// assert_eq!(openings[1].moves, ["a1".parse()?, "e1".parse()?, "c3".parse()?]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    /// The position before the first move, playable, with the tournament's komi and first turns.
    pub start: Setup,
    /// Legal moves that both players make before the engines take over. The game is not over after them.
    pub moves: Vec<Move>,
}

/// How a suite is written.
///
/// ```
/// use tak_engine::arena::book::{self, BookFormat};
/// use tak_engine::board::{Komi, Setup, Size};
///
/// let board = Setup::empty(Size::new(5)?, Komi::ZERO);
/// let openings = book::parse("x5/x5/x2,1,x2/x5/2,x4 1 2", Some(BookFormat::Tps), &board)?;
/// assert_eq!(openings[0].start.move_number, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BookFormat {
    /// One opening a line, moves in PTN separated by blanks, from the empty board.
    MoveList,
    /// One position a line.
    Tps,
    /// One opening a game.
    Ptn,
}

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
    #[error("openings {}: {reason}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
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
/// assert_eq!(Place::Game(3).to_string(), "game 3");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A line of the file.
    Line(usize),
    /// A game of a PTN file.
    Game(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(number) => write!(f, "line {number}"),
            Self::Game(number) => write!(f, "game {number}"),
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

/// Reads a suite from a file, for games from the empty board `board`. Without a `format` the content tells it.
///
/// # Errors
/// [`BookError`] names the file and the place in it.
pub fn load(
    path: &Path,
    format: Option<BookFormat>,
    board: &Setup,
) -> Result<Vec<Opening>, BookError> {
    let text = File::open(path)
        .and_then(read_text)
        .map_err(|reason| BookError::Io {
            path: path.to_owned(),
            reason,
        })?;
    parse(&text, format, board).map_err(|fault| BookError::File {
        path: path.to_owned(),
        fault: Box::new(fault),
    })
}

/// Reads a suite for games from the empty board `board`. In move lists and lists of positions, empty lines and lines that
/// begin with `#` are skipped.
///
/// # Errors
/// [`BookError`] names the first place that cannot be used.
pub fn parse(
    text: &str,
    format: Option<BookFormat>,
    board: &Setup,
) -> Result<Vec<Opening>, BookError> {
    let text = text.trim_start_matches('\u{feff}');
    let format = format.unwrap_or_else(|| detect(text));
    let openings: Result<Vec<Opening>, BookError> = match format {
        BookFormat::Ptn => parse_games(text)
            .zip(1..)
            .map(|(game, number)| {
                let game = game?;
                let moves = game.moves.iter().map(|ptn_move| ptn_move.mv).collect();
                same_first_turns(&game.start, board)
                    .and_then(|()| checked(game.start, moves, board))
                    .map_err(|fault| BookError::Opening {
                        place: Place::Game(number),
                        fault,
                    })
            })
            .collect(),
        BookFormat::MoveList | BookFormat::Tps => entries(text)
            .map(|(number, line)| {
                let opening = if format == BookFormat::Tps {
                    checked_position(line, board)
                } else {
                    move_list(line, board)
                };
                opening.map_err(|fault| BookError::Opening {
                    place: Place::Line(number),
                    fault,
                })
            })
            .collect(),
    };
    openings.and_then(|openings| {
        if openings.is_empty() {
            Err(BookError::Empty)
        } else {
            Ok(openings)
        }
    })
}

/// A hash of a suite, the same however it was written.
#[must_use]
pub fn hash(openings: &[Opening]) -> String {
    let mut text = String::new();
    for opening in openings {
        text += &opening.start.to_string();
        for &mv in &opening.moves {
            text.push(' ');
            text += &mv.to_string();
        }
        text.push('\n');
    }
    format!("{:016x}", crate::journal::fnv1a(text.as_bytes()))
}

/// Lines with their numbers, but for empty lines and comments.
fn entries(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = (1..).zip(text.lines().map(str::trim));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// Tags begin with a bracket, and only positions have slashes.
fn detect(text: &str) -> BookFormat {
    match entries(text).next() {
        Some((_, line)) if line.starts_with('[') => BookFormat::Ptn,
        Some((_, line)) if line.contains('/') => BookFormat::Tps,
        _ => BookFormat::MoveList,
    }
}

fn move_list(line: &str, board: &Setup) -> Result<Opening, OpeningError> {
    let mut words = line.split_whitespace();
    let first = words.next().map(|word| parse_first_move(word, board));
    let others = words.map(|word| parse_move(word, board.size));
    let moves: Result<Vec<Move>, MoveTextError> = first.into_iter().chain(others).collect();
    checked(board.clone(), moves?, board)
}

fn checked_position(line: &str, board: &Setup) -> Result<Opening, OpeningError> {
    checked(line.parse::<Setup>()?, Vec::new(), board)
}

/// A game has its own rule for first turns, and with another rule its first moves would mean something else.
fn same_first_turns(start: &Setup, board: &Setup) -> Result<(), OpeningError> {
    if start.move_number == 1 && start.opening != board.opening {
        return Err(OpeningError::FirstTurns {
            found: start.opening,
            expected: board.opening,
        });
    }
    Ok(())
}

fn checked(start: Setup, moves: Vec<Move>, board: &Setup) -> Result<Opening, OpeningError> {
    if start.size != board.size {
        return Err(OpeningError::Size {
            found: start.size,
            expected: board.size,
        });
    }
    if start.reserves != ByColor([Reserve::standard(board.size); 2]) {
        return Err(OpeningError::Reserves);
    }
    // The komi of the game that an opening was taken from does not matter.
    let start = Setup {
        komi: board.komi,
        opening: board.opening,
        ..start
    };
    let mut position = AnyPosition::from_setup(&start)?;
    for (number, &mv) in (1..).zip(&moves) {
        position.play(mv).map_err(|reason| OpeningError::Illegal {
            number,
            text: mv.to_string(),
            reason,
        })?;
    }
    if position.outcome().is_some() {
        return Err(OpeningError::Over);
    }
    Ok(Opening { start, moves })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Komi;

    fn five(text: &str) -> Result<Vec<Opening>, BookError> {
        parse(text, None, &board(OpeningRule::Swap))
    }

    fn board(opening: OpeningRule) -> Setup {
        Setup {
            opening,
            ..Setup::empty(Size::new(5).unwrap(), Komi::ZERO)
        }
    }

    fn fault(text: &str) -> String {
        five(text).unwrap_err().to_string()
    }

    #[test]
    fn all_formats_are_told_apart_and_mean_the_same() {
        let list = five("# made by hand\r\n\na5 e1 c3 Cb2\r\na1 b1\n").unwrap();
        let ptn = "[Size \"5\"]\n[Komi \"2\"]\n\n1. a5 e1\n2. c3 Cb2\n\n[Size \"5\"]\n1. a1 b1 *\n";
        assert_eq!(five(ptn).unwrap(), list);
        assert_eq!(hash(&five(ptn).unwrap()), hash(&list));
        assert_eq!(list[0].moves.len(), 4);
        let tps = five("2,x4/x5/x2,1,x2/x,2C,x3/x4,1 1 3").unwrap();
        let mut position = AnyPosition::from_setup(&list[0].start).unwrap();
        for &mv in &list[0].moves {
            position.play(mv).unwrap();
        }
        assert_eq!(AnyPosition::from_setup(&tps[0].start).unwrap(), position);
        assert_ne!(hash(&tps), hash(&list));
    }

    #[test]
    fn komi_is_the_tournaments() {
        let komi = Komi::from_half(4).unwrap();
        let ptn = "[Size \"5\"]\n[Komi \"0.5\"]\n1. a1 b1";
        let board = Setup::empty(Size::new(5).unwrap(), komi);
        let book = parse(ptn, Some(BookFormat::Ptn), &board).unwrap();
        assert_eq!(book[0].start.komi, komi);
    }

    #[test]
    fn every_format_knows_other_first_turns() {
        let double = board(OpeningRule::DoubleBlack);
        let texts = [
            "2a5 e1",
            "a5 e1",
            "[Size \"5\"]\n[Opening \"double black stack\"]\n1. 2a5 e1",
            "22,x4/x5/x5/x5/x4,1 1 2",
        ];
        for text in texts {
            let book = parse(text, None, &double).unwrap();
            let mut position = AnyPosition::from_setup(&book[0].start).unwrap();
            for &mv in &book[0].moves {
                position.play(mv).unwrap();
            }
            let tps = position.to_string();
            assert_eq!(tps, "22,x4/x5/x5/x5/x4,1 1 2", "{text}");
            assert_eq!(position.opening(), OpeningRule::DoubleBlack);
        }
        assert!(parse("22,x4/x5/x5/x5/x5 2 1", None, &double).is_ok());
        let fault = |text: &str, rule| parse(text, None, &board(rule)).unwrap_err().to_string();
        assert_eq!(
            fault(texts[2], OpeningRule::Swap),
            "game 1: its first turns are those of double-black, the tournament's those of swap"
        );
        assert_eq!(
            fault("22,x4/x5/x5/x5/x5 2 1", OpeningRule::NoSwap),
            "line 1: the position is impossible: Black to play move 1 needs a board with one white piece (opening no-swap)"
        );
        assert!(fault("2a5 e1", OpeningRule::Swap).starts_with("line 1: \"2a5\""));
        assert!(parse("Ca1 Se5 a1+", None, &board(OpeningRule::NoSwap)).is_ok());
        assert!(fault("Ca1 Se5 a1+", OpeningRule::DoubleBlack).contains("move 1, Ca1, is illegal"));
    }

    #[test]
    fn errors_name_the_place() {
        assert!(fault("a1 b1\n\na1 f1").starts_with("line 3: \"f1\""));
        assert!(fault("a1 b1\na1 a1").starts_with("line 2: move 2, a1, is illegal"));
        assert!(fault("a1 b1\nSa1").starts_with("line 2: move 1, Sa1, is illegal"));
        assert!(fault("x4/x4/x4/x4 1 1").contains("size 4, the tournament has size 5"));
        assert!(fault("x5/x5/x5/x5/1,1,1,1,1 2 5").contains("over"));
        assert!(fault("x5/x5/x5/x5/x5 2 1").contains("the position is impossible"));
        assert!(fault("[Size \"5\"]\n1. a1 b1\n\n[Size \"5\"]\n1. a1 a1").starts_with("game 2: "));
        assert!(fault("[Size \"5\"]\n1. a1 b1 zz").starts_with("line 2: "));
        assert!(fault("[Size \"5\"]\n[Flats \"10\"]\n1. a1 b1").contains("reserves"));
        assert_eq!(fault("\n# nothing\n"), "there is no opening in it");
    }
}
