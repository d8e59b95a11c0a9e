//! Board sizes and reserves.

use std::fmt;

/// A board width from 3 to 8.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Size(u8);

/// An invalid board width.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("board size {0} is not supported, expected 3 to 8")]
pub struct SizeError(pub u64);

impl Size {
    /// Every size, smallest first.
    pub const ALL: [Self; 6] = [Self::THREE, Self::FOUR, Self::FIVE, Self::SIX, Self::SEVEN, Self::EIGHT];

    /// 3x3, the smallest board.
    pub const THREE: Self = Self(3);
    /// 4x4.
    pub const FOUR: Self = Self(4);
    /// 5x5.
    pub const FIVE: Self = Self(5);
    /// 6x6, the usual board.
    pub const SIX: Self = Self(6);
    /// 7x7.
    pub const SEVEN: Self = Self(7);
    /// 8x8, the largest board.
    pub const EIGHT: Self = Self(8);

    /// The default size.
    pub const USUAL: Self = Self::SIX;

    /// A checked size.
    ///
    /// # Errors
    /// [`SizeError`] unless `width` is 3 to 8.
    pub const fn new(width: u64) -> Result<Self, SizeError> {
        match width {
            3..=8 => Ok(Self(width as u8)),
            _ => Err(SizeError(width)),
        }
    }

    /// Squares along one side, 3 to 8. Also the maximum number of pieces that a spread may lift.
    #[inline]
    pub const fn width(self) -> usize {
        self.0 as usize
    }

    /// Its index in [`Size::ALL`].
    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.width() - Self::ALL[0].width()
    }

    /// Squares on the board, 9 to 64.
    #[inline]
    pub const fn squares(self) -> usize {
        self.width() * self.width()
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// The pieces that a player has left to place, or starts with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Reserve {
    /// Flats and walls.
    pub stones: u8,
    /// Capstones.
    pub caps: u8,
}

impl Reserve {
    /// The maximum number of stones at the start. Those of both players and a capstone must fit a stack, which has 128
    /// bits.
    pub const MAX_STONES: u8 = 60;
    /// The maximum number of capstones at the start.
    pub const MAX_CAPS: u8 = 3;

    /// The standard reserve of each player at `size`.
    pub const fn standard(size: Size) -> Self {
        let (stones, caps) = match size.0 {
            3 => (10, 0),
            4 => (15, 0),
            5 => (21, 1),
            6 => (30, 1),
            7 => (40, 2),
            _ => (50, 2),
        };
        Self { stones, caps }
    }

    /// All pieces together.
    #[inline]
    pub const fn total(self) -> u8 {
        self.stones + self.caps
    }

    /// Returns whether no piece is left, which ends the game.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.total() == 0
    }
}
