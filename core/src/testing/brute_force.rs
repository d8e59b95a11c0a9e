//! Forced wins by trying everything.

use crate::board::{AnyPosition, Position};

/// Evaluates an expression with a copy of the position, of whatever size.
macro_rules! of_any_size {
    ($position:expr, $copy:ident => $result:expr) => {
        match $position.clone() {
            AnyPosition::S3(mut $copy) => $result,
            AnyPosition::S4(mut $copy) => $result,
            AnyPosition::S5(mut $copy) => $result,
            AnyPosition::S6(mut $copy) => $result,
            AnyPosition::S7(mut $copy) => $result,
            AnyPosition::S8(mut $copy) => $result,
        }
    };
}

/// Returns whether the player to move can force a win within `plies`.
pub fn wins(position: &AnyPosition, plies: u32) -> bool {
    of_any_size!(position, copy => has_win(&mut copy, plies))
}

/// Returns whether every move of the player to move allows a win within the plies that remain.
pub fn loses(position: &AnyPosition, plies: u32) -> bool {
    of_any_size!(position, copy => has_no_defence(&mut copy, plies))
}

fn has_win<const N: usize>(position: &mut Position<N>, plies: u32) -> bool {
    let mover = position.to_move();
    position.legal_moves().into_iter().any(|mv| {
        let undo = position.play_unchecked(mv);
        let won = match position.outcome() {
            Some(outcome) => outcome.winner == Some(mover),
            None => plies > 2 && has_no_defence(position, plies - 1),
        };
        position.unplay(mv, undo);
        won
    })
}

fn has_no_defence<const N: usize>(position: &mut Position<N>, plies: u32) -> bool {
    let mover = position.to_move();
    position.legal_moves().into_iter().all(|mv| {
        let undo = position.play_unchecked(mv);
        let lost = match position.outcome() {
            Some(outcome) => outcome.winner == Some(!mover),
            None => plies > 1 && has_win(position, plies - 1),
        };
        position.unplay(mv, undo);
        lost
    })
}
