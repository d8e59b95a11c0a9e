//! The settings of the bot, events for it, and its requests.

use std::mem;

use crate::book::Book;
use crate::protocol::{Command, Login, Version};
use crate::seek::Seek;
use tak_engine::board::{Game, Move};
use tak_engine::engine::{HashError, Level, Limits};
use tak_engine::notation::PtnGame;
use tak_engine::search::Report;

/// The settings of a bot.
#[derive(Debug, Clone)]
// They are independent options.
#[allow(clippy::struct_excessive_bools)]
pub struct Settings {
    /// The server, for the tag `Site` of PTN.
    pub site: String,
    pub login: Login,
    pub opponents: Opponents,
    /// The number of games to play; `None` for no limit.
    pub games: Option<u64>,
    /// Agree to take moves back.
    pub undo: bool,
    /// Search on the opponent's time.
    pub ponder: bool,
    /// Resign games that are proven to be lost.
    pub resign: bool,
    /// Answer requests of players.
    pub chat: bool,
    /// The level for players who have not asked for another; `None` for full strength.
    pub level: Option<Level>,
    /// Opening moves to play without a search, at every level.
    pub book: Book,
}

/// The way in which a bot finds its games.
#[derive(Debug, Clone)]
pub enum Opponents {
    /// Offer these in turn. At least one is required.
    Seeks(Vec<Seek>),
    /// Accept the seeks of this player. Upper and lower case are equal.
    Of(String),
}

#[derive(Debug)]
pub enum Event {
    Connected {
        /// True if the connection is encrypted or local.
        is_private: bool,
    },
    Line(String),
    Disconnected,
    /// The engine has answered the question with this number.
    Judged(u64, Result<Report, HashError>),
    /// The engine has panicked.
    EngineLost,
    /// The operator has asked for the end.
    Interrupted,
    Tick,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Request {
    Send(Command),
    /// Close the connection and reconnect.
    HangUp,
    /// Forget the last game, since another one begins.
    NewGame,
    /// Answer a question. It replaces any before.
    Think(Box<Question>),
    /// Search the position of the expected next question, after the first move of the line in the game.
    Ponder(Box<Game>, Vec<Move>),
    StopThinking,
    /// Store a finished game.
    Keep(Box<PtnGame>),
    Say(String),
    End(Result<(), Failure>),
}

/// A position to find a move in.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// Identifies the answer.
    pub number: u64,
    pub game: Game,
    pub limits: Limits,
    /// The level; `None` for full strength.
    pub level: Option<Level>,
    /// Determines the random choices of a level, for all moves of a game.
    pub seed: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    #[error("login failed: wrong user name or password")]
    Login,
    /// The password would be readable on the way.
    #[error("the password is not sent over a connection without encryption: use wss://, or --guest")]
    Exposed,
    /// Two programs with one name would disconnect each other forever.
    #[error("another program has logged in with the same name")]
    Replaced,
    /// The seek would be another one there.
    #[error("the server speaks protocol {} only: scales needs 3, opening=double-black needs 4", .0.number())]
    OldServer(Version),
    /// A bug. The server keeps the game for a while, so a restart may resume it.
    #[error("the engine has crashed")]
    Engine,
    /// The engine has no memory.
    #[error(transparent)]
    Hash(#[from] HashError),
}

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

    /// Removes and returns all of them.
    pub fn take(&mut self) -> Vec<Request> {
        mem::take(&mut self.0)
    }
}
