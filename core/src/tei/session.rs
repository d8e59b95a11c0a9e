//! The state that the front end has set up: options, the size of the game, and the game itself.

use std::time::Duration;

use super::game::{PositionError, place};
use super::go_words::GoWords;
use super::options::{self, OptionError, Options, Scope};
use crate::board::{Color, Game, Komi, Setup, Size};
use crate::engine::{Limits, Permissions};
use crate::notation::Deviations;
use crate::search::Clock;

/// The reason why there is no position. The last one is not the one that the front end means.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoPosition {
    /// The last `position` was refused.
    #[error("there is no position: the last one was refused")]
    Refused,
    /// The last `teinewgame` was refused. Only another one, or a position with a board, says which game is played.
    #[error("there is no position: the last \"teinewgame\" was refused")]
    NoGame,
    /// The position and the options do not fit.
    #[error("there is no position: {0}")]
    Unfit(PositionError),
}

/// The state that a front end builds up line by line. A change that can be refused returns the session after it and
/// leaves this one as it is; the `refuse_` functions then note that it was refused.
///
/// Komi and opening last until they are set again. So do reserves, except those set between `teinewgame` and the first
/// `position` or `go` after it: they are for that game, and the next `teinewgame` resets them.
#[derive(Debug, Clone)]
pub struct Session {
    /// The options of the present game.
    options: Options,
    /// The options at the beginning of the next game.
    lasting: Options,
    size: Size,
    /// The last `position`: its TPS, if it had one, and its moves.
    tps: Option<Setup>,
    moves: Vec<String>,
    /// Accepted notation in the moves that is not standard.
    deviations: Deviations,
    game: Result<Game, NoPosition>,
    /// True after `teinewgame` until the next `position` or `go`.
    just_begun: bool,
    knows_solved: bool,
}

impl Session {
    /// The start of a 6x6 game, for a front end with these permissions.
    pub fn new(permissions: Permissions) -> Self {
        let options = Options::new(permissions);
        let mut session = Self {
            lasting: options.clone(),
            options,
            size: Size::USUAL,
            tps: None,
            moves: Vec::new(),
            deviations: Deviations::default(),
            game: Err(NoPosition::NoGame),
            just_begun: false,
            knows_solved: false,
        };
        session.set_up();
        session
    }

    /// The options in force.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The board of the present game.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The game so far.
    ///
    /// # Errors
    /// [`NoPosition`] when the front end's last request was refused.
    pub fn game(&self) -> Result<&Game, &NoPosition> {
        self.game.as_ref()
    }

    /// Accepted notation in the moves of the last `position` that is not standard.
    pub fn deviations(&self) -> &Deviations {
        &self.deviations
    }

    /// Returns whether the front end has shown that it supports `score solved`. Others report an error.
    pub fn knows_solved(&self) -> bool {
        self.knows_solved
    }

    /// Notes what a line shows of that.
    pub fn learn_solved(&mut self, is_shown: bool) {
        self.knows_solved |= is_shown;
    }

    /// Notes that the game is being played.
    pub fn set_going(&mut self) {
        self.just_begun = false;
    }

    /// With an option set. Komi, opening and reserves hold for the present position too.
    ///
    /// # Errors
    /// [`OptionError`] if there is no such option or the value is invalid.
    pub fn with_option(&self, name: &str, value: &str) -> Result<Self, OptionError> {
        let scope = options::scope(name);
        let mut session = self.clone();
        session.options = self.options.with(name, value)?;
        let is_for_this_game = self.just_begun && scope == Scope::Reserves;
        if !is_for_this_game {
            session.lasting = self.lasting.with(name, value)?;
        }
        let is_refused = matches!(self.game, Err(NoPosition::Refused | NoPosition::NoGame));
        if scope != Scope::Engine && !is_refused {
            session.set_up();
        }
        Ok(session)
    }

    /// Sets the position up with the present options.
    fn set_up(&mut self) {
        let game = place(self.tps.clone(), self.size, &self.options, &self.moves, &mut Deviations::default());
        self.game = game.map_err(NoPosition::Unfit);
    }

    /// Begins a game. A komi given here replaces that of the options.
    pub fn new_game(&mut self, size: Size, komi: Option<Komi>) {
        if let Some(komi) = komi {
            self.lasting = self.lasting.with_komi(komi);
        }
        self.options = self.lasting.clone();
        self.size = size;
        self.tps = None;
        self.moves.clear();
        self.just_begun = true;
        self.set_up();
    }

    /// Notes that a `teinewgame` was refused: nobody knows on which board the next game is.
    pub fn refuse_new_game(&mut self) {
        self.options = self.lasting.clone();
        self.just_begun = true;
        self.game = Err(NoPosition::NoGame);
    }

    /// With the position of a `position` line: from `tps` or, without one, from the start. A `tps` of another size
    /// begins a game of that size with the standard reserves there: those set were meant for another board.
    ///
    /// Some front ends do not announce the next game. So a position that does not fit the present game but the next one
    /// begins that: with the reserves that last or, if a move names a square that the board lacks, on the smallest
    /// board on which all moves can be played.
    ///
    /// The text, if there is one, says so, and why it does not fit.
    ///
    /// # Errors
    /// [`PositionError`] names the first thing wrong with it.
    pub fn with_position(&self, tps: Option<&Setup>, moves: &[&str]) -> Result<(Self, Option<String>), PositionError> {
        if tps.is_none() && self.game == Err(NoPosition::NoGame) {
            return Err(PositionError::new("the last \"teinewgame\" was refused"));
        }
        let size = tps.map_or(self.size, |tps| tps.size);
        let options = if size == self.size { self.options.clone() } else { self.lasting.with_standard_reserves() };
        let moves: Vec<String> = moves.iter().map(|&text| text.to_owned()).collect();
        let session = |size, options: Options| {
            let mut deviations = Deviations::default();
            let game = place(tps.cloned(), size, &options, &moves, &mut deviations)?;
            Ok(Self {
                deviations,
                options,
                lasting: self.lasting.clone(),
                size,
                tps: tps.cloned(),
                moves: moves.clone(),
                game: Ok(game),
                just_begun: false,
                knows_solved: self.knows_solved,
            })
        };
        let error = match session(size, options) {
            Ok(session) => return Ok((session, None)),
            Err(error) => error,
        };
        if self.just_begun {
            return Err(error);
        }
        let same =
            Some((size, self.lasting.clone())).filter(|(size, lasting)| *size == self.size && *lasting != self.options);
        let larger = Size::ALL.into_iter().filter(|&larger| error.is_off_board && tps.is_none() && larger > size);
        let larger = larger.map(|size| (size, self.lasting.with_standard_reserves()));
        match same.into_iter().chain(larger).find_map(|(size, options)| session(size, options).ok()) {
            Some(session) => {
                let news = format!("{error}: taken as a new game of size {}", session.size);
                Ok((session, Some(news)))
            }
            None => Err(error),
        }
    }

    /// Notes that a `position` was refused.
    pub fn refuse_position(&mut self) {
        self.just_begun = false;
        if self.game != Err(NoPosition::NoGame) {
            self.game = Err(NoPosition::Refused);
        }
    }

    /// The limits of a `go` line for the player to move.
    ///
    /// `infinite` removes all limits. Any word about clocks limits the time, so that such a line never starts an
    /// endless search: if the player's own clock is missing, the opponent's counts, and if both are missing, no time is
    /// left.
    pub fn limits(&self, go: &GoWords) -> Limits {
        if go.infinite {
            return Limits::default();
        }
        let to_move = self.game.as_ref().map_or(Color::White, |game| game.position().to_move());
        let (own, other, increment) = match to_move {
            Color::White => (go.wtime, go.btime, go.winc),
            Color::Black => (go.btime, go.wtime, go.binc),
        };
        Limits {
            depth: go.depth.map(|depth| depth.try_into().unwrap_or(u32::MAX)),
            nodes: go.nodes.map(i64::unsigned_abs),
            move_time: go.movetime.map(millis),
            clock: go.has_clock().then(|| Clock {
                remaining: own.or(other).map_or(Duration::ZERO, millis),
                increment: increment.map_or(Duration::ZERO, millis),
                moves_to_go: go.movestogo.map(|n| n.try_into().unwrap_or(u32::MAX)),
            }),
        }
    }
}

/// A time below zero counts as zero.
fn millis(time: i64) -> Duration {
    Duration::from_millis(time.max(0).unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tei::options::OPTIONS;

    fn session(size: u64, options: &[(&str, &str)]) -> Session {
        let mut session = Session::new(Permissions::default());
        session.new_game(Size::new(size).unwrap(), None);
        options.iter().fold(session, |session, (name, value)| session.with_option(name, value).unwrap())
    }

    #[test]
    fn every_option_value_gives_a_playable_start() {
        for size in 3..=8 {
            for spin in OPTIONS {
                for value in spin.min.max(-100)..=spin.max.min(100) {
                    let session = session(size, &[(spin.name, &spin.text(value))]);
                    assert!(session.game().unwrap().position().outcome().is_none());
                }
            }
        }
    }

    #[test]
    fn limits_belong_to_the_player_to_move() {
        let session = session(6, &[]);
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
        let endless = GoWords { infinite: true, depth: Some(2), ..go.clone() };
        assert_eq!(session.limits(&endless), Limits::default());
        let session = session.with_position(None, &["a1"]).unwrap().0;
        assert_eq!(clock(&session).remaining, Duration::ZERO);
        assert_eq!(clock(&session).increment, Duration::from_millis(20));
    }

    #[test]
    fn a_clock_is_never_endless() {
        let session = session(6, &[]);
        let remaining = |go| session.limits(&go).clock.map(|clock| clock.remaining.as_millis());
        assert_eq!(remaining(GoWords { btime: Some(300), ..GoWords::default() }), Some(300));
        assert_eq!(remaining(GoWords { winc: Some(300), ..GoWords::default() }), Some(0));
        assert_eq!(remaining(GoWords::default()), None);
    }
}
