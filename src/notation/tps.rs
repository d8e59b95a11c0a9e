//! Positions in TPS: `BOARD SIDE MOVENUMBER`, for example `x3/x,12S,x/x3 1 5`.
//!
//! The board lists the rows from the highest rank down to rank 1, squares from the `a` file on; errors count rows as
//! players do, so the text's last row is row 1. `xN` stands for `N` empty squares, digits for a stack's colours from
//! the bottom up, a last `S` or `C` (or `F`) for a wall or capstone on top. The side is `1` for White, `2` for Black.

use std::fmt::Write;

use super::excerpt;
use super::moves::piece_kind;
use crate::board::{
    ByColor, Color, Komi, OpeningRule, PieceKind, Reserve, Setup, SetupStack, Size, SizeError,
    Square,
};

/// Why a text is no position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TpsError {
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
    #[error("row {row}, square {square}: {text:?} is no stack ({reason})")]
    Stack {
        /// The row, 1 for the text's last.
        row: usize,
        /// The square where it would stand.
        square: Square,
        /// The text, shortened.
        text: String,
        /// What is wrong with it.
        reason: takparse::ParseTpsError,
    },
    /// A run of empty squares other than `x` and `x1` to `x8`.
    #[error(
        "row {row}, square {square}: {text:?} is no run of empty squares, expected x or x1 to x8"
    )]
    EmptyRun {
        /// The row, 1 for the text's last.
        row: usize,
        /// The square where it begins.
        square: Square,
        /// The text, shortened.
        text: String,
    },
    /// More pieces on one square than there can be.
    #[error("row {row}, square {square}: a stack of {height} pieces, the most there can be is {max}", max = MAX_HEIGHT)]
    TooTall {
        /// The row, 1 for the text's last.
        row: usize,
        /// Where it stands.
        square: Square,
        /// Its height.
        height: usize,
    },
    /// A side other than `1` and `2`.
    #[error("{0:?} is no side to move, expected 1 or 2")]
    Side(String),
    /// A move number that is none or out of range.
    #[error("{0:?} is no move number, expected 1 to {max}", max = Setup::MAX_MOVE_NUMBER)]
    MoveNumber(String),
}

/// No stack is higher, whatever the reserves: all stones of both players, and a capstone on top.
const MAX_HEIGHT: usize = 2 * Reserve::MAX_STONES as usize + 1;

/// Reads a TPS, with standard reserves, no komi and, where the board does not show another (see
/// [`Setup::shown_opening`]), the usual opening, all of which the caller may change. [`Setup::position`] tells whether it
/// is a position that can be played.
///
/// # Errors
/// The first [`TpsError`] in the text.
pub fn parse_tps(text: &str) -> Result<Setup, TpsError> {
    let mut words = text.split_ascii_whitespace();
    let (Some(board), Some(player), Some(number), None) =
        (words.next(), words.next(), words.next(), words.next())
    else {
        return Err(TpsError::Words(text.split_ascii_whitespace().count()));
    };
    let rows = board.split('/').count();
    let size = Size::new(rows as u64).map_err(TpsError::Rows)?;
    let mut stacks = Vec::new();
    for (index, text) in board.rsplit('/').enumerate() {
        parse_row(text, index, size, &mut stacks)?;
    }
    let setup = Setup {
        size,
        stacks,
        to_move: match player {
            "1" => Color::White,
            "2" => Color::Black,
            _ => return Err(TpsError::Side(excerpt(player))),
        },
        move_number: parse_move_number(number)?,
        komi: Komi::ZERO,
        reserves: ByColor([Reserve::standard(size); 2]),
        opening: OpeningRule::Swap,
    };
    Ok(Setup {
        opening: setup.shown_opening().unwrap_or_default(),
        ..setup
    })
}

/// Appends the stacks of the row with this zero-based rank.
fn parse_row(
    text: &str,
    index: usize,
    size: Size,
    stacks: &mut Vec<SetupStack>,
) -> Result<(), TpsError> {
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
            column += parse_empty_run(item).ok_or_else(|| TpsError::EmptyRun {
                row,
                square,
                text: excerpt(item),
            })?;
        } else {
            stacks.push(parse_stack(item, row, square)?);
            column += 1;
        }
    }
    if column == size.width() {
        Ok(())
    } else {
        Err(TpsError::RowLength {
            row,
            found: column,
            expected: size,
        })
    }
}

/// `x` and `x1` to `x8`. takparse takes any number here, also one that overflows the row's sum.
fn parse_empty_run(item: &str) -> Option<usize> {
    match item.as_bytes() {
        [b'x'] => Some(1),
        [b'x', digit @ b'1'..=b'8'] => Some(usize::from(digit - b'0')),
        _ => None,
    }
}

fn parse_stack(item: &str, row: usize, square: Square) -> Result<SetupStack, TpsError> {
    let stack: takparse::Stack = item.parse().map_err(|reason| TpsError::Stack {
        row,
        square,
        text: excerpt(item),
        reason,
    })?;
    let colors: Vec<Color> = stack
        .colors()
        .map(|color| match color {
            takparse::Color::White => Color::White,
            takparse::Color::Black => Color::Black,
        })
        .collect();
    if colors.len() > MAX_HEIGHT {
        return Err(TpsError::TooTall {
            row,
            square,
            height: colors.len(),
        });
    }
    Ok(SetupStack {
        square,
        colors,
        top: piece_kind(stack.top()),
    })
}

fn parse_move_number(text: &str) -> Result<u32, TpsError> {
    text.parse()
        .ok()
        .filter(|number| {
            (1..=Setup::MAX_MOVE_NUMBER).contains(number) && text.starts_with(|c: char| c != '+')
        })
        .ok_or_else(|| TpsError::MoveNumber(excerpt(text)))
}

/// Writes board, side and move number; komi and reserves have no place in a TPS.
#[must_use]
pub fn format_tps(setup: &Setup) -> String {
    let width = setup.size.width();
    let mut by_square: [Option<&SetupStack>; 64] = [None; 64];
    for stack in &setup.stacks {
        by_square[stack.square.index()] = Some(stack);
    }
    let mut text = String::with_capacity(96);
    for row in (0..width).rev() {
        let mut empty = 0;
        for column in 0..width {
            let Some(stack) = by_square[Square::new(column, row).index()] else {
                empty += 1;
                continue;
            };
            push_empty_run(&mut text, empty);
            empty = 0;
            push_stack(&mut text, stack);
        }
        push_empty_run(&mut text, empty);
        // Every item ends in a comma; the row's last becomes its end.
        text.pop();
        text.push('/');
    }
    text.pop();
    let side = setup.to_move.index() + 1;
    // Writing to a string cannot fail.
    let _ = write!(text, " {side} {}", setup.move_number);
    text
}

fn push_empty_run(text: &mut String, length: usize) {
    match length {
        0 => {}
        1 => text.push_str("x,"),
        _ => {
            let _ = write!(text, "x{length},");
        }
    }
}

fn push_stack(text: &mut String, stack: &SetupStack) {
    text.extend(stack.colors.iter().map(|color| match color {
        Color::White => '1',
        Color::Black => '2',
    }));
    text.push_str(match stack.top {
        PieceKind::Flat => ",",
        PieceKind::Wall => "S,",
        PieceKind::Cap => "C,",
    });
}
