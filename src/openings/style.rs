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

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::Xoshiro256PlusPlus;

    use super::*;
    use crate::board::{AnyPosition, Komi, Size};

    #[test]
    fn a_style_decides_how_often_each_kind_comes_up() {
        let mut position = AnyPosition::start(Size::ALL[2], Komi::ZERO);
        for turn in 0..2 {
            let mv = position.legal_moves()[turn];
            position.play(mv).unwrap();
        }
        let moves = position.legal_moves();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        for style in OpeningStyle::ALL {
            let drawn: Vec<Move> = (0..1000).map(|_| opening_move(style, &moves, &mut random).unwrap()).collect();
            let kinds = [PieceKind::Flat, PieceKind::Wall, PieceKind::Cap];
            for (kind, share) in kinds.into_iter().zip(style.shares()) {
                let is_kind = |mv: &&Move| mv.kind() == MoveKind::Place(kind);
                let count = drawn.iter().filter(is_kind).count() as u32;
                // Five standard deviations, rounded up.
                assert!(count.abs_diff(10 * share) <= 80, "{style:?} {kind:?}: {count}");
            }
            assert_eq!(opening_move(style, &[], &mut random), None);
        }
    }
}
