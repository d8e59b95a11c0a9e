//! Squares and directions.
//!
//! Squares are numbered `row * 8 + column` at every board size, so that moves, hash keys and tables are independent of
//! the size. Row 0 is the first rank (`a1` is square 0), column 0 the `a` file.

use std::fmt;

/// A square: `row * 8 + column`, 0 to 63, not necessarily on a given board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The square at zero-based `column` and `row`.
    ///
    /// # Panics
    /// If either is above 7.
    #[inline]
    pub const fn new(column: usize, row: usize) -> Self {
        assert!(column < 8 && row < 8);
        Self((row * 8 + column) as u8)
    }

    /// The square with this number; only its lowest six bits count.
    #[inline]
    pub const fn from_index(index: usize) -> Self {
        Self((index & 63) as u8)
    }

    /// `row * 8 + column`.
    #[inline]
    pub const fn index(self) -> usize {
        // The mask lets the compiler drop bounds checks of arrays of 64.
        (self.0 & 63) as usize
    }

    /// Zero-based column (the file).
    #[inline]
    pub const fn column(self) -> usize {
        (self.0 & 7) as usize
    }

    /// Zero-based row (the rank).
    #[inline]
    pub const fn row(self) -> usize {
        (self.0 >> 3) as usize
    }

    /// The square `steps` further in `direction`, which must be on the board.
    #[must_use]
    #[inline]
    pub const fn step(self, direction: Direction, steps: usize) -> Self {
        let offset = direction.offset() * steps as i8;
        Self(self.0.wrapping_add_signed(offset) & 63)
    }
}

/// As in PTN: `a1`, `h8`.
impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = char::from(b'a' + self.column() as u8);
        write!(f, "{file}{}", self.row() + 1)
    }
}

/// The four directions of spreads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Direction {
    /// `+`, towards higher rows.
    North = 0,
    /// `>`, towards higher columns.
    East = 1,
    /// `-`, towards row 1.
    South = 2,
    /// `<`, towards the `a` file.
    West = 3,
}

impl Direction {
    /// All four, in the order of their codes.
    pub const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// The direction of a code; only its lowest two bits count.
    #[inline]
    pub const fn from_bits(bits: u16) -> Self {
        match bits & 3 {
            0 => Self::North,
            1 => Self::East,
            2 => Self::South,
            _ => Self::West,
        }
    }

    /// The difference of square numbers by one step.
    #[inline]
    pub const fn offset(self) -> i8 {
        match self {
            Self::North => 8,
            Self::East => 1,
            Self::South => -8,
            Self::West => -1,
        }
    }

    /// As in PTN: `+`, `>`, `-`, `<`.
    pub const fn symbol(self) -> char {
        match self {
            Self::North => '+',
            Self::East => '>',
            Self::South => '-',
            Self::West => '<',
        }
    }
}
