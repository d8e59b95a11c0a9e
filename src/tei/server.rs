//! Threads and bytes: one thread reads lines, one searches, and the server does what the lines say and prints what the
//! search finds. Only the server writes, so no two lines ever mix.

use std::collections::VecDeque;
use std::fmt::Display;
use std::io::{self, BufReader, Read, Write};
use std::mem;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::Instant;

use super::command::{self, Command, CommandError, GoWords};
use super::lines::{BadLine, read_line};
use super::options::OptionError;
use super::output;
use super::reply::Reply;
use super::session::{NoPosition, PositionError, Session};
use crate::board::Move;
use crate::engine::{Engine, HashError, Limits, Settings, check_memory};
use crate::search::Report;

/// Events that may wait for the server. Few, so that a flood of input waits outside this process.
const WAITING: usize = 16;

/// The longest line taken, in bytes: more moves than the longest game has, and less than a megabyte.
const LONGEST_LINE: usize = 512 * 1024;

/// Stack of the search thread in bytes: enough for the deepest line at the largest frames. Only touched pages cost.
const SEARCH_STACK: usize = 64 << 20;

/// Serves TEI until `quit` or the end of `input`.
///
/// # Errors
/// When `out` cannot be written, for example because its reader closed it, or a thread cannot be started.
pub fn serve(input: impl Read + Send + 'static, out: &mut dyn Write) -> io::Result<()> {
    let (sender, events) = sync_channel(WAITING);
    let input_sender = sender.clone();
    // Never joined: it may wait for input that never comes.
    thread::Builder::new()
        .name("tei-input".to_owned())
        .spawn(move || forward_lines(input, &input_sender))
        .map_err(|error| no_thread("to read the input with", &error))?;
    // One thread for all searches, so that none can fail in the middle of a game because there is no thread left.
    let (searches, asked) = channel::<Search>();
    thread::Builder::new()
        .name("tei-search".to_owned())
        .stack_size(SEARCH_STACK)
        .spawn(move || asked.into_iter().for_each(|search| search()))
        .map_err(|error| no_thread("to search with", &error))?;
    Server {
        session: Session::default(),
        state: State::Idle {
            engine: Box::new(Engine::new(Settings::default(), Instant::now())),
            held: None,
        },
        sender,
        searches,
        events,
        backlog: VecDeque::new(),
        out,
    }
    .run()
}

/// Hands every line of `input` to the server, and tells it of the end.
fn forward_lines(input: impl Read, sender: &SyncSender<Event>) {
    let mut input = BufReader::new(input);
    loop {
        let line = match read_line(&mut input, LONGEST_LINE) {
            Ok(Some(line)) => Input::Line(line, Instant::now()),
            Ok(None) => Input::Closed,
            Err(error) => {
                log::warn!("cannot read the input: {error}");
                Input::Closed
            }
        };
        let last = matches!(line, Input::Closed);
        // The server may have ended already.
        if sender.send(Event::Input(line)).is_err() || last {
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
    Line(Result<String, BadLine>, Instant),
    /// There is no more.
    Closed,
}

struct Finished {
    engine: Box<Engine>,
    report: Result<Report, HashError>,
    best: Option<Move>,
}

/// Where the engine is.
enum State {
    /// Here: nothing is searched.
    Idle {
        engine: Box<Engine>,
        /// The `bestmove` of a search without limits that has ended by itself. It has to wait for `stop`.
        held: Option<Reply>,
    },
    /// On the search thread.
    Searching {
        stop: Arc<AtomicBool>,
        /// Whether `bestmove` has to wait for `stop` should the search end by itself.
        hold: bool,
        /// The last report that was printed.
        told: Option<Report>,
    },
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
    state: State,
    sender: SyncSender<Event>,
    searches: Sender<Search>,
    events: Receiver<Event>,
    /// Lines that came while the server waited for a search to end.
    backlog: VecDeque<Input>,
    out: &'a mut dyn Write,
}

impl Server<'_> {
    fn run(mut self) -> io::Result<()> {
        loop {
            let input = match self.backlog.pop_front() {
                Some(input) => input,
                None => match self.events.recv() {
                    Ok(Event::Input(input)) => input,
                    Ok(event) => {
                        self.search_event(event)?;
                        continue;
                    }
                    Err(_) => return Ok(()),
                },
            };
            let Input::Line(line, read) = input else {
                break;
            };
            let head = match &line {
                Ok(line) => command::head(line).to_owned(),
                Err(bad) => bad.head.clone(),
            };
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
    fn obey(
        &mut self,
        line: Result<String, BadLine>,
        read: Instant,
    ) -> Result<ControlFlow<()>, Refusal> {
        let line = line?;
        if line.trim_ascii().is_empty() {
            return Ok(ControlFlow::Continue(()));
        }
        match command::parse(&line)? {
            Command::Tei => self.say(output::handshake())?,
            Command::IsReady => self.ready()?,
            Command::SetOption { name, value } => {
                // No option of this engine is a button.
                let value = value.ok_or(CommandError::Missing("the option's value"))?;
                self.set_option(&name, &value)?;
            }
            Command::NewGame { size, komi, named } => {
                self.end_search()?.clear();
                self.session.new_game(size, komi);
                if named {
                    self.session.learn_solved();
                }
            }
            Command::Position { tps, moves } => {
                let session = self.session.with_position(tps, &moves)?;
                let is_resized = session.size() != self.session.size();
                let engine = self.end_search()?;
                if is_resized {
                    engine.clear();
                }
                self.session = session;
            }
            Command::Go(words) => self.go(&words, read)?,
            Command::Stop => {
                self.end_search()?;
            }
            Command::Quit => return Ok(ControlFlow::Break(())),
            Command::Show => {
                let game = self.session.game().map_err(Clone::clone)?;
                self.say([output::show(game.position())])?;
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Tells why a line is refused, and what that changes. A front end that sends a position or a game no longer means the
    /// one before, so it must not get answers about that one. One that sends `go` waits for a `bestmove`: during a search
    /// one will come anyway, and another would be taken for it.
    fn refuse(&mut self, head: &str, refusal: &Refusal) -> io::Result<()> {
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

    /// The memory is asked for here rather than at start, so that the first `teiok` comes at once.
    fn ready(&mut self) -> io::Result<()> {
        if let State::Idle { engine, .. } = &mut self.state {
            engine.set(self.session.options().settings());
            if let Err(error) = engine.prepare() {
                self.complain(&error)?;
            }
        }
        self.say([Reply::ReadyOk])
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
                self.session.refuse_option(name);
                return Err(error.into());
            }
        };
        let (before, after) = (
            self.session.options().settings(),
            session.options().settings(),
        );
        let hash_changes = before.hash_mib != after.hash_mib;
        // Asked before the search is ended, so that a refusal does not end it.
        if hash_changes {
            check_memory(after.hash_mib, before.hash_mib)?;
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

    fn go(&mut self, words: &GoWords, read: Instant) -> io::Result<()> {
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
        if game.position().outcome().is_some() {
            return self.say([output::best_move(None)]);
        }
        let limits = self.session.limits(words);
        let stop = Arc::new(AtomicBool::new(false));
        let searching = State::Searching {
            stop: Arc::clone(&stop),
            hold: limits == Limits::default(),
            told: None,
        };
        let State::Idle { mut engine, .. } = mem::replace(&mut self.state, searching) else {
            return Err(no_search_thread());
        };
        engine.set(self.session.options().settings());
        let sender = self.sender.clone();
        let solved = words.solved;
        let search = move || {
            // When the server has ended already, nobody needs the reports.
            let mut observer = |report: &Report| drop(sender.send(Event::Report(report.clone())));
            let finished = catch_unwind(AssertUnwindSafe(|| {
                let analysis = engine.analysis(&game).limits(limits).solve(solved);
                let analysis = analysis.waited(read.elapsed()).stop(&stop);
                let report = analysis.observer(&mut observer).run();
                let best = match &report {
                    Ok(report) => report.best(),
                    Err(_) => game.position().legal_moves().first().copied(),
                };
                Finished {
                    engine,
                    report,
                    best,
                }
            }));
            drop(sender.send(Event::Finished(finished)));
        };
        self.searches
            .send(Box::new(search))
            .map_err(|_| no_search_thread())
    }

    fn search_event(&mut self, event: Event) -> io::Result<()> {
        match event {
            Event::Input(input) => {
                self.backlog.push_back(input);
                Ok(())
            }
            Event::Report(report) => {
                self.tell(&report)?;
                if let State::Searching { told, .. } = &mut self.state {
                    *told = Some(report);
                }
                Ok(())
            }
            Event::Finished(Ok(finished)) => self.finish(finished),
            // A bug. Every front end notices that the program has ended, but would wait for one that falls silent.
            Event::Finished(Err(panic)) => resume_unwind(panic),
        }
    }

    fn finish(&mut self, finished: Finished) -> io::Result<()> {
        let State::Searching { stop, hold, told } = &self.state else {
            return Ok(());
        };
        let waits = *hold && !stop.load(Ordering::Relaxed);
        // Printing the same lines again would say nothing new.
        let is_told = |report: &Report| {
            told.as_ref()
                .is_some_and(|told| told.nodes == report.nodes && told.lines == report.lines)
        };
        match &finished.report {
            Ok(report) if is_told(report) => {}
            Ok(report) => self.tell(report)?,
            Err(error) => self.complain(error)?,
        }
        self.state = State::Idle {
            engine: finished.engine,
            held: Some(output::best_move(finished.best)),
        };
        if waits { Ok(()) } else { self.say_held() }
    }

    /// Ends the search if there is one, and sees its `bestmove` printed. Returns the engine, which is here then.
    fn end_search(&mut self) -> io::Result<&mut Engine> {
        while let State::Searching { stop, .. } = &self.state {
            stop.store(true, Ordering::Relaxed);
            match self.events.recv() {
                Ok(event) => self.search_event(event)?,
                Err(_) => break,
            }
        }
        self.say_held()?;
        match &mut self.state {
            State::Idle { engine, .. } => Ok(engine),
            State::Searching { .. } => Err(no_search_thread()),
        }
    }

    /// Prints the `bestmove` that has waited, if there is one.
    fn say_held(&mut self) -> io::Result<()> {
        match &mut self.state {
            State::Idle { held, .. } => {
                let held = held.take();
                self.say(held)
            }
            State::Searching { .. } => Ok(()),
        }
    }

    fn tell(&mut self, report: &Report) -> io::Result<()> {
        let multipv = self.session.options().settings().multipv > 1;
        let solved = self.session.knows_solved();
        self.say(output::info(report, multipv, solved))
    }

    fn complain(&mut self, reason: &dyn Display) -> io::Result<()> {
        let reply = output::error(reason);
        log::warn!("{reply}");
        self.say([reply])
    }

    /// Writes whole lines, at once.
    fn say(&mut self, replies: impl IntoIterator<Item = Reply>) -> io::Result<()> {
        for reply in replies {
            writeln!(self.out, "{reply}")?;
        }
        self.out.flush()
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
