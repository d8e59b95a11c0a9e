//! Random moves to begin games with.

use rand::seq::IndexedRandom;
use rand::{Rng, RngExt};

use crate::board::{Move, MoveKind, PieceKind};

/// The moves that random openings are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpeningStyle {
    /// Flats alone.
    Flats,
    /// Mostly flats, as players open; now and then a wall, a capstone or a spread.
    Mixed,
    /// Many spreads, so that there are stacks early.
    Stacks,
    /// Many walls, and capstones early.
    Walls,
}

impl OpeningStyle {
    pub const ALL: [Self; 4] = [Self::Flats, Self::Mixed, Self::Stacks, Self::Walls];

    /// Flats, walls and capstones of a hundred moves; the others are spreads.
    fn shares(self) -> [u32; 3] {
        match self {
            Self::Flats => [100, 0, 0],
            Self::Mixed => [80, 5, 5],
            Self::Stacks => [50, 5, 5],
            Self::Walls => [60, 25, 10],
        }
    }

    /// The piece to place next, `None` for a spread.
    fn draw(self, random: &mut impl Rng) -> Option<PieceKind> {
        let [flats, walls, caps] = self.shares();
        match random.random_range(0..100) {
            number if number < flats => Some(PieceKind::Flat),
            number if number < flats + walls => Some(PieceKind::Wall),
            number if number < flats + walls + caps => Some(PieceKind::Cap),
            _ => None,
        }
    }
}

/// One of `moves`, of a kind that `style` draws, or of any kind if that one is missing. `None` if there are no moves.
pub fn opening_move(style: OpeningStyle, moves: &[Move], random: &mut impl Rng) -> Option<Move> {
    let kind = style.draw(random);
    let is_kind = |mv: &&Move| match mv.kind() {
        MoveKind::Place(placed) => kind == Some(placed),
        MoveKind::Spread(..) => kind.is_none(),
    };
    let of_kind: Vec<Move> = moves.iter().filter(is_kind).copied().collect();
    of_kind.choose(random).or_else(|| moves.choose(random)).copied()
}
