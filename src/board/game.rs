//! A game: a position and how it came about.

use super::{AnyPosition, IllegalMove, Move};

/// A game so far: where it started, what was played, and the hashes that repetition needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    position: AnyPosition,
    moves: Vec<Move>,
    hashes: Vec<u64>,
}

impl Game {
    /// A game that starts from `position`.
    #[must_use]
    pub fn new(position: AnyPosition) -> Self {
        Self {
            position,
            moves: Vec::new(),
            hashes: Vec::new(),
        }
    }

    /// The position now.
    #[must_use]
    pub fn position(&self) -> &AnyPosition {
        &self.position
    }

    /// The moves since the start of this game.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The hashes of the earlier positions that may come up again, oldest first: those since the last placement, without
    /// the present one.
    #[must_use]
    pub fn history(&self) -> &[u64] {
        &self.hashes
    }

    /// How often the present position has been on the board in this game, itself included.
    #[must_use]
    pub fn occurrences(&self) -> usize {
        let now = self.position.hash();
        1 + self.hashes.iter().filter(|&&hash| hash == now).count()
    }

    /// Every legal move, see [`Position::legal_moves`](super::Position::legal_moves). Repetition ends no game here.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<Move> {
        self.position.legal_moves()
    }

    /// Plays a move.
    ///
    /// # Errors
    /// The reason why the move is illegal; the game is then unchanged.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.position.check_legal(mv)?;
        self.play_unchecked(mv);
        Ok(())
    }

    /// Plays a move that is known to be legal, see [`Position::play_unchecked`](super::Position::play_unchecked).
    pub fn play_unchecked(&mut self, mv: Move) {
        if mv.is_spread() {
            self.hashes.push(self.position.hash());
        } else {
            self.hashes.clear();
        }
        self.position.play_unchecked(mv);
        self.moves.push(mv);
    }
}
