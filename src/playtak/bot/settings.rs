//! The settings of a bot.

use crate::engine::Level;
use crate::playtak::book::Book;
use crate::playtak::protocol::Login;
use crate::playtak::seek::Seek;

/// The settings of a bot.
#[derive(Debug, Clone)]
// They are independent options.
#[allow(clippy::struct_excessive_bools)]
pub struct Settings {
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
