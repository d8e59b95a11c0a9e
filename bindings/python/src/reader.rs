//! The games of PTN files.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use tak_engine::notation::GameSplitter;

use crate::errors::{guarded, warn};
use crate::game::PyGame;
use crate::text;

/// The games of a stream, one after the other. No more of it is read than shows the end of a game.
#[pyclass(module = "tak_engine._native")]
pub struct GameReader {
    source: Py<PyAny>,
    skips: bool,
    splitter: GameSplitter,
    is_over: bool,
}

impl GameReader {
    /// Reads on to the next line end.
    fn read_line(&mut self, py: Python<'_>) -> PyResult<()> {
        let line = self.source.bind(py).call_method0("readline")?;
        let (text, is_recoded) = match line.cast::<PyBytes>() {
            Ok(bytes) => match str::from_utf8(bytes.as_bytes()) {
                Ok(text) => (text.to_owned(), false),
                // Old files are in Latin-1, whose bytes are the first characters of Unicode.
                Err(_) => (bytes.as_bytes().iter().map(|&byte| char::from(byte)).collect(), true),
            },
            Err(_) => (line.cast::<PyString>()?.to_string_lossy().into_owned(), false),
        };
        if text.is_empty() {
            self.is_over = true;
            self.splitter.finish();
            return Ok(());
        }
        // Streams know no line end of old systems, a carriage return alone.
        for line in text.trim_end_matches(['\r', '\n']).split('\r') {
            if is_recoded {
                self.splitter.push_recoded(line);
            } else {
                self.splitter.push(line);
            }
        }
        Ok(())
    }
}

#[pymethods]
impl GameReader {
    /// Takes a stream of text or bytes.
    #[new]
    fn new(source: Py<PyAny>, skips: bool) -> Self {
        Self { source, skips, splitter: GameSplitter::default(), is_over: false }
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<PyGame>> {
        loop {
            while let Some(text) = self.splitter.take() {
                match py.detach(|| guarded(|| text::read(&text))) {
                    Ok(mut game) => {
                        warn(py, game.warning.take())?;
                        return Ok(Some(game.into()));
                    }
                    Err(_) if self.skips => {}
                    Err(error) => return Err(error),
                }
            }
            if self.is_over {
                return Ok(None);
            }
            py.check_signals()?;
            self.read_line(py)?;
        }
    }
}
