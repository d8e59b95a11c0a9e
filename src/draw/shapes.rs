//! Places, lengths and letters that all parts of a picture share.

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

/// Rounds a length: two digits after the point are enough for any screen.
pub fn units(length: f64) -> f64 {
    (length * 100.0).round() / 100.0
}

/// The letter of a move among several; `None` for a single move.
pub fn letter(index: usize, moves: usize) -> Option<char> {
    let letter = char::from(b'A' + u8::try_from(index).ok()?);
    (moves > 1).then_some(letter)
}
