//! The games of files that come in parts.

use std::collections::VecDeque;

use crate::notation::{GameSplitter, GameText};

/// The longest text of a game, in bytes. The rest of a longer one may be dropped, so that no game takes much memory.
pub const MAX_GAME_BYTES: usize = 1 << 20;

/// Splits files into games, a part at a time.
#[derive(Debug, Default)]
pub struct Parts {
    splitter: GameSplitter,
    /// The beginning of a line.
    rest: String,
    complete: VecDeque<GameText>,
}

impl Parts {
    /// Takes the next part of a file, which may end anywhere.
    pub fn push(&mut self, text: &str) {
        let Some((lines, rest)) = text.rsplit_once('\n') else {
            self.begin_line(text);
            return;
        };
        let mut first = std::mem::take(&mut self.rest);
        first.push_str(lines);
        self.rest.push_str(rest);
        self.push_lines(&first);
    }

    /// Takes a part of a line. The rest of a long one is dropped, since its game is too long in any case, unless its lines
    /// end with carriage returns.
    fn begin_line(&mut self, text: &str) {
        if self.rest.len() > MAX_GAME_BYTES
            && let Some(end) = self.rest.rfind('\r')
        {
            let rest = self.rest.split_off(end + 1);
            let lines = std::mem::replace(&mut self.rest, rest);
            self.push_lines(&lines);
        }
        if self.rest.len() <= MAX_GAME_BYTES {
            self.rest.push_str(text);
        }
    }

    /// The end of a file. The lines of the next one are counted from 1.
    pub fn finish(&mut self) {
        let rest = std::mem::take(&mut self.rest);
        self.push_lines(&rest);
        let mut splitter = std::mem::take(&mut self.splitter);
        splitter.finish();
        self.complete.extend(std::iter::from_fn(|| splitter.take()));
    }

    fn push_lines(&mut self, text: &str) {
        for line in text.split('\n').flat_map(|line| line.trim_end_matches('\r').split('\r')) {
            self.splitter.push(line);
            self.complete.extend(std::iter::from_fn(|| self.splitter.take()));
        }
    }

    /// The next game that is complete.
    pub fn take(&mut self) -> Option<GameText> {
        self.complete.pop_front()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_end_anywhere() {
        let mut parts = Parts::default();
        for part in ["[Size \"5\"]\n1. a1 e", "5\n[Size \"5\"]\n", "1. b1 e5\n"] {
            parts.push(part);
        }
        parts.finish();
        assert_eq!(parts.take().unwrap().text.trim_end(), "[Size \"5\"]\n1. a1 e5");
        assert_eq!(parts.take().unwrap().text.trim_end(), "[Size \"5\"]\n1. b1 e5");
        assert!(parts.take().is_none());
    }
}
