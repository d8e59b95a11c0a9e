//! Writes the games of PTN files.

use std::fmt;

use super::moves::MARKS;
use super::opening::format_first_move;
use super::{PtnGame, PtnMove};
use crate::board::Color;

/// A PTN file of this one game: the tags in their order, one line a move number, the result, and then the variations.
/// [`parse_games`](super::parse_games) reads it back, provided that the tags describe `start`.
impl fmt::Display for PtnGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.tags {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(f, "[{name} \"{}\"]", one_line(&value))?;
        }
        writeln!(f)?;
        for comment in &self.comments {
            writeln!(f, "{}", Comment(comment))?;
        }
        self.write_moves(f, 0, &[], &self.moves)?;
        match self.written_result() {
            Some(result) if self.moves.is_empty() => writeln!(f, "{result}")?,
            Some(result) => writeln!(f, " {result}")?,
            None => writeln!(f)?,
        }
        for variation in &self.variations {
            writeln!(f, "\n{}", Comment(&variation.name))?;
            self.write_moves(f, variation.ply, &variation.comments, &variation.moves)?;
            match &variation.result {
                Some(result) => writeln!(f, " {result}")?,
                None => writeln!(f)?,
            }
        }
        Ok(())
    }
}

impl PtnGame {
    /// Writes moves after so many plies, with the number of each pair, and comments before the first of them.
    fn write_moves(
        &self,
        f: &mut fmt::Formatter<'_>,
        from: usize,
        comments: &[String],
        moves: &[PtnMove],
    ) -> fmt::Result {
        for (index, played) in moves.iter().enumerate() {
            let (number, color) = self.turn(from + index);
            match (color, index) {
                (Color::White, 0) => write!(f, "{number}.")?,
                (Color::White, _) => write!(f, "\n{number}.")?,
                (Color::Black, 0) => write!(f, "{number}. --")?,
                (Color::Black, _) => {}
            }
            for comment in comments.iter().filter(|_| index == 0) {
                write!(f, " {}", Comment(comment))?;
            }
            let text = match from + index {
                0 => format_first_move(played.mv, &self.start),
                _ => played.mv.to_string(),
            };
            write!(f, " {text}")?;
            for mark in played.marks.chars().filter(|mark| MARKS.contains(mark)) {
                write!(f, "{mark}")?;
            }
            for comment in &played.comments {
                write!(f, " {}", Comment(comment))?;
            }
        }
        Ok(())
    }
}

struct Comment<'a>(&'a str);

impl fmt::Display for Comment<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{}}}", one_line(self.0).replace('}', ")"))
    }
}

/// Replaces line breaks and other control characters by blanks: neither a tag nor a comment may begin a new line.
fn one_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}
