//! Runs a bot: does what it says with the connection, the engine, the clock and the file of games.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use jiff::Timestamp;

use super::bot::{Bot, Event, Failure, Request, Settings};
use super::connection::{Address, News, keep_connected};
use super::protocol::Command;
use super::thinker::Thinker;
use crate::engine::{Engine, HashError};
use crate::notation::PtnGame;
use crate::search::Report;

/// How long the end waits for the last lines to be sent.
const FAREWELL: Duration = Duration::from_secs(2);

/// Why a bot ended before it was done.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// It could not go on.
    #[error(transparent)]
    Bot(#[from] Failure),
    /// The operator can be told nothing any more.
    #[error(transparent)]
    Output(#[from] io::Error),
    /// Games were played that are in no file.
    #[error("{games} games could not be written to {path}")]
    Unwritten {
        /// How many.
        games: usize,
        /// Where they belong.
        path: String,
    },
}

/// Asks a running bot to finish: no new game, and an end after the present one.
#[derive(Debug, Clone)]
pub struct Interrupt(Sender<Input>);

impl Interrupt {
    /// Asks.
    pub fn finish(&self) {
        let _ = self.0.send(Input::Interrupted);
    }
}

/// A bot that has not begun.
#[derive(Debug)]
pub struct Runner {
    inputs: Receiver<Input>,
    sender: Sender<Input>,
}

#[derive(Debug)]
enum Input {
    News(News),
    Judged(u64, Result<Report, HashError>),
    Interrupted,
}

impl Default for Runner {
    fn default() -> Self {
        let (sender, inputs) = channel();
        Self { inputs, sender }
    }
}

impl Runner {
    /// A way to ask it to finish.
    #[must_use]
    pub fn interrupt(&self) -> Interrupt {
        Interrupt(self.sender.clone())
    }

    /// Plays until the bot is done. What it has to say goes to `out`, a line each; finished games go to `games`.
    ///
    /// # Errors
    /// [`RunError`] when it ends before that, or games could not be written.
    pub fn run(
        self,
        settings: Settings,
        address: Address,
        engine: Engine,
        mut games: Option<GameFile>,
        out: &mut dyn Write,
    ) -> Result<(), RunError> {
        let judge = self.sender.clone();
        let mut thinker = Thinker::start(engine, move |number, report| {
            let _ = judge.send(Input::Judged(number, report));
        });
        keep_connected(address, move |news| {
            self.sender.send(Input::News(news)).is_ok()
        });
        let began = Instant::now();
        let mut bot = Bot::new(settings, Timestamp::now());
        let mut lines: Option<Sender<Command>> = None;
        loop {
            let wait = bot.wake_at().saturating_sub(began.elapsed());
            let event = match self.inputs.recv_timeout(wait) {
                Ok(input) => match input {
                    Input::News(News::Connected {
                        lines: new,
                        is_private,
                    }) => {
                        lines = Some(new);
                        Event::Connected { is_private }
                    }
                    Input::News(News::Line(line)) => Event::Line(line),
                    Input::News(News::Lost(why)) => {
                        log::warn!("no connection: {why:?}");
                        lines = None;
                        Event::Disconnected
                    }
                    Input::Judged(number, report) => Event::Judged(number, report),
                    Input::Interrupted => Event::Interrupted,
                },
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => Event::Tick,
            };
            for request in bot.handle(event, began.elapsed()) {
                match request {
                    Request::Send(command) => {
                        // If the connection is gone the bot hears of it next.
                        let _ = lines.as_ref().map(|lines| lines.send(command));
                    }
                    Request::HangUp => lines = None,
                    Request::NewGame => thinker.new_game(),
                    Request::Think(question) => thinker.think(question),
                    Request::Ponder(game, line) => thinker.ponder(game, line),
                    Request::StopThinking => thinker.stop(),
                    Request::Keep(game) => {
                        if let Some(file) = &mut games {
                            file.append(&game);
                        }
                    }
                    Request::Say(text) => {
                        writeln!(out, "{}", text.replace(char::is_control, " "))?;
                        out.flush()?;
                    }
                    Request::End(end) => {
                        say_farewell(lines.take(), &self.inputs);
                        end?;
                        return games.map_or(Ok(()), GameFile::close);
                    }
                }
            }
        }
    }
}

/// Waits until all lines have been sent and the connection has ended.
fn say_farewell(lines: Option<Sender<Command>>, inputs: &Receiver<Input>) {
    if lines.is_none() {
        return;
    }
    drop(lines);
    let until = Instant::now() + FAREWELL;
    while let Ok(input) = inputs.recv_timeout(until.saturating_duration_since(Instant::now())) {
        if matches!(input, Input::News(News::Lost(_))) {
            return;
        }
    }
}

/// A PTN file that finished games are added to.
#[derive(Debug)]
pub struct GameFile {
    file: File,
    path: PathBuf,
    /// The length of what is whole.
    length: u64,
    /// Games that could not be written yet.
    waiting: Vec<String>,
}

impl GameFile {
    /// Opens a file, keeping the games in it, or creates it.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        let file = options
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)?;
        Ok(Self {
            length: file.metadata()?.len(),
            file,
            path: path.to_owned(),
            waiting: Vec::new(),
        })
    }

    /// Adds a game. One that cannot be written is tried again with the next.
    fn append(&mut self, game: &PtnGame) {
        self.waiting.push(game.to_string());
        if let Err(error) = self.write() {
            log::warn!(
                "{}: {error}; the game is kept for later",
                self.path.display()
            );
        }
    }

    fn write(&mut self) -> io::Result<()> {
        while let Some(game) = self.waiting.first() {
            let separator = if self.length == 0 { "" } else { "\n" };
            let text = format!("{separator}{game}");
            // What an attempt that failed has left is written over.
            self.file.seek(SeekFrom::Start(self.length))?;
            self.file.write_all(text.as_bytes())?;
            self.file.sync_data()?;
            self.length += text.len() as u64;
            self.waiting.remove(0);
        }
        Ok(())
    }

    /// Tries to write what could not be written before.
    fn close(mut self) -> Result<(), RunError> {
        self.write().map_err(|error| {
            log::warn!("{}: {error}", self.path.display());
            RunError::Unwritten {
                games: self.waiting.len(),
                path: self.path.display().to_string(),
            }
        })
    }
}
