//! Random moves to begin games with.

use rand::seq::IndexedRandom;
use rand::{Rng, RngExt};

use crate::board::{Move, MoveKind, PieceKind};

/// One of `moves`: mostly a flat, as players open; now and then a wall, a capstone or a spread, so that positions are
/// varied. Any of them where there is none of the kind drawn. `None` if there are no moves.
pub(crate) fn opening_move(moves: &[Move], random: &mut impl Rng) -> Option<Move> {
    let kind = match random.random_range(0..100) {
        0..80 => Some(PieceKind::Flat),
        80..85 => Some(PieceKind::Wall),
        85..90 => Some(PieceKind::Cap),
        _ => None,
    };
    let is_kind = |mv: &&Move| match mv.kind() {
        MoveKind::Place(placed) => kind == Some(placed),
        MoveKind::Spread(..) => kind.is_none(),
    };
    let of_kind: Vec<Move> = moves.iter().filter(is_kind).copied().collect();
    of_kind
        .choose(random)
        .or_else(|| moves.choose(random))
        .copied()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::Xoshiro256PlusPlus;

    use super::*;
    use crate::board::{AnyPosition, Komi, Size};

    #[test]
    fn all_kinds_come_up_and_flats_most_often() {
        let mut position = AnyPosition::start(Size::ALL[2], Komi::ZERO);
        for turn in 0..2 {
            let mv = position.legal_moves()[turn];
            position.play(mv).unwrap();
        }
        let moves = position.legal_moves();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let drawn: Vec<Move> = (0..1000)
            .map(|_| opening_move(&moves, &mut random).unwrap())
            .collect();
        let count = |kind: PieceKind| {
            let is_kind = |mv: &&Move| mv.kind() == MoveKind::Place(kind);
            drawn.iter().filter(is_kind).count()
        };
        let spreads = drawn.iter().filter(|mv| mv.is_spread()).count();
        assert!((750..850).contains(&count(PieceKind::Flat)));
        assert!((25..75).contains(&count(PieceKind::Wall)));
        assert!((25..75).contains(&count(PieceKind::Cap)));
        assert!((60..140).contains(&spreads));
        assert_eq!(opening_move(&[], &mut random), None);
    }
}
