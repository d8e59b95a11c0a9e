//! Threads and bytes: a thread that reads lines, one that searches, and the server that obeys the one and tells of the
//! other. Only the server writes, so no two lines ever mix.

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
use super::reply;
use super::session::{NoPosition, PositionError, Session};
use crate::board::Move;
use crate::engine::{Engine, HashError, Limits, Settings, check_memory};
use crate::search::Report;

/// Events that may wait for the server. Few, so that a flood of input waits outside of this process.
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
    // Never joined: it may sit in a read that no one will answer.
    thread::Builder::new()
        .name("tei-input".to_owned())
        .spawn(move || forward_lines(input, &input_sender))?;
    // Started once and for all, so that no search in a game can fail for want of a thread.
    let (searches, asked) = channel::<Search>();
    thread::Builder::new()
        .name("tei-search".to_owned())
        .stack_size(SEARCH_STACK)
        .spawn(move || asked.into_iter().for_each(|search| search()))?;
    Server {
        session: Session::default(),
        engine: idle_engine(),
        state: State::Idle,
        sender,
        searches,
        events,
        backlog: VecDeque::new(),
        out,
    }
    .run()
}

/// An engine that has allocated nothing yet.
fn idle_engine() -> Engine {
    Engine::new(Settings::default(), Instant::now())
}

/// Hands every line of `input` to the server, and then its end.
fn forward_lines(input: impl Read, sender: &SyncSender<Event>) {
    let mut input = BufReader::new(input);
    loop {
        let line = match read_line(&mut input, LONGEST_LINE) {
            Ok(Some(line)) => Input::Line(line, Instant::now()),
            Ok(None) => Input::End,
            Err(error) => {
                log::warn!("cannot read the input: {error}");
                Input::End
            }
        };
        let last = matches!(line, Input::End);
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
    Progress(Report),
    /// The search has ended, or panicked.
    Finished(thread::Result<Box<Finished>>),
}

enum Input {
    /// With the moment when it was read: from then on a clock may be running.
    Line(Result<String, BadLine>, Instant),
    End,
}

struct Finished {
    engine: Engine,
    report: Result<Report, HashError>,
    best: Option<Move>,
}

#[derive(Default)]
enum State {
    #[default]
    Idle,
    Searching {
        stop: Arc<AtomicBool>,
        /// Whether `bestmove` has to wait for `stop` should the search end by itself.
        hold: bool,
        /// The last report that was told.
        told: Option<Report>,
    },
    /// A search without limits has ended by itself; this is its `bestmove` line.
    Holding(String),
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
    /// No fault of the line's: nobody can be told.
    #[error(transparent)]
    Output(#[from] io::Error),
}

struct Server<'a> {
    session: Session,
    /// While a search has the engine, an empty one in its place.
    engine: Engine,
    state: State,
    sender: SyncSender<Event>,
    searches: Sender<Search>,
    events: Receiver<Event>,
    /// What was said while the server waited for a search to end.
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
        self.end_search()
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
            Command::Tei => self.say(reply::handshake())?,
            Command::IsReady => self.ready()?,
            Command::SetOption { name, value } => self.set_option(&name, &value)?,
            Command::NewGame { size, komi, named } => {
                self.end_search()?;
                self.session.new_game(size, komi);
                if named {
                    self.session.learn_solved();
                }
                self.engine.clear();
            }
            Command::Position { tps, moves } => {
                let session = self.session.with_position(tps, &moves)?;
                self.end_search()?;
                if session.size() != self.session.size() {
                    self.engine.clear();
                }
                self.session = session;
            }
            Command::Go(words) => self.go(&words, read)?,
            Command::Stop => self.end_search()?,
            Command::Quit => return Ok(ControlFlow::Break(())),
            Command::Show => {
                let game = self.session.game().map_err(Clone::clone)?;
                self.say([reply::show(game.position())])?;
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Tells why a line is not obeyed, and does what it leaves behind: whoever sends a position or a game has done with
    /// the one before and must not be told of that as if it were the new one. Whoever sends `go` waits for a `bestmove`;
    /// where a search is under way one will come, and one more now would be taken for that search's.
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
        if head == "go" && matches!(self.state, State::Idle) {
            self.say([reply::best_move(None)])?;
        }
        Ok(())
    }

    /// The memory is asked for here rather than at start, so that the first `teiok` comes at once.
    fn ready(&mut self) -> io::Result<()> {
        if !matches!(self.state, State::Searching { .. }) {
            self.engine.set(self.session.options().settings());
            if let Err(error) = self.engine.prepare() {
                self.complain(&error)?;
            }
        }
        self.say(["readyok".to_owned()])
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), Refusal> {
        #[cfg(feature = "tuning")]
        if super::margins::set(name, value)? {
            return Ok(self.end_search()?);
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
        // Asked before the search is ended: a refusal must not cost it.
        if hash_changes {
            check_memory(after.hash_mib, before.hash_mib)?;
        }
        self.end_search()?;
        self.engine.set(after);
        // A size that cannot be had is refused while it can still be told which line asked for it.
        if hash_changes && let Err(error) = self.engine.prepare() {
            self.engine.set(before);
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
                return self.say([reply::best_move(None)]);
            }
        };
        if game.position().outcome().is_some() {
            return self.say([reply::best_move(None)]);
        }
        let limits = self.session.limits(words);
        let stop = Arc::new(AtomicBool::new(false));
        self.state = State::Searching {
            stop: Arc::clone(&stop),
            hold: limits == Limits::default(),
            told: None,
        };
        let mut engine = mem::replace(&mut self.engine, idle_engine());
        engine.set(self.session.options().settings());
        let sender = self.sender.clone();
        let solved = words.solved;
        let search = move || {
            // The server may have ended already, then nobody needs to know.
            let mut observer = |report: &Report| drop(sender.send(Event::Progress(report.clone())));
            let finished = catch_unwind(AssertUnwindSafe(|| {
                let analysis = engine.analysis(&game).limits(limits).solve(solved);
                let analysis = analysis.waited(read.elapsed()).stop(&stop);
                let report = analysis.observer(&mut observer).run();
                let best = match &report {
                    Ok(report) => report.best(),
                    Err(_) => game.position().legal_moves().first().copied(),
                };
                Box::new(Finished {
                    engine,
                    report,
                    best,
                })
            }));
            drop(sender.send(Event::Finished(finished)));
        };
        self.searches
            .send(Box::new(search))
            .map_err(|_| io::Error::other("the search thread has ended"))
    }

    fn search_event(&mut self, event: Event) -> io::Result<()> {
        match event {
            Event::Input(input) => {
                self.backlog.push_back(input);
                Ok(())
            }
            Event::Progress(report) => {
                self.tell(&report)?;
                if let State::Searching { told, .. } = &mut self.state {
                    *told = Some(report);
                }
                Ok(())
            }
            Event::Finished(Ok(finished)) => self.finish(*finished),
            // A bug. Better gone, which every front end notices, than silent.
            Event::Finished(Err(panic)) => resume_unwind(panic),
        }
    }

    fn finish(&mut self, finished: Finished) -> io::Result<()> {
        self.engine = finished.engine;
        let best_move = reply::best_move(finished.best);
        let State::Searching { stop, hold, told } = mem::take(&mut self.state) else {
            return Ok(());
        };
        // The same lines once more would tell nothing.
        let is_told = |report: &Report| {
            told.is_some_and(|told| told.nodes == report.nodes && told.lines == report.lines)
        };
        match &finished.report {
            Ok(report) if is_told(report) => {}
            Ok(report) => self.tell(report)?,
            Err(error) => self.complain(error)?,
        }
        if hold && !stop.load(Ordering::Relaxed) {
            self.state = State::Holding(best_move);
            Ok(())
        } else {
            self.say([best_move])
        }
    }

    /// Ends the search if there is one, and sees its `bestmove` printed.
    fn end_search(&mut self) -> io::Result<()> {
        if let State::Searching { stop, .. } = &self.state {
            stop.store(true, Ordering::Relaxed);
        }
        while let State::Searching { .. } = self.state {
            match self.events.recv() {
                Ok(event) => self.search_event(event)?,
                Err(_) => return Ok(()),
            }
        }
        if let State::Holding(best_move) = mem::take(&mut self.state) {
            self.say([best_move])?;
        }
        Ok(())
    }

    fn tell(&mut self, report: &Report) -> io::Result<()> {
        let multipv = self.session.options().settings().multipv > 1;
        let solved = self.session.knows_solved();
        self.say(reply::info(report, multipv, solved))
    }

    fn complain(&mut self, reason: &dyn Display) -> io::Result<()> {
        let line = reply::error(reason);
        log::warn!("{line}");
        self.say([line])
    }

    /// Writes whole lines, at once.
    fn say(&mut self, lines: impl IntoIterator<Item = String>) -> io::Result<()> {
        for line in lines {
            writeln!(self.out, "{line}")?;
        }
        self.out.flush()
    }
}
