//! A game as it is read: the part that can be played, and the fault of the rest.

use crate::board::{Game, Size};
use crate::notation::{Deviations, GameText, PtnGame, ReadGame, ReplayError, read_game};

/// Maximum number of annotated moves. Real games are shorter, and the time taken grows with the square.
const MAX_PLIES: usize = 5_000;

/// A game to annotate.
#[derive(Debug, Clone)]
pub struct Source {
    /// Its place in the input, from 0.
    pub number: u64,
    /// The game as it was read, without the moves that cannot be played.
    pub ptn: PtnGame,
    /// The same as a game; `None` if it cannot begin.
    pub game: Option<Game>,
    /// The text of a game that cannot begin.
    pub original: Option<String>,
    /// The first mistake in it.
    pub fault: Option<String>,
    /// Parts of its text that were accepted although they are not standard.
    pub deviations: Deviations,
}

impl Source {
    /// Reads a game, which is for boards of `size` if it states none.
    pub fn read(number: u64, text: &GameText, size: Option<Size>) -> Self {
        Self::new(number, text, read_game(text, size))
    }

    /// The game of this text, which has been read.
    pub fn new(number: u64, text: &GameText, mut read: ReadGame) -> Self {
        let too_long = (read.game.moves.len() > MAX_PLIES).then(|| {
            let line = read.line(MAX_PLIES);
            format!("line {line}: the game is longer than {MAX_PLIES} plies, the rest is skipped")
        });
        read.game.moves.truncate(MAX_PLIES);
        let is_begun = read.fault.is_none() || !read.game.moves.is_empty();
        let (game, illegal) = match is_begun.then(|| read.game.replay()) {
            None => (None, None),
            Some(Ok((game, illegal))) => (Some(game), illegal),
            Some(Err(error)) => (None, Some(error.into())),
        };
        let plies = game.as_ref().map(|game| game.moves().len());
        let line = read.line(plies.unwrap_or(usize::MAX));
        let illegal = illegal.map(|error: ReplayError| format!("line {line}: {error}"));
        let fault = illegal.or(too_long).or(read.fault.map(|fault| fault.to_string()));
        let mut ptn = read.game;
        ptn.moves.truncate(plies.unwrap_or(0));
        ptn.keep_variations_up_to(ptn.moves.len());
        let mut deviations = Deviations::default();
        if let Some(game) = game.as_ref().filter(|_| fault.is_none()) {
            ptn.correct_result(game.position().outcome(), &mut deviations);
        }
        deviations.extend(&read.deviations);
        Self { number, ptn, original: game.is_none().then(|| text.text.clone()), game, deviations, fault }
    }

    /// A game that was not read from a text.
    pub fn of_game(number: u64, game: Game) -> Self {
        let deviations = Deviations::default();
        Self { number, ptn: PtnGame::from(&game), game: Some(game), original: None, fault: None, deviations }
    }
}
