//! Full-width search of a few plies, to check claims of proven results.

use tak_engine::board::AnyPosition;

/// Returns whether the player to move wins within `plies` against any defence, without repetitions.
pub fn wins_within(position: &AnyPosition, plies: u32) -> bool {
    plies > 0
        && after_each_move(position).any(|next| match next.outcome() {
            Some(outcome) => outcome.winner == Some(position.to_move()),
            None => loses_within(&next, plies - 1),
        })
}

/// Returns whether the player to move loses within `plies` with any move.
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
