//! The PTN file of a bot's games.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tak_engine::notation::PtnGame;

/// Games that could not be written.
#[derive(Debug, thiserror::Error)]
#[error("{games} games could not be written to {path}")]
pub struct Unwritten {
    games: usize,
    path: String,
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
    pub fn append(&mut self, game: &PtnGame) {
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
    ///
    /// # Errors
    /// The number of games that are in no file.
    pub fn close(mut self) -> Result<(), Unwritten> {
        self.write().map_err(|error| {
            log::warn!("{}: {error}", self.path.display());
            Unwritten { games: self.waiting.len(), path: self.path.display().to_string() }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tak_engine::notation::parse_games;

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
