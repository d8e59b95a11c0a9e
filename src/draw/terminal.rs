//! The board as text for a terminal, on which white and black pieces differ at a glance.

use std::fmt;

use crate::board::{Color, PieceKind, Setup, SetupStack};

/// How pieces of the two colours differ. Both show a stack as TPS does: bottom first, S for a wall, C for a capstone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BoardStyle {
    /// Black on white for White, white on black for Black, by the control sequences of terminals.
    Colors,
    /// `○` for White, `●` for Black.
    Signs,
}

/// A position drawn in a style.
#[derive(Debug, Clone, Copy)]
pub struct TerminalBoard<'a> {
    /// The position.
    pub setup: &'a Setup,
    /// The style of its pieces.
    pub style: BoardStyle,
}

impl fmt::Display for TerminalBoard<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { setup, style } = self;
        let size = setup.size.width();
        let stack_on = |column: usize, row: usize| {
            setup.stacks.iter().find(|stack| (stack.square.column(), stack.square.row()) == (column, row))
        };
        let height = |column: usize| (0..size).filter_map(|row| stack_on(column, row)).map(width).max().unwrap_or(1);
        let widths: Vec<usize> = (0..size).map(height).collect();
        for row in (0..size).rev() {
            write!(f, "{} ", row + 1)?;
            for (column, &room) in widths.iter().enumerate() {
                let stack = stack_on(column, row);
                f.write_str(" ")?;
                match stack {
                    Some(stack) => style.write(f, stack)?,
                    None => f.write_str(".")?,
                }
                write!(f, "{:1$}", "", room - stack.map_or(1, width))?;
            }
            writeln!(f)?;
        }
        write!(f, "  ")?;
        for (letter, room) in ('a'..).zip(widths) {
            write!(f, " {letter:<room$}")?;
        }
        writeln!(f, "{}", style.legend())
    }
}

/// Characters of a stack.
fn width(stack: &SetupStack) -> usize {
    stack.colors.len() + usize::from(stack.top != PieceKind::Flat)
}

impl BoardStyle {
    fn write(self, f: &mut fmt::Formatter<'_>, stack: &SetupStack) -> fmt::Result {
        let top = match stack.top {
            PieceKind::Flat => "",
            PieceKind::Wall => "S",
            PieceKind::Cap => "C",
        };
        for (depth, &color) in (0..stack.colors.len()).rev().zip(&stack.colors) {
            let kind = if depth == 0 { top } else { "" };
            match (self, color) {
                (Self::Colors, Color::White) => write!(f, "\u{1b}[30;107m1{kind}\u{1b}[0m")?,
                (Self::Colors, Color::Black) => write!(f, "\u{1b}[97;40m2{kind}\u{1b}[0m")?,
                (Self::Signs, Color::White) => write!(f, "○{kind}")?,
                (Self::Signs, Color::Black) => write!(f, "●{kind}")?,
            }
        }
        Ok(())
    }

    fn legend(self) -> &'static str {
        match self {
            Self::Colors => "",
            Self::Signs => "   ○ White  ● Black",
        }
    }
}
