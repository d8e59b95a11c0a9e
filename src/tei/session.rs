//! What the front end has set up: options, the size of the game, and the game itself.

use std::time::Duration;

use super::command::GoWords;
use super::options::Options;
use crate::board::{Color, IllegalMove, Komi, Setup, SetupError, Size};
use crate::engine::{AnyPosition, Game, Go};
use crate::notation::{MoveError, parse_first_move, parse_move};
use crate::search::Clock;

/// Why a `position` is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// The game is on another board.
    #[error("the position is {found}x{found}, the game is {expected}x{expected}")]
    WrongSize {
        /// Of the position.
        found: Size,
        /// Of the game.
        expected: Size,
    },
    /// No game has such a position.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A text that is no move.
    #[error("move {number}: {error}")]
    Malformed {
        /// Its place in the list, from 1.
        number: usize,
        /// What is wrong with it.
        #[source]
        error: MoveError,
    },
    /// A move that may not be played.
    #[error("move {number}, \"{text:.40}\", is illegal: {error}")]
    Illegal {
        /// Its place in the list, from 1.
        number: usize,
        /// The move.
        text: String,
        /// Why not.
        #[source]
        error: IllegalMove,
    },
}

/// The state that a front end builds up line by line.
#[derive(Debug, Clone)]
pub struct Session {
    options: Options,
    size: Size,
    game: Game,
    /// Whether the game is still the one that `teinewgame` began, so that it follows the options.
    untouched: bool,
}

impl Default for Session {
    /// The start of a 6x6 game.
    fn default() -> Self {
        let options = Options::default();
        let size = Size::ALL[3];
        Self {
            game: start(size, &options),
            options,
            size,
            untouched: true,
        }
    }
}

impl Session {
    /// The options in force.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The game so far.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Changes the options. Komi and reserves are those of the next `teinewgame` or `position`; a game in which no
    /// `position` has come yet begins anew with them.
    pub fn set_options(&mut self, options: Options) {
        self.options = options;
        if self.untouched {
            self.game = start(self.size, &self.options);
        }
    }

    /// Begins a game. A komi given here replaces that of the options.
    pub fn new_game(&mut self, size: Size, komi: Option<Komi>) {
        if let Some(komi) = komi {
            self.options = self.options.with_komi(komi);
        }
        self.size = size;
        self.game = start(size, &self.options);
        self.untouched = true;
    }

    /// The game that a `position` describes: from `tps`, or else from the start.
    ///
    /// # Errors
    /// [`PositionError`] names the first thing wrong with it.
    pub fn game_at(&self, tps: Option<Setup>, moves: &[&str]) -> Result<Game, PositionError> {
        let mut game = match tps {
            None => start(self.size, &self.options),
            Some(tps) if tps.size != self.size => {
                return Err(PositionError::WrongSize {
                    found: tps.size,
                    expected: self.size,
                });
            }
            Some(tps) => Game::new(AnyPosition::from_setup(&adapted(tps, &self.options))?),
        };
        for (index, text) in moves.iter().enumerate() {
            let number = index + 1;
            let mv = match index {
                0 => parse_first_move(text, &game.position().to_setup()),
                _ => parse_move(text, self.size),
            };
            let mv = mv.map_err(|error| PositionError::Malformed { number, error })?;
            game.try_play(mv).map_err(|error| PositionError::Illegal {
                number,
                text: (*text).to_owned(),
                error,
            })?;
        }
        Ok(game)
    }

    /// Puts a game that came from [`Session::game_at`] in the place of the present one.
    pub fn set_game(&mut self, game: Game) {
        self.game = game;
        self.untouched = false;
    }

    /// What a `go` line means for the player to move.
    ///
    /// Any word about clocks makes it a matter of time: where the player's own time is missing it counts as the
    /// opponent's, and without that as none, so that such a line never means an endless search.
    #[must_use]
    pub fn limits(&self, go: &GoWords) -> Go {
        let (own, other, increment) = match self.game.position().to_move() {
            Color::White => (go.wtime, go.btime, go.winc),
            Color::Black => (go.btime, go.wtime, go.binc),
        };
        let timed = [go.wtime, go.btime, go.winc, go.binc, go.movestogo]
            .iter()
            .any(Option::is_some);
        Go {
            depth: go.depth.map(|depth| depth.try_into().unwrap_or(u32::MAX)),
            nodes: go.nodes.map(i64::unsigned_abs),
            move_time: go.movetime.map(millis),
            clock: timed.then(|| Clock {
                remaining: own.or(other).map_or(Duration::ZERO, millis),
                increment: increment.map_or(Duration::ZERO, millis),
                moves_to_go: go.movestogo.map(|n| n.try_into().unwrap_or(u32::MAX)),
            }),
        }
    }
}

/// A time below zero is no time.
fn millis(time: i64) -> Duration {
    Duration::from_millis(time.max(0).unsigned_abs())
}

/// A setup with the komi, the reserves and, unless the board shows it, the opening of the options.
fn adapted(setup: Setup, options: &Options) -> Setup {
    let setup = Setup {
        komi: options.komi(),
        reserves: options.reserves(setup.size),
        ..setup
    };
    Setup {
        opening: setup.shown_opening().unwrap_or(options.opening()),
        ..setup
    }
}

fn start(size: Size, options: &Options) -> Game {
    let setup = adapted(Setup::empty(size, options.komi()), options);
    Game::new(AnyPosition::from_setup(&setup).expect("options hold playable reserves only"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Reserve;
    use crate::notation::parse_tps;
    use crate::tei::options::TABLE;

    fn session(size: usize, options: &[(&str, &str)]) -> Session {
        let mut session = Session::default();
        session.new_game(Size::ALL[size - 3], None);
        for (name, value) in options {
            let options = session.options().with(name, value).unwrap();
            session.set_options(options);
        }
        session
    }

    #[test]
    fn every_option_value_gives_a_playable_start() {
        for size in 3..=8 {
            for spin in TABLE {
                for value in spin.min.max(-100)..=spin.max.min(100) {
                    let session = session(size, &[(spin.name, &spin.text(value))]);
                    assert!(session.game().position().outcome().is_none());
                }
            }
        }
    }

    #[test]
    fn options_reach_start_and_tps_alike() {
        let session = session(
            5,
            &[("HalfKomi", "-3"), ("Flats1", "20"), ("Capstones", "0")],
        );
        let tps = parse_tps("x5/x5/x2,1,x2/x5/2,x4 1 2").unwrap();
        for game in [
            session.game().clone(),
            session.game_at(None, &["a1"]).unwrap(),
            session.game_at(Some(tps), &["b1"]).unwrap(),
        ] {
            assert_eq!(game.position().komi().half(), -3);
            let reserves = game.position().start_reserves();
            assert_eq!(
                reserves[Color::White],
                Reserve {
                    stones: 20,
                    caps: 0
                }
            );
            assert_eq!(
                reserves[Color::Black],
                Reserve {
                    stones: 21,
                    caps: 0
                }
            );
        }
    }

    #[test]
    fn options_leave_a_position_alone() {
        let mut session = session(6, &[]);
        session.set_game(session.game_at(None, &["a1", "f6"]).unwrap());
        let before = session.game().clone();
        let options = session.options().with("HalfKomi", "4").unwrap();
        session.set_options(options);
        assert_eq!(session.game(), &before);
        assert_eq!(
            session.game_at(None, &[]).unwrap().position().komi().half(),
            4
        );
    }

    #[test]
    fn limits_belong_to_the_player_to_move() {
        let mut session = session(6, &[]);
        let go = GoWords {
            wtime: Some(1000),
            btime: Some(-5),
            winc: Some(10),
            binc: Some(20),
            movestogo: Some(i64::MAX),
            ..GoWords::default()
        };
        let clock = |session: &Session| session.limits(&go).clock.unwrap();
        assert_eq!(clock(&session).remaining, Duration::from_secs(1));
        assert_eq!(clock(&session).increment, Duration::from_millis(10));
        assert_eq!(clock(&session).moves_to_go, Some(u32::MAX));
        session.set_game(session.game_at(None, &["a1"]).unwrap());
        assert_eq!(clock(&session).remaining, Duration::ZERO);
        assert_eq!(clock(&session).increment, Duration::from_millis(20));
    }

    #[test]
    fn a_clock_is_never_endless() {
        let session = session(6, &[]);
        let go = GoWords {
            btime: Some(300),
            ..GoWords::default()
        };
        let remaining = |go: &GoWords| session.limits(go).clock.map(|clock| clock.remaining);
        assert_eq!(remaining(&go), Some(Duration::from_millis(300)));
        let go = GoWords {
            winc: Some(300),
            ..GoWords::default()
        };
        assert_eq!(remaining(&go), Some(Duration::ZERO));
        assert_eq!(session.limits(&GoWords::default()), Go::default());
    }
}
