//! The page in the browser: its questions over a WebSocket, with an engine of its own, and perhaps a second one.

use std::io;
use std::time::Instant;

use super::second::{Second, SecondEngine};
use super::socket::{Inbox, Outbox, Terms};
use crate::engine::{Engine, EngineThread, Settings};
use crate::page::{self, Explorer, Question, Response, Worker};

/// The most bytes of a collection in the explorer, which stays in memory while the page is connected.
const MAX_COLLECTION_BYTES: u64 = 64_000_000;

/// Serves a page.
pub fn session(inbox: Inbox, outbox: &Outbox, Terms { permissions, second }: &Terms) {
    let settings = Settings {
        hash_mib: permissions.hash_mib as usize,
        threads: permissions.threads as usize,
        ..Settings::default()
    };
    // A panic has been printed; the page gets no more answers until it is reloaded.
    match EngineThread::start(Engine::new(settings), |_| {}) {
        // If the client has disconnected, the session is over.
        Ok(engine) => _ = converse(inbox, outbox, engine, second.clone()),
        Err(error) => log::warn!("cannot start a thread for an engine: {error}"),
    }
}

fn converse(inbox: Inbox, outbox: &Outbox, mut engine: EngineThread, second: Option<SecondEngine>) -> io::Result<()> {
    // The table is allocated before the first question. If that fails, a task reports it.
    engine.submit(|engine, _| _ = engine.prepare());
    outbox.send(page::hello(second.as_ref().map(SecondEngine::name)))?;
    let to_page = outbox.clone();
    let second = second.map(|engine| Second::start(engine, Box::new(move |text| to_page.send(text)))).transpose()?;
    let mut explorer = Explorer::new(MAX_COLLECTION_BYTES);
    for text in inbox {
        let Some(question) = Question::read(&text) else {
            // Escaped, so that a client cannot send control sequences to the terminal.
            let start: String = text.chars().take(80).collect();
            log::warn!("invalid question from a page: {start:?}");
            continue;
        };
        match (question.worker(), &second) {
            (Worker::Explorer, _) => {
                outbox.send(explorer.answer(question))?;
                continue;
            }
            (Worker::Second, Some(second)) => {
                second.ask(question).or_else(|refusal| outbox.send(refusal))?;
                continue;
            }
            // A second engine goes along with ours: what that does next ends its work too.
            (Worker::Engine, Some(second)) => second.stop(),
            _ => {}
        }
        match page::answer(question) {
            Response::Answer(text) => outbox.send(text)?,
            Response::Task(task) => {
                engine.stop();
                let (outbox, asked) = (outbox.clone(), Instant::now());
                engine.submit(move |engine, stop| {
                    page::think(&task, engine, asked.elapsed(), stop, &|text| _ = outbox.send(text));
                });
            }
            Response::Stop => engine.stop(),
        }
    }
    Ok(())
}
