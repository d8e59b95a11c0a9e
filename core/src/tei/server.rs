//! Threads and streams around a [`Conversation`]: one thread reads lines, one searches, and the server carries out the
//! actions. Only the server writes, so no two lines ever mix.

use std::any::Any;
use std::io::{self, BufReader, Read, Write};
use std::iter;
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use super::conversation::{Action, Conversation, Finished};
use super::lines::{self, Input, Line, read_line};
use super::output;
use crate::engine::{Engine, EngineThread, HashError, Permissions, Settings, TimeSource, check_space};
use crate::lines::Lines;
use crate::search::Report;

/// Events that may wait for the server, and lines that may wait for the engine. Few, so that a flood of input waits
/// outside this process.
const MAX_WAITING_EVENTS: usize = 16;

/// Serves TEI until `quit` or the end of `input`.
///
/// # Errors
/// Fails if `out` cannot be written, for example because its reader closed it, or a thread cannot be started.
pub fn serve(input: impl Read + Send + 'static, out: &mut dyn Write) -> io::Result<()> {
    let mut input = Lines::new(BufReader::new(input), lines::MAX_LINE_BYTES);
    let lines = iter::from_fn(move || {
        let line = read_line(&mut input);
        line.inspect_err(|error| log::warn!("cannot read the input: {error}")).unwrap_or_default()
    });
    converse(lines, Permissions::default(), &mut |message: &str| {
        if output::is_error(message) {
            log::warn!("{message}");
        }
        writeln!(out, "{message}")?;
        out.flush()
    })
}

/// Serves TEI until `quit` or the end of `lines`, within these permissions. Each call of `say` gets one message without
/// its last line break: one line, or all lines of a report.
///
/// # Errors
/// The error of `say`, or that of a thread that cannot be started.
pub fn converse(
    lines: impl Iterator<Item = Line> + Send + 'static,
    permissions: Permissions,
    say: &mut dyn FnMut(&str) -> io::Result<()>,
) -> io::Result<()> {
    let (sender, events) = sync_channel(MAX_WAITING_EVENTS);
    let (line_places, lines_taken) = sync_channel(MAX_WAITING_EVENTS);
    let engine = Engine::new(Settings::default());
    let time = engine.time().clone();
    let (input_time, input_sender) = (time.clone(), sender.clone());
    // Never joined: it may wait for input that never comes.
    thread::Builder::new()
        .name("tei-input".to_owned())
        .spawn(move || forward(lines, &input_time, &line_places, &input_sender))
        .map_err(|error| no_thread("to read the input with", &error))?;
    let lost_sender = sender.clone();
    let engine = EngineThread::start(engine, move |panic| drop(lost_sender.send(Event::Lost(panic))))
        .map_err(|error| no_thread("to search with", &error))?;
    // With less the system would end the program in the first search.
    check_space().map_err(|error| {
        let error = io::Error::new(io::ErrorKind::OutOfMemory, error);
        no_thread("to search with", &error)
    })?;
    let conversation = Conversation::new(permissions, time);
    Server { conversation, engine, sender, lines_taken, lines: 0, is_prepared: true, say }.run(events)
}

/// Passes every line on when there is a place for it, and the end.
fn forward(lines: impl Iterator<Item = Line>, time: &TimeSource, places: &SyncSender<()>, sender: &SyncSender<Event>) {
    let lines = lines.map(|line| Input::Line(line, time.now()));
    for input in lines.chain([Input::Closed]) {
        // The server may have ended already.
        if places.send(()).is_err() || sender.send(Event::Input(input)).is_err() {
            return;
        }
    }
}

enum Event {
    Input(Input),
    Prepared(Result<(), HashError>),
    Report(Report),
    Finished(Box<Finished>),
    /// A panic of the engine.
    Lost(Box<dyn Any + Send>),
}

struct Server<'a> {
    conversation: Conversation,
    engine: EngineThread,
    sender: SyncSender<Event>,
    /// The places of the lines that wait.
    lines_taken: Receiver<()>,
    /// The number of lines that have a place.
    lines: usize,
    /// True if the engine has been prepared for the present settings, or that is its next job.
    is_prepared: bool,
    say: &'a mut dyn FnMut(&str) -> io::Result<()>,
}

impl Server<'_> {
    fn run(mut self, events: Receiver<Event>) -> io::Result<()> {
        let result = self.serve(&events);
        // Before the engine, which may wait until it can send its last report.
        drop(events);
        result
    }

    fn serve(&mut self, events: &Receiver<Event>) -> io::Result<()> {
        let mut is_greeted = false;
        loop {
            let event = events.try_recv().or_else(|_| {
                // For front ends that never send `isready`. The first `teiok` comes at once.
                if is_greeted && !self.is_prepared {
                    self.is_prepared = true;
                    // An error is reported to those who ask for a search or `isready`.
                    self.engine.submit(|engine, stop| _ = engine.prepare_until(stop));
                }
                events.recv()
            });
            is_greeted = true;
            let actions = match event {
                Ok(Event::Input(input)) => {
                    self.lines += 1;
                    self.conversation.input(input)
                }
                Ok(Event::Prepared(result)) => self.conversation.prepared(result),
                Ok(Event::Report(report)) => self.conversation.report(report),
                Ok(Event::Finished(finished)) => self.conversation.finished(*finished),
                // A bug. Front ends notice that the program has ended, but would wait for one that falls silent.
                Ok(Event::Lost(panic)) => resume_unwind(panic),
                Err(_) => return Ok(()),
            };
            if self.carry_out(actions)?.is_break() {
                return Ok(());
            }
            while self.lines > self.conversation.waiting() && self.lines_taken.try_recv().is_ok() {
                self.lines -= 1;
            }
        }
    }

    fn carry_out(&mut self, actions: Vec<Action>) -> io::Result<ControlFlow<()>> {
        for action in actions {
            match action {
                Action::Say(message) => (self.say)(&message)?,
                Action::Set(settings) => {
                    self.is_prepared = false;
                    self.engine.submit(move |engine, _| engine.set(settings));
                }
                Action::Prepare(settings) => {
                    self.is_prepared = true;
                    let sender = self.sender.clone();
                    self.engine.submit(move |engine, stop| {
                        engine.set(settings);
                        drop(sender.send(Event::Prepared(engine.prepare_until(stop))));
                    });
                }
                Action::Clear => self.engine.submit(|engine, _| engine.clear()),
                Action::ClearHash => self.engine.submit(|engine, _| engine.clear_findings()),
                Action::Start(search) => {
                    let sender = self.sender.clone();
                    self.engine.submit(move |engine, stop| {
                        // When the server has ended, its reports are not needed.
                        let observer = |report: &Report| drop(sender.send(Event::Report(report.clone())));
                        let finished = search.run(engine, stop, observer);
                        drop(sender.send(Event::Finished(Box::new(finished))));
                    });
                }
                Action::Stop => self.engine.stop(),
                Action::Quit => return Ok(ControlFlow::Break(())),
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// A system without threads is usually one without memory for their stacks.
fn no_thread(purpose: &str, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot start a thread {purpose}, perhaps for lack of memory: {error}"))
}
