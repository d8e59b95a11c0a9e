//! Suites of openings: those that are read can be played.

use tak_engine::board::{AnyPosition, Komi, Move, OpeningRule, Setup, Size};
use tak_engine::openings::book;

use super::notation::position_holds;

/// The size of a board and an opening rule in the first byte, then a suite of openings in any format.
pub fn suite(data: &[u8]) {
    let Some((&first, text)) = data.split_first() else {
        return;
    };
    let sizes = Size::ALL.len();
    let board = Setup {
        opening: OpeningRule::ALL[usize::from(first) / sizes % 3],
        ..Setup::empty(Size::ALL[usize::from(first) % sizes], Komi::ZERO)
    };
    let text = String::from_utf8_lossy(text);
    if let Ok(openings) = book::parse(&text, None, None, &board) {
        assert!(!openings.is_empty());
        for opening in openings {
            let position = played(&opening.start, &opening.moves);
            assert_eq!(position.outcome(), None);
            position_holds(&position);
        }
    }
    if let Ok(lines) = book::parse_lines(&text, Some(board.size)) {
        assert!(!lines.is_empty());
        for line in lines {
            position_holds(&played(&line.start, &line.moves));
        }
    }
}

/// The position after moves that have been checked.
fn played(start: &Setup, moves: &[Move]) -> AnyPosition {
    let mut position = AnyPosition::from_setup(start).expect("a checked start");
    for &mv in moves {
        position.play(mv).expect("a checked move");
    }
    position
}
