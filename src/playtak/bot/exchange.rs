//! What the bot is told, and what it wants to be done.

use std::mem;

use crate::board::{Game, Move};
use crate::engine::{HashError, Level, Limits};
use crate::notation::PtnGame;
use crate::playtak::protocol::Command;
use crate::search::Report;

/// Something that happened.
#[derive(Debug)]
pub enum Event {
    /// There is a connection.
    Connected {
        /// Whether nobody on the way can read along.
        is_private: bool,
    },
    /// The server said something.
    Line(String),
    /// The connection is gone.
    Disconnected,
    /// The engine has answered the question of this number.
    Judged(u64, Result<Report, HashError>),
    /// The operator wants an end.
    Interrupted,
    /// Nothing, but some time has passed.
    Tick,
}

/// Something that is to be done.
#[derive(Debug, Clone, PartialEq)]
pub enum Request {
    /// Send a line.
    Send(Command),
    /// End the connection; another one will be made.
    HangUp,
    /// Forget the last game: another one begins.
    NewGame,
    /// Answer a question, in the place of any asked before.
    Think(Box<Question>),
    /// Think about what the next question may be, once the first move of the line has been played in the game.
    Ponder(Box<Game>, Vec<Move>),
    /// Answer no question any more, and think about none.
    StopThinking,
    /// Keep a finished game.
    Keep(Box<PtnGame>),
    /// Tell the operator.
    Say(String),
    /// End the program.
    End(Result<(), Failure>),
}

/// A position to find a move in.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// For the answer.
    pub number: u64,
    /// The game so far.
    pub game: Game,
    /// The time there is.
    pub limits: Limits,
    /// How strong to play; `None` for full strength.
    pub level: Option<Level>,
    /// What a level does by chance is the same for all moves of a game.
    pub seed: u64,
}

/// Why a bot cannot go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// A wrong name or password.
    #[error("the server does not know this name and password")]
    Login,
    /// A password is not for everybody on the way.
    #[error("the password is not sent over a connection without encryption: use wss://, or --guest")]
    Exposed,
    /// Two programs would throw each other out for ever.
    #[error("another program has logged in with the same name")]
    Replaced,
    /// The engine does not work.
    #[error(transparent)]
    Hash(#[from] HashError),
}

/// What is to be done, in order.
#[derive(Debug, Default)]
pub(super) struct Requests(Vec<Request>);

impl Requests {
    pub fn push(&mut self, request: Request) {
        self.0.push(request);
    }

    pub fn send(&mut self, command: Command) {
        self.push(Request::Send(command));
    }

    pub fn say(&mut self, text: impl Into<String>) {
        self.push(Request::Say(text.into()));
    }

    /// All of them; there are none after that.
    pub fn take(&mut self) -> Vec<Request> {
        mem::take(&mut self.0)
    }
}
