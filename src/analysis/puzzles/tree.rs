//! The solution of a forced win as a tree: the attacker's moves and the defences that matter.

use super::proof::{Reject, after};
use super::puzzle::Step;
use crate::board::{AnyPosition, Move};
use crate::search::{Attack, Prover};

/// Maximum size of a readable solution, in moves. Positions with larger solutions are skipped.
const MAX_MOVES: usize = 400;

/// The win that begins with `first` and takes `plies`, which `prover` finds by `attack`. It may visit `nodes`
/// positions.
///
/// The defences are those that hold out longest. Before the attacker's last move there is one for each way to end the
/// game, since most moves then change nothing.
///
/// # Errors
/// [`Reject::Undecided`] if the limits were reached, [`Reject::No`] if the tree is too large.
pub fn solution(
    prover: &mut Prover<'_>,
    position: &AnyPosition,
    first: Move,
    plies: u32,
    attack: Attack,
    nodes: u64,
) -> Result<Step, Reject> {
    let end = prover.nodes().saturating_add(nodes);
    let mut builder = Builder { prover, attack, end, moves: 1 };
    let answers = builder.defences(&after(position, first), plies - 1)?;
    Ok(Step { mv: first, answers })
}

struct Builder<'a, 'b> {
    prover: &'a mut Prover<'b>,
    attack: Attack,
    /// The positions that may have been visited at the end.
    end: u64,
    /// Moves so far.
    moves: usize,
}

/// A move of the defender, the position after it, and in how many plies it loses.
type Defence = (Move, AnyPosition, u32);

impl Builder<'_, '_> {
    fn left(&self) -> u64 {
        self.end.saturating_sub(self.prover.nodes())
    }

    /// The defences in `position`, which is lost within `plies`.
    fn defences(&mut self, position: &AnyPosition, plies: u32) -> Result<Vec<Step>, Reject> {
        let mut longest: Vec<Defence> = Vec::new();
        for mv in position.legal_moves() {
            let next = after(position, mv);
            let lasts = if next.outcome().is_some() {
                1
            } else {
                let left = self.left();
                let lasts = self.prover.shortest(&next, self.attack, plies - 1, left);
                1 + lasts.ok_or(Reject::Undecided)?
            };
            let most = longest.first().map_or(0, |&(.., lasts)| lasts);
            if lasts > most {
                longest.clear();
            }
            if lasts >= most {
                longest.push((mv, next, lasts));
            }
        }
        match longest.first() {
            None | Some((.., 1)) => {
                // The defender can only end the game.
                longest.truncate(1);
                let ends = longest.iter().map(|&(mv, ..)| mv);
                ends.map(|mv| self.step(mv, Vec::new())).collect()
            }
            Some((.., 2)) => self.last_defences(&longest),
            Some(_) => {
                let steps = longest.iter().map(|(mv, next, lasts)| {
                    let left = self.left();
                    let winning = self.prover.winning_move(next, self.attack, lasts - 1, left);
                    let winning = winning.ok_or(Reject::Undecided)?;
                    let answers = self.defences(&after(next, winning), lasts - 2)?;
                    let reply = self.step(winning, answers)?;
                    self.step(*mv, vec![reply])
                });
                steps.collect()
            }
        }
    }

    /// One defence for each winning move that it takes. A move that wins after most of them is the threat, and is skipped if
    /// there is another.
    fn last_defences(&mut self, defences: &[Defence]) -> Result<Vec<Step>, Reject> {
        let mut groups: Vec<(Move, Move, usize)> = Vec::new();
        for (mv, next, _) in defences {
            let known = groups.iter_mut().find(|(winning, ..)| wins(next, *winning));
            if let Some((.., count)) = known {
                *count += 1;
                continue;
            }
            let left = self.left();
            let winning = self.prover.winning_move(next, self.attack, 1, left);
            groups.push((winning.ok_or(Reject::Undecided)?, *mv, 1));
        }
        if groups.len() > 1 {
            let most = groups.iter().map(|&(.., count)| count).max();
            let threat = groups.iter().position(|&(.., count)| Some(count) == most);
            groups.remove(threat.unwrap_or(0));
        }
        let steps = groups.into_iter().map(|(winning, mv, _)| {
            let reply = self.step(winning, Vec::new())?;
            self.step(mv, vec![reply])
        });
        steps.collect()
    }

    fn step(&mut self, mv: Move, answers: Vec<Step>) -> Result<Step, Reject> {
        self.moves += 1;
        if self.moves > MAX_MOVES {
            return Err(Reject::No);
        }
        Ok(Step { mv, answers })
    }
}

/// Returns whether `mv` is legal and wins at once for the player to move.
fn wins(position: &AnyPosition, mv: Move) -> bool {
    if position.check_legal(mv).is_err() {
        return false;
    }
    let outcome = after(position, mv).outcome();
    outcome.is_some_and(|outcome| outcome.winner == Some(position.to_move()))
}
