//! The contents of a diagram.

use super::shapes::letter;
use crate::board::{Game, IllegalMove, Move};

/// A diagram of the last position of a game.
///
/// Every piece is an element of the class `piece` with its kind (`flat`, `wall`, `cap`) and colour (`white`, `black`)
/// as further classes, and `data-square` and `data-level` (1 for the lowest piece of a stack). As many pieces as may be
/// carried are drawn as a pile; those below them as a strip beside it, with the height of the whole stack as a number.
///
/// ```
/// use tak_engine::board::Game;
/// use tak_engine::draw::{Diagram, Theme};
///
/// let game = Game::new("x3/1,1,x/2,2,x 1 3".parse()?);
/// let diagram = Diagram::of(&game).with_moves(&["c2".parse()?, "c1".parse()?])?;
/// let svg = diagram.svg(Theme::Light, 480);
/// assert!(svg.starts_with("<svg"));
/// assert_eq!(svg.matches("data-square").count(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Diagram<'a> {
    pub(super) game: &'a Game,
    pub(super) moves: Vec<Move>,
    pub(super) is_flipped: bool,
}

#[derive(Debug)]
pub(super) struct Drawn {
    pub mv: Move,
    /// The class that gives it its colour; `None` for the last move.
    pub class: Option<String>,
    /// Distinguishes it from others.
    pub letter: Option<char>,
}

/// The reason why moves cannot be drawn.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MovesError {
    /// A move that is illegal in the position.
    #[error("{mv} cannot be played here: {reason}")]
    Illegal {
        /// The move.
        mv: Move,
        /// The reason.
        #[source]
        reason: IllegalMove,
    },
    /// More moves than colours.
    #[error("too many moves for one diagram: {0}, expected at most {max}", max = Diagram::MAX_MOVES)]
    TooMany(usize),
}

impl<'a> Diagram<'a> {
    /// The maximum number of moves in one diagram.
    pub const MAX_MOVES: usize = 6;

    /// The last position of `game`, with its last move marked.
    pub fn of(game: &'a Game) -> Self {
        Self { game, moves: Vec::new(), is_flipped: false }
    }

    /// Shows the board from Black's side: the last row is below, and the last column left.
    #[must_use]
    pub fn flipped(self, is_flipped: bool) -> Self {
        Self { is_flipped, ..self }
    }

    /// Draws `moves` of the player to move: spreads as arrows with their drops, placements as pale pieces. Two or more
    /// are lettered in their order, `A` first.
    ///
    /// # Errors
    /// If one of them is illegal, or if they are more than [`Diagram::MAX_MOVES`].
    pub fn with_moves(self, moves: &[Move]) -> Result<Self, MovesError> {
        if moves.len() > Self::MAX_MOVES {
            return Err(MovesError::TooMany(moves.len()));
        }
        for &mv in moves {
            let legal = self.game.position().check_legal(mv);
            legal.map_err(|reason| MovesError::Illegal { mv, reason })?;
        }
        Ok(Self { moves: moves.to_vec(), ..self })
    }

    /// The last move, and then the moves that might be played.
    pub(super) fn drawn(&self) -> Vec<Drawn> {
        let last = self.game.moves().last().map(|&mv| Drawn { mv, class: None, letter: None });
        let moves = self.moves.iter().enumerate().map(|(index, &mv)| Drawn {
            mv,
            class: Some(format!("m{index}")),
            letter: letter(index, self.moves.len()),
        });
        last.into_iter().chain(moves).collect()
    }
}
