//! Runs a bot: does what it says with the connection, the engine, the clock and the file of games.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
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
/// What is told of more than this, in characters, is cut: a server can say anything.
const LONGEST_LINE: usize = 500;

/// Why a bot ended before it was done.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// It could not go on.
    #[error(transparent)]
    Bot(#[from] Failure),
    /// A fault of this program. The server keeps the game for a while, so another start may take it up.
    #[error("the engine broke down")]
    Engine,
    /// The system gives no thread.
    #[error("cannot start a thread for the engine: {0}")]
    Thread(#[source] io::Error),
    /// The operator can be told nothing any more.
    #[error("cannot write stdout")]
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
    EngineLost,
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
        let ended = self.play(settings, address, engine, games.as_mut(), out);
        // However it ended, games that could not be written before get their last chance.
        let kept = games.map_or(Ok(()), GameFile::close);
        match (ended, kept) {
            (ended, Ok(())) => ended,
            // Nobody has to hear what a bot says, but lost games are a failure.
            (Ok(()) | Err(RunError::Output(_)), unwritten) => unwritten,
            (ended, Err(unwritten)) => {
                log::warn!("{unwritten}");
                ended
            }
        }
    }

    /// Plays until the bot is done or cannot go on.
    fn play(
        self,
        settings: Settings,
        address: Address,
        engine: Engine,
        mut games: Option<&mut GameFile>,
        out: &mut dyn Write,
    ) -> Result<(), RunError> {
        let (judge, mourner) = (self.sender.clone(), self.sender.clone());
        let mut thinker = Thinker::start(
            engine,
            move |number, report| drop(judge.send(Input::Judged(number, report))),
            move || drop(mourner.send(Input::EngineLost)),
        )
        .map_err(RunError::Thread)?;
        keep_connected(address, move |news| self.sender.send(Input::News(news)).is_ok());
        let began = Instant::now();
        let mut bot = Bot::new(settings, Timestamp::now());
        let mut lines: Option<Sender<Command>> = None;
        loop {
            let wait = bot.wake_at().saturating_sub(began.elapsed());
            let event = match self.inputs.recv_timeout(wait) {
                Ok(input) => match input {
                    Input::News(News::Connected { lines: new, is_private }) => {
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
                    Input::EngineLost => return Err(RunError::Engine),
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
                        let text: String = text.chars().take(LONGEST_LINE).collect();
                        writeln!(out, "{}", text.replace(char::is_control, " "))?;
                        out.flush()?;
                    }
                    Request::End(end) => {
                        say_farewell(lines.take(), &self.inputs);
                        return end.map_err(RunError::Bot);
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
    /// Games that could not be written yet.
    waiting: Vec<String>,
}

impl GameFile {
    /// Opens a file, keeping the games in it, or creates it.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn open(path: &Path) -> io::Result<Self> {
        // Other bots may add to the same file, and it may be cut while this one plays.
        let file = OpenOptions::new().append(true).create(true).open(path)?;
        Ok(Self { file, path: path.to_owned(), waiting: Vec::new() })
    }

    /// Adds a game. One that cannot be written is tried again with the next.
    fn append(&mut self, game: &PtnGame) {
        self.waiting.push(game.to_string());
        if let Err(error) = self.write() {
            log::warn!("{}: {error}; the game is kept for later", self.path.display());
        }
    }

    fn write(&mut self) -> io::Result<()> {
        while let Some(game) = self.waiting.first() {
            // Where there are no locks, one bot has the file for itself.
            let is_locked = self.file.lock().is_ok();
            let written = self.add(game);
            if is_locked {
                // What cannot be unlocked now is when the file is closed; the game is in it all the same.
                let _ = self.file.unlock();
            }
            written?;
            self.waiting.remove(0);
        }
        Ok(())
    }

    fn add(&self, game: &str) -> io::Result<()> {
        let length = self.file.metadata()?.len();
        let separator = if length == 0 { "" } else { "\n" };
        let mut file = &self.file;
        let written = file.write_all(format!("{separator}{game}").as_bytes()).and_then(|()| file.sync_data());
        if written.is_err() {
            // Half a game would spoil the next one. What is no file cannot be cut, and keeps nothing.
            let _ = file.set_len(length);
        }
        written
    }

    /// Tries to write what could not be written before.
    fn close(mut self) -> Result<(), RunError> {
        self.write().map_err(|error| {
            log::warn!("{}: {error}", self.path.display());
            RunError::Unwritten { games: self.waiting.len(), path: self.path.display().to_string() }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_games;

    fn game(text: &str) -> PtnGame {
        parse_games(text).next().unwrap().unwrap()
    }

    #[test]
    fn a_file_may_be_shared_and_cut() {
        let path = std::env::temp_dir().join(format!("tak-engine-games-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let mut files = [(); 2].map(|()| GameFile::open(&path).unwrap());
        let games = ["[Size \"5\"]\n1. a1 e5 *\n", "[Size \"6\"]\n1. a1 f6 *\n"].map(game);
        let count = || {
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(!text.contains('\0'), "{text:?}");
            parse_games(&text).map(Result::unwrap).count()
        };
        for round in 1..=3 {
            for (file, game) in files.iter_mut().zip(&games) {
                file.append(game);
            }
            assert_eq!(count(), 2 * round);
        }
        File::create(&path).unwrap();
        files[0].append(&games[1]);
        assert_eq!(count(), 1);
        for file in files {
            file.close().unwrap();
        }
        std::fs::remove_file(&path).unwrap();
    }
}
