//! Moves in PTN: `a1`, `Sa1`, `Ca1`, `c3>`, `3c3>21`.

use super::excerpt;
use crate::board::{Direction, Move, MoveKind, Pattern, PieceKind, Size, Square};

/// Why a text is no move.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// Not a PTN move.
    #[error("{text:?} is no move: {reason}")]
    Malformed {
        /// The text, shortened.
        text: String,
        /// What is wrong with it.
        #[source]
        reason: takparse::ParseMoveError,
    },
    /// A square of a larger board.
    #[error("{text:?} is no move: square {square} is not on a {size}x{size} board")]
    OffBoard {
        /// The text.
        text: String,
        /// The square it names.
        square: Square,
        /// The board.
        size: Size,
    },
}

/// Reads one PTN move for a board of this size. Whether it is legal is not asked.
///
/// Piece letters may be lower case (`ca1`), `F`, drop counts and the count 1 may be written out (`Fa1`, `1a1>1`), and
/// any mix of the marks `*`, `'`, `"`, `!` and `?` may follow.
///
/// # Errors
/// [`MoveError`] for any other text.
pub fn parse_move(text: &str, size: Size) -> Result<Move, MoveError> {
    let bare = text.trim_end_matches(['*', '\'', '"', '!', '?']);
    let parsed: takparse::Move =
        with_capital_piece(bare)
            .parse()
            .map_err(|reason| MoveError::Malformed {
                text: excerpt(text),
                reason,
            })?;
    let square = Square::new(
        parsed.square().column().into(),
        parsed.square().row().into(),
    );
    if square.column() >= size.width() || square.row() >= size.width() {
        return Err(MoveError::OffBoard {
            text: excerpt(text),
            square,
            size,
        });
    }
    Ok(match parsed.kind() {
        takparse::MoveKind::Place(piece) => Move::place(piece_kind(piece), square),
        takparse::MoveKind::Spread(direction, pattern) => {
            Move::spread(square, from_takparse(direction), drop_pattern(pattern))
        }
    })
}

/// `ca1` as `Ca1`: two letters can only be a piece and a file, while `c3` is a square.
fn with_capital_piece(text: &str) -> String {
    match text.as_bytes() {
        [piece @ (b'f' | b's' | b'c'), file, ..] if file.is_ascii_alphabetic() => {
            format!("{}{}", char::from(piece.to_ascii_uppercase()), &text[1..])
        }
        _ => text.to_owned(),
    }
}

pub(super) fn piece_kind(piece: takparse::Piece) -> PieceKind {
    match piece {
        takparse::Piece::Flat => PieceKind::Flat,
        takparse::Piece::Wall => PieceKind::Wall,
        takparse::Piece::Cap => PieceKind::Cap,
    }
}

fn from_takparse(direction: takparse::Direction) -> Direction {
    match direction {
        takparse::Direction::Up => Direction::North,
        takparse::Direction::Right => Direction::East,
        takparse::Direction::Down => Direction::South,
        takparse::Direction::Left => Direction::West,
    }
}

fn drop_pattern(pattern: takparse::Pattern) -> Pattern {
    // takparse keeps the same bits in the opposite order.
    Pattern::from_bits(pattern.mask().reverse_bits()).expect("a parsed pattern drops something")
}

/// Writes a move in its shortest PTN form: no `F`, no count of 1, no drop count when all pieces go to one square.
#[must_use]
pub fn format_move(mv: Move) -> String {
    let square = mv.square();
    match mv.kind() {
        MoveKind::Place(PieceKind::Flat) => square.to_string(),
        MoveKind::Place(PieceKind::Wall) => format!("S{square}"),
        MoveKind::Place(PieceKind::Cap) => format!("C{square}"),
        MoveKind::Spread(direction, pattern) => {
            let mut text = String::with_capacity(12);
            if pattern.lifted() > 1 {
                text += &pattern.lifted().to_string();
            }
            text += &square.to_string();
            text.push(direction.symbol());
            if pattern.squares() > 1 {
                text.extend(pattern.drops().map(|drop| drop.count.to_string()));
            }
            text
        }
    }
}
