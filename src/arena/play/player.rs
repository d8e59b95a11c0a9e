//! One engine at work: started, configured, asked for moves, and restarted after a failure. Any error of
//! an engine is a [`Fault`] and costs it the game. A failure on this side, for example a process that the system does not
//! start, leaves the game [`Unfinished`] and counts for neither player.

use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use rustix::io::Errno;

use super::config::EngineConfig;
use super::identity::Identity;
use super::process::{Cancel, EngineIoError, Process};
use super::search_info::SearchInfo;
use crate::arena::record::Termination;
use crate::board::{Komi, OpeningRule, Size};
use crate::tei::command::{Command, GoWords};
use crate::tei::info::Info;
use crate::tei::reply::{self, HALF_KOMI, OPENING, Reply};

/// After this many failed starts in a row, over all its games, an engine is not started again.
const MAX_FAILED_STARTS: u32 = 3;
/// The longest time without a look at who listens to an analysis.
const LISTENER_INTERVAL: Duration = Duration::from_millis(50);
/// Time for an engine to exit after `quit`.
const QUIT_TIMEOUT: Duration = Duration::from_millis(500);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Its name in the journal.
    pub termination: Termination,
    /// The event, and the step at which it happened.
    pub detail: String,
}

/// The reason why an engine did not answer as requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    Fault(Fault),
    /// Not by the engine's fault.
    Unfinished(Unfinished),
}

/// The reason why a game was not finished, which is not an engine's fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unfinished {
    /// The run is being stopped.
    Cancelled,
    /// The runner cannot continue. The engine, the failed action and its reason, with a hint.
    Breakdown(String),
}

impl Failure {
    pub fn fault(self) -> Result<Fault, Unfinished> {
        match self {
            Self::Fault(fault) => Ok(fault),
            Self::Unfinished(unfinished) => Err(unfinished),
        }
    }
}

/// An engine's answer to `go`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The first word after `bestmove`, if there was one.
    pub text: String,
    /// The engine's reports while thinking.
    pub search_info: SearchInfo,
    /// From before `go` was sent to when `bestmove` was read.
    pub elapsed: Duration,
}

/// The properties that all processes of one engine share.
#[derive(Debug)]
pub struct EngineEntry {
    pub config: EngineConfig,
    pub size: Size,
    pub komi: Komi,
    pub opening: OpeningRule,
    failed_starts: AtomicU32,
}

impl EngineEntry {
    /// An engine that has not been started yet.
    pub fn new(config: EngineConfig, size: Size, komi: Komi, opening: OpeningRule) -> Self {
        Self { config, size, komi, opening, failed_starts: AtomicU32::new(0) }
    }
}

/// One process of an engine, if it is running, and the means to start another.
#[derive(Debug)]
pub struct Player<'a> {
    entry: &'a EngineEntry,
    cancel: &'a Cancel,
    running: Option<Running>,
}

#[derive(Debug)]
struct Running {
    process: Process,
    identity: Identity,
}

impl<'a> Player<'a> {
    /// A player whose engine is started when it is first needed.
    pub fn new(entry: &'a EngineEntry, cancel: &'a Cancel) -> Self {
        Self { entry, cancel, running: None }
    }

    pub fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// What the engine says of itself; nothing if it is not running.
    pub fn identity(&self) -> Identity {
        self.running.as_ref().map(|running| running.identity.clone()).unwrap_or_default()
    }

    pub fn config(&self) -> &'a EngineConfig {
        &self.entry.config
    }

    /// Makes the engine ready for a game from the start with these options, by name and value, in addition to those of its
    /// settings. Starts it if need be.
    pub fn new_game(&mut self, options: &[(String, String)]) -> Result<(), Failure> {
        if self.running.is_none() {
            self.running = Some(self.start()?);
        }
        let (size, komi) = (self.entry.size, self.entry.komi);
        self.talk_on("teinewgame", |Running { process, identity }, talk| {
            talk.send(process, set_options(identity, options))?;
            let named = identity.has_sizes();
            let komi = named.then_some(komi);
            talk.send(process, [Command::NewGame { size, komi, named }])?;
            talk.wait_ready(process)
        })
    }

    /// Asks the engine for a move. `position` is the command that sets the position, `go` has the limits of the search; the
    /// answer is `due` from now.
    ///
    /// # Errors
    /// The fault. An answer later than `due` is returned for the clock to judge, unless it is so late that the
    /// engine counts as stalled.
    pub fn think(&mut self, position: Command, go: GoWords<'_>, due: Duration) -> Result<Answer, Failure> {
        let request = lines([position, Command::Go(go)]);
        let limit = due + self.config().stall;
        self.talk_on("go", |Running { process, .. }, talk| {
            // Output before the request is not an answer.
            process.discard(talk.cancel)?;
            let start = Instant::now();
            let deadline = start + limit;
            process.send(&request, deadline, talk.cancel)?;
            let mut search_info = SearchInfo::default();
            loop {
                let line = process.line(deadline, talk.cancel)?;
                match reply::parse(&line) {
                    Ok(Reply::Info(info)) => search_info.note(info),
                    Ok(Reply::BestMove(text)) => {
                        return Ok(Answer { text, search_info, elapsed: start.elapsed() });
                    }
                    // Any other output of engines is for people.
                    Ok(_) | Err(_) => {}
                }
            }
        })
    }

    /// Lets the engine search a position with so many lines, if it can show several, and returns the first word after
    /// `bestmove`. `hear` gets each report, and `None` if there is none for a moment; the engine is stopped when it wants no
    /// more. The answer to `go` is `due` from now, if its time is limited.
    ///
    /// # Errors
    /// The fault: also no first report of a search without a limit, and no answer when it is due or to `stop`, in the time
    /// in which an engine counts as stalled.
    pub fn search(
        &mut self,
        position: Command,
        multipv: usize,
        (go, due): (GoWords<'_>, Option<Duration>),
        mut hear: impl FnMut(Option<Info>) -> ControlFlow<()>,
    ) -> Result<String, Failure> {
        let stall = self.config().stall;
        let step = if go.infinite { "go infinite" } else { "go" };
        self.talk_on(step, |Running { process, identity }, talk| {
            process.discard(talk.cancel)?;
            let lines = [("MultiPV".to_owned(), multipv.to_string())];
            if identity.check_option("MultiPV", &lines[0].1).is_ok() {
                talk.send(process, set_options(identity, &lines))?;
            }
            talk.send(process, [position, Command::Go(go)])?;
            // Of the answer, or of the first report if that is not due.
            let mut deadline = Some(talk.deadline + due.unwrap_or_default());
            let mut is_stopped = false;
            loop {
                let moment = Instant::now() + LISTENER_INTERVAL;
                let heard = match process.line(deadline.map_or(moment, |deadline| deadline.min(moment)), talk.cancel) {
                    Ok(line) => match reply::parse(&line) {
                        Ok(Reply::BestMove(text)) => return Ok(text),
                        Ok(Reply::Info(info)) => Some(info),
                        Ok(_) | Err(_) => continue,
                    },
                    Err(EngineIoError::Late) if deadline.is_none_or(|deadline| Instant::now() < deadline) => None,
                    Err(silence) => return Err(silence),
                };
                if is_stopped {
                    continue;
                }
                deadline = deadline.filter(|_| heard.is_none() || due.is_some());
                if hear(heard).is_break() {
                    is_stopped = true;
                    let stop = Talk::new(stall, talk.cancel);
                    deadline = Some(stop.deadline);
                    stop.send(process, [Command::Stop])?;
                }
            }
        })
    }

    /// Starts the engine, checks that it can play the tournament and gives it its options.
    fn start(&self) -> Result<Running, Failure> {
        let failed_starts = &self.entry.failed_starts;
        if failed_starts.load(Ordering::Relaxed) >= MAX_FAILED_STARTS {
            let detail = format!("not started again after {MAX_FAILED_STARTS} failures in a row");
            return Err(start_failure(detail));
        }
        let started = self.handshake();
        match &started {
            Ok(_) => failed_starts.store(0, Ordering::Relaxed),
            Err(Failure::Fault(_)) => {
                failed_starts.fetch_add(1, Ordering::Relaxed);
            }
            Err(Failure::Unfinished(_)) => {}
        }
        started
    }

    fn handshake(&self) -> Result<Running, Failure> {
        let config = self.config();
        let process = Process::spawn(&config.program).map_err(|error| {
            let what = format!("it cannot be started: {}", error.path.display());
            breakdown(config, &what, &error.source)
        })?;
        let mut running = Running { process, identity: Identity::default() };
        // `tei` until `teiok`.
        self.talk(&mut running, "tei", |Running { process, identity }, talk| {
            talk.send(process, [Command::Tei])?;
            while !identity.read_line(&process.line(talk.deadline, talk.cancel)?) {}
            Ok(())
        })?;
        self.check(&running.identity).map_err(|unfit| start_failure(unfit.to_string()))?;
        self.talk(&mut running, "isready", |running, talk| self.configure(running, talk))?;
        Ok(running)
    }

    fn check(&self, identity: &Identity) -> anyhow::Result<()> {
        identity.check_rules(self.entry.size, self.entry.komi)?;
        identity.check_opening(self.entry.opening)?;
        self.config().options.iter().try_for_each(|(name, value)| identity.check_option(name, value))
    }

    /// Options until `readyok`. Komi is one of them for an engine that does not take it with `teinewgame`, and the opening
    /// for one that knows several. They come last: an engine's own settings do not change the rules of the tournament.
    fn configure(&self, running: &mut Running, talk: Talk) -> Result<(), EngineIoError> {
        let identity = &running.identity;
        let half_komi = self.entry.komi.half().to_string();
        let komi = Some((HALF_KOMI, half_komi.as_str()))
            .filter(|(name, _)| !identity.has_sizes() && identity.option(name).is_some());
        let opening = self.entry.opening.to_string();
        let opening = Some((OPENING, opening.as_str())).filter(|(name, _)| identity.option(name).is_some());
        let rules = komi.into_iter().chain(opening);
        let rules = rules.map(|(name, value)| set_option(identity, name, value));
        let commands = set_options(identity, &self.config().options).chain(rules);
        talk.send(&mut running.process, commands)?;
        talk.wait_ready(&mut running.process)
    }

    /// Runs one step of the conversation with the running engine. One that fails to answer is dropped, and so killed: its
    /// next answer could still be to this question.
    fn talk_on<T>(
        &mut self,
        step: &str,
        conversation: impl FnOnce(&mut Running, Talk) -> Result<T, EngineIoError>,
    ) -> Result<T, Failure> {
        let mut running = self.running.take().ok_or_else(|| start_failure("the engine is not running".into()))?;
        let answer = self.talk(&mut running, step, conversation)?;
        self.running = Some(running);
        Ok(answer)
    }

    fn talk<T>(
        &self,
        running: &mut Running,
        step: &str,
        conversation: impl FnOnce(&mut Running, Talk) -> Result<T, EngineIoError>,
    ) -> Result<T, Failure> {
        let config = self.config();
        let talk = Talk::new(config.stall, self.cancel);
        conversation(running, talk).map_err(|silence| failure(config, &mut running.process, step, &silence))
    }

    /// Sends `stop` after a game to an engine that ponders, so that it stops thinking. Some engines exit on a `stop` when idle;
    /// one that can ponder does not.
    pub fn rest(&mut self) {
        if let Some(running) = self.running.as_mut().filter(|_| self.entry.config.ponders()) {
            let deadline = Instant::now() + QUIT_TIMEOUT;
            let stop = lines([Command::Stop]);
            // A failure shows in its next game.
            let _ = running.process.send(&stop, deadline, self.cancel);
        }
    }

    /// Asks the engine to quit, and kills it if it does not.
    pub fn quit(&mut self) {
        if let Some(running) = self.running.take() {
            running.process.close(&lines([Command::Quit]), Instant::now() + QUIT_TIMEOUT, self.cancel);
        }
    }
}

/// The commands that set these options, by name and value.
fn set_options<'c>(identity: &Identity, options: &[(String, String)]) -> impl Iterator<Item = Command<'c>> {
    options.iter().map(|(name, value)| set_option(identity, name, value))
}

fn set_option<'c>(identity: &Identity, name: &str, value: &str) -> Command<'c> {
    // The engine's own spelling: some compare it letter by letter.
    let name = identity.option(name).map_or(name, |option| &option.name);
    Command::SetOption { name: name.to_owned(), value: (!value.is_empty()).then(|| value.to_owned()) }
}

/// The deadline of one step and the switch that ends it early.
#[derive(Clone, Copy)]
struct Talk<'a> {
    deadline: Instant,
    cancel: &'a Cancel,
}

impl<'a> Talk<'a> {
    fn new(limit: Duration, cancel: &'a Cancel) -> Self {
        Self { deadline: Instant::now() + limit, cancel }
    }

    fn send<'c>(
        self,
        process: &mut Process,
        commands: impl IntoIterator<Item = Command<'c>>,
    ) -> Result<(), EngineIoError> {
        process.send(lines(commands), self.deadline, self.cancel)
    }

    fn wait_ready(self, process: &mut Process) -> Result<(), EngineIoError> {
        self.send(process, [Command::IsReady])?;
        while reply::parse(&process.line(self.deadline, self.cancel)?) != Ok(Reply::ReadyOk) {}
        Ok(())
    }
}

fn lines<'c>(commands: impl IntoIterator<Item = Command<'c>>) -> String {
    let mut lines = String::new();
    for command in commands {
        lines += &command.to_string();
        lines.push('\n');
    }
    lines
}

fn start_failure(detail: String) -> Failure {
    Failure::Fault(Fault { termination: Termination::StartFailure, detail })
}

fn breakdown(config: &EngineConfig, what: &str, error: &io::Error) -> Failure {
    let help = match error.raw_os_error().map(Errno::from_raw_os_error) {
        Some(Errno::MFILE) => "; raise the limit of open files (ulimit -n) or lower --threads",
        Some(Errno::NFILE) => "; all programs together have too many open files",
        Some(Errno::AGAIN) => {
            "; raise the limit of processes (ulimit -u, or pids.max of the control group) or lower --threads"
        }
        Some(Errno::NOMEM) => "; lower --threads or the memory of the engines",
        _ => "",
    };
    Failure::Unfinished(Unfinished::Breakdown(format!("engine {}: {what}: {error}{help}", config.name)))
}

/// The reason why `process` fell silent at `step`.
fn failure(config: &EngineConfig, process: &mut Process, step: &str, silence: &EngineIoError) -> Failure {
    let (termination, what) = match silence {
        EngineIoError::Cancelled => return Failure::Unfinished(Unfinished::Cancelled),
        EngineIoError::Late => (Termination::Stall, silence.to_string()),
        EngineIoError::Flood(_) => (Termination::Flood, silence.to_string()),
        EngineIoError::Io(error) => return breakdown(config, &format!("at {step}"), error),
        EngineIoError::Closed(_) => match process.exit_status() {
            Some(status) => (Termination::Crash, format!("it ended ({status})")),
            None => (Termination::Disconnect, silence.to_string()),
        },
    };
    Failure::Fault(Fault { termination, detail: format!("at {step}: {what}") })
}
