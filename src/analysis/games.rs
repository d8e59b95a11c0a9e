//! PTN files of any length, read one game at a time.

use std::io::{self, BufRead};

use crate::board::{Komi, Size};
use crate::files::text::{TextLine, text_lines};
use crate::notation::{GameSplitter, GameText, ReadGame, read_game};

/// The games of a text, one after the other.
pub struct PtnGames {
    lines: Box<dyn Iterator<Item = io::Result<TextLine>> + Send>,
    splitter: GameSplitter,
    number: u64,
}

impl PtnGames {
    /// Those of a text in any encoding.
    pub fn new(input: impl BufRead + Send + 'static) -> Self {
        let lines = Box::new(text_lines(input, GameText::MAX_BYTES + 1));
        Self { lines, splitter: GameSplitter::default(), number: 0 }
    }

    /// Games so far.
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

/// What games are read with besides their text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Terms {
    /// The size of the board of games that state none.
    pub size: Option<Size>,
    /// The komi, in the place of the games' own.
    pub komi: Option<Komi>,
}

impl Terms {
    /// Reads a game as far as it can be read. Its tags name these terms.
    pub fn read(&self, text: &GameText) -> ReadGame {
        let mut read = read_game(text, self.size);
        let game = &mut read.game;
        if let Some(size) = self.size.filter(|_| game.tag("Size").or(game.tag("TPS")).is_none()) {
            game.tags.push(("Size".to_owned(), size.to_string()));
        }
        if let Some(komi) = self.komi {
            game.start.komi = komi;
            game.tags.retain(|(name, _)| !name.eq_ignore_ascii_case("Komi"));
            game.tags.push(("Komi".to_owned(), komi.to_string()));
        }
        read
    }
}
