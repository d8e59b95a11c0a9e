//! What a line of the front end asks for. Reading it changes nothing, so an order can wait until the engine is free.

use std::error::Error;
use std::time::Duration;

use super::command::{self, Command, Reading};
use super::fault::CommandError;
use super::game::read_searchmoves;
use super::go_words::GoWords;
use super::lines::{BadLine, Input};
use super::options::CLEAR_HASH;
use super::output;
use super::reply::Reply;
use super::session::Session;
use crate::board::{Komi, Setup, Size};
use crate::engine::{Permissions, SearchRequest, Task, check_memory};
use crate::notation::Deviations;
use crate::search::Clock;

/// A line that was read.
#[derive(Debug)]
pub(super) struct Order {
    pub deed: Deed,
    /// What is wrong with the line; reported when it is obeyed.
    pub fault: Option<String>,
}

/// The part of an order that is to be done.
#[derive(Debug)]
pub(super) enum Deed {
    Answer(Vec<Reply>),
    /// Answer when the engine is prepared.
    Ready,
    /// Go on with this session, which has other options.
    Set(Box<Session>),
    /// Make the engine forget earlier searches.
    ClearHash,
    NewGame {
        size: Size,
        komi: Option<Komi>,
        named: bool,
    },
    /// Go on with this session, which has another position; with the deviations in the text of the line.
    Place(Box<Session>, Deviations),
    Go(Go),
    /// End the search.
    Stop,
    /// End the program.
    Quit,
    /// Note that the last `position` is invalid: there is none.
    RefusePosition,
    /// Note that the board of the next game is unknown.
    RefuseNewGame,
    /// Answer a `go` that cannot be executed.
    RefuseGo,
}

/// The search that a `go` asks for.
#[derive(Debug)]
pub(super) struct Go {
    /// `None` if there is nothing to search.
    pub request: Option<Box<SearchRequest>>,
    /// The clock of a move in a game.
    pub clock: Option<Clock>,
    /// True if the front end asks for a proof, and so supports it.
    pub solved: bool,
    /// When the line was read.
    pub read: Duration,
}

/// What the engine may do while an order is obeyed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Allowed {
    /// Any search.
    Everything,
    /// A search for a move, but no pondering.
    Searching,
    Nothing,
}

impl Deed {
    /// What the engine may do in the meantime.
    pub fn allows(&self) -> Allowed {
        match self {
            Self::Ready => Allowed::Everything,
            Self::Answer(_) | Self::RefuseGo => Allowed::Searching,
            Self::Set(_)
            | Self::ClearHash
            | Self::NewGame { .. }
            | Self::Place(..)
            | Self::Go(_)
            | Self::Stop
            | Self::Quit
            | Self::RefusePosition
            | Self::RefuseNewGame => Allowed::Nothing,
        }
    }
}

/// The reason why a line is refused.
struct Refusal(String);

impl<E: Error> From<E> for Refusal {
    fn from(fault: E) -> Self {
        Self(fault.to_string())
    }
}

impl From<Deed> for Order {
    fn from(deed: Deed) -> Self {
        Self { deed, fault: None }
    }
}

/// Reads lines of a front end.
pub(super) struct Reader<'a> {
    pub session: &'a Session,
    /// Those of the front end.
    pub permissions: Permissions,
    /// True while the engine has something to do.
    pub is_searching: bool,
}

impl Reader<'_> {
    /// The order of a line or of the end of the input; `None` for a blank line.
    pub fn read(&self, input: &Input) -> Option<Order> {
        let (line, read) = match input {
            Input::Line(Ok(line), read) => (line, *read),
            Input::Line(Err(BadLine { head, fault }), _) => return Some(refuse(head, fault.clone())),
            Input::Closed => return Some(Deed::Quit.into()),
        };
        if line.trim_ascii().is_empty() {
            return None;
        }
        let Reading { head, command, fault, deviations } = command::read(line);
        let order = command.map_err(Refusal::from).and_then(|command| self.order(command, deviations, read));
        Some(match order {
            // It names the first thing that is wrong.
            Ok(order) => Order { fault: order.fault.or_else(|| fault.as_ref().map(skipped)), ..order },
            Err(Refusal(fault)) => refuse(head, fault),
        })
    }

    fn order(&self, command: Command<'_>, deviations: Deviations, read: Duration) -> Result<Order, Refusal> {
        let deed = match command {
            Command::Tei => Deed::Answer(output::handshake(self.permissions)),
            Command::IsReady => Deed::Ready,
            Command::SetOption { name, .. } if name.eq_ignore_ascii_case(CLEAR_HASH) => Deed::ClearHash,
            Command::SetOption { name, value } => {
                return self.set(&name, &value.ok_or_else(|| CommandError::missing("the option's value"))?);
            }
            Command::NewGame { size, komi, named } => Deed::NewGame { size, komi, named },
            Command::Position { tps, moves } => return self.place(tps.as_ref(), &moves, deviations),
            Command::Go(words) => return Ok(self.go(&words, read)),
            Command::Stop => Deed::Stop,
            Command::Quit => Deed::Quit,
            Command::Show => Deed::Answer(vec![output::show(self.session.game()?.position())]),
            Command::Draw => Deed::Answer(output::draw(self.session.game()?.position())),
            Command::Help => Deed::Answer(output::help()),
        };
        Ok(deed.into())
    }

    fn set(&self, name: &str, value: &str) -> Result<Order, Refusal> {
        let (session, fault) = match self.session.with_option(name, value) {
            Ok(session) => (session, None),
            Err(error) => {
                let Some(nearest) = error.nearest_reserve.map(|nearest| nearest.to_string()) else {
                    return Err(error.into());
                };
                (self.session.with_option(name, &nearest)?, Some(format!("{error}: {nearest} is taken")))
            }
        };
        // Checked before the search is ended, so that a refusal does not end it. The memory of its table cannot be
        // counted while it runs, so a larger one has to fit beside it.
        let hash_mib = session.options().settings().hash_mib;
        if self.is_searching && hash_mib > self.session.options().settings().hash_mib {
            check_memory(hash_mib)?;
        }
        Ok(Order { deed: Deed::Set(Box::new(session)), fault })
    }

    fn place(&self, tps: Option<&Setup>, moves: &[&str], mut deviations: Deviations) -> Result<Order, Refusal> {
        let (session, fault) = self.session.with_position(tps, moves)?;
        deviations.extend(session.deviations());
        Ok(Order { deed: Deed::Place(Box::new(session), deviations), fault })
    }

    fn go(&self, words: &GoWords<'_>, read: Duration) -> Order {
        let limits = self.session.limits(words);
        let clock = limits.clock.filter(|_| words.is_of_a_game());
        let (mut request, mut fault) = (None, None);
        match self.session.game() {
            Err(reason) => fault = Some(reason.to_string()),
            Ok(game) if game.position().outcome().is_some() => {}
            Ok(game) => {
                let (moves, no_move) = read_searchmoves(game, &words.searchmoves);
                fault = no_move.as_ref().map(skipped);
                let task = if words.solved { Task::Solve } else { Task::Play };
                request = Some(Box::new(SearchRequest { task, moves, ..SearchRequest::new(game.clone(), limits) }));
            }
        }
        Order { deed: Deed::Go(Go { request, clock, solved: words.solved, read }), fault }
    }
}

/// A line that is refused, with the word of its command.
fn refuse(head: &str, fault: String) -> Order {
    let deed = match head {
        "position" => Deed::RefusePosition,
        "teinewgame" => Deed::RefuseNewGame,
        "go" => Deed::RefuseGo,
        _ => Deed::Answer(Vec::new()),
    };
    Order { deed, fault: Some(fault) }
}

/// The report of a part of a line that is skipped.
fn skipped(fault: &impl ToString) -> String {
    format!("{}; the rest of the line is executed", fault.to_string())
}
