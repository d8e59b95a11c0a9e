//! The file that games of self-play are kept in.
//!
//! ```text
//! header   see `header.rs`: "takgames", format 2, board size u8, length u16, so many bytes of JSON: the settings,
//!          names and values, then the CRC-32 of all of the header u32
//! games    one after the other, see `games.rs`
//! ```
//!
//! Games stand in the order in which they were finished. A crash can leave the beginning of a game at the end; it is cut
//! off when games are added. Anything else that is damaged is skipped, and the log tells. Before games are added, a file of
//! the whole games alone takes the place of a damaged one: the others are played again.

use std::collections::HashSet;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::games::TrainingGame;
use super::header::{GameFileError, GameSettings, differences, header};
use super::mending::mend;
use super::reader::Games;
use crate::board::Size;
use crate::system::files::{LockedFile, open_alone};

/// A game file open for more games. Nobody else can add to it until this value is dropped.
///
/// ```
/// use tak_engine::board::{OpeningRule, Size};
/// use tak_engine::training::{GameFile, GameSettings, Ply, TrainingGame, read_games};
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
/// let mut file = GameFile::open(&path, size, &settings)?;
/// file.append(&game)?;
/// drop(file);
/// assert_eq!(GameFile::open(&path, size, &settings)?.done, [7].into());
/// assert_eq!(read_games(&path, size)?.next().transpose()?, Some(game));
/// # std::fs::remove_file(path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct GameFile {
    file: LockedFile,
    /// The damaged file that this one took the place of. Kept, since its lock stops whoever opened it just before.
    _replaced: Option<LockedFile>,
    /// Bytes known to be whole.
    length: u64,
    /// Numbers of the games that the file holds already.
    pub done: HashSet<u32>,
}

impl GameFile {
    /// Opens `path` to add games of `size` played with `settings`, creating it if need be. A torn last game is cut off,
    /// and all else that is damaged is left out of a new file, which takes the place of the old one when it is complete.
    ///
    /// # Errors
    /// [`GameFileError`] when the file cannot be used, or holds something else; it is then unchanged.
    pub fn open(path: &Path, size: Size, settings: &GameSettings) -> Result<Self, GameFileError> {
        let mut file = open_alone(path)?;
        let header = header(size, settings)?;
        let mut start = Vec::new();
        (&*file).take(header.len() as u64).read_to_end(&mut start)?;
        if start.len() < header.len() && header.starts_with(&start) {
            // Empty, or its first writing was interrupted.
            file.seek(SeekFrom::Start(0))?;
            file.write_all(&header)?;
            return Ok(Self { file, _replaced: None, length: header.len() as u64, done: HashSet::new() });
        }
        file.seek(SeekFrom::Start(0))?;
        let mut games = Games::new(&*file, size)?;
        let different = differences(&games.settings, settings);
        if !different.is_empty() {
            return Err(GameFileError::OtherSettings(different));
        }
        let mut done = HashSet::new();
        for game in &mut games {
            done.insert(game?.number);
        }
        games.tell_damage(path);
        let (length, torn) = (games.end(), games.torn);
        if games.damage.0 > 0 {
            let (mended, length) = mend(path, size, &header).map_err(GameFileError::Mending)?;
            log::warn!("{}: written anew without them", path.display());
            return Ok(Self { file: mended, _replaced: Some(file), length, done });
        }
        if torn > 0 {
            log::warn!("{}: dropping {torn} bytes of a torn game", path.display());
            file.set_len(length)?;
        }
        Ok(Self { file, _replaced: None, length, done })
    }

    /// Appends a finished game.
    ///
    /// # Errors
    /// When the file cannot be written; it then ends with the last game before.
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
    #[cfg(unix)]
    use std::os::unix::fs::symlink;
    use std::path::PathBuf;

    use super::*;
    use crate::training::games::tests::toy_game;
    use crate::training::reader::read_games;

    fn size() -> Size {
        Size::new(5).unwrap()
    }

    fn settings(nodes: u32) -> GameSettings {
        [("nodes", nodes), ("seed", 1)].map(|(name, value)| (name.to_owned(), value.to_string())).into()
    }

    fn open(path: &Path) -> Result<GameFile, GameFileError> {
        GameFile::open(path, size(), &settings(100))
    }

    /// A file of games 0 to `games` - 1, and where each of them ends.
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
    fn a_cut_at_any_byte_costs_the_last_game_only() {
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
    fn a_damaged_byte_costs_its_game_only_and_goes_when_games_are_added() {
        let (path, ends) = written("flip", 5);
        let whole = fs::read(&path).unwrap();
        let start = ends[0] - toy_game(0, 0).to_bytes().len();
        for place in start..ends[3] {
            let mut bytes = whole.clone();
            bytes[place] ^= 0x40;
            fs::write(&path, &bytes).unwrap();
            let hit = ends.iter().filter(|&&end| end <= place).count() as u32;
            let others: Vec<u32> = (0..5).filter(|&number| number != hit).collect();
            assert_eq!(numbers(&path), others, "byte {place}");
            assert_eq!(fs::read(&path).unwrap(), bytes, "reading changes nothing");
            let mut file = open(&path).unwrap();
            assert_eq!(file.done, others.iter().copied().collect(), "byte {place}");
            file.append(&toy_game(hit, 1)).unwrap();
            drop(file);
            let begin = if hit == 0 { start } else { ends[hit as usize - 1] };
            let clean = [&whole[..begin], &whole[ends[hit as usize]..], &toy_game(hit, 1).to_bytes()];
            assert!(fs::read(&path).unwrap() == clean.concat(), "byte {place}");
        }
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn long_files_and_long_damage_are_read_in_pieces() {
        let (path, _) = written("long", 200);
        let whole = fs::read(&path).unwrap();
        let junk: Vec<u8> = (0..300_000_u32).map(|i| (i.wrapping_mul(i) >> 7) as u8).collect();
        fs::write(&path, [&whole[..], &junk, &toy_game(700, 5).to_bytes(), &junk].concat()).unwrap();
        assert_eq!(numbers(&path), (0..200).chain([700]).collect::<Vec<_>>());
        open(&path).unwrap();
        let clean = [&whole[..], &toy_game(700, 5).to_bytes()].concat();
        assert!(fs::read(&path).unwrap() == clean);
        fs::remove_file(&path).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_damaged_file_is_replaced_in_its_place_and_by_one_process_alone() {
        let (path, ends) = written("mend", 3);
        let mut bytes = fs::read(&path).unwrap();
        bytes[ends[0] + 6] ^= 1;
        fs::write(&path, &bytes).unwrap();
        let link = path.with_extension("link");
        let _ = fs::remove_file(&link);
        symlink(&path, &link).unwrap();
        let temporary = std::env::temp_dir().join(format!("{}.mending", path.file_name().unwrap().to_str().unwrap()));

        // The place of the file without the damage is taken: nothing is changed.
        fs::create_dir(&temporary).unwrap();
        let error = open(&link).unwrap_err().to_string();
        assert!(error.starts_with("parts of it are damaged, and it cannot"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), bytes);
        fs::remove_dir(&temporary).unwrap();

        // What a crash has left there is of no use.
        fs::write(&temporary, [7; 10_000]).unwrap();
        let before = fs::File::open(&path).unwrap();
        let held = open(&link).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert!(!temporary.exists());
        assert_eq!(numbers(&path), [0, 2]);
        // Neither the file that is there now nor the one before is open to others.
        assert!(matches!(open(&path), Err(GameFileError::InUse)));
        assert!(before.try_lock().is_err());
        drop(held);
        assert_eq!(open(&path).unwrap().done, HashSet::from([0, 2]));
        fs::remove_file(&link).unwrap();
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn other_files_are_refused_and_unchanged() {
        let (path, ends) = written("other", 2);
        let whole = fs::read(&path).unwrap();
        let refused = |size, nodes| {
            let error = GameFile::open(&path, Size::new(size).unwrap(), &settings(nodes)).unwrap_err();
            error.to_string()
        };
        assert_eq!(refused(5, 200), "its games were made with other settings: nodes 100, not 200");
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
        assert_eq!(refused(5, 100), "the file has format 1, expected 2: make it anew with datagen");
        fs::write(&path, "nonsense that is long enough").unwrap();
        assert_eq!(refused(5, 100), "not a file of self-play games");
        fs::remove_file(&path).unwrap();
    }
}
