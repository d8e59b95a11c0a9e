//! Suggests likely wins by brute force on our own board. Wrong suggestions only cost time.

use crate::board::{Color, Move, Position};

pub struct Hint {
    /// Hashes of the positions of the game and of the line being tried.
    pub seen: Vec<u64>,
    repetitions: usize,
}

impl Hint {
    pub fn new(repetitions: usize) -> Self {
        Self { seen: Vec::new(), repetitions }
    }

    /// A move by which the attacker, to move, wins within `plies`.
    pub fn attack<const N: usize>(&mut self, position: &mut Position<N>, attacker: Color, plies: u32) -> Option<Move> {
        if let Some(mv) = position.winning_move(attacker).or_else(|| position.winning_end()) {
            return Some(mv);
        }
        // Otherwise only a spread that fills the board wins at once.
        if plies == 1 && position.empty().count() as usize >= N {
            return None;
        }
        let mut moves = Vec::new();
        position.generate_moves(&mut moves);
        if plies > 2 {
            // Threats first: a stable sort by whether a pass would lose.
            moves.sort_by_cached_key(|&mv| {
                let undo = position.play_unchecked(mv);
                let threatens = position.winning_move(attacker).is_some();
                position.unplay(mv, undo);
                !threatens
            });
        }
        moves.into_iter().find(|&mv| self.wins_after(position, mv, attacker, plies))
    }

    fn defend<const N: usize>(&mut self, position: &mut Position<N>, attacker: Color, plies: u32) -> bool {
        let mut moves = Vec::new();
        position.generate_moves(&mut moves);
        moves.into_iter().all(|mv| self.wins_after(position, mv, attacker, plies))
    }

    fn wins_after<const N: usize>(
        &mut self,
        position: &mut Position<N>,
        mv: Move,
        attacker: Color,
        plies: u32,
    ) -> bool {
        let undo = position.play_unchecked(mv);
        let won = match position.outcome() {
            Some(outcome) => outcome.winner == Some(attacker),
            None => {
                plies > 1 && !self.is_drawn(position.hash()) && {
                    self.seen.push(position.hash());
                    let won = if position.to_move() == attacker {
                        self.attack(position, attacker, plies - 1).is_some()
                    } else {
                        self.defend(position, attacker, plies - 1)
                    };
                    self.seen.pop();
                    won
                }
            }
        };
        position.unplay(mv, undo);
        won
    }

    fn is_drawn(&self, hash: u64) -> bool {
        let before = self.seen.iter().filter(|&&other| other == hash).count();
        self.repetitions > 0 && before + 1 >= self.repetitions
    }
}
