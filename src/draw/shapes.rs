//! Places, lengths and letters that all parts of a picture share.

use std::fmt;

use crate::board::Direction;

/// A place in the picture; y grows downwards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

impl Point {
    /// A place to the right and below.
    pub fn moved(self, x: f64, y: f64) -> Self {
        Self { x: self.x + x, y: self.y + y }
    }

    /// A place `far` away in this direction.
    pub fn towards(self, direction: Direction, far: f64) -> Self {
        match direction {
            Direction::North => self.moved(0.0, -far),
            Direction::East => self.moved(far, 0.0),
            Direction::South => self.moved(0.0, far),
            Direction::West => self.moved(-far, 0.0),
        }
    }
}

/// A length as text: two digits after the point are enough for any screen.
#[derive(Debug, Clone, Copy)]
pub struct Units {
    hundredths: i64,
}

/// A length as text.
pub fn units(length: f64) -> Units {
    Units { hundredths: (length * 100.0).round() as i64 }
}

/// By whole numbers: the code that writes any `f64` takes 7 kB of a module for web pages, compressed.
impl fmt::Display for Units {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.hundredths < 0 { "-" } else { "" };
        let all = self.hundredths.unsigned_abs();
        match (all / 100, all % 100) {
            (whole, 0) => write!(f, "{sign}{whole}"),
            (whole, part) if part % 10 == 0 => write!(f, "{sign}{whole}.{}", part / 10),
            (whole, part) => write!(f, "{sign}{whole}.{part:02}"),
        }
    }
}

/// As in a path: both coordinates with a blank between them.
impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", units(self.x), units(self.y))
    }
}

/// The letter of a move among several; `None` for a single move.
pub fn letter(index: usize, moves: usize) -> Option<char> {
    let letter = char::from(b'A' + u8::try_from(index).ok()?);
    (moves > 1).then_some(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_written_as_rust_writes_rounded_numbers() {
        for thousandths in -20_500..=20_500_i32 {
            let length = f64::from(thousandths) / 1000.0;
            // Adding zero makes -0 the usual one.
            let rounded = (length * 100.0).round() / 100.0 + 0.0;
            assert_eq!(units(length).to_string(), rounded.to_string());
        }
    }
}
