//! Stacks and capstones that a move locks in, pins or frees.

use std::cmp::Reverse;

use super::board::{squares, with_turn};
use super::fact::{Fact, Stack};
use crate::board::{AnyPosition, Color, EndReason, Move, PieceKind, Square};

/// The facts about stacks that a move does not touch: at most one of each kind, about a capstone if there is one, or else
/// the highest stack.
pub fn facts(before: &AnyPosition, mv: Move, after: &AnyPosition) -> Vec<Fact> {
    let (mover, opponent) = (before.to_move(), !before.to_move());
    let is_same = |stack: &Stack| {
        let square = stack.square;
        before.top(square) == after.top(square) && before.height(square) == after.height(square)
    };
    let stacks = |owner| stacks(after, owner).into_iter().filter(is_same);
    let own = [before, after].map(|position| spreads(position, mover));
    let other = [before, after].map(|position| spreads(position, opponent));
    let locks_in = stacks(opponent)
        .find(|stack| can_move(&other[0], stack) && !can_move(&other[1], stack))
        .map(|stack| Fact::LocksIn { mv, stack });
    let frees = stacks(mover)
        .find(|stack| !can_move(&own[0], stack) && can_move(&own[1], stack))
        .map(|stack| Fact::Frees { mv, stack });
    // A threat alone would pin everything that does not stop it.
    let is_threat = after.winning_move(mover).is_some();
    let pins = stacks(opponent)
        .filter(|_| !is_threat)
        .find(|stack| is_pinned(after, opponent, &other[1], stack) && !is_pinned(before, opponent, &other[0], stack))
        .map(|stack| Fact::Pins { mv, stack });
    [locks_in, pins, frees].into_iter().flatten().collect()
}

/// The capstones and stacks of a player that are worth a sentence, the most important first.
fn stacks(position: &AnyPosition, owner: Color) -> Vec<Stack> {
    let stack = |square: Square| {
        let (color, kind) = position.top(square)?;
        let (height, is_capstone) = (position.height(square), kind == PieceKind::Cap);
        (color == owner && (is_capstone || height >= Stack::MIN_HEIGHT)).then_some(Stack {
            square,
            height,
            is_capstone,
        })
    };
    let mut stacks: Vec<Stack> = squares(position.size()).filter_map(stack).collect();
    stacks.sort_by_key(|stack| Reverse((stack.is_capstone, stack.height)));
    stacks
}

/// The spreads of a player if it were to move.
fn spreads(position: &AnyPosition, player: Color) -> Vec<Move> {
    let moves = with_turn(position, player).map_or_else(Vec::new, |position| position.legal_moves());
    moves.into_iter().filter(|mv| mv.is_spread()).collect()
}

fn can_move(spreads: &[Move], stack: &Stack) -> bool {
    spreads.iter().any(|mv| mv.square() == stack.square)
}

/// Returns whether the stack of a player can move, and each of its moves gives the opponent a road at once or next.
fn is_pinned(position: &AnyPosition, owner: Color, spreads: &[Move], stack: &Stack) -> bool {
    let Some(mut position) = with_turn(position, owner) else { return false };
    let mut gives_road = |mv: Move| {
        let undo = position.play_unchecked(mv);
        let gives = match position.outcome() {
            Some(outcome) => outcome.winner == Some(!owner) && outcome.reason == EndReason::Road,
            None => position.winning_move(!owner).is_some(),
        };
        position.unplay(mv, undo);
        gives
    };
    can_move(spreads, stack) && spreads.iter().filter(|mv| mv.square() == stack.square).all(|&mv| gives_road(mv))
}
