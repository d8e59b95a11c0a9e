//! Kinds of pieces.

/// The kind of a piece; only the top piece of a stack can be a wall or a capstone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum PieceKind {
    /// A lying stone: counts for roads and for flats.
    Flat = 0,
    /// A standing stone: blocks roads and spreads.
    Wall = 1,
    /// A capstone: counts for roads, blocks spreads, flattens walls.
    Cap = 2,
}

impl PieceKind {
    /// All three kinds, in the order of their codes.
    pub const ALL: [Self; 3] = [Self::Flat, Self::Wall, Self::Cap];

    /// Returns whether spreads cannot be dropped on this piece (except that a single capstone flattens a wall).
    #[inline]
    pub const fn blocks(self) -> bool {
        !matches!(self, Self::Flat)
    }

    /// Returns whether this piece can be part of a road.
    #[inline]
    pub const fn is_road(self) -> bool {
        !matches!(self, Self::Wall)
    }
}
