//! The position that is looked for, and the search for it in a game.

use super::game::{Ending, ExploredGame, Start, settings_key};
use crate::board::{AnyPosition, Komi, Move, Setup, SetupError, Size, Symmetry};
use crate::notation::ReadGame;

/// A position to look for, in all its rotations and reflections.
#[derive(Debug)]
pub struct Query {
    setup: Setup,
    komi: Option<Komi>,
    /// The key of each image, and what turns a move there into one of the position.
    images: Vec<(u64, Symmetry)>,
    /// The symmetries of the position itself: they turn its moves into equivalent ones.
    own: Vec<Symmetry>,
    /// The pieces in reserve. Games with fewer have passed the position.
    reserve: u32,
}

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
    /// The moves before it.
    pub ply: usize,
    /// The move that was played; `None` at the end of the game.
    pub mv: Option<Move>,
    /// The rating of the player to move.
    pub rating: Option<u32>,
}

/// The reason that a game does not count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LeftOut {
    Size(Size),
    Opening,
    Reserves,
    Komi(Komi),
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
        for symmetry in Symmetry::ALL {
            let image = AnyPosition::from_setup(&setup.transformed(symmetry))?;
            let key = image.hash() ^ settings_key(&setup)?;
            if images.iter().all(|&(known, _)| known != key) {
                images.push((key, symmetry.inverse()));
            }
        }
        Ok(Self { setup, komi, images, own: position.symmetries(), reserve: reserve(position) })
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
        if let Some(fault) = &read.fault {
            return Err(LeftOut::Damaged(fault.to_string()));
        }
        self.check(&read.game.start)?;
        let game = ExploredGame::read(read).map_err(LeftOut::Damaged)?;
        let moves = read.game.moves.iter().map(|played| played.mv);
        let visit = self.visit(&game.start, moves, game.ratings);
        Ok(Found { ending: game.ending, visit })
    }

    /// The first time that a game with these legal moves has the position.
    pub fn visit(&self, start: &Start, moves: impl Iterator<Item = Move>, ratings: [Option<u32>; 2]) -> Option<Visit> {
        let mut position = start.position.clone();
        let mut moves = moves.fuse();
        let mut ply = 0;
        loop {
            let key = position.hash() ^ start.settings;
            let mv = moves.next();
            if let Some((_, back)) = self.images.iter().find(|(image, _)| *image == key) {
                return Some(Visit {
                    ply,
                    mv: mv.map(|mv| self.representative(back.mv(mv, self.setup.size))),
                    rating: ratings[position.to_move().index()],
                });
            }
            position.play_unchecked(mv.filter(|_| reserve(&position) >= self.reserve)?);
            ply += 1;
        }
    }

    /// Checks that a game is of the same kind.
    ///
    /// # Errors
    /// The reason why it does not count.
    pub fn check(&self, start: &Setup) -> Result<(), LeftOut> {
        if start.size != self.setup.size {
            return Err(LeftOut::Size(start.size));
        }
        if start.opening != self.setup.opening {
            return Err(LeftOut::Opening);
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

/// The pieces that both players have in reserve.
fn reserve(position: &AnyPosition) -> u32 {
    position.reserves().0.iter().map(|reserve| u32::from(reserve.stones) + u32::from(reserve.caps)).sum()
}
