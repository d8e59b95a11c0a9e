//! Positions in TPS: `BOARD SIDE MOVENUMBER`, for example `x3/x,12S,x/x3 1 5`.
//!
//! The board lists the rows from the highest rank down to rank 1, squares from the `a` file on; errors count rows as
//! players do, so the text's last row is row 1. `xN` means `N` empty squares; digits are a stack's colours from the
//! bottom up, and a final `S` or `C` (or `F`) is a wall or capstone (or flat) on top. The side is `1` for White, `2`
//! for Black.

use std::fmt::{self, Write};
use std::str::FromStr;

use super::leniency::{plain, read_or_fold};
use super::tag::{TagText, is_tag};
use super::{Deviations, Leniency, excerpt};
use crate::board::{
    AnyPosition, ByColor, Color, Komi, OpeningRule, PieceKind, Position, Reserve, Setup, SetupError, SetupStack, Size,
    SizeError, Square, Symmetry,
};

/// Error of parsing a TPS.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SetupTextError {
    /// A TPS has three words.
    #[error("a TPS has three words (board, side to move, move number), found {0}")]
    Words(usize),
    /// A board that is too small or too large.
    #[error("the board has {} rows, expected 3 to 8", .0.0)]
    Rows(SizeError),
    /// A row that does not fit the number of rows.
    #[error("row {row} has {found} squares, expected {expected}")]
    RowLength {
        /// The row, 1 for the text's last.
        row: usize,
        /// Squares given.
        found: usize,
        /// Squares wanted.
        expected: Size,
    },
    /// Text between two commas that is neither empty squares nor a stack.
    #[error("row {row}, square {square}: invalid stack {text:?}: {fault}")]
    Stack {
        /// The row, 1 for the text's last.
        row: usize,
        /// The square that it would be on.
        square: Square,
        /// The text, shortened.
        text: String,
        /// The reason.
        fault: StackFault,
    },
    /// A run of empty squares other than `x` and `x1` to `x8`.
    #[error("row {row}, square {square}: invalid run of empty squares {text:?}: expected x or x1 to x8")]
    EmptyRun {
        /// The row, 1 for the text's last.
        row: usize,
        /// Its first square.
        square: Square,
        /// The text, shortened.
        text: String,
    },
    /// More pieces on one square than there can be.
    #[error("row {row}, square {square}: the stack has {height} pieces, the maximum is {max}", max = SetupStack::MAX_HEIGHT)]
    TooTall {
        /// The row, 1 for the text's last.
        row: usize,
        /// The square that it would be on.
        square: Square,
        /// Pieces given.
        height: usize,
    },
    /// A side other than `1` and `2`.
    #[error("invalid side to move {0:?}: expected 1 (White) or 2 (Black)")]
    Side(String),
    /// A move number that is not a number, or out of range.
    #[error("invalid move number {0:?}: expected 1 to {max}", max = Setup::MAX_MOVE_NUMBER)]
    MoveNumber(String),
}

/// The reason why the text of a stack is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StackFault {
    /// It does not begin with a piece.
    #[error("expected 1 or 2 for each piece, the bottom one first")]
    NoPieces,
    /// Something other than a kind after the pieces.
    #[error("only S or C can follow the pieces, found {0:?}")]
    Kind(String),
}

/// Error of parsing a playable position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PositionTextError {
    /// Not a valid TPS.
    #[error(transparent)]
    Tps(#[from] SetupTextError),
    /// No game has this position.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

/// Reads a TPS. Reserves are standard, there is no komi, and the opening is the usual one unless the board shows
/// another (see [`Setup::shown_opening`]); the caller may change all of these. [`Setup::position`] checks that
/// the position can be played.
impl FromStr for Setup {
    type Err = SetupTextError;

    fn from_str(text: &str) -> Result<Self, SetupTextError> {
        let mut words = text.split_ascii_whitespace();
        let (Some(board), Some(player), Some(number), None) = (words.next(), words.next(), words.next(), words.next())
        else {
            return Err(SetupTextError::Words(text.split_ascii_whitespace().count()));
        };
        let rows = board.split('/').count();
        let size = Size::new(rows as u64).map_err(SetupTextError::Rows)?;
        let mut stacks = Vec::new();
        for (index, text) in board.rsplit('/').enumerate() {
            parse_row(text, index, size, &mut stacks)?;
        }
        let setup = Self {
            size,
            stacks,
            to_move: match player {
                "1" => Color::White,
                "2" => Color::Black,
                _ => return Err(SetupTextError::Side(excerpt(player))),
            },
            move_number: parse_move_number(number)?,
            komi: Komi::ZERO,
            reserves: ByColor([Reserve::standard(size); 2]),
            opening: OpeningRule::Swap,
        };
        Ok(Self { opening: setup.shown_opening().unwrap_or_default(), ..setup })
    }
}

/// Reads a TPS as `Setup`'s `FromStr` does, and also in non-standard forms: `X5` and `1c`, another character than `/`
/// between the rows, in quotes or as a tag. Deviations from the standard are noted, and so is a position of move 1 with
/// stones on the board, see [`Setup::opening_or`].
///
/// # Errors
/// [`SetupTextError`] for any other text.
///
/// ```
/// # use tak_engine_core as tak_engine;
/// use tak_engine::notation::{Deviations, read_setup};
///
/// let mut deviations = Deviations::default();
/// let setup = read_setup("[TPS \"X3-x,1c,x-x3 1 5\"]", &mut deviations)?;
/// assert_eq!(setup.to_string(), "x3/x,1C,x/x3 1 5");
/// assert_eq!(deviations.count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_setup(text: &str, deviations: &mut Deviations) -> Result<Setup, SetupTextError> {
    let setup = read_tps(text, deviations)?;
    if setup.begins_with_stones() {
        deviations.note(Leniency::FirstTurn, text.trim());
    }
    Ok(setup)
}

/// Reads a TPS like [`read_setup`], but of a game whose tags decide the first turns.
pub(super) fn read_tps(text: &str, deviations: &mut Deviations) -> Result<Setup, SetupTextError> {
    let before = deviations.count();
    let setup = read_or_fold(text, deviations, str::parse, standard_tps)?;
    if deviations.count() == before && text.contains('F') {
        deviations.note(Leniency::FlatLetter, text);
    }
    Ok(setup)
}

/// The standard form of a position's text, and the first change made; `None` if nothing can be changed.
fn standard_tps(text: &str) -> Option<(String, Leniency)> {
    let whole = text.trim().trim_end_matches([',', '.', ';']);
    // With anything else after the tag it is a game.
    let tag = TagText::read(whole).filter(|tag| is_tag(&tag.name, "TPS") && tag.length == whole.len());
    let value = tag.as_ref().map_or(text, |tag| tag.value.as_str());
    let typed = plain(value);
    let value = typed.as_deref().unwrap_or(value).trim();
    let stopped = value.trim_end_matches([',', '.', ';']);
    let unquoted = stopped.trim_matches(['"', '\'', '`']);
    let bare = unquoted.trim_end_matches([',', '.', ';']);
    let words: Vec<&str> = bare.split_whitespace().collect();
    let [board @ .., player, number] = words.as_slice() else { return None };
    let blankless = board.concat();
    let rows = if blankless.contains('/') { blankless } else { blankless.replace(['-', '|', '\\'], "/") };
    let letters = rows.to_ascii_uppercase().replace('X', "x");
    let changes = [
        (tag.is_some() || unquoted.len() < stopped.len(), Leniency::QuotedTps),
        (typed.is_some(), Leniency::Typography),
        (bare.len() + stopped.len() < unquoted.len() + value.len(), Leniency::Punctuation),
        ([rows.as_str()] != board, Leniency::Rows),
        (letters != rows, Leniency::LetterCase),
    ];
    let (_, rule) = changes.into_iter().find(|&(is_changed, _)| is_changed)?;
    Some((format!("{letters} {player} {number}"), rule))
}

/// Reads a TPS as [`Setup`] does; the position must be playable, on a board of this size.
impl<const N: usize> FromStr for Position<N> {
    type Err = PositionTextError;

    fn from_str(text: &str) -> Result<Self, PositionTextError> {
        Ok(text.parse::<Setup>()?.position()?)
    }
}

/// Reads a TPS as [`Setup`] does; the position must be playable.
impl FromStr for AnyPosition {
    type Err = PositionTextError;

    fn from_str(text: &str) -> Result<Self, PositionTextError> {
        Ok(Self::from_setup(&text.parse()?)?)
    }
}

/// Appends the stacks of the row with this zero-based rank.
fn parse_row(text: &str, index: usize, size: Size, stacks: &mut Vec<SetupStack>) -> Result<(), SetupTextError> {
    let row = index + 1;
    let mut column = 0;
    for item in text.split(',') {
        // Beyond the largest board squares have no names: the rest of the row is only counted.
        if column >= 8 {
            column += parse_empty_run(item).unwrap_or(1);
            continue;
        }
        let square = Square::new(column, index);
        if item.starts_with('x') {
            column +=
                parse_empty_run(item).ok_or_else(|| SetupTextError::EmptyRun { row, square, text: excerpt(item) })?;
        } else {
            stacks.push(parse_stack(item, row, square)?);
            column += 1;
        }
    }
    if column == size.width() { Ok(()) } else { Err(SetupTextError::RowLength { row, found: column, expected: size }) }
}

/// `x` and `x1` to `x8`.
fn parse_empty_run(item: &str) -> Option<usize> {
    match item.as_bytes() {
        [b'x'] => Some(1),
        [b'x', digit @ b'1'..=b'8'] => Some(usize::from(digit - b'0')),
        _ => None,
    }
}

fn parse_stack(item: &str, row: usize, square: Square) -> Result<SetupStack, SetupTextError> {
    let no_stack = |fault| SetupTextError::Stack { row, square, text: excerpt(item), fault };
    let end = item.find(|c| c != '1' && c != '2').unwrap_or(item.len());
    let (pieces, kind) = item.split_at(end);
    if pieces.is_empty() {
        return Err(no_stack(StackFault::NoPieces));
    }
    let top = match kind {
        "" | "F" => PieceKind::Flat,
        "S" => PieceKind::Wall,
        "C" => PieceKind::Cap,
        _ => return Err(no_stack(StackFault::Kind(excerpt(kind)))),
    };
    if pieces.len() > SetupStack::MAX_HEIGHT {
        return Err(SetupTextError::TooTall { row, square, height: pieces.len() });
    }
    let color = |piece| match piece {
        b'1' => Color::White,
        _ => Color::Black,
    };
    Ok(SetupStack { square, colors: pieces.bytes().map(color).collect(), top })
}

fn parse_move_number(text: &str) -> Result<u32, SetupTextError> {
    text.parse()
        .ok()
        .filter(|number| (1..=Setup::MAX_MOVE_NUMBER).contains(number) && text.starts_with(|c: char| c != '+'))
        .ok_or_else(|| SetupTextError::MoveNumber(excerpt(text)))
}

/// A text that is equal for exactly those positions that are the same when rotated or mirrored: the first of their TPS
/// in the order of strings.
pub fn canonical_tps(setup: &Setup) -> String {
    let turned = Symmetry::ALL.map(|symmetry| setup.transformed(symmetry).to_string());
    turned.into_iter().min().unwrap_or_default()
}

/// The TPS: board, side and move number. It does not contain komi, reserves and the opening rule.
impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.size.width();
        let mut by_square: [Option<&SetupStack>; 64] = [None; 64];
        for stack in &self.stacks {
            by_square[stack.square.index()] = Some(stack);
        }
        for row in (0..width).rev() {
            let squares = &by_square[Square::new(0, row).index()..][..width];
            for (place, run) in squares.chunk_by(|a, b| a.is_none() && b.is_none()).enumerate() {
                f.write_str(if place > 0 { "," } else { "" })?;
                match *run {
                    [Some(stack)] => write_stack(f, stack)?,
                    [None] => f.write_char('x')?,
                    _ => write!(f, "x{}", run.len())?,
                }
            }
            f.write_str(if row > 0 { "/" } else { " " })?;
        }
        write!(f, "{} {}", self.to_move.index() + 1, self.move_number)
    }
}

/// The TPS of the position. It does not contain komi, reserves and the opening rule: see the example of [`Position`].
impl<const N: usize> fmt::Display for Position<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_setup().fmt(f)
    }
}

/// The TPS of the position. It does not contain komi, reserves and the opening rule: see the example of
/// [`AnyPosition`].
impl fmt::Display for AnyPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_setup().fmt(f)
    }
}

fn write_stack(f: &mut fmt::Formatter<'_>, stack: &SetupStack) -> fmt::Result {
    for color in &stack.colors {
        f.write_char(match color {
            Color::White => '1',
            Color::Black => '2',
        })?;
    }
    f.write_str(match stack.top {
        PieceKind::Flat => "",
        PieceKind::Wall => "S",
        PieceKind::Cap => "C",
    })
}
