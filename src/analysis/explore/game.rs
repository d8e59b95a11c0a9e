//! A game of a collection, played by the rules.

use crate::board::{AnyPosition, Color, Setup, SetupError};
use crate::notation::{PtnGame, ReadGame, winner_of};

/// The result of a game: the winner, or no one for a draw. `None` if the result is unknown.
pub type Ending = Option<Option<Color>>;

/// The start of a game.
#[derive(Debug)]
pub struct Start {
    pub position: AnyPosition,
    /// See [`settings_key`].
    pub settings: u64,
}

impl Start {
    pub fn new(setup: &Setup) -> Result<Self, SetupError> {
        Ok(Self { position: AnyPosition::from_setup(setup)?, settings: settings_key(setup)? })
    }
}

/// A number by which positions with different komi have equal hashes: the hash of the empty board.
pub fn settings_key(setup: &Setup) -> Result<u64, SetupError> {
    let empty = Setup { reserves: setup.reserves, opening: setup.opening, ..Setup::empty(setup.size, setup.komi) };
    Ok(AnyPosition::from_setup(&empty)?.hash())
}

/// A game as the explorer uses it, without its moves.
#[derive(Debug)]
pub struct ExploredGame {
    pub start: Start,
    pub ending: Ending,
    /// The ratings of White and Black, if the game has them.
    pub ratings: [Option<u32>; 2],
}

impl ExploredGame {
    /// Plays a game that could be read to its end.
    ///
    /// # Errors
    /// A sentence on the first illegal move, or the start.
    pub fn read(read: &ReadGame) -> Result<Self, String> {
        let game = &read.game;
        let at_line = |plies| format!("line {}", read.line(plies));
        let start = Start::new(&game.start).map_err(|error| format!("{}: {error}", at_line(usize::MAX)))?;
        let mut position = start.position.clone();
        for (ply, played) in game.moves.iter().enumerate() {
            let mv = played.mv;
            position.play(mv).map_err(|reason| format!("{}: illegal move {mv}: {reason}", at_line(ply)))?;
        }
        let ratings = [rating(game, "Rating1"), rating(game, "Rating2")];
        Ok(Self { ending: ending(game, &position), start, ratings })
    }
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

fn rating(game: &PtnGame, tag: &str) -> Option<u32> {
    game.tag(tag)?.trim().parse().ok().filter(|&rating| rating > 0)
}
