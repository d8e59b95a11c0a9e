//! The games of PTN files.

use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use pyo3::prelude::*;
use tak_engine::notation::game_texts;

use crate::errors::{guarded, warn};
use crate::game::PyGame;
use crate::text::{self, TextGame};
use crate::waiting::receive;

/// Games read ahead of the one that is asked for.
const MAX_GAMES_AHEAD: usize = 16;

/// The games of a PTN file, one after the other.
#[pyclass(module = "tak_engine._native", frozen)]
pub struct GameReader {
    games: Mutex<Receiver<PyResult<TextGame>>>,
    skips: bool,
}

#[pymethods]
impl GameReader {
    /// Takes the content of a file; a thread makes games of it.
    #[new]
    fn new(text: &[u8], skips: bool) -> PyResult<Self> {
        // Old files are in Latin-1, whose bytes are the first characters of Unicode.
        let text = String::from_utf8(text.to_vec())
            .unwrap_or_else(|error| error.as_bytes().iter().map(|&byte| char::from(byte)).collect());
        let (sender, games) = sync_channel(MAX_GAMES_AHEAD);
        thread::Builder::new().name("read games".into()).spawn(move || {
            for text in game_texts(&text) {
                if sender.send(guarded(|| text::read(&text))).is_err() {
                    // The receiver is gone.
                    return;
                }
            }
        })?;
        Ok(Self { games: Mutex::new(games), skips })
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<PyGame>> {
        loop {
            match receive(py, &self.games, &AtomicBool::new(false))? {
                None => return Ok(None),
                Some(Ok(mut game)) => {
                    warn(py, game.warning.take())?;
                    return Ok(Some(game.into()));
                }
                Some(Err(_)) if self.skips => {}
                Some(Err(error)) => return Err(error),
            }
        }
    }
}
