//! Sets of squares as 64-bit words: bit `row * 8 + column`, the same at every size.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use super::{Direction, Square};

/// A set of squares. Shifts and floods take the board width `N` and never leave that board or wrap round its edges.
///
/// ```
/// # use tak_engine_core as tak_engine;
/// use tak_engine::board::{Bitboard, Direction, Square};
///
/// let corner = Square::new(0, 0).bit();
/// assert_eq!(corner.neighbours::<5>().count(), 2);
/// assert!(corner.shift::<5>(Direction::South).is_empty());
/// assert!(Bitboard::board::<5>().has_road::<5>());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(pub u64);

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);

    /// Every square of a board of width `N`.
    #[inline]
    pub const fn board<const N: usize>() -> Self {
        let row = (1u64 << N) - 1;
        let mut all = 0;
        let mut i = 0;
        while i < N {
            all |= row << (8 * i);
            i += 1;
        }
        Self(all)
    }

    /// The first (`a`) column of a board of width `N`.
    #[inline]
    pub const fn west_edge<const N: usize>() -> Self {
        Self(FILE_A & Self::board::<N>().0)
    }

    /// The last column of a board of width `N`.
    #[inline]
    pub const fn east_edge<const N: usize>() -> Self {
        Self((FILE_A << (N - 1)) & Self::board::<N>().0)
    }

    /// The first row of a board of width `N`.
    #[inline]
    pub const fn south_edge<const N: usize>() -> Self {
        Self((1 << N) - 1)
    }

    /// The last row of a board of width `N`.
    #[inline]
    pub const fn north_edge<const N: usize>() -> Self {
        Self(Self::south_edge::<N>().0 << (8 * (N - 1)))
    }

    /// The outermost squares of a board of width `N`.
    pub const fn rim<const N: usize>() -> Self {
        Self(
            Self::west_edge::<N>().0 | Self::east_edge::<N>().0 | Self::south_edge::<N>().0 | Self::north_edge::<N>().0,
        )
    }

    /// Returns whether no square is in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns whether the sets share a square.
    #[inline]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns whether `square` is in the set.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// Squares in the set.
    #[inline]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// The lowest square, if there is one.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::from_index(self.0.trailing_zeros() as usize)) }
    }

    /// The squares that are not in `other`.
    #[must_use]
    #[inline]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Every square moved one step; squares that would leave the board vanish.
    #[must_use]
    #[inline]
    pub const fn shift<const N: usize>(self, direction: Direction) -> Self {
        // Below width 8 a step over the edge lands in the unused columns and the board mask removes it; at width 8
        // it would reach the next row, so the edge column goes first.
        let moved = match direction {
            Direction::North => self.0 << 8,
            Direction::South => self.0 >> 8,
            Direction::East if N == 8 => (self.0 & !FILE_H) << 1,
            Direction::East => self.0 << 1,
            Direction::West if N == 8 => (self.0 & !FILE_A) >> 1,
            Direction::West => self.0 >> 1,
        };
        Self(moved & Self::board::<N>().0)
    }

    /// The set and all its neighbours.
    #[must_use]
    #[inline]
    pub const fn grow<const N: usize>(self) -> Self {
        Self((self.0 | self.spill::<N>()) & Self::board::<N>().0)
    }

    /// The neighbours of the set, including squares of the set with a neighbour in it.
    #[must_use]
    #[inline]
    pub const fn neighbours<const N: usize>(self) -> Self {
        Self(self.spill::<N>() & Self::board::<N>().0)
    }

    /// One step in all directions, including unused columns and rows.
    #[inline]
    const fn spill<const N: usize>(self) -> u64 {
        let b = self.0;
        if N == 8 {
            (b & !FILE_H) << 1 | (b & !FILE_A) >> 1 | b << 8 | b >> 8
        } else {
            b << 1 | b >> 1 | b << 8 | b >> 8
        }
    }

    /// All squares of `within` that are connected, inside `within`, to squares of `self` in `within`.
    #[must_use]
    #[inline]
    pub const fn flood<const N: usize>(self, within: Self) -> Self {
        let mut filled = self.0 & within.0;
        loop {
            // Two steps per test: the branch costs more than a useless step.
            let once = (filled | Self(filled).spill::<N>()) & within.0;
            let twice = (once | Self(once).spill::<N>()) & within.0;
            if twice == filled {
                return Self(filled);
            }
            filled = twice;
        }
    }

    /// Several [`Bitboard::flood`]s at once, which share their branches and may use vector instructions.
    #[inline(always)]
    #[allow(clippy::inline_always)] // A call would pass the lanes through memory, one by one.
    pub(super) fn floods<const N: usize, const LANES: usize>(
        from: [Self; LANES],
        within: [Self; LANES],
    ) -> [Self; LANES] {
        let mut filled: [Self; LANES] = std::array::from_fn(|lane| from[lane] & within[lane]);
        loop {
            let mut changes = 0;
            for lane in 0..LANES {
                let (before, within) = (filled[lane], within[lane].0);
                let once = (before.0 | before.spill::<N>()) & within;
                let twice = (once | Self(once).spill::<N>()) & within;
                changes |= twice ^ before.0;
                filled[lane] = Self(twice);
            }
            if changes == 0 {
                return filled;
            }
        }
    }

    /// Returns whether the set joins two opposite edges of the board.
    #[inline]
    pub const fn has_road<const N: usize>(self) -> bool {
        (self.touches_every_column::<N>() && Self::west_edge::<N>().flood::<N>(self).intersects(Self::east_edge::<N>()))
            || (self.touches_every_row::<N>()
                && Self::south_edge::<N>().flood::<N>(self).intersects(Self::north_edge::<N>()))
    }

    /// The squares of a shortest road between two opposite edges; empty if there is none.
    #[must_use]
    pub(crate) fn short_road<const N: usize>(self) -> Self {
        let west_east = (Self::west_edge::<N>(), Self::east_edge::<N>());
        let south_north = (Self::south_edge::<N>(), Self::north_edge::<N>());
        let path = self.short_path::<N>(west_east);
        if path.is_empty() { self.short_path::<N>(south_north) } else { path }
    }

    /// A shortest path through `self` from one edge to the other, found by breadth-first search.
    pub(super) fn short_path<const N: usize>(self, (from, to): (Self, Self)) -> Self {
        // By number of steps, the squares within that distance from the first edge.
        let mut layers = [Self::EMPTY; 64];
        let mut reached = self & from;
        let mut steps = 0;
        while !reached.intersects(to) {
            layers[steps] = reached;
            steps += 1;
            let more = reached.grow::<N>() & self;
            if more == reached {
                return Self::EMPTY;
            }
            reached = more;
        }
        // Back by one square of each layer.
        let mut path = (reached & to).lowest();
        let mut last = path;
        for layer in layers[..steps].iter().rev() {
            last = (last.neighbours::<N>() & *layer).lowest();
            path |= last;
        }
        path
    }

    /// The lowest square as a set; empty if there is none.
    #[inline]
    fn lowest(self) -> Self {
        Self(self.0 & self.0.wrapping_neg())
    }

    /// A road from west to east needs a piece in every column: a cheap test that avoids most floods.
    #[inline]
    const fn touches_every_column<const N: usize>(self) -> bool {
        let mut columns = self.0 | self.0 >> 32;
        columns |= columns >> 16;
        columns |= columns >> 8;
        let full = (1 << N) - 1;
        columns & full == full
    }

    /// The same for roads from south to north.
    #[inline]
    const fn touches_every_row<const N: usize>(self) -> bool {
        // Bit 7 of each byte becomes 1 if the byte has any bit set.
        let low = 0x7F7F_7F7F_7F7F_7F7F;
        let occupied = (((self.0 & low) + low) | self.0) & !low;
        occupied == (FILE_H & (u64::MAX >> (64 - 8 * N)))
    }
}

macro_rules! operators {
    ($($operator:ident $name:ident, $assign:ident $assign_name:ident;)+) => {
        $(
            impl $operator for Bitboard {
                type Output = Self;
                #[inline]
                fn $name(self, other: Self) -> Self {
                    Self(self.0.$name(other.0))
                }
            }

            impl $assign for Bitboard {
                #[inline]
                fn $assign_name(&mut self, other: Self) {
                    self.0.$assign_name(other.0);
                }
            }
        )+
    };
}

operators! {
    BitAnd bitand, BitAndAssign bitand_assign;
    BitOr bitor, BitOrAssign bitor_assign;
    BitXor bitxor, BitXorAssign bitxor_assign;
}

/// All of the 64 squares that are not in the set, including those outside a smaller board: mask the result.
impl Not for Bitboard {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

/// The squares of a set, lowest number first.
#[derive(Debug, Clone)]
pub struct Squares(u64);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = Bitboard(self.0).first()?;
        self.0 &= self.0 - 1;
        Some(square)
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self.0)
    }
}

impl Square {
    /// The set with only this square.
    #[inline]
    pub const fn bit(self) -> Bitboard {
        Bitboard(1 << self.index())
    }

    /// This square and the next `steps` (0 to 7) in `direction`, which must be on the board.
    #[inline]
    pub(crate) const fn line(self, direction: Direction, steps: usize) -> Bitboard {
        const ROW: u64 = 0xFF;
        const COLUMN: u64 = 0x0101_0101_0101_0101;
        let (row, column) = (ROW >> (7 - steps), COLUMN >> (8 * (7 - steps)));
        Bitboard(match direction {
            Direction::North => column << self.index(),
            Direction::South => column << (self.index() - 8 * steps),
            Direction::East => row << self.index(),
            Direction::West => row << (self.index() - steps),
        })
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    use super::*;

    /// Searches for a road square by square.
    fn slow_road<const N: usize>(set: Bitboard) -> bool {
        let joins = |start: &dyn Fn(usize, usize) -> bool, end: &dyn Fn(usize, usize) -> bool| {
            let mut seen = [[false; N]; N];
            let mut queue: Vec<(usize, usize)> = (0..N)
                .flat_map(|row| (0..N).map(move |column| (column, row)))
                .filter(|&(c, r)| start(c, r) && set.contains(Square::new(c, r)))
                .collect();
            while let Some((c, r)) = queue.pop() {
                if seen[r][c] {
                    continue;
                }
                seen[r][c] = true;
                if end(c, r) {
                    return true;
                }
                let near = [(c.wrapping_sub(1), r), (c + 1, r), (c, r.wrapping_sub(1)), (c, r + 1)];
                queue.extend(near.into_iter().filter(|&(c, r)| c < N && r < N && set.contains(Square::new(c, r))));
            }
            false
        };
        joins(&|c, _| c == 0, &|c, _| c == N - 1) || joins(&|_, r| r == 0, &|_, r| r == N - 1)
    }

    fn roads_agree<const N: usize>() {
        let mut rng = StdRng::seed_from_u64(N as u64);
        let mut roads = 0;
        for _ in 0..4000 {
            let full = rng.random::<u64>() | rng.random::<u64>();
            let set = Bitboard(full) & Bitboard::board::<N>();
            assert_eq!(set.has_road::<N>(), slow_road::<N>(set), "{set:?} at width {N}");
            roads += u32::from(set.has_road::<N>());
        }
        assert!(roads > 100 && roads < 3990, "the sample must contain both cases, roads: {roads}");
    }

    #[test]
    fn roads_match_a_walk_over_squares() {
        roads_agree::<3>();
        roads_agree::<4>();
        roads_agree::<5>();
        roads_agree::<6>();
        roads_agree::<7>();
        roads_agree::<8>();
    }

    #[test]
    fn shifts_stop_at_the_edge() {
        for direction in Direction::ALL {
            assert_eq!(Bitboard::board::<8>().shift::<8>(direction).count(), 56);
            assert_eq!(Bitboard::board::<5>().shift::<5>(direction).count(), 20);
        }
        assert_eq!(Bitboard::rim::<8>().count(), 28);
        assert_eq!(Bitboard::board::<3>().neighbours::<3>(), Bitboard::board::<3>());
    }
}
