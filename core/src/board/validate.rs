//! Recomputes every incrementally updated field from scratch, for tests.

use super::{Bitboard, Color, PieceKind, Position};

/// A field that differs from its recomputation: a bug in this crate, or an illegal move played unchecked.
///
/// ```
/// # use tak_engine_core as tak_engine;
/// use tak_engine::board::{Komi, Position};
///
/// let mut position = Position::<5>::start(Komi::ZERO);
/// assert_eq!(position.validate(), Ok(()));
/// for text in ["a1", "e5", "Cc3"] {
///     position.play(text.parse()?)?;
/// }
/// // Illegal: a piece on a capstone.
/// position.play_unchecked("c3".parse()?);
/// assert!(position.validate().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the position is inconsistent: {0}")]
pub struct Inconsistent(pub &'static str);

impl<const N: usize> Position<N> {
    /// Recomputes every incremental field and compares.
    ///
    /// # Errors
    /// Names the first wrong field.
    pub fn validate(&self) -> Result<(), Inconsistent> {
        let check = |good: bool, what| {
            if good { Ok(()) } else { Err(Inconsistent(what)) }
        };
        let all = Bitboard(u64::MAX);
        let (white, black) = (self.owned(Color::White), self.owned(Color::Black));
        check(!white.intersects(black), "a square is owned by both players")?;
        check(!self.walls().intersects(self.caps()), "a piece is a wall and a capstone")?;
        check(self.blockers().without(self.occupied()).is_empty(), "a wall or capstone on an empty square")?;
        check(self.occupied().without(Bitboard::board::<N>()).is_empty(), "a piece off the board")?;
        let mut stones = [0; 2];
        let mut caps = [0; 2];
        for square in all {
            let height = self.height(square);
            check((height > 0) == self.occupied().contains(square), "height and occupation")?;
            check((height > 1) == self.tall().contains(square), "height and tall stacks")?;
            check(self.color_bits(square).checked_shr(height as u32).unwrap_or(0) == 0, "colours above the top")?;
            if height > 0 {
                check(self.owned(self.color_at(square, 0)).contains(square), "top colour and owner")?;
            }
            for depth in 0..height {
                let cap = depth == 0 && self.top_kind(square) == PieceKind::Cap;
                let counter = if cap { &mut caps } else { &mut stones };
                counter[self.color_at(square, depth).index()] += 1;
            }
        }
        for color in Color::ALL {
            let (now, start) = (self.reserve(color), self.start_reserves()[color]);
            check(stones[color.index()] + now.stones == start.stones, "stones on the board and in reserve")?;
            check(caps[color.index()] + now.caps == start.caps, "capstones on the board and in reserve")?;
        }
        check(self.hash() == self.fresh_hash(), "hash")
    }
}
