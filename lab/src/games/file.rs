//! The file that games of self-play are kept in.
//!
//! ```text
//! header   see `header.rs`: "takgames", format 2, board size u8, length u16, JSON of that length: the settings,
//!          names and values, then the CRC-32 of all of the header u32
//! games    one after the other, see `game.rs`
//! ```
//!
//! Games stand in the order in which they were finished. A crash can leave the beginning of a game at the end; it is cut
//! off when games are added. A file with any other damage is refused with its place.

use std::collections::HashSet;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use tak_engine::board::Size;
use tak_engine::files::text::{LockedFile, open_alone};

use super::game::TrainingGame;
use super::header::{GameSettings, differences, header};
use super::reader::Games;

/// A game file open for more games, exclusively until this value is dropped.
///
/// ```
/// use tak_engine::board::{OpeningRule, Size};
/// use tak_lab::games::{GameWriter, GameSettings, Ply, TrainingGame, read_games};
///
/// let game = TrainingGame {
///     number: 7,
///     half_komi: 4,
///     opening_rule: OpeningRule::Swap,
///     winner: None,
///     opening: 1,
///     plies: vec![Ply { mv: "a1".parse()?, score: 0 }],
/// };
/// let (size, settings) = (Size::ALL[2], GameSettings::new());
/// let path = std::env::temp_dir().join(format!("append-{}.games", std::process::id()));
/// let mut file = GameWriter::open(&path, size, &settings)?;
/// file.append(&game)?;
/// drop(file);
/// assert_eq!(GameWriter::open(&path, size, &settings)?.done, [7].into());
/// assert_eq!(read_games(&path, size)?.next().transpose()?, Some(game));
/// # std::fs::remove_file(path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct GameWriter {
    file: LockedFile,
    /// Bytes known to be whole.
    length: u64,
    /// Numbers of the games that the file holds already.
    pub done: HashSet<u32>,
}

impl GameWriter {
    /// Opens `path` to add games of `size` played with `settings`, creating it if need be. An incomplete last game is cut
    /// off.
    ///
    /// # Errors
    /// The file cannot be used, is damaged, or holds something else; it is then unchanged.
    pub fn open(path: &Path, size: Size, settings: &GameSettings) -> anyhow::Result<Self> {
        let mut file = open_alone(path)?;
        let header = header(size, settings)?;
        let mut start = Vec::new();
        (&*file).take(header.len() as u64).read_to_end(&mut start)?;
        if start.len() < header.len() && header.starts_with(&start) {
            // Empty, or its first writing was interrupted.
            file.seek(SeekFrom::Start(0))?;
            file.write_all(&header)?;
            return Ok(Self { file, length: header.len() as u64, done: HashSet::new() });
        }
        file.seek(SeekFrom::Start(0))?;
        let mut games = Games::new(&*file)?;
        games.check_size(size)?;
        let different = differences(&games.settings, settings);
        if !different.is_empty() {
            anyhow::bail!("its games were played with different settings: {different}");
        }
        let mut done = HashSet::new();
        for game in &mut games {
            done.insert(game?.number);
        }
        let (length, incomplete) = (games.end, games.incomplete);
        if incomplete > 0 {
            log::warn!("{}: cut off {incomplete} bytes of an incomplete game", path.display());
            file.set_len(length)?;
        }
        Ok(Self { file, length, done })
    }

    /// Appends a finished game.
    ///
    /// # Errors
    /// If the file cannot be written; it then ends with the last game before.
    pub fn append(&mut self, game: &TrainingGame) -> io::Result<()> {
        let bytes = game.to_bytes();
        self.file.seek(SeekFrom::Start(self.length))?;
        if let Err(error) = self.file.write_all(&bytes) {
            // If this fails too, the next run does it.
            let _ = self.file.set_len(self.length);
            return Err(error);
        }
        self.length += bytes.len() as u64;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::*;
    use crate::games::game::tests::toy_game;
    use crate::games::reader::read_games;

    fn size() -> Size {
        Size::new(5).unwrap()
    }

    fn settings(nodes: u32) -> GameSettings {
        [("nodes", nodes), ("seed", 1)].map(|(name, value)| (name.to_owned(), value.to_string())).into()
    }

    fn open(path: &Path) -> anyhow::Result<GameWriter> {
        GameWriter::open(path, size(), &settings(100))
    }

    /// A file of games 0 to `games` - 1, and the end of each of them.
    fn written(name: &str, games: u32) -> (PathBuf, Vec<usize>) {
        let path = std::env::temp_dir().join(format!("tak-{name}-{}", std::process::id()));
        let _ = fs::remove_file(&path);
        let mut file = open(&path).unwrap();
        let ends = (0..games).map(|number| {
            file.append(&toy_game(number, 3 * number as usize)).unwrap();
            file.length as usize
        });
        let ends = ends.collect();
        (path, ends)
    }

    fn numbers(path: &Path) -> Vec<u32> {
        let games = read_games(path, size()).unwrap();
        games.map(|game| game.unwrap().number).collect()
    }

    #[test]
    fn a_truncated_file_loses_only_its_last_game() {
        let (path, ends) = written("cut", 4);
        let whole = fs::read(&path).unwrap();
        for cut in 0..whole.len() {
            fs::write(&path, &whole[..cut]).unwrap();
            let mut file = open(&path).unwrap();
            let kept = ends.iter().filter(|&&end| end <= cut).count() as u32;
            assert_eq!(file.done, (0..kept).collect(), "cut at {cut}");
            file.append(&toy_game(9, 2)).unwrap();
            drop(file);
            assert_eq!(numbers(&path), (0..kept).chain([9]).collect::<Vec<_>>(), "cut at {cut}");
        }
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_damaged_byte_is_refused_with_its_place() {
        let (path, ends) = written("flip", 5);
        let whole = fs::read(&path).unwrap();
        let start = ends[0] - toy_game(0, 0).to_bytes().len();
        for place in start..ends[3] {
            let mut bytes = whole.clone();
            bytes[place] ^= 1;
            fs::write(&path, &bytes).unwrap();
            let begin = ends.iter().copied().rfind(|&end| end <= place).unwrap_or(start);
            let error = open(&path).map(drop).unwrap_err().to_string();
            assert!(error.starts_with(&format!("damaged game at byte {begin};")), "byte {place}: {error}");
            assert!(fs::read(&path).unwrap() == bytes);
        }
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn other_files_are_refused_and_unchanged() {
        let (path, ends) = written("other", 2);
        let whole = fs::read(&path).unwrap();
        let refused = |size, nodes| {
            let error = GameWriter::open(&path, Size::new(size).unwrap(), &settings(nodes)).unwrap_err();
            error.to_string()
        };
        assert_eq!(refused(5, 200), "its games were played with different settings: nodes 100, not 200");
        assert_eq!(refused(6, 100), "the file holds 5x5 games, expected 6x6");
        let held = open(&path).unwrap();
        assert_eq!(refused(5, 100), "it is in use by another process");
        drop(held);
        assert_eq!(fs::read(&path).unwrap(), whole);
        // A flipped bit among the settings.
        let mut bytes = whole.clone();
        bytes[ends[0] - toy_game(0, 0).to_bytes().len() - 8] ^= 1;
        fs::write(&path, bytes).unwrap();
        assert_eq!(refused(5, 100), "the settings at its beginning are damaged");
        fs::write(&path, b"takgames\x01\x05 and so on").unwrap();
        assert_eq!(refused(5, 100), "unsupported file format 1, expected 2: regenerate the file with datagen");
        fs::write(&path, "nonsense that is long enough").unwrap();
        assert_eq!(refused(5, 100), "not a file of self-play games");
        fs::remove_file(&path).unwrap();
    }
}
