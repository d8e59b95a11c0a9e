//! Moves in the form of the server.

use std::cmp::Ordering;
use std::fmt;

use crate::board::{Direction, Move, MoveKind, Pattern, PieceKind, Square};

/// Reads a move as the server writes it: `P A1`, `P A1 C`, `P A1 W`, `M A1 A3 2 1`, in words.
pub(super) fn read_move(words: &[&str]) -> Option<Move> {
    match *words {
        ["P", square] => Some(Move::place(PieceKind::Flat, read_square(square)?)),
        ["P", square, "C"] => Some(Move::place(PieceKind::Cap, read_square(square)?)),
        ["P", square, "W"] => Some(Move::place(PieceKind::Wall, read_square(square)?)),
        ["M", from, to, ref drops @ ..] => {
            let (from, to) = (read_square(from)?, read_square(to)?);
            let drops: Option<Vec<u8>> = drops.iter().map(|drop| drop.parse::<u8>().ok()).collect();
            let drops = drops.filter(|drops| drops.len() <= 8)?;
            let direction = match (from.column().cmp(&to.column()), from.row().cmp(&to.row())) {
                (Ordering::Less, Ordering::Equal) => Direction::East,
                (Ordering::Greater, Ordering::Equal) => Direction::West,
                (Ordering::Equal, Ordering::Less) => Direction::North,
                (Ordering::Equal, Ordering::Greater) => Direction::South,
                _ => return None,
            };
            let distance = from.column().abs_diff(to.column()) + from.row().abs_diff(to.row());
            (distance == drops.len()).then_some(())?;
            Some(Move::spread(from, direction, Pattern::from_drops(&drops)?))
        }
        _ => None,
    }
}

fn read_square(text: &str) -> Option<Square> {
    let &[column @ b'A'..=b'H', row @ b'1'..=b'8'] = text.as_bytes() else {
        return None;
    };
    Some(Square::new((column - b'A').into(), (row - b'1').into()))
}

/// A move in the form of the server.
pub(super) struct MoveText(pub Move);

impl fmt::Display for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let square = |square: Square| square.to_string().to_uppercase();
        let from = square(self.0.square());
        match self.0.kind() {
            MoveKind::Place(PieceKind::Flat) => write!(f, "P {from}"),
            MoveKind::Place(PieceKind::Cap) => write!(f, "P {from} C"),
            MoveKind::Place(PieceKind::Wall) => write!(f, "P {from} W"),
            MoveKind::Spread(_, pattern) => {
                write!(f, "M {from} {}", square(self.0.target()))?;
                pattern.drops().try_for_each(|drop| write!(f, " {}", drop.count))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig {
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        #[test]
        fn moves_are_read_as_written(bits in any::<u16>()) {
            let Some(mv) = Move::from_bits(bits) else { return Ok(()) };
            // Only moves that stay on the board have a square to go to.
            if let MoveKind::Spread(direction, pattern) = mv.kind() {
                let from = mv.square();
                let room = match direction {
                    Direction::North => 7 - from.row(),
                    Direction::East => 7 - from.column(),
                    Direction::South => from.row(),
                    Direction::West => from.column(),
                };
                prop_assume!(pattern.squares() as usize <= room);
            }
            let text = MoveText(mv).to_string();
            let words: Vec<&str> = text.split(' ').collect();
            prop_assert_eq!(read_move(&words), Some(mv));
        }
    }
}
