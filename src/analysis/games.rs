//! PTN files of any length, read one game at a time.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor};
use std::path::Path;

use crate::files::text::{TextLine, open_regular, read_bytes, text_lines};
use crate::notation::{GameSplitter, GameText};

/// The games of a file or of stdin, one after the other.
pub struct PtnGames {
    lines: Box<dyn Iterator<Item = io::Result<TextLine>> + Send>,
    splitter: GameSplitter,
    number: u64,
}

impl PtnGames {
    /// Those of a file, or of stdin if it is named `-`. Errors name it.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn open(file: &Path) -> io::Result<Self> {
        if file == Path::new("-") {
            return Ok(Self::new(BufReader::new(io::stdin())));
        }
        let named = |error: io::Error| io::Error::new(error.kind(), format!("cannot read {}: {error}", file.display()));
        Ok(Self::new(BufReader::with_capacity(1 << 16, open_regular(file).map_err(named)?)))
    }

    /// Those of a file, a pipe, or stdin that is read whole, so that endless input is refused.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(file: File) -> io::Result<Self> {
        Ok(Self::new(Cursor::new(read_bytes(file)?)))
    }

    /// Those of a text in any encoding.
    pub fn new(input: impl BufRead + Send + 'static) -> Self {
        let lines = Box::new(text_lines(input, GameText::MAX_BYTES + 1));
        Self { lines, splitter: GameSplitter::default(), number: 0 }
    }

    /// Games so far.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.number
    }

    /// The next game, with its number from 0; `None` at the end.
    ///
    /// # Errors
    /// If the text cannot be read.
    #[expect(clippy::should_implement_trait, reason = "errors come first: the end of the games is no error")]
    pub fn next(&mut self) -> io::Result<Option<(u64, GameText)>> {
        let game = loop {
            if let Some(game) = self.splitter.take() {
                break game;
            }
            match self.lines.next().transpose()? {
                Some(line) if line.is_recoded => self.splitter.push_recoded(&line.text),
                Some(line) => self.splitter.push(&line.text),
                None => {
                    self.splitter.finish();
                    match self.splitter.take() {
                        Some(game) => break game,
                        None => return Ok(None),
                    }
                }
            }
        };
        let number = self.number;
        self.number += 1;
        Ok(Some((number, game)))
    }
}
