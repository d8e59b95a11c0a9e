//! Runs a bot: connects it to the server, the engine, the clock and the file of games.

use std::io::{self, Write};
use std::time::{Instant, SystemTime};

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};

use crate::bot::{Bot, Event, Failure, Request, Settings};
use crate::connection::{Address, Connection};
use crate::game_file::{GameFile, Unwritten};
use crate::thinker::Thinker;
use tak_engine::engine::Engine;

/// The maximum length of output lines in characters, since the server may send any text.
const MAX_LINE_CHARS: usize = 500;

#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error(transparent)]
    Bot(#[from] Failure),
    #[error("cannot start a thread for the engine")]
    Thread(#[source] io::Error),
    #[error("{0}")]
    Output(#[from] io::Error),
    #[error(transparent)]
    Unwritten(#[from] Unwritten),
}

/// The events of the bot that do not come from the server: a sender for the engine's thread and for signals, and the
/// receiver.
pub struct Events(pub UnboundedSender<Event>, pub UnboundedReceiver<Event>);

/// Plays until the bot ends. Output lines go to `out`, finished games to `games`.
pub async fn run(
    settings: Settings,
    address: Address,
    engine: Engine,
    events: Events,
    mut games: Option<GameFile>,
    out: &mut dyn Write,
) -> Result<(), RunError> {
    let ended = play(settings, address, engine, events, games.as_mut(), out).await;
    // In any case, retry games that could not be written.
    let kept = games.map_or(Ok(()), GameFile::close);
    match (ended, kept) {
        (ended, Ok(())) => ended,
        // A closed output is not a failure, but lost games are.
        (Ok(()) | Err(RunError::Output(_)), Err(unwritten)) => Err(unwritten.into()),
        (ended, Err(unwritten)) => {
            log::warn!("{unwritten}");
            ended
        }
    }
}

/// Plays until the bot ends or fails.
async fn play(
    settings: Settings,
    address: Address,
    engine: Engine,
    Events(sender, mut events): Events,
    mut games: Option<&mut GameFile>,
    out: &mut dyn Write,
) -> Result<(), RunError> {
    let mut thinker = Thinker::start(engine, sender).map_err(RunError::Thread)?;
    let mut connection = Connection::new(address);
    let began = Instant::now();
    let mut bot = Bot::new(settings, SystemTime::now().max(SystemTime::UNIX_EPOCH));
    loop {
        let wait = bot.wake_at().saturating_sub(began.elapsed());
        let event = tokio::select! {
            event = connection.next() => event,
            Some(event) = events.recv() => event,
            () = tokio::time::sleep(wait) => Event::Tick,
        };
        for request in bot.handle(event, began.elapsed()) {
            match request {
                Request::Send(command) => connection.send(&command).await,
                Request::HangUp => connection.hang_up(),
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
                    let text: String = text.chars().take(MAX_LINE_CHARS).collect();
                    writeln!(out, "{}", text.replace(char::is_control, " "))?;
                    out.flush()?;
                }
                Request::End(end) => {
                    connection.close().await;
                    return end.map_err(RunError::Bot);
                }
            }
        }
    }
}
