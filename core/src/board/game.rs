//! A game: a position with its history.

use super::{AnyPosition, IllegalMove, Move};

/// A game: the start, the moves, and the hashes for repetitions.
///
/// ```
/// # use tak_engine_core as tak_engine;
/// use tak_engine::board::{AnyPosition, Game, Komi, Size};
///
/// let mut game = Game::new(AnyPosition::start(Size::new(5)?, Komi::ZERO));
/// for text in ["a1", "e5", "e4", "a2", "e4+", "a2-", "2e5-", "2a1+"] {
///     game.play(text.parse()?)?;
/// }
/// assert_eq!(game.moves().len(), 8);
/// assert_eq!(game.occurrences(), 1);
/// assert!(game.play("e1>".parse()?).is_err());
/// assert_eq!(game.take_back(), Some("2a1+".parse()?));
/// assert_eq!(game.moves().len(), 7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    start: AnyPosition,
    position: AnyPosition,
    moves: Vec<Move>,
    hashes: Vec<u64>,
}

impl Game {
    /// A game that starts from `position`.
    pub fn new(position: AnyPosition) -> Self {
        Self { start: position.clone(), position, moves: Vec::new(), hashes: Vec::new() }
    }

    /// The start of the game.
    pub fn start(&self) -> &AnyPosition {
        &self.start
    }

    /// The current position.
    pub fn position(&self) -> &AnyPosition {
        &self.position
    }

    /// The moves since the start of this game.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The hashes of the earlier positions that can recur, oldest first: those since the last placement, without the
    /// current one.
    pub fn history(&self) -> &[u64] {
        &self.hashes
    }

    /// The number of occurrences of the current position in this game, including this one.
    pub fn occurrences(&self) -> usize {
        let now = self.position.hash();
        1 + self.hashes.iter().filter(|&&hash| hash == now).count()
    }

    /// Every legal move, see [`Position::legal_moves`](super::Position::legal_moves). Repetitions do not end the game.
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

    /// Takes back the last move and returns it; `None` at the start of the game. Replays the whole game.
    pub fn take_back(&mut self) -> Option<Move> {
        let last = self.moves.pop()?;
        let moves = std::mem::take(&mut self.moves);
        *self = Self::new(self.start.clone());
        for mv in moves {
            self.play_unchecked(mv);
        }
        Some(last)
    }
}
