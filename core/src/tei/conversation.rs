//! TEI without threads and streams: a line of the front end or a report of the engine in, [`Action`]s out.
//!
//! A line that needs the engine stops the search, waits until that has ended, and is then obeyed. Lines behind it wait
//! too.

use std::collections::VecDeque;
use std::error::Error;
use std::fmt::Display;
use std::mem;
use std::sync::Arc;
use std::time::Duration;

use super::action::Kind;
pub use super::action::{Action, Finished, Search};
use super::command::{self, Command, CommandError, GoWords, Reading};
use super::lines::{self, Line};
use super::options::CLEAR_HASH;
use super::output;
use super::reply::Reply;
use super::session::{NoPosition, Session, game_clock};
use crate::board::{Game, Size};
use crate::engine::{HashError, Limits, Permissions, Ponder, SearchRequest, Settings, Task, TimeSource, check_memory};
use crate::notation::Deviations;
use crate::search::{Clock, Report};

/// A conversation with one front end.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use tak_engine::engine::{Engine, Permissions, Settings};
/// use tak_engine::tei::conversation::{Action, Conversation};
///
/// let mut engine = Engine::new(Settings::default());
/// let mut conversation = Conversation::new(Permissions::default(), engine.time().clone());
/// let mut said = String::new();
/// for line in ["setoption name Hash value 1", "position startpos moves a1 f6", "go nodes 100"] {
///     let mut actions = conversation.line(line);
///     while !actions.is_empty() {
///         actions = actions.into_iter().flat_map(|action| match action {
///             Action::Say(message) => {
///                 said = message;
///                 vec![]
///             }
///             Action::Prepare(settings) => {
///                 engine.set(settings);
///                 conversation.prepared(engine.prepare())
///             }
///             Action::Start(search) => {
///                 let finished = search.run(&mut engine, &AtomicBool::new(false), |_| {});
///                 conversation.finished(finished)
///             }
///             // A complete program obeys the others too.
///             _ => vec![],
///         }).collect();
///     }
/// }
/// assert!(said.starts_with("bestmove "));
/// ```
#[derive(Debug)]
pub struct Conversation {
    session: Session,
    permissions: Permissions,
    time: TimeSource,
    state: State,
    /// True after [`Action::Stop`] until the search has ended.
    is_stopping: bool,
    /// Result of the preparation that the first line waits for.
    prepared: Option<Result<(), HashError>>,
    /// True while the first line waits for the engine.
    is_waiting: bool,
    /// Lines not obeyed yet.
    lines: VecDeque<Input>,
    /// True if deviations in this game's text have been reported.
    has_warned: bool,
    actions: Vec<Action>,
}

/// Input of the front end.
#[derive(Debug)]
pub(crate) enum Input {
    /// A line, with the time when it was read: a clock may be running from then on.
    Line(Line, Duration),
    /// The end.
    Closed,
}

/// State of the engine.
#[derive(Debug)]
enum State {
    Idle {
        /// The `bestmove` of a search without limits that has ended by itself. It has to wait for `stop`.
        held: Option<Reply>,
        /// The search to begin if no line waits.
        ponder: Option<Arc<Ponder>>,
    },
    Searching {
        /// True if `bestmove` has to wait for `stop` when the search ends by itself.
        hold: bool,
        /// The last report that was printed.
        printed: Option<Report>,
    },
    /// A search on the opponent's time. Nothing of it is printed unless the opponent plays the expected move.
    Pondering {
        ponder: Arc<Ponder>,
        report: Option<Report>,
        /// Its result if it has ended by itself.
        finished: Option<Finished>,
    },
}

const IDLE: State = State::Idle { held: None, ponder: None };

/// The engine has to finish its work first. The line is obeyed again after that, so it must not have changed anything
/// yet.
#[derive(Debug)]
struct Busy;

/// The reason why a line is not obeyed.
#[derive(Debug)]
enum Refusal {
    Busy,
    Fault(String),
}

impl From<Busy> for Refusal {
    fn from(Busy: Busy) -> Self {
        Self::Busy
    }
}

impl<E: Error> From<E> for Refusal {
    fn from(fault: E) -> Self {
        Self::Fault(fault.to_string())
    }
}

impl Conversation {
    /// The beginning of a conversation with a front end that has these permissions. `time` has to be that of the
    /// engine.
    #[must_use]
    pub fn new(permissions: Permissions, time: TimeSource) -> Self {
        let session = Session::new(permissions);
        Self {
            actions: vec![Action::Set(session.options().settings())],
            session,
            permissions,
            time,
            state: IDLE,
            is_stopping: false,
            prepared: None,
            is_waiting: false,
            lines: VecDeque::new(),
            has_warned: false,
        }
    }

    /// The board size of the game.
    #[must_use]
    pub fn size(&self) -> Size {
        self.session.size()
    }

    /// A line that was read now.
    #[must_use]
    pub fn line(&mut self, text: &str) -> Vec<Action> {
        self.input(Input::Line(lines::whole(text), self.time.now()))
    }

    /// The end of the input.
    #[must_use]
    pub fn end(&mut self) -> Vec<Action> {
        self.input(Input::Closed)
    }

    pub(crate) fn input(&mut self, input: Input) -> Vec<Action> {
        // What the first line waits for is not needed if the program ends.
        let is_end = match &input {
            Input::Line(Ok(line), _) => command::head(line) == "quit",
            Input::Line(Err(_), _) => false,
            Input::Closed => true,
        };
        if is_end && self.is_waiting {
            self.actions.push(Action::Stop);
        }
        self.lines.push_back(input);
        self.proceed()
    }

    /// The result of [`Action::Prepare`].
    #[must_use]
    pub fn prepared(&mut self, result: Result<(), HashError>) -> Vec<Action> {
        self.prepared = Some(result);
        self.is_waiting = false;
        self.proceed()
    }

    /// The report of a completed iteration.
    #[must_use]
    pub fn report(&mut self, new: Report) -> Vec<Action> {
        match &mut self.state {
            State::Pondering { report, .. } => *report = Some(new),
            State::Searching { printed, .. } => {
                *printed = Some(new.clone());
                self.print(&new);
            }
            State::Idle { .. } => {}
        }
        mem::take(&mut self.actions)
    }

    /// The search has ended.
    #[must_use]
    pub fn finished(&mut self, result: Finished) -> Vec<Action> {
        match &mut self.state {
            State::Pondering { .. } if self.is_stopping => self.state = IDLE,
            State::Pondering { finished, .. } => *finished = Some(result),
            State::Searching { .. } => self.finish(result),
            State::Idle { .. } => {}
        }
        self.is_stopping = false;
        self.is_waiting = false;
        self.proceed()
    }

    /// Obeys all lines that need not wait, and ponders if there is nothing else to do.
    fn proceed(&mut self) -> Vec<Action> {
        while !self.is_waiting
            && let Some(input) = self.lines.pop_front()
        {
            if let Err(Busy) = self.obey_or_refuse(&input) {
                self.is_waiting = true;
                self.lines.push_front(input);
            }
        }
        if let State::Idle { ponder, .. } = &mut self.state
            && let Some(ponder) = ponder.take_if(|_| self.lines.is_empty())
        {
            self.actions.push(Action::Start(Search(Kind::Ponder(Arc::clone(&ponder)))));
            self.state = State::Pondering { ponder, report: None, finished: None };
        }
        mem::take(&mut self.actions)
    }

    fn obey_or_refuse(&mut self, input: &Input) -> Result<(), Busy> {
        let Input::Line(line, read) = input else {
            return self.quit();
        };
        let head = match line {
            Ok(line) => command::head(line),
            Err(bad) => &bad.head,
        };
        // The first two may be about the position that is pondered, and front ends send the third at any time.
        if !matches!(head, "" | "position" | "go" | "isready") {
            self.end_pondering()?;
        }
        let obeyed = match line {
            Ok(line) => self.obey(line, *read),
            Err(bad) => Err(Refusal::Fault(bad.to_string())),
        };
        match obeyed {
            Ok(()) => Ok(()),
            Err(Refusal::Busy) => Err(Busy),
            Err(Refusal::Fault(fault)) => self.refuse(head, &fault),
        }
    }

    /// Obeys a line, or changes nothing.
    fn obey(&mut self, line: &str, read: Duration) -> Result<(), Refusal> {
        if line.trim_ascii().is_empty() {
            return Ok(());
        }
        let Reading { command, fault, deviations } = command::read(line)?;
        let replies = match command {
            Command::Tei => output::handshake(self.permissions),
            Command::IsReady => {
                self.ready()?;
                vec![Reply::ReadyOk]
            }
            Command::SetOption { name, value } => {
                if name.eq_ignore_ascii_case(CLEAR_HASH) {
                    self.end_search()?;
                    self.actions.push(Action::ClearHash);
                } else {
                    let value = value.ok_or_else(|| CommandError::missing("the option's value"))?;
                    self.set_option(&name, &value)?;
                }
                vec![]
            }
            Command::NewGame { size, komi, named } => {
                self.end_search()?;
                self.actions.push(Action::Clear);
                self.has_warned = false;
                self.session.new_game(size, komi);
                if named {
                    self.session.learn_solved();
                }
                vec![]
            }
            Command::Position { tps, moves } => {
                let (session, news) = self.session.with_position(tps.as_ref(), &moves)?;
                if !self.is_pondering(&session) {
                    self.end_search()?;
                    if session.size() != self.session.size() {
                        self.actions.push(Action::Clear);
                    }
                }
                self.session = session;
                // It names the first thing that is wrong.
                match news {
                    Some(news) => self.complain(&news),
                    None => self.note(fault.as_ref()),
                }
                self.note_deviations(deviations);
                return Ok(());
            }
            Command::Go(words) => {
                self.go(&words, fault.as_ref(), read)?;
                return Ok(());
            }
            Command::Stop => {
                self.end_search()?;
                vec![]
            }
            Command::Quit => {
                self.end_search()?;
                self.note(fault.as_ref());
                self.quit()?;
                return Ok(());
            }
            Command::Show => vec![output::show(self.game()?.position())],
            Command::Draw => output::draw(self.game()?.position()),
            Command::Help => output::help(),
        };
        self.note(fault.as_ref());
        self.say(replies);
        Ok(())
    }

    fn game(&self) -> Result<&Game, NoPosition> {
        self.session.game().map_err(Clone::clone)
    }

    /// Reports why a line is refused. A front end that sends a position or a game no longer means the last one, so it
    /// must not get answers about that. One that sends `go` waits for a `bestmove`: during a search one will come
    /// anyway, and another would be taken for it.
    fn refuse(&mut self, head: &str, fault: &str) -> Result<(), Busy> {
        self.end_pondering()?;
        match head {
            "position" => {
                self.end_search()?;
                self.session.refuse_position();
            }
            "teinewgame" => {
                self.end_search()?;
                self.session.refuse_new_game();
            }
            _ => {}
        }
        self.complain(&fault);
        if head == "go" && matches!(self.state, State::Idle { held: None, .. }) {
            self.say([output::best_move(None)]);
        }
        Ok(())
    }

    /// Allocates all memory that a search needs. A running search has it.
    fn ready(&mut self) -> Result<(), Busy> {
        if matches!(self.state, State::Idle { .. })
            && let Err(error) = self.prepare(self.session.options().settings())?
        {
            self.complain(&error);
        }
        Ok(())
    }

    fn prepare(&mut self, settings: Settings) -> Result<Result<(), HashError>, Busy> {
        if let Some(result) = self.prepared.take() {
            return Ok(result);
        }
        self.actions.push(Action::Prepare(settings));
        Err(Busy)
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), Refusal> {
        let session = match self.session.with_option(name, value) {
            Ok(session) => session,
            Err(error) => {
                if let Some(nearest) = error.nearest_reserve {
                    self.set_option(name, &nearest.to_string())?;
                    self.complain(&format_args!("{error}: {nearest} is taken"));
                    return Ok(());
                }
                return Err(error.into());
            }
        };
        let (before, after) = (self.session.options().settings(), session.options().settings());
        // Checked before the search is ended, so that a refusal does not end it. The memory of its table cannot be
        // counted while it runs, so a larger one has to fit beside it.
        if after.hash_mib > before.hash_mib && !matches!(self.state, State::Idle { held: None, .. }) {
            check_memory(after.hash_mib)?;
        }
        self.end_search()?;
        if after.hash_mib == before.hash_mib {
            self.actions.push(Action::Set(after));
        } else if let Err(error) = self.prepare(after)? {
            // A table without memory is refused here, while it is known which line asked for it.
            self.actions.push(Action::Set(before));
            return Err(error.into());
        }
        self.session = session;
        Ok(())
    }

    fn go(&mut self, words: &GoWords, fault: Option<&CommandError>, read: Duration) -> Result<(), Busy> {
        let limits = self.session.limits(words);
        let clock = game_clock(words, &limits);
        if let Some(clock) = clock
            && fault.is_none()
            && self.ponder_hit(clock, read)
        {
            return Ok(());
        }
        self.end_search()?;
        self.session.set_going();
        if words.solved {
            self.session.learn_solved();
        }
        let game = match self.game() {
            Ok(game) => game.clone(),
            Err(reason) => {
                self.complain(&reason);
                self.say([output::best_move(None)]);
                return Ok(());
            }
        };
        let is_over = game.position().outcome().is_some();
        // Without legal moves none of them is to blame.
        let words_of_moves = if is_over { &[][..] } else { &words.searchmoves };
        let (moves, skipped) = Session::searchmoves(&game, words_of_moves);
        match skipped {
            Some(skipped) if fault.is_none() => self.note(Some(&skipped)),
            _ => self.note(fault),
        }
        if is_over {
            self.say([output::best_move(None)]);
            return Ok(());
        }
        let task = if words.solved { Task::Solve } else { Task::Play };
        let request = Box::new(SearchRequest { task, moves, ..SearchRequest::new(game, limits) });
        let ponders = clock.is_some() && self.session.options().ponders();
        self.actions.push(Action::Start(Search(Kind::Go { request, read, ponders })));
        self.state = State::Searching { hold: limits == Limits::default(), printed: None };
        Ok(())
    }

    /// Returns whether the position of `session` is pondered.
    fn is_pondering(&self, session: &Session) -> bool {
        match (&self.state, session.game()) {
            (State::Pondering { ponder, .. }, Ok(game)) => ponder.is_about(game),
            _ => false,
        }
    }

    /// If the present position is pondered, makes that the search for a move and prints its last report.
    fn ponder_hit(&mut self, clock: Clock, read: Duration) -> bool {
        if !self.is_pondering(&self.session) {
            return false;
        }
        let searching = State::Searching { hold: false, printed: None };
        let State::Pondering { ponder, report, finished } = mem::replace(&mut self.state, searching) else {
            return false;
        };
        // First of all: the clock is running.
        ponder.hit(clock, self.time.now().saturating_sub(read));
        self.session.set_going();
        if let Some(report) = report {
            self.print(&report);
            self.state = State::Searching { hold: false, printed: Some(report) };
        }
        if let Some(finished) = finished {
            self.finish(finished);
        }
        true
    }

    /// Prints the end of the search for a move.
    fn finish(&mut self, finished: Finished) {
        let State::Searching { hold, printed } = mem::replace(&mut self.state, IDLE) else {
            return;
        };
        let is_printed = |report: &Report| {
            printed.is_some_and(|printed| printed.nodes == report.nodes && printed.lines == report.lines)
        };
        match finished.report {
            Ok(report) if is_printed(&report) => {}
            Ok(report) => self.print(&report),
            Err(error) => self.complain(&error),
        }
        self.state = State::Idle { held: Some(output::best_move(finished.best)), ponder: finished.ponder };
        if !hold || self.is_stopping {
            self.say_held();
        }
    }

    /// Ends pondering. A search for a move continues.
    fn end_pondering(&mut self) -> Result<(), Busy> {
        match self.state {
            State::Pondering { .. } | State::Idle { held: None, .. } => self.end_search(),
            State::Searching { .. } | State::Idle { held: Some(_), .. } => Ok(()),
        }
    }

    /// Ends the search if there is one, and prints its `bestmove` unless it ponders.
    fn end_search(&mut self) -> Result<(), Busy> {
        match &mut self.state {
            State::Pondering { finished: Some(_), .. } => self.state = IDLE,
            State::Searching { .. } | State::Pondering { .. } => {
                self.is_stopping = true;
                self.actions.push(Action::Stop);
                return Err(Busy);
            }
            State::Idle { ponder, .. } => *ponder = None,
        }
        self.say_held();
        Ok(())
    }

    fn quit(&mut self) -> Result<(), Busy> {
        self.end_search()?;
        self.lines.clear();
        self.actions.push(Action::Quit);
        Ok(())
    }

    /// Prints the `bestmove` that waits, if there is one.
    fn say_held(&mut self) {
        if let State::Idle { held, .. } = &mut self.state {
            let held = held.take();
            self.say(held);
        }
    }

    fn print(&mut self, report: &Report) {
        let multipv = self.session.options().settings().multipv > 1;
        self.say(output::info(report, multipv, self.session.knows_solved()));
    }

    /// Reports deviations from the standard in an obeyed `position` line, once per game: front ends repeat its moves in
    /// every line.
    fn note_deviations(&mut self, mut deviations: Deviations) {
        deviations.extend(self.session.deviations());
        if !self.has_warned && !deviations.is_empty() {
            self.has_warned = true;
            self.say([output::remark(&deviations)]);
        }
    }

    /// Reports the part of an obeyed line that was skipped.
    fn note<E: Error>(&mut self, fault: Option<&E>) {
        if let Some(fault) = fault {
            self.complain(&format_args!("{fault}; the rest of the line is executed"));
        }
    }

    fn complain(&mut self, reason: &dyn Display) {
        self.say([output::error(reason)]);
    }

    /// Replies that belong together are one message: PTN Ninja drops a proof when it has processed the line before it
    /// arrives, shows lines of two depths side by side, and falls behind if it gets each of them separately.
    fn say(&mut self, replies: impl IntoIterator<Item = Reply>) {
        let lines: Vec<String> = replies.into_iter().map(|reply| reply.to_string()).collect();
        if !lines.is_empty() {
            self.actions.push(Action::Say(lines.join("\n")));
        }
    }
}
