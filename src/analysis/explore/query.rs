//! The position that is looked for, and the search for it in a game.

use crate::board::{AnyPosition, Color, Komi, Move, OpeningRule, Setup, SetupError, Size, Square, Symmetry};
use crate::notation::{PtnGame, ReadGame, winner_of};

/// A position to look for, in all its rotations and reflections.
#[derive(Debug)]
pub struct Query {
    setup: Setup,
    komi: Option<Komi>,
    /// The key of each image, and what turns a move there into one of the position.
    images: Vec<(u64, Symmetry)>,
    /// The symmetries of the position itself: they turn its moves into equivalent ones.
    own: Vec<Symmetry>,
}

/// The result of a game: the winner, or no one for a draw. `None` if the result is unknown.
pub type Ending = Option<Option<Color>>;

/// A game that was looked through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    pub ending: Ending,
    /// The first time that the position was on the board.
    pub visit: Option<Visit>,
}

/// The move that was played from the position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Visit {
    /// The move that was played; `None` at the end of the game.
    pub mv: Option<Move>,
    /// The rating of the player to move.
    pub rating: Option<u32>,
}

/// Why a game does not count.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LeftOut {
    #[error("a board of another size, {0}x{0}")]
    Size(Size),
    #[error("another opening rule, {0}")]
    Opening(OpeningRule),
    #[error("other reserves")]
    Reserves,
    #[error("another komi, {0}")]
    Komi(Komi),
    #[error("{0}")]
    Damaged(String),
}

impl Query {
    /// Looks for this position, in games of any komi or of this one.
    ///
    /// # Errors
    /// An image of the position that cannot be set up, which is none of a position that can.
    pub fn new(position: &AnyPosition, komi: Option<Komi>) -> Result<Self, SetupError> {
        let setup = position.to_setup();
        let mut images: Vec<(u64, Symmetry)> = Vec::new();
        let mut own = Vec::new();
        for symmetry in Symmetry::ALL {
            let image = AnyPosition::from_setup(&setup.transformed(symmetry))?;
            if image.hash() == position.hash() {
                own.push(symmetry);
            }
            let key = image.hash() ^ settings_key(&setup)?;
            if images.iter().all(|&(known, _)| known != key) {
                images.push((key, inverse(symmetry, setup.size)));
            }
        }
        Ok(Self { setup, komi, images, own })
    }

    /// The representative of a move of the position and of all that are equivalent to it.
    pub fn representative(&self, mv: Move) -> Move {
        self.own.iter().map(|symmetry| symmetry.mv(mv, self.setup.size)).min().unwrap_or(mv)
    }

    /// Plays through a game.
    ///
    /// # Errors
    /// The reason why it does not count.
    pub fn look(&self, read: &ReadGame) -> Result<Found, LeftOut> {
        let damaged = |fault: &dyn std::fmt::Display| LeftOut::Damaged(fault.to_string());
        if let Some(fault) = &read.fault {
            return Err(damaged(fault));
        }
        let (game, start) = (&read.game, &read.game.start);
        self.check(start)?;
        let at_line = |plies| format!("line {}", read.line(plies));
        let settings = settings_key(start).map_err(|error| damaged(&format!("{}: {error}", at_line(usize::MAX))))?;
        let mut position =
            AnyPosition::from_setup(start).map_err(|error| damaged(&format!("{}: {error}", at_line(usize::MAX))))?;
        let mut visit = None;
        for ply in 0..=game.moves.len() {
            let mv = game.moves.get(ply).map(|played| played.mv);
            if visit.is_none() {
                let key = position.hash() ^ settings;
                let image = self.images.iter().find(|(image, _)| *image == key);
                visit = image.map(|(_, back)| Visit {
                    mv: mv.map(|mv| self.representative(back.mv(mv, start.size))),
                    rating: rating(game, position.to_move()),
                });
            }
            if let Some(mv) = mv {
                let played = position.play(mv);
                played.map_err(|reason| damaged(&format!("{}: illegal move {mv}: {reason}", at_line(ply))))?;
            }
        }
        Ok(Found { ending: ending(game, &position), visit })
    }

    /// Checks that the game is of the same kind.
    fn check(&self, start: &Setup) -> Result<(), LeftOut> {
        if start.size != self.setup.size {
            return Err(LeftOut::Size(start.size));
        }
        if start.opening != self.setup.opening {
            return Err(LeftOut::Opening(start.opening));
        }
        if start.reserves != self.setup.reserves {
            return Err(LeftOut::Reserves);
        }
        match self.komi {
            Some(komi) if komi != start.komi => Err(LeftOut::Komi(start.komi)),
            _ => Ok(()),
        }
    }
}

/// A number by which positions with different komi have equal hashes: the hash of the empty board.
fn settings_key(setup: &Setup) -> Result<u64, SetupError> {
    let empty = Setup { reserves: setup.reserves, opening: setup.opening, ..Setup::empty(setup.size, setup.komi) };
    Ok(AnyPosition::from_setup(&empty)?.hash())
}

/// The symmetry that turns the board back.
fn inverse(symmetry: Symmetry, size: Size) -> Symmetry {
    // A symmetry is known by what it does to two neighbours.
    let squares = [Square::new(0, 0), Square::new(1, 0)];
    let undoes =
        |back: &Symmetry| squares.iter().all(|&square| back.square(symmetry.square(square, size), size) == square);
    Symmetry::ALL.into_iter().find(undoes).unwrap_or(symmetry)
}

/// The result of a game: by the rules, or else as its text says.
fn ending(game: &PtnGame, end: &AnyPosition) -> Ending {
    if let Some(outcome) = end.outcome() {
        return Some(outcome.winner);
    }
    let of_text = |text: &str| match winner_of(text) {
        None if text != "1/2-1/2" => None,
        winner => Some(winner),
    };
    game.result.as_deref().and_then(of_text).or_else(|| game.tag("Result").and_then(of_text))
}

/// The rating of a player, if the game has it.
fn rating(game: &PtnGame, color: Color) -> Option<u32> {
    let name = match color {
        Color::White => "Rating1",
        Color::Black => "Rating2",
    };
    game.tag(name)?.trim().parse().ok().filter(|&rating| rating > 0)
}
