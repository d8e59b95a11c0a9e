//! Threads and bytes: one thread reads lines, one searches, and the server does what the lines say and prints what the
//! search finds. Only the server writes, so no two lines ever mix.

use std::collections::VecDeque;
use std::fmt::Display;
use std::io::{self, BufReader, Read, Write};
use std::iter;
use std::mem;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::Instant;

use super::command::{self, Command, CommandError, GoWords, Reading};
use super::lines::{BadLine, read_line};
use super::options::{Grant, OptionError};
use super::output;
use super::reply::Reply;
use super::session::{NoPosition, PositionError, Session, game_clock};
use crate::board::{Game, Move};
use crate::engine::{Engine, HashError, Limits, Ponder, Settings, check_memory, check_space};
use crate::notation::Deviations;
use crate::search::{Clock, Report};

/// Events that may wait for the server. Few, so that a flood of input waits outside this process.
const WAITING: usize = 16;

/// The longest line taken, in bytes: more moves than the longest game has, and less than a megabyte.
const LONGEST_LINE: usize = 512 * 1024;

/// Stack of the search thread in bytes: enough for the deepest line at the largest frames. Only touched pages cost.
const SEARCH_STACK: usize = 64 << 20;

/// A line as it came in.
pub(crate) type Line = Result<String, BadLine>;

/// Serves TEI until `quit` or the end of `input`.
///
/// # Errors
/// When `out` cannot be written, for example because its reader closed it, or a thread cannot be started.
pub fn serve(input: impl Read + Send + 'static, out: &mut dyn Write) -> io::Result<()> {
    let mut input = BufReader::new(input);
    let lines = iter::from_fn(move || {
        let line = read_line(&mut input, LONGEST_LINE);
        line.inspect_err(|error| log::warn!("cannot read the input: {error}")).unwrap_or_default()
    });
    converse(lines, Grant::default(), &mut |message: &str| {
        if output::is_error(message) {
            log::warn!("{message}");
        }
        writeln!(out, "{message}")?;
        out.flush()
    })
}

/// Serves TEI until `quit` or the end of `lines`, with no more than is granted. Each call of `say` gets one reply without
/// its last line break: one line, or all lines of a report.
///
/// # Errors
/// What `say` gives, or when a thread cannot be started.
pub(crate) fn converse(
    lines: impl Iterator<Item = Line> + Send + 'static,
    grant: Grant,
    say: &mut dyn FnMut(&str) -> io::Result<()>,
) -> io::Result<()> {
    let (sender, events) = sync_channel(WAITING);
    let input_sender = sender.clone();
    // Never joined: it may wait for input that never comes.
    thread::Builder::new()
        .name("tei-input".to_owned())
        .spawn(move || forward(lines, &input_sender))
        .map_err(|error| no_thread("to read the input with", &error))?;
    // One thread for all searches, so that none can fail in the middle of a game because there is no thread left.
    let (searches, asked) = channel::<Search>();
    let searcher = thread::Builder::new()
        .name("tei-search".to_owned())
        .stack_size(SEARCH_STACK)
        .spawn(move || asked.into_iter().for_each(|search| search()))
        .map_err(|error| no_thread("to search with", &error))?;
    // With less the system would end the program in the first search.
    check_space().map_err(|error| {
        let error = io::Error::new(io::ErrorKind::OutOfMemory, error);
        no_thread("to search with", &error)
    })?;
    let result = Server {
        session: Session::within(grant),
        has_warned: false,
        grant,
        state: State::Idle { engine: Box::new(Engine::new(Settings::default())), held: None, ponder: None },
        sender,
        searches,
        events,
        backlog: VecDeque::new(),
        say,
    }
    .run();
    // It has nothing to wait for any more, so the engine is gone when this returns.
    let _ = searcher.join();
    result
}

/// Hands every line to the server, and tells it of the end.
fn forward(lines: impl Iterator<Item = Line>, sender: &SyncSender<Event>) {
    let lines = lines.map(|line| Input::Line(line, Instant::now()));
    for input in lines.chain([Input::Closed]) {
        // The server may have ended already.
        if sender.send(Event::Input(input)).is_err() {
            return;
        }
    }
}

/// A search to be made, on the search thread.
type Search = Box<dyn FnOnce() + Send>;

enum Event {
    Input(Input),
    /// How far the search is.
    Report(Report),
    /// The search has ended, or panicked.
    Finished(thread::Result<Finished>),
}

enum Input {
    /// With the moment when it was read: a clock may be running from then on.
    Line(Line, Instant),
    /// There is no more.
    Closed,
}

struct Finished {
    engine: Box<Engine>,
    game: Box<Game>,
    report: Result<Report, HashError>,
}

impl Finished {
    /// The move to play. There is one even if nothing could be searched.
    fn best(&self) -> Option<Move> {
        match &self.report {
            Ok(report) => report.best(),
            Err(_) => self.game.legal_moves().first().copied(),
        }
    }

    /// What to think about on the opponent's time.
    fn ponder(&self) -> Option<Ponder> {
        let line = self.report.as_ref().ok()?.lines.first()?;
        self.engine.ponder(&self.game, &line.pv)
    }
}

/// Where the engine is.
enum State {
    /// Here: nothing is searched.
    Idle {
        engine: Box<Engine>,
        /// The `bestmove` of a search without limits that has ended by itself. It has to wait for `stop`.
        held: Option<Reply>,
        /// What to think about unless a line is there to be obeyed.
        ponder: Option<Arc<Ponder>>,
    },
    /// On the search thread.
    Searching {
        stop: Arc<AtomicBool>,
        /// Whether `bestmove` has to wait for `stop` should the search end by itself.
        hold: bool,
        /// Whether the opponent's time is to be used after it.
        ponders: bool,
        /// The last report that was printed.
        told: Option<Report>,
    },
    /// On the search thread too, on the opponent's time.
    Pondering(Pondering),
}

/// A search that nobody has asked for. Nothing is printed of it, unless the opponent plays what it expects.
struct Pondering {
    ponder: Arc<Ponder>,
    stop: Arc<AtomicBool>,
    /// How far it is.
    report: Option<Report>,
    /// What came of it, if it has ended by itself.
    finished: Option<Finished>,
}

/// Why a line is not obeyed.
#[derive(Debug, thiserror::Error)]
enum Refusal {
    #[error(transparent)]
    Line(#[from] BadLine),
    #[error(transparent)]
    Command(#[from] CommandError),
    #[error(transparent)]
    Option(#[from] OptionError),
    #[error(transparent)]
    Hash(#[from] HashError),
    #[error(transparent)]
    Position(#[from] PositionError),
    #[error(transparent)]
    NoPosition(#[from] NoPosition),
    /// Not the line's fault, and there is nobody left to tell.
    #[error(transparent)]
    Output(#[from] io::Error),
}

struct Server<'a> {
    session: Session,
    /// Whether this game's text has been warned of.
    has_warned: bool,
    grant: Grant,
    state: State,
    sender: SyncSender<Event>,
    searches: Sender<Search>,
    events: Receiver<Event>,
    /// Lines that came while the server waited for a search to end.
    backlog: VecDeque<Input>,
    say: &'a mut dyn FnMut(&str) -> io::Result<()>,
}

/// A search that nobody hears of is ended.
impl Drop for Server<'_> {
    fn drop(&mut self) {
        match &self.state {
            State::Idle { .. } => {}
            State::Searching { stop, .. } | State::Pondering(Pondering { stop, .. }) => {
                stop.store(true, Ordering::Relaxed);
            }
        }
    }
}

impl Server<'_> {
    fn run(mut self) -> io::Result<()> {
        let mut is_greeted = false;
        loop {
            let event = if let Some(input) = self.backlog.pop_front() {
                Event::Input(input)
            } else {
                self.ponder()?;
                let event = self.events.try_recv().or_else(|_| {
                    // While nothing is asked, for front ends that never send `isready`. The first `teiok` comes at once.
                    if is_greeted {
                        // What is wrong is told those who ask for a search, or whether there can be one.
                        let _ = self.prepare();
                    }
                    self.events.recv()
                });
                match event {
                    Ok(event) => event,
                    Err(_) => return Ok(()),
                }
            };
            is_greeted = true;
            let input = match event {
                Event::Input(input) => input,
                event => {
                    self.search_event(event)?;
                    continue;
                }
            };
            let Input::Line(line, read) = input else {
                break;
            };
            let head = match &line {
                Ok(line) => command::head(line).to_owned(),
                Err(bad) => bad.head.clone(),
            };
            // Whether these two end it depends on what they say.
            if !matches!(&*head, "" | "position" | "go") {
                self.end_pondering()?;
            }
            match self.obey(line, read) {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => break,
                Err(Refusal::Output(error)) => return Err(error),
                Err(refusal) => self.refuse(&head, &refusal)?,
            }
        }
        self.end_search()?;
        Ok(())
    }

    /// Does what a line says, or changes nothing.
    fn obey(&mut self, line: Line, read: Instant) -> Result<ControlFlow<()>, Refusal> {
        let line = line?;
        if line.trim_ascii().is_empty() {
            return Ok(ControlFlow::Continue(()));
        }
        let Reading { command, fault } = command::read(&line)?;
        if !matches!(command, Command::Position { .. } | Command::Go(_)) {
            self.note(fault.as_ref())?;
        }
        match command {
            Command::Tei => self.say(output::handshake_within(self.grant))?,
            Command::IsReady => self.ready()?,
            Command::SetOption { name, value } => {
                // No option of this engine is a button.
                let value = value.ok_or(CommandError::Missing("the option's value"))?;
                self.set_option(&name, &value)?;
            }
            Command::NewGame { size, komi, named } => {
                self.end_search()?.clear();
                self.has_warned = false;
                self.session.new_game(size, komi);
                if named {
                    self.session.learn_solved();
                }
            }
            Command::Position { tps, moves } => {
                let (session, new_game) = self.session.with_position(tps.as_ref(), &moves)?;
                let is_resized = session.size() != self.session.size();
                if !self.is_pondering(&session) {
                    let engine = self.end_search()?;
                    if is_resized {
                        engine.clear();
                    }
                }
                self.session = session;
                let mut deviations = Deviations::default();
                let fault = match fault {
                    Some(CommandError::NotStandard(found)) => {
                        deviations = found;
                        None
                    }
                    fault => fault,
                };
                match new_game {
                    Some(new_game) => self.complain(&new_game)?,
                    None => self.note(fault.as_ref())?,
                }
                deviations.extend(self.session.deviations());
                self.warn(&deviations)?;
            }
            Command::Go(words) => self.go(&words, fault.as_ref(), read)?,
            Command::Stop => {
                self.end_search()?;
            }
            Command::Quit => return Ok(ControlFlow::Break(())),
            Command::Show => {
                let game = self.session.game().map_err(Clone::clone)?;
                self.say([output::show(game.position())])?;
            }
            Command::Draw => {
                let game = self.session.game().map_err(Clone::clone)?;
                self.say(output::draw(game.position()))?;
            }
            Command::Help => self.say(output::help())?,
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Tells why a line is refused, and what that changes. A front end that sends a position or a game no longer means the
    /// one before, so it must not get answers about that one. One that sends `go` waits for a `bestmove`: during a search
    /// one will come anyway, and another would be taken for it.
    fn refuse(&mut self, head: &str, refusal: &Refusal) -> io::Result<()> {
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
        self.complain(refusal)?;
        if head == "go" && matches!(self.state, State::Idle { held: None, .. }) {
            self.say([output::best_move(None)])?;
        }
        Ok(())
    }

    /// `readyok` comes when all memory that a search needs has been given.
    fn ready(&mut self) -> io::Result<()> {
        if let Err(error) = self.prepare() {
            self.complain(&error)?;
        }
        self.say([Reply::ReadyOk])
    }

    /// Gets the engine ready, if it is here.
    fn prepare(&mut self) -> Result<(), HashError> {
        match &mut self.state {
            State::Idle { engine, .. } => {
                engine.set(self.session.options().settings());
                engine.prepare()
            }
            State::Searching { .. } | State::Pondering(_) => Ok(()),
        }
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), Refusal> {
        #[cfg(feature = "tuning")]
        if super::margins::set(name, value)? {
            self.end_search()?;
            return Ok(());
        }
        let session = match self.session.with_option(name, value) {
            Ok(session) => session,
            Err(error) => {
                if let Some(nearest) = error.nearest_reserve() {
                    self.complain(&format_args!("{error}: {nearest} is taken"))?;
                    return self.set_option(name, &nearest);
                }
                self.session.refuse_option(name);
                return Err(error.into());
            }
        };
        let (before, after) = (self.session.options().settings(), session.options().settings());
        let hash_changes = before.hash_mib != after.hash_mib;
        // Asked before the search is ended, so that a refusal does not end it. What its table takes nobody can tell while
        // it runs, so a larger one has to fit beside it.
        if hash_changes {
            match &self.state {
                State::Idle { engine, .. } => engine.check_table(after.hash_mib)?,
                _ if after.hash_mib > before.hash_mib => check_memory(after.hash_mib)?,
                _ => {}
            }
        }
        let engine = self.end_search()?;
        engine.set(after);
        // A size that there is no memory for is refused here, while it is known which line asked for it.
        if hash_changes && let Err(error) = engine.prepare() {
            engine.set(before);
            return Err(error.into());
        }
        self.session = session;
        Ok(())
    }

    fn go(&mut self, words: &GoWords, fault: Option<&CommandError>, read: Instant) -> io::Result<()> {
        let limits = self.session.limits(words);
        let clock = game_clock(words, &limits);
        if let Some(clock) = clock
            && fault.is_none()
            && self.take_up(clock, read)?
        {
            return Ok(());
        }
        self.end_search()?;
        self.session.set_going();
        if words.solved {
            self.session.learn_solved();
        }
        let game = match self.session.game() {
            Ok(game) => game.clone(),
            Err(reason) => {
                let reason = reason.clone();
                self.complain(&reason)?;
                return self.say([output::best_move(None)]);
            }
        };
        self.note(fault)?;
        if game.position().outcome().is_some() {
            return self.say([output::best_move(None)]);
        }
        let stop = Arc::new(AtomicBool::new(false));
        let searching = State::Searching {
            stop: Arc::clone(&stop),
            hold: limits == Limits::default(),
            ponders: clock.is_some() && self.session.options().ponders(),
            told: None,
        };
        let solved = words.solved;
        self.begin(searching, Box::new(game), move |engine, game, observer| {
            let analysis = engine.analysis(game).limits(limits).solve(solved);
            let analysis = analysis.waited(read.elapsed()).stop(&stop);
            analysis.observer(observer).run()
        })
    }

    /// Gives the engine, which has to be here, to the search thread.
    fn begin(
        &mut self,
        state: State,
        game: Box<Game>,
        search: impl FnOnce(&mut Engine, &Game, &mut dyn FnMut(&Report)) -> Result<Report, HashError> + Send + 'static,
    ) -> io::Result<()> {
        let State::Idle { mut engine, .. } = mem::replace(&mut self.state, state) else {
            return Err(no_search_thread());
        };
        engine.set(self.session.options().settings());
        let sender = self.sender.clone();
        let search = move || {
            // When the server has ended already, nobody needs the reports.
            let mut observer = |report: &Report| drop(sender.send(Event::Report(report.clone())));
            let finished = catch_unwind(AssertUnwindSafe(|| {
                let report = search(&mut engine, &game, &mut observer);
                Finished { engine, game, report }
            }));
            drop(sender.send(Event::Finished(finished)));
        };
        self.searches.send(Box::new(search)).map_err(|_| no_search_thread())
    }

    /// Begins to think on the opponent's time if that is wanted.
    fn ponder(&mut self) -> io::Result<()> {
        let State::Idle { ponder, .. } = &mut self.state else {
            return Ok(());
        };
        let Some(ponder) = ponder.take() else {
            return Ok(());
        };
        let stop = Arc::new(AtomicBool::new(false));
        let pondering = State::Pondering(Pondering {
            ponder: Arc::clone(&ponder),
            stop: Arc::clone(&stop),
            report: None,
            finished: None,
        });
        let game = Box::new(ponder.game().clone());
        self.begin(pondering, game, move |engine, _, observer| ponder.run(engine, &stop, observer))
    }

    /// Whether the position of `session` is thought about on the opponent's time.
    fn is_pondering(&self, session: &Session) -> bool {
        match (&self.state, session.game()) {
            (State::Pondering(pondering), Ok(game)) => pondering.ponder.is_about(game),
            _ => false,
        }
    }

    /// If the present position is what is thought about on the opponent's time, makes that the search for a move, and
    /// prints how far it is.
    fn take_up(&mut self, clock: Clock, read: Instant) -> io::Result<bool> {
        if !self.is_pondering(&self.session) {
            return Ok(false);
        }
        let State::Pondering(pondering) = &mut self.state else {
            return Ok(false);
        };
        // First of all: the clock is running.
        pondering.ponder.hit(clock, read.elapsed());
        let (report, finished) = (pondering.report.take(), pondering.finished.take());
        self.state =
            State::Searching { stop: Arc::clone(&pondering.stop), hold: false, ponders: true, told: report.clone() };
        self.session.set_going();
        if let Some(report) = report {
            self.tell(&report)?;
        }
        if let Some(finished) = finished {
            self.finish(finished)?;
        }
        Ok(true)
    }

    fn search_event(&mut self, event: Event) -> io::Result<()> {
        match event {
            Event::Input(input) => {
                self.backlog.push_back(input);
                Ok(())
            }
            Event::Report(report) => match &mut self.state {
                State::Pondering(pondering) => {
                    pondering.report = Some(report);
                    Ok(())
                }
                State::Searching { told, .. } => {
                    *told = Some(report.clone());
                    self.tell(&report)
                }
                State::Idle { .. } => Ok(()),
            },
            Event::Finished(Ok(finished)) => self.finish(finished),
            // A bug. Every front end notices that the program has ended, but would wait for one that falls silent.
            Event::Finished(Err(panic)) => resume_unwind(panic),
        }
    }

    fn finish(&mut self, finished: Finished) -> io::Result<()> {
        let (stop, hold, ponders, told) = match &mut self.state {
            State::Searching { stop, hold, ponders, told } => (stop, *hold, *ponders, told),
            State::Pondering(pondering) => {
                pondering.finished = Some(finished);
                return Ok(());
            }
            State::Idle { .. } => return Ok(()),
        };
        let waits = hold && !stop.load(Ordering::Relaxed);
        // Printing the same lines again would say nothing new.
        let is_told = |report: &Report| {
            told.as_ref().is_some_and(|told| told.nodes == report.nodes && told.lines == report.lines)
        };
        match &finished.report {
            Ok(report) if is_told(report) => {}
            Ok(report) => self.tell(report)?,
            Err(error) => self.complain(error)?,
        }
        self.state = State::Idle {
            held: Some(output::best_move(finished.best())),
            ponder: ponders.then(|| finished.ponder()).flatten().map(Arc::new),
            engine: finished.engine,
        };
        if waits { Ok(()) } else { self.say_held() }
    }

    /// Ends thinking on the opponent's time. A search for a move goes on.
    fn end_pondering(&mut self) -> io::Result<()> {
        if matches!(self.state, State::Pondering(_) | State::Idle { held: None, .. }) {
            self.end_search()?;
        }
        Ok(())
    }

    /// Ends the search if there is one, and sees its `bestmove` printed, but nothing of one on the opponent's time. Returns
    /// the engine, which is here then and stays here.
    fn end_search(&mut self) -> io::Result<&mut Engine> {
        loop {
            match &mut self.state {
                State::Idle { .. } => break,
                State::Searching { stop, .. } => stop.store(true, Ordering::Relaxed),
                State::Pondering(Pondering { finished, stop, .. }) => {
                    stop.store(true, Ordering::Relaxed);
                    if let Some(finished) = finished.take() {
                        self.state = State::Idle { engine: finished.engine, held: None, ponder: None };
                        break;
                    }
                }
            }
            match self.events.recv() {
                Ok(event) => self.search_event(event)?,
                Err(_) => return Err(no_search_thread()),
            }
        }
        self.say_held()?;
        match &mut self.state {
            State::Idle { engine, ponder, .. } => {
                *ponder = None;
                Ok(engine)
            }
            State::Searching { .. } | State::Pondering(_) => Err(no_search_thread()),
        }
    }

    /// Prints the `bestmove` that has waited, if there is one.
    fn say_held(&mut self) -> io::Result<()> {
        match &mut self.state {
            State::Idle { held, .. } => {
                let held = held.take();
                self.say(held)
            }
            State::Searching { .. } | State::Pondering(_) => Ok(()),
        }
    }

    fn tell(&mut self, report: &Report) -> io::Result<()> {
        let multipv = self.session.options().settings().multipv > 1;
        let solved = self.session.knows_solved();
        self.say(output::info(report, multipv, solved))
    }

    /// Tells what was passed over in a line that is obeyed.
    fn note(&mut self, fault: Option<&CommandError>) -> io::Result<()> {
        fault.map_or(Ok(()), |fault| self.complain(&format_args!("{fault}; the rest of the line is executed")))
    }

    /// Says what was accepted although it is not standard, once in a game: front ends repeat its moves in every line.
    fn warn(&mut self, deviations: &Deviations) -> io::Result<()> {
        if self.has_warned || deviations.is_empty() {
            return Ok(());
        }
        self.has_warned = true;
        self.say([output::remark(deviations)])
    }

    fn complain(&mut self, reason: &dyn Display) -> io::Result<()> {
        self.say([output::error(reason)])
    }

    /// Says what belongs together in one message: PTN Ninja drops a proof when it has dealt with the line before it comes,
    /// shows lines of two depths side by side, and falls behind where it gets each of them by itself.
    fn say(&mut self, replies: impl IntoIterator<Item = Reply>) -> io::Result<()> {
        let lines: Vec<String> = replies.into_iter().map(|reply| reply.to_string()).collect();
        if lines.is_empty() {
            return Ok(());
        }
        (self.say)(&lines.join("\n"))
    }
}

/// Where threads are short, so mostly is memory, for their stacks.
fn no_thread(purpose: &str, error: &io::Error) -> io::Error {
    let text = format!("the system gives no thread {purpose}, or no memory for it: {error}");
    io::Error::new(error.kind(), text)
}

fn no_search_thread() -> io::Error {
    io::Error::other("the search thread has ended")
}
