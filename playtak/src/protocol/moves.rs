//! Moves in the form of the server.

use std::cmp::Ordering;

use tak_engine::board::{Direction, Move, MoveKind, Pattern, PieceKind, Square};

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
pub(super) fn move_text(mv: Move) -> String {
    let square = |square: Square| square.to_string().to_uppercase();
    let from = square(mv.square());
    match mv.kind() {
        MoveKind::Place(PieceKind::Flat) => format!("P {from}"),
        MoveKind::Place(PieceKind::Cap) => format!("P {from} C"),
        MoveKind::Place(PieceKind::Wall) => format!("P {from} W"),
        MoveKind::Spread(_, pattern) => {
            let drops: Vec<String> = pattern.drops().map(|drop| drop.count.to_string()).collect();
            format!("M {from} {} {}", square(mv.target()), drops.join(" "))
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
            let text = move_text(mv);
            let words: Vec<&str> = text.split(' ').collect();
            prop_assert_eq!(read_move(&words), Some(mv));
        }
    }
}
