//! Conversion between games of PTN files and playable games.

use super::opening::opening_tag;
use super::{PtnGame, PtnMove};
use crate::board::{AnyPosition, Color, Game, IllegalMove, Move, Reserve, Setup, SetupError};

/// Error of playing the game of a PTN file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// The first position cannot be played.
    #[error("cannot start: {0}")]
    Start(#[from] SetupError),
    /// A move that cannot be played.
    #[error("illegal move {number} of {color}, {mv}: {reason}")]
    Move {
        /// Its number, as PTN counts.
        number: u32,
        /// The player.
        color: Color,
        /// As it is written in the game.
        mv: Move,
        /// The rule that it breaks.
        #[source]
        reason: IllegalMove,
    },
}

impl PtnGame {
    /// The game, played to its last move. `PtnGame::from(&game)` is the reverse.
    ///
    /// ```
    /// # use tak_engine_core as tak_engine;
    /// use tak_engine::notation::{PtnGame, parse_games};
    ///
    /// let text = "[Size \"5\"]\n[Komi \"2\"]\n\n1. a1 e5\n2. Cc3\n";
    /// let ptn = parse_games(text).next().unwrap()?;
    /// let mut game = ptn.game()?;
    /// assert_eq!(PtnGame::from(&game).to_string(), text);
    /// game.play("b2".parse()?)?;
    /// assert_eq!(game.moves().len(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReplayError`] for the first move that cannot be played.
    pub fn game(&self) -> Result<Game, ReplayError> {
        let (game, error) = self.replay()?;
        error.map_or(Ok(game), Err)
    }

    /// The game up to the first illegal move, and the error of that move, if there is one.
    ///
    /// # Errors
    /// If the game cannot begin.
    pub fn replay(&self) -> Result<(Game, Option<ReplayError>), SetupError> {
        let mut game = Game::new(AnyPosition::from_setup(&self.start)?);
        for &PtnMove { mv, .. } in &self.moves {
            if let Err(reason) = game.play(mv) {
                let error = ReplayError::Move {
                    number: game.position().ply() / 2 + 1,
                    color: game.position().to_move(),
                    mv,
                    reason,
                };
                return Ok((game, Some(error)));
            }
        }
        Ok((game, None))
    }
}

/// The game with the tags of its start, and its result if it is over by the rules. The caller adds names, dates and
/// comments.
impl From<&Game> for PtnGame {
    fn from(game: &Game) -> Self {
        let start = game.start().to_setup();
        let mut tags = start_tags(&start);
        let result = game.position().outcome().map(|outcome| outcome.to_string());
        tags.extend(result.clone().map(|result| ("Result", result)));
        let tags = tags.into_iter();
        let moves = game.moves().iter();
        Self {
            tags: tags.map(|(name, value)| (name.to_owned(), value)).collect(),
            moves: moves.map(|&mv| mv.into()).collect(),
            result,
            ..Self::new(start)
        }
    }
}

/// The tags of a game's start: everything that TPS does not contain, and the TPS if the board is not empty.
fn start_tags(start: &Setup) -> Vec<(&'static str, String)> {
    let mut tags = vec![("Size", start.size.to_string()), ("Komi", start.komi.to_string())];
    let parsed = start.to_string().parse::<Setup>();
    if parsed.map_or(true, |parsed| parsed.opening != start.opening) {
        tags.push(("Opening", opening_tag(start.opening).to_owned()));
    }
    let standard = Reserve::standard(start.size);
    let [white, black] = start.reserves.0;
    if white == black && white != standard {
        tags.push(("Flats", white.stones.to_string()));
        tags.push(("Caps", white.caps.to_string()));
    } else if white != black {
        tags.push(("Flats1", white.stones.to_string()));
        tags.push(("Caps1", white.caps.to_string()));
        tags.push(("Flats2", black.stones.to_string()));
        tags.push(("Caps2", black.caps.to_string()));
    }
    let begins_empty = start.stacks.is_empty() && start.move_number == 1;
    if !begins_empty || start.to_move == Color::Black {
        tags.push(("TPS", start.to_string()));
    }
    tags
}
