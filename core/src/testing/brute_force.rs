//! Forced wins by trying everything.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use crate::board::{AnyPosition, Color, Move, Position, with_position};
use crate::notation::canonical_tps;

/// Returns whether the player to move can force a win within `plies`.
pub fn wins(position: &AnyPosition, plies: u32) -> bool {
    with_position!(position, position => Solver::new(position.to_move()).wins(&mut position.clone(), plies))
}

/// Returns whether every move of the player to move allows a win within the plies that remain.
pub fn loses(position: &AnyPosition, plies: u32) -> bool {
    with_position!(position, position => Solver::new(!position.to_move()).wins(&mut position.clone(), plies))
}

/// Looks for forced wins of one player. It tries every move of both, and solves each position once.
#[derive(Debug)]
pub struct Solver {
    winner: Color,
    /// For a position: the plies within which a win is proven, and those within which there is none.
    known: HashMap<u64, (u32, u32)>,
    /// How often moves succeeded for their player. The best ones are tried first, which changes no result.
    good: [HashMap<Move, u32>; 2],
}

impl Solver {
    /// One that has solved nothing.
    pub fn new(winner: Color) -> Self {
        Self { winner, known: HashMap::new(), good: [HashMap::new(), HashMap::new()] }
    }

    /// Returns whether the winner can force a win within `plies`, whoever is to move.
    pub fn wins<const N: usize>(&mut self, position: &mut Position<N>, plies: u32) -> bool {
        if let Some(outcome) = position.outcome() {
            return outcome.winner == Some(self.winner);
        }
        let (proven, refuted) = self.known.get(&position.hash()).copied().unwrap_or((u32::MAX, 0));
        if plies >= proven || plies <= refuted {
            return plies >= proven;
        }
        let mover = position.to_move();
        // The winner needs one winning move, the other player one that does not lose.
        let wanted = mover == self.winner;
        let mut moves = position.legal_moves();
        if position.ply() < 2 {
            without_images(position, &mut moves);
        }
        // Moves that end the game need no search.
        let mut is_end = |position: &mut Position<N>| {
            position.outcome().is_some_and(|outcome| (outcome.winner == Some(self.winner)) == wanted)
        };
        let mut choice = moves.iter().copied().find(|&mv| after(position, mv, &mut is_end));
        if choice.is_none() {
            moves.sort_by_cached_key(|mv| Reverse(self.good[mover.index()].get(mv).copied()));
            let mut succeeds = |position: &mut Position<N>| self.wins(position, plies - 1) == wanted;
            choice = moves.into_iter().find(|&mv| after(position, mv, &mut succeeds));
        }
        if let Some(mv) = choice {
            *self.good[mover.index()].entry(mv).or_default() += plies.pow(2);
        }
        let wins = choice.is_some() == wanted;
        self.known.insert(position.hash(), if wins { (plies, refuted) } else { (proven, plies) });
        wins
    }
}

/// What `look` says of the position after a move.
fn after<const N: usize>(
    position: &mut Position<N>,
    mv: Move,
    look: &mut impl FnMut(&mut Position<N>) -> bool,
) -> bool {
    let undo = position.play_unchecked(mv);
    let found = look(position);
    position.unplay(mv, undo);
    found
}

/// Keeps one of the moves to positions that are images of each other.
fn without_images<const N: usize>(position: &mut Position<N>, moves: &mut Vec<Move>) {
    let mut seen = HashSet::new();
    moves.retain(|&mv| after(position, mv, &mut |next| seen.insert(canonical_tps(&next.to_setup()))));
}
