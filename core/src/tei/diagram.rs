//! The board as text, for a person at a terminal.

use std::fmt;

use crate::board::{Color, PieceKind, Setup};

/// A board with TPS stacks in its squares: bottom first, 1 for White, 2 for Black, S for a wall, C for a capstone.
pub struct Diagram<'a>(pub &'a Setup);

impl fmt::Display for Diagram<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.0.size.width();
        let mut cells = vec![vec![String::from("."); width]; width];
        for stack in &self.0.stacks {
            let colors = stack.colors.iter().map(|&color| if color == Color::White { '1' } else { '2' });
            let top = match stack.top {
                PieceKind::Flat => None,
                PieceKind::Wall => Some('S'),
                PieceKind::Cap => Some('C'),
            };
            cells[stack.square.row()][stack.square.column()] = colors.chain(top).collect();
        }
        let widest = |column: usize| cells.iter().map(|row| row[column].len()).max().unwrap_or(1);
        let widths: Vec<usize> = (0..width).map(widest).collect();
        for (row, cells) in cells.iter().enumerate().rev() {
            write!(f, "{} ", row + 1)?;
            for (cell, width) in cells.iter().zip(&widths) {
                write!(f, " {cell:<width$}")?;
            }
            writeln!(f)?;
        }
        write!(f, "  ")?;
        for (column, width) in (b'a'..).zip(&widths) {
            write!(f, " {:<width$}", char::from(column))?;
        }
        writeln!(f)
    }
}
