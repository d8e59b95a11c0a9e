//! Moves in 16 bits, and the drop patterns of spreads.

use super::{Bitboard, Direction, PieceKind, Square};

/// The drops of a spread.
///
/// Bit `i` represents the lifted piece with `i` lifted pieces above it, and is set if a drop begins with it, that is,
/// if the piece is the lowest one dropped on its square:
///
/// ```text
///  lifted stack   bits of the pattern   3 pieces, drops 2 then 1: 0b101
///  top     i=0    1  last drop starts   -> the top piece alone on the last square
///          i=1    0
///  bottom  i=2    1  first drop starts  -> the two lowest on the first square
/// ```
///
/// So the highest set bit gives the number of lifted pieces, the number of set bits is that of covered squares, and bit
/// 0 is set if the last drop is a single piece. Every value from 1 to 255 is a valid pattern, so the spreads of up to
/// `h` pieces over up to `d` squares are the values below `2^h` with at most `d` bits set.
///
/// ```
/// # use tak_engine_core as tak_engine;
/// use tak_engine::board::Pattern;
///
/// let pattern = Pattern::from_drops(&[2, 1]).unwrap();
/// assert_eq!((pattern.lifted(), pattern.squares()), (3, 2));
/// assert!(pattern.ends_single());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pattern(u8);

impl Pattern {
    /// The pattern with these bits, `None` for 0.
    #[inline]
    pub const fn from_bits(bits: u8) -> Option<Self> {
        if bits == 0 { None } else { Some(Self(bits)) }
    }

    /// The pattern with these drop counts, first square first; `None` if a count is 0, if there are no counts, or if
    /// they add up to more than 8.
    pub fn from_drops(drops: &[u8]) -> Option<Self> {
        let lifted = drops.iter().map(|&d| usize::from(d)).sum::<usize>();
        if drops.is_empty() || drops.contains(&0) || lifted > 8 {
            return None;
        }
        let mut above = lifted;
        let mut bits = 0;
        for &drop in drops {
            bits |= 1 << (above - 1);
            above -= usize::from(drop);
        }
        Some(Self(bits))
    }

    /// The bits described above, never 0.
    #[inline]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Pieces lifted, 1 to 8.
    #[inline]
    pub const fn lifted(self) -> u32 {
        u8::BITS - self.0.leading_zeros()
    }

    /// Squares covered, 1 to 8.
    #[inline]
    pub const fn squares(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns whether the last drop is one piece, which flattening a wall requires.
    #[inline]
    pub const fn ends_single(self) -> bool {
        self.0 & 1 == 1
    }

    /// The drop on each square, the first square first.
    #[inline]
    pub const fn drops(self) -> Drops {
        Drops(self.0)
    }
}

/// Iterator over the drops of a [`Pattern`].
#[derive(Debug, Clone)]
pub struct Drops(u8);

/// The pieces that a spread drops on one square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drop {
    /// Dropped pieces, at least 1.
    pub count: u32,
    /// Pieces carried on to later squares.
    pub above: u32,
}

impl Iterator for Drops {
    type Item = Drop;

    #[inline]
    fn next(&mut self) -> Option<Drop> {
        if self.0 == 0 {
            return None;
        }
        let before = u8::BITS - self.0.leading_zeros();
        self.0 ^= 1 << (before - 1);
        let above = u8::BITS - self.0.leading_zeros();
        Some(Drop { count: before - above, above })
    }
}

/// The kind of a [`Move`].
///
/// ```
/// # use tak_engine_core as tak_engine;
/// use tak_engine::board::{Direction, Move, MoveKind};
///
/// let mv: Move = "3c3>21".parse()?;
/// let MoveKind::Spread(direction, pattern) = mv.kind() else {
///     unreachable!("pieces are lifted");
/// };
/// assert_eq!((direction, pattern.lifted()), (Direction::East, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MoveKind {
    /// A piece from the reserve on an empty square.
    Place(PieceKind),
    /// A stack, or its upper part, moved in a line.
    Spread(Direction, Pattern),
}

/// A move in 16 bits: square (6), pattern (8, zero for a placement), direction or piece kind (2).
///
/// A `Move` contains neither the player nor whether it is legal; in each player's first turn the placed flat belongs to
/// the opponent. The piece on top of a moving stack is read from the board.
///
/// ```
/// # use tak_engine_core as tak_engine;
/// use tak_engine::board::{Move, PieceKind, Square};
///
/// let mv = Move::place(PieceKind::Cap, Square::new(2, 2));
/// assert_eq!(mv.to_string(), "Cc3");
/// assert_eq!("Cc3".parse(), Ok(mv));
/// assert_eq!(Move::from_bits(mv.bits()), Some(mv));
/// let spread: Move = "2a1>11".parse()?;
/// assert_eq!((spread.square().to_string(), spread.target().to_string()), ("a1".into(), "c1".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u16);

impl Move {
    /// Places a piece of `kind` on `square`.
    #[inline]
    pub const fn place(kind: PieceKind, square: Square) -> Self {
        Self(square.index() as u16 | (kind as u16) << 14)
    }

    /// Spreads the stack on `square` towards `direction`.
    #[inline]
    pub const fn spread(square: Square, direction: Direction, pattern: Pattern) -> Self {
        Self(square.index() as u16 | (pattern.0 as u16) << 6 | (direction as u16) << 14)
    }

    /// Bits that represent no move.
    pub(crate) const NONE: u16 = 3 << 14;

    /// The move as a number for [`Move::from_bits`].
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The move with these bits; `None` if they are not a move.
    pub const fn from_bits(bits: u16) -> Option<Self> {
        let no_pattern = bits & 0xFF << 6 == 0;
        if no_pattern && bits >> 14 == 3 { None } else { Some(Self(bits)) }
    }

    /// The square placed on, or the square a stack leaves.
    #[inline]
    pub const fn square(self) -> Square {
        Square::from_index(self.0 as usize)
    }

    /// Placement or spread.
    #[inline]
    pub const fn kind(self) -> MoveKind {
        match Pattern::from_bits((self.0 >> 6) as u8) {
            Some(pattern) => MoveKind::Spread(Direction::from_bits(self.0 >> 14), pattern),
            None => MoveKind::Place(match self.0 >> 14 {
                0 => PieceKind::Flat,
                1 => PieceKind::Wall,
                _ => PieceKind::Cap,
            }),
        }
    }

    /// Returns whether the move is a spread.
    #[inline]
    pub const fn is_spread(self) -> bool {
        self.0 >> 6 & 0xFF != 0
    }

    /// The squares a spread drops pieces on; none for a placement.
    #[inline]
    pub const fn covered(self) -> Bitboard {
        match self.kind() {
            MoveKind::Place(_) => Bitboard::EMPTY,
            MoveKind::Spread(direction, pattern) => {
                let square = self.square();
                let line = square.line(direction, pattern.squares() as usize);
                line.without(square.bit())
            }
        }
    }

    /// The last square a spread reaches; the placed square for a placement.
    pub const fn target(self) -> Square {
        match self.kind() {
            MoveKind::Place(_) => self.square(),
            MoveKind::Spread(direction, pattern) => self.square().step(direction, pattern.squares() as usize),
        }
    }
}

/// Patterns in growing order of their bits, so that those that lift at most `h` pieces are a prefix of the list.
pub(super) struct PatternList {
    bits: [u8; 255],
    /// `prefix[h]`: the number of patterns that lift at most `h` pieces.
    prefix: [u8; 9],
}

impl PatternList {
    /// The patterns that lift at most `height` pieces (0 to 8).
    #[inline]
    pub(super) fn up_to(&self, height: usize) -> &[u8] {
        &self.bits[..usize::from(self.prefix[height])]
    }

    /// The number of patterns that lift at most `height` pieces (0 to 8).
    #[inline]
    pub(super) const fn count(&self, height: usize) -> u64 {
        self.prefix[height] as u64
    }
}

/// `SPREADS[d]`: every pattern that covers at most `d` squares.
pub(super) static SPREADS: [PatternList; 8] = pattern_lists(false);

/// `FLATTENINGS[d]`: every pattern that covers exactly `d` free squares and then drops one piece on a wall.
pub(super) static FLATTENINGS: [PatternList; 8] = pattern_lists(true);

const fn pattern_lists(flatten: bool) -> [PatternList; 8] {
    let mut lists = [const { PatternList { bits: [0; 255], prefix: [0; 9] } }; 8];
    let mut d = 0;
    while d < 8 {
        let list = &mut lists[d];
        let mut length = 0;
        let mut bits = 1u16;
        while bits < 256 {
            let pattern = Pattern(bits as u8);
            let squares = pattern.squares() as usize;
            let fits = if flatten { squares == d + 1 && pattern.ends_single() } else { squares <= d };
            if fits {
                list.bits[length] = bits as u8;
                length += 1;
            }
            if (bits + 1).is_power_of_two() {
                list.prefix[pattern.lifted() as usize] = length as u8;
            }
            bits += 1;
        }
        d += 1;
    }
    lists
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_round_trip_through_drops() {
        for bits in 1..=255u8 {
            let pattern = Pattern::from_bits(bits).unwrap();
            let drops: Vec<u8> = pattern.drops().map(|drop| drop.count as u8).collect();
            assert_eq!(Pattern::from_drops(&drops), Some(pattern));
            assert_eq!(drops.iter().map(|&d| u32::from(d)).sum::<u32>(), pattern.lifted());
            assert_eq!(drops.len() as u32, pattern.squares());
            assert_eq!(drops.last() == Some(&1), pattern.ends_single());
        }
        assert_eq!(Pattern::from_drops(&[2, 1]), Pattern::from_bits(0b101));
        assert_eq!(Pattern::from_drops(&[]), None);
        assert_eq!(Pattern::from_drops(&[1, 0]), None);
        assert_eq!(Pattern::from_drops(&[8, 1]), None);
    }

    #[test]
    fn pattern_lists_count_compositions() {
        // Ways to cut h pieces into k parts: C(h-1, k-1).
        let choose = |n: u64, k: u64| (0..k).fold(1, |c, i| c * (n - i) / (i + 1));
        for height in 0..=8u64 {
            for distance in 0..8u64 {
                let spreads: u64 =
                    (1..=height).map(|h| (1..=distance.min(h)).map(|k| choose(h - 1, k - 1)).sum::<u64>()).sum();
                assert_eq!(SPREADS[distance as usize].count(height as usize), spreads);
                // A flattening spread is a spread of one piece less over the free squares, then the capstone.
                let flattenings: u64 = (distance + 1..=height)
                    .map(|h| if distance == 0 { u64::from(h == 1) } else { choose(h - 2, distance - 1) })
                    .sum();
                assert_eq!(FLATTENINGS[distance as usize].count(height as usize), flattenings);
            }
        }
    }
}
