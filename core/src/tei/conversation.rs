//! TEI without threads and streams: a line of the front end or a report of the engine in, [`Action`]s out.
//!
//! A line is read once, as an `Order`. One that needs the engine stops the search and waits until that has ended.
//! Lines behind it wait too.

use std::collections::VecDeque;
use std::mem;
use std::sync::Arc;

use super::action::Kind;
pub use super::action::{Action, Finished, Search};
use super::command;
use super::lines::{self, Input};
use super::order::{Allowed, Deed, Go, Order, Reader};
use super::output;
use super::reply::Reply;
use super::session::Session;
use crate::board::Size;
use crate::engine::{HashError, Limits, Permissions, Ponder, Settings, TimeSource};
use crate::search::Report;

/// A conversation with one front end.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// # use tak_engine_core as tak_engine;
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
    /// The order that waits for the engine.
    waiting: Option<Waiting>,
    /// Input behind that.
    inputs: VecDeque<Input>,
    /// True if deviations in this game's text have been reported.
    has_warned: bool,
    actions: Vec<Action>,
}

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

#[derive(Debug)]
enum Waiting {
    /// Until the search has ended.
    Search(Order),
    /// Until the engine is prepared.
    Preparation(Order),
}

impl Conversation {
    /// The beginning of a conversation with a front end that has these permissions. `time` has to be that of the
    /// engine.
    pub fn new(permissions: Permissions, time: TimeSource) -> Self {
        let session = Session::new(permissions);
        Self {
            actions: vec![Action::Set(session.options().settings())],
            session,
            permissions,
            time,
            state: IDLE,
            is_stopping: false,
            waiting: None,
            inputs: VecDeque::new(),
            has_warned: false,
        }
    }

    /// The board size of the game.
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
        if matches!(self.waiting, Some(Waiting::Preparation(_))) && is_end(&input) {
            self.actions.push(Action::Stop);
        }
        self.inputs.push_back(input);
        self.proceed()
    }

    /// The number of lines that wait.
    pub(crate) fn waiting(&self) -> usize {
        self.inputs.len() + usize::from(self.waiting.is_some())
    }

    /// Tells how [`Action::Prepare`] ended.
    #[must_use]
    pub fn prepared(&mut self, result: Result<(), HashError>) -> Vec<Action> {
        match self.waiting.take() {
            Some(Waiting::Preparation(order)) => self.obey_prepared(order, result),
            other => self.waiting = other,
        }
        self.proceed()
    }

    /// The report of a completed iteration.
    #[must_use]
    pub fn report(&mut self, new: Report) -> Vec<Action> {
        if matches!(self.state, State::Searching { .. }) {
            self.print(&new);
        }
        match &mut self.state {
            State::Pondering { report, .. } | State::Searching { printed: report, .. } => *report = Some(new),
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
        match self.waiting.take() {
            Some(Waiting::Search(order)) => self.attempt(order),
            other => self.waiting = other,
        }
        self.proceed()
    }

    /// Obeys all lines that need not wait, and ponders if there is nothing else to do.
    fn proceed(&mut self) -> Vec<Action> {
        while self.waiting.is_none()
            && let Some(input) = self.inputs.pop_front()
        {
            let is_searching = !matches!(self.state, State::Idle { held: None, .. });
            let reader = Reader { session: &self.session, permissions: self.permissions, is_searching };
            if let Some(order) = reader.read(&input) {
                self.attempt(order);
            }
        }
        if let State::Idle { ponder, .. } = &mut self.state
            && let Some(ponder) = ponder.take_if(|_| self.waiting.is_none())
        {
            self.actions.push(Action::Start(Search(Kind::Ponder(Arc::clone(&ponder)))));
            self.state = State::Pondering { ponder, report: None, finished: None };
        }
        mem::take(&mut self.actions)
    }

    /// Obeys an order, or lets it wait for the engine.
    fn attempt(&mut self, order: Order) {
        let allowed = if self.is_pondered(&order) { Allowed::Everything } else { order.deed.allows() };
        if !self.allow(allowed) {
            self.is_stopping = true;
            self.actions.push(Action::Stop);
            self.waiting = Some(Waiting::Search(order));
        } else if let Some(settings) = self.preparation(&order.deed) {
            self.actions.push(Action::Prepare(settings));
            if self.inputs.iter().any(is_end) {
                self.actions.push(Action::Stop);
            }
            self.waiting = Some(Waiting::Preparation(order));
        } else {
            self.obey(order);
        }
    }

    /// Returns whether an order continues with the position that is pondered.
    fn is_pondered(&self, order: &Order) -> bool {
        let State::Pondering { ponder, .. } = &self.state else {
            return false;
        };
        let session = match &order.deed {
            Deed::Place(session, _) => session,
            Deed::Go(Go { clock: Some(_), .. }) if order.fault.is_none() => &self.session,
            _ => return false,
        };
        session.game().is_ok_and(|game| ponder.is_about(game))
    }

    /// Ends all that is not allowed; prints the `bestmove` of a search unless it ponders. False if the engine has to
    /// stop first.
    fn allow(&mut self, allowed: Allowed) -> bool {
        match (&mut self.state, allowed) {
            (_, Allowed::Everything)
            | (State::Searching { .. } | State::Idle { held: Some(_), .. }, Allowed::Searching) => {}
            (State::Pondering { finished: Some(_), .. }, _) => self.state = IDLE,
            (State::Searching { .. } | State::Pondering { .. }, _) => return false,
            (State::Idle { held, ponder }, _) => {
                *ponder = None;
                let held = held.take();
                self.say(held);
            }
        }
        true
    }

    /// The settings that the engine has to be prepared for first.
    fn preparation(&self, deed: &Deed) -> Option<Settings> {
        let before = self.session.options().settings();
        match deed {
            // A running search has all memory that it needs.
            Deed::Ready if matches!(self.state, State::Idle { .. }) => Some(before),
            Deed::Set(session) => Some(session.options().settings()).filter(|after| after.hash_mib != before.hash_mib),
            _ => None,
        }
    }

    /// Obeys an order for which the engine was prepared.
    fn obey_prepared(&mut self, order: Order, result: Result<(), HashError>) {
        match (result, &order.deed) {
            (Ok(()), _) => self.obey(order),
            // A table without memory is refused here, while it is known which line asked for it.
            (Err(error), Deed::Set(_)) => {
                self.actions.push(Action::Set(self.session.options().settings()));
                self.say([output::error(&error)]);
            }
            (Err(error), _) => {
                self.say([output::error(&error)]);
                self.obey(order);
            }
        }
    }

    /// Obeys an order that need not wait.
    fn obey(&mut self, Order { deed, fault }: Order) {
        if let Deed::Go(go) = &deed
            && let Some(clock) = go.clock
            && let State::Pondering { ponder, .. } = &self.state
        {
            // First of all: the clock is running.
            ponder.hit(clock, self.time.now().saturating_sub(go.read));
        }
        self.say(fault.map(|fault| output::error(&fault)));
        match deed {
            Deed::Answer(replies) => self.say(replies),
            Deed::Ready => self.say([Reply::ReadyOk]),
            Deed::Set(session) => {
                self.session = *session;
                self.actions.push(Action::Set(self.session.options().settings()));
            }
            Deed::ClearHash => self.actions.push(Action::ClearHash),
            Deed::NewGame { size, komi, named } => {
                self.actions.push(Action::Clear);
                self.has_warned = false;
                self.session.new_game(size, komi);
                self.session.learn_solved(named);
            }
            Deed::Place(session, deviations) => {
                if session.size() != self.session.size() {
                    self.actions.push(Action::Clear);
                }
                self.session = *session;
                // Once per game: front ends repeat its moves in every line.
                if !self.has_warned && !deviations.is_empty() {
                    self.has_warned = true;
                    self.say([output::remark(&deviations)]);
                }
            }
            Deed::Go(go) => self.go(go),
            Deed::Quit => {
                self.inputs.clear();
                self.actions.push(Action::Quit);
            }
            Deed::RefusePosition => self.session.refuse_position(),
            Deed::RefuseNewGame => self.session.refuse_new_game(),
            // During a search a `bestmove` will come anyway, and another would be taken for it.
            Deed::RefuseGo if matches!(self.state, State::Idle { held: None, .. }) => {
                self.say([output::best_move(None)]);
            }
            Deed::RefuseGo | Deed::Stop => {}
        }
    }

    fn go(&mut self, Go { request, clock, solved, read }: Go) {
        self.session.set_going();
        self.session.learn_solved(solved);
        match (mem::replace(&mut self.state, IDLE), request) {
            // The search that is pondering becomes the search for a move.
            (State::Pondering { report, finished, .. }, _) => {
                if let Some(report) = &report {
                    self.print(report);
                }
                self.state = State::Searching { hold: false, printed: report };
                if let Some(finished) = finished {
                    self.finish(finished);
                }
            }
            (_, Some(request)) => {
                let ponders = clock.is_some() && self.session.options().ponders();
                self.state = State::Searching { hold: request.limits == Limits::default(), printed: None };
                self.actions.push(Action::Start(Search(Kind::Go { request, read, ponders })));
            }
            (_, None) => self.say([output::best_move(None)]),
        }
    }

    /// Prints the end of the search for a move.
    fn finish(&mut self, Finished { report, best, ponder }: Finished) {
        let State::Searching { hold, printed } = mem::replace(&mut self.state, IDLE) else {
            return;
        };
        let is_printed = |report: &Report| {
            printed.is_some_and(|printed| printed.nodes == report.nodes && printed.lines == report.lines)
        };
        match report {
            Ok(report) if is_printed(&report) => {}
            Ok(report) => self.print(&report),
            Err(error) => self.say([output::error(&error)]),
        }
        let best = output::best_move(best);
        let held = if hold && !self.is_stopping {
            Some(best)
        } else {
            self.say([best]);
            None
        };
        self.state = State::Idle { held, ponder };
    }

    fn print(&mut self, report: &Report) {
        let multipv = self.session.options().settings().multipv > 1;
        self.say(output::info(report, multipv, self.session.knows_solved()));
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

/// Returns whether this ends the program, so that a preparation is not needed to its end.
fn is_end(input: &Input) -> bool {
    match input {
        Input::Line(line, _) => line.as_ref().is_ok_and(|line| command::head(line) == "quit"),
        Input::Closed => true,
    }
}
