//! Full-width search of a few plies, to hold claims of proven results against.

use tak_engine::board::AnyPosition;

/// Whether the player to move wins within so many plies against any defence. Repetitions are not looked at.
pub fn wins_within(position: &AnyPosition, plies: u32) -> bool {
    plies > 0
        && after_each_move(position).any(|next| match next.outcome() {
            Some(outcome) => outcome.winner == Some(position.to_move()),
            None => loses_within(&next, plies - 1),
        })
}

/// Whether the player to move loses within so many plies whatever they play.
pub fn loses_within(position: &AnyPosition, plies: u32) -> bool {
    plies > 0
        && after_each_move(position).all(|next| match next.outcome() {
            Some(outcome) => outcome.winner == Some(!position.to_move()),
            None => wins_within(&next, plies - 1),
        })
}

fn after_each_move(position: &AnyPosition) -> impl Iterator<Item = AnyPosition> {
    position.legal_moves().into_iter().map(|mv| {
        let mut next = position.clone();
        next.play(mv).expect("a legal move can be played");
        next
    })
}
