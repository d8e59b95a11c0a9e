//! The games of PTN files, with tags, moves, comments and a result: their types, errors and text form.
//! [`parse_games`](super::parse_games) reads them.

use super::games::GameText;
use super::tag::is_tag;
use super::{Deviation, MoveTextError, SetupTextError};
use crate::board::{Color, Move, Setup, Size, SizeError};

/// One game of a PTN file.
///
/// ```
/// # use tak_engine_core as tak_engine;
/// use tak_engine::notation::{PtnGame, parse_games};
///
/// let games: Result<Vec<PtnGame>, _> = parse_games("[Size \"5\"]\n\n1. a1 e5 2. Cc3 {centre} b2 *").collect();
/// let game = &games?[0];
/// assert_eq!(game.tag("Size"), Some("5"));
/// assert_eq!(game.moves.len(), 4);
/// assert_eq!(parse_games(&game.to_string()).next(), Some(Ok(game.clone())));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PtnGame {
    /// Names and values of the tags, in the order of the file.
    pub tags: Vec<(String, String)>,
    /// The comments before the first move.
    pub comments: Vec<String>,
    /// The first position, from the tags `Size`, `TPS`, `Komi`, `Opening`, `Flats` and `Caps`. Not checked to be
    /// playable.
    pub start: Setup,
    /// The moves, not checked to be legal.
    pub moves: Vec<PtnMove>,
    /// The result that ends the moves, `*` included. The `Result` tag is among the tags.
    pub result: Option<String>,
    /// Other lines from positions of the game, each after the one that it leaves.
    pub variations: Vec<PtnVariation>,
}

/// A move of a PTN file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PtnMove {
    /// Not checked to be legal.
    pub mv: Move,
    /// The marks after it, any of `*`, `'`, `"`, `!` and `?`. Nothing else is written.
    pub marks: String,
    /// The texts of the comments after it.
    pub comments: Vec<String>,
}

/// Without marks and comments.
impl From<Move> for PtnMove {
    fn from(mv: Move) -> Self {
        Self { mv, marks: String::new(), comments: Vec::new() }
    }
}

/// A variation of a game in a PTN file.
///
/// ```
/// # use tak_engine_core as tak_engine;
/// use tak_engine::notation::parse_games;
///
/// let text = "[Size \"5\"]\n\n1. a1 e5\n2. c3 c4\n\n{2b_d4}\n2. -- d4! {better}\n3. d3\n";
/// let game = parse_games(text).next().unwrap()?;
/// let variation = &game.variations[0];
/// assert_eq!((variation.parent, variation.ply, variation.moves.len()), (None, 3, 2));
/// assert_eq!(game.to_string(), text);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PtnVariation {
    /// As in the braces before it, such as `2b_d4`.
    pub name: String,
    /// The variation that it leaves, an earlier one of the list; `None` for the game itself.
    pub parent: Option<usize>,
    /// The plies of the game before its first move.
    pub ply: usize,
    /// The comments before the first move.
    pub comments: Vec<String>,
    /// The moves, not checked to be legal.
    pub moves: Vec<PtnMove>,
    /// The result that ends the moves.
    pub result: Option<String>,
}

impl PtnVariation {
    /// The plies of the game to its last move.
    pub fn end(&self) -> usize {
        self.ply + self.moves.len()
    }
}

/// Error of parsing a game of a PTN file, with its line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct PtnTextError {
    /// The line of the file, from 1.
    pub line: usize,
    /// The reason.
    #[source]
    pub fault: PtnFault,
}

/// The reason why the text of a game is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PtnFault {
    /// Not `[Name "value"]`.
    #[error("malformed tag, expected [Name \"value\"]")]
    Tag,
    /// Neither a size nor a position.
    #[error("the game has neither a Size nor a TPS tag")]
    NoSize,
    /// A tag whose value should be a number.
    #[error("invalid tag {name} {value:?}: expected a whole number")]
    Number {
        /// The tag.
        name: &'static str,
        /// The text in its quotes, shortened.
        value: String,
    },
    /// A board that is too small or too large.
    #[error("tag Size: {0}")]
    Size(#[from] SizeError),
    /// A position that cannot be read.
    #[error("tag TPS: {0}")]
    Tps(#[from] SetupTextError),
    /// A position for another board than the `Size` tag's.
    #[error("tag Size is {size}, but the TPS is {tps}x{tps}")]
    SizeAndTps {
        /// The board of the `Size` tag.
        size: Size,
        /// The board of the position.
        tps: Size,
    },
    /// A move that cannot be read.
    #[error(transparent)]
    Move(#[from] MoveTextError),
    /// A `{` without its `}`.
    #[error("unterminated comment")]
    OpenComment,
    /// Text after the `}` that ends a comment with a `{` in it, or a `}` without its `{`.
    #[error("comments cannot be nested: the first }} ends a comment")]
    NestedComment,
    /// A `(` without its `)`.
    #[error("unterminated variation")]
    OpenVariation,
    /// A `--` other than instead of White's move in a game that Black begins.
    #[error("unexpected --: {0} is to move")]
    Placeholder(Color),
    /// A deviation that only the strict reader refuses.
    #[error("{}", Deviation { line: None, ..deviation.clone() })]
    NotStandard {
        /// The first deviation.
        deviation: Deviation,
    },
    /// A move, or another result, where the game should end. The text is shortened.
    #[error("{0:?} comes after the result")]
    AfterResult(String),
    /// More text than any game has.
    #[error("the game is longer than {} MiB, the rest was ignored", GameText::MAX_BYTES >> 20)]
    TooLong,
}

impl PtnGame {
    /// A game without tags, moves and result.
    pub fn new(start: Setup) -> Self {
        Self { tags: Vec::new(), comments: Vec::new(), start, moves: Vec::new(), result: None, variations: Vec::new() }
    }

    /// The value of the first tag of this name, ignoring case.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| is_tag(tag, name)).map(|(_, value)| value.as_str())
    }

    /// The name of a player, if there is one: PTN writes `?` if it is unknown.
    pub fn player(&self, color: Color) -> Option<&str> {
        let tag = match color {
            Color::White => "Player1",
            Color::Black => "Player2",
        };
        self.tag(tag).map(str::trim).filter(|name| !["", "?"].contains(name))
    }
}
