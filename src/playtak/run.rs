//! Runs a bot: connects it to the server, the engine, the clock and the file of games.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant, SystemTime};

use super::bot::{Bot, Event, Failure, Request, Settings};
use super::connection::{Address, News, keep_connected};
use super::protocol::Command;
use super::thinker::Thinker;
use crate::engine::Engine;
use crate::notation::PtnGame;

/// The time at the end for sending the last lines.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);
/// The maximum length of output lines in characters, since the server may send any text.
const MAX_LINE: usize = 500;

#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error(transparent)]
    Bot(#[from] Failure),
    /// The engine has panicked. The server keeps the game for a while, so a restart may resume it.
    #[error("the engine has crashed")]
    Engine,
    #[error("cannot start a thread for the engine: {0}")]
    Thread(#[source] io::Error),
    #[error("cannot write stdout")]
    Output(#[from] io::Error),
    #[error("{games} games could not be written to {path}")]
    Unwritten { games: usize, path: String },
}

/// A bot that has not started.
#[derive(Debug)]
pub struct Runner {
    inputs: Receiver<Input>,
    sender: Sender<Input>,
}

#[derive(Debug)]
enum Input {
    News(News),
    Event(Event),
    EngineLost,
}

impl Default for Runner {
    fn default() -> Self {
        let (sender, inputs) = channel();
        Self { inputs, sender }
    }
}

impl Runner {
    /// A function that asks the bot to end after the game in progress.
    pub fn interrupt(&self) -> impl Fn() + Send + 'static {
        let sender = self.sender.clone();
        move || drop(sender.send(Input::Event(Event::Interrupted)))
    }

    /// Plays until the bot ends. Output lines go to `out`, finished games to `games`.
    pub fn run(
        self,
        settings: Settings,
        address: Address,
        engine: Engine,
        mut games: Option<GameFile>,
        out: &mut dyn Write,
    ) -> Result<(), RunError> {
        let ended = self.play(settings, address, engine, games.as_mut(), out);
        // In any case, retry games that could not be written.
        let kept = games.map_or(Ok(()), GameFile::close);
        match (ended, kept) {
            (ended, Ok(())) => ended,
            // A closed output is not a failure, but lost games are.
            (Ok(()) | Err(RunError::Output(_)), unwritten) => unwritten,
            (ended, Err(unwritten)) => {
                log::warn!("{unwritten}");
                ended
            }
        }
    }

    /// Plays until the bot ends or fails.
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
            move |number, report| drop(judge.send(Input::Event(Event::Judged(number, report)))),
            move || drop(mourner.send(Input::EngineLost)),
        )
        .map_err(RunError::Thread)?;
        keep_connected(address, move |news| self.sender.send(Input::News(news)).is_ok());
        let began = Instant::now();
        let mut bot = Bot::new(settings, SystemTime::now().max(SystemTime::UNIX_EPOCH));
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
                    Input::Event(event) => event,
                    Input::EngineLost => return Err(RunError::Engine),
                },
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => Event::Tick,
            };
            for request in bot.handle(event, began.elapsed()) {
                match request {
                    Request::Send(command) => {
                        // If the connection is lost, that is the next event.
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
                        let text: String = text.chars().take(MAX_LINE).collect();
                        writeln!(out, "{}", text.replace(char::is_control, " "))?;
                        out.flush()?;
                    }
                    Request::End(end) => {
                        close(lines.take(), &self.inputs);
                        return end.map_err(RunError::Bot);
                    }
                }
            }
        }
    }
}

/// Waits until all lines have been sent and the connection has ended.
fn close(lines: Option<Sender<Command>>, inputs: &Receiver<Input>) {
    if lines.is_none() {
        return;
    }
    drop(lines);
    let until = Instant::now() + CLOSE_TIMEOUT;
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
    /// Games that are not written yet.
    waiting: Vec<String>,
}

impl GameFile {
    /// Opens a file to append games, or creates it.
    pub fn open(path: &Path) -> io::Result<Self> {
        // Other bots may append to the same file, and it may be truncated while this one plays.
        let file = OpenOptions::new().append(true).create(true).open(path)?;
        Ok(Self { file, path: path.to_owned(), waiting: Vec::new() })
    }

    /// Appends a game. If it cannot be written, it is retried with the next one.
    fn append(&mut self, game: &PtnGame) {
        self.waiting.push(game.to_string());
        if let Err(error) = self.write() {
            log::warn!("{}: {error}; the game will be written later", self.path.display());
        }
    }

    fn write(&mut self) -> io::Result<()> {
        while let Some(game) = self.waiting.first() {
            // Without locks, only one bot may use the file.
            let is_locked = self.file.lock().is_ok();
            let written = self.add(game);
            if is_locked {
                // Closing the file releases the lock too, and the game is written.
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
            // Part of a game would damage the next one. A device cannot be truncated, and stores nothing.
            let _ = file.set_len(length);
        }
        written
    }

    /// Retries the games that could not be written.
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
    fn a_file_may_be_shared_and_truncated() {
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
