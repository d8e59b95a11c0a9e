//! Stacks and capstones that a move locks in, pins or frees.

use super::board::{squares, with_turn};
use super::fact::{Fact, Stack};
use crate::board::{AnyPosition, Color, EndReason, Move, PieceKind, Square};

/// The facts about stacks that a move does not touch: at most one of each kind, about the highest.
pub fn facts(before: &AnyPosition, mv: Move, after: &AnyPosition) -> Vec<Fact> {
    let (mover, opponent) = (before.to_move(), !before.to_move());
    let is_same =
        |square: Square| before.top(square) == after.top(square) && before.height(square) == after.height(square);
    let mut facts = Vec::new();
    let locked = stack(after, opponent, &|square| {
        is_same(square) && can_move(before, opponent, square) && !can_move(after, opponent, square)
    });
    facts.extend(locked.map(|stack| Fact::LocksIn { mv, stack }));
    let freed = stack(after, mover, &|square| {
        is_same(square) && !can_move(before, mover, square) && can_move(after, mover, square)
    });
    facts.extend(freed.map(|stack| Fact::Frees { mv, stack }));
    // A threat alone would pin everything that does not stop it.
    if after.winning_move(mover).is_none() {
        let pinned = stack(after, opponent, &|square| {
            is_same(square) && is_pinned(after, opponent, square) && !is_pinned(before, opponent, square)
        });
        facts.extend(pinned.map(|stack| Fact::Pins { mv, stack }));
    }
    facts
}

/// Of the capstones and stacks of a player that are worth a sentence, the highest one of this kind.
fn stack(position: &AnyPosition, owner: Color, is: &dyn Fn(Square) -> bool) -> Option<Stack> {
    let mut best = None;
    for square in squares(position.size()) {
        let Some((color, kind)) = position.top(square) else { continue };
        let (height, is_capstone) = (position.height(square), kind == PieceKind::Cap);
        let is_named = color == owner && (is_capstone || height >= Stack::MIN_HEIGHT);
        let is_better = best.is_none_or(|best: Stack| best.height < height);
        if is_named && is_better && is(square) {
            best = Some(Stack { square, height, is_capstone });
        }
    }
    best
}

/// The spreads of the stack of a player if it were to move.
fn spreads(position: &AnyPosition, player: Color, square: Square) -> Vec<Move> {
    let Some(position) = with_turn(position, player) else { return Vec::new() };
    let mut moves = position.legal_moves();
    moves.retain(|mv| mv.is_spread() && mv.square() == square);
    moves
}

fn can_move(position: &AnyPosition, player: Color, square: Square) -> bool {
    !spreads(position, player, square).is_empty()
}

/// Returns whether the stack of a player can move, and each of its moves gives the opponent a road at once or next.
fn is_pinned(position: &AnyPosition, owner: Color, square: Square) -> bool {
    let Some(mut turned) = with_turn(position, owner) else { return false };
    let spreads = spreads(position, owner, square);
    let gives_road = |mv: &Move| {
        let undo = turned.play_unchecked(*mv);
        let gives = match turned.outcome() {
            Some(outcome) => outcome.winner == Some(!owner) && outcome.reason == EndReason::Road,
            None => turned.winning_move(!owner).is_some(),
        };
        turned.unplay(*mv, undo);
        gives
    };
    !spreads.is_empty() && spreads.iter().all(gives_road)
}
