//! The file that games of self-play are kept in.
//!
//! ```text
//! header   "takgames", format 2, board size u8, length u16, so many bytes of JSON: the settings, names and values,
//!          then the CRC-32 of all of the header u32
//! games    one after the other, see `games.rs`
//! ```
//!
//! Games stand in the order in which they were finished. A crash can leave the beginning of a game at the end; it is cut
//! off when games are added. Anything else that is damaged is skipped, and the log tells. Before games are added, a file of
//! the whole games alone takes the place of a damaged one: the others are played again.

use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::games::{MARK, MOST_BYTES, Parsed, TrainingGame};
use crate::board::{OpeningRule, Size};
use crate::notation::OpeningTextError;
use crate::system::files::{OpenError, open_alone, open_regular};

/// What decides how the games of a file were played, besides the board: names and values.
///
/// ```
/// use tak_engine::training::GameSettings;
///
/// let settings = GameSettings::from([("nodes".to_owned(), "500".to_owned())]);
/// assert_eq!(settings["nodes"], "500");
/// ```
pub type GameSettings = BTreeMap<String, String>;

/// The setting that says what each player's first turn does; swap where it is missing.
pub(super) const OPENING: &str = "opening";

/// What is wrong with a game file.
///
/// ```
/// use std::path::Path;
/// use tak_engine::board::Size;
/// use tak_engine::training::{GameFileError, read_games};
///
/// let error = read_games(Path::new("Cargo.toml"), Size::ALL[0]).unwrap_err();
/// assert!(matches!(error, GameFileError::NoHeader));
/// assert_eq!(error.to_string(), "not a file of self-play games");
/// ```
#[derive(Debug, thiserror::Error)]
pub enum GameFileError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Another process adds games to it.
    #[error("it is in use by another process")]
    InUse,
    /// It does not begin as a game file does.
    #[error("not a file of self-play games")]
    NoHeader,
    /// Its beginning is damaged.
    #[error("the settings at its beginning are damaged")]
    DamagedHeader,
    /// A file of another program version.
    #[error("the file has format {0}, expected 2: make it anew with datagen")]
    OtherFormat(u8),
    /// A setting for the first turns that is unknown.
    #[error("its setting {OPENING}: {0}")]
    Opening(#[from] OpeningTextError),
    /// Games of another board size.
    #[error("the file holds {found}x{found} games, expected {expected}x{expected}")]
    WrongSize {
        /// Size in the file.
        found: u8,
        /// Size wanted.
        expected: Size,
    },
    /// Parts of the file are damaged, and it cannot be written again without them.
    #[error("parts of it are damaged, and it cannot be written without them: {0}")]
    Mending(#[source] io::Error),
    /// Games played in another way.
    #[error("its games were made with other settings: {0}")]
    OtherSettings(String),
}

impl From<OpenError> for GameFileError {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Io(error) => Self::Io(error),
            OpenError::InUse => Self::InUse,
        }
    }
}

const MAGIC: &[u8; 8] = b"takgames";
const FORMAT: u8 = 2;

/// A game file open for more games. No other process can add to it until this value is dropped.
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
    file: File,
    /// The damaged file that this one took the place of. Kept, since its lock stops whoever opened it just before.
    _replaced: Option<File>,
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
        (&mut file)
            .take(header.len() as u64)
            .read_to_end(&mut start)?;
        if start.len() < header.len() && header.starts_with(&start) {
            // Empty, or its first writing was interrupted.
            file.seek(SeekFrom::Start(0))?;
            file.write_all(&header)?;
            return Ok(Self {
                file,
                _replaced: None,
                length: header.len() as u64,
                done: HashSet::new(),
            });
        }
        file.seek(SeekFrom::Start(0))?;
        let mut games = Games::new(&mut file, size)?;
        let different = differences(&games.settings, settings);
        if !different.is_empty() {
            return Err(GameFileError::OtherSettings(different));
        }
        let mut done = HashSet::new();
        for game in &mut games {
            done.insert(game?.number);
        }
        games.tell_damage(path);
        let (length, torn) = (games.bytes.offset, games.torn);
        if games.damage.0 > 0 {
            let (mended, length) = mend(path, size, &header).map_err(GameFileError::Mending)?;
            log::warn!("{}: written anew without them", path.display());
            return Ok(Self {
                file: mended,
                _replaced: Some(file),
                length,
                done,
            });
        }
        if torn > 0 {
            log::warn!("{}: dropping {torn} bytes of a torn game", path.display());
            file.set_len(length)?;
        }
        Ok(Self {
            file,
            _replaced: None,
            length,
            done,
        })
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

/// Puts a file of the whole games of `path` in its place. The old one is there until the new one is complete. Returns that,
/// locked, and its length.
fn mend(path: &Path, size: Size, header: &[u8]) -> io::Result<(File, u64)> {
    // What a link points to, so that the link stays one.
    let path = path.canonicalize()?;
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".mending");
    let temporary = path.with_file_name(name);
    let write = || {
        let mut file = open_alone(&temporary).map_err(io::Error::other)?;
        // One that a crash has left behind.
        file.set_len(0)?;
        let mut out = BufWriter::new(&file);
        out.write_all(header)?;
        for game in read_games(&path, size).map_err(io::Error::other)? {
            out.write_all(&game?.to_bytes())?;
        }
        out.flush()?;
        drop(out);
        file.sync_all()?;
        fs::rename(&temporary, &path)?;
        let length = file.stream_position()?;
        Ok((file, length))
    };
    write().inspect_err(|_| {
        // If it cannot be removed, the first error is still the one to report.
        let _ = fs::remove_file(&temporary);
    })
}

fn header(size: Size, settings: &GameSettings) -> io::Result<Vec<u8>> {
    let text = serde_json::to_string(settings)?;
    let length = u16::try_from(text.len()).map_err(io::Error::other)?;
    let mut bytes = MAGIC.to_vec();
    bytes.extend([FORMAT, size.width() as u8]);
    bytes.extend(length.to_le_bytes());
    bytes.extend(text.as_bytes());
    let sum = crc32fast::hash(&bytes);
    bytes.extend(sum.to_le_bytes());
    Ok(bytes)
}

/// `nodes 500, not 1000`, for every setting that is not the same.
fn differences(found: &GameSettings, wanted: &GameSettings) -> String {
    let names: BTreeMap<_, _> = found.iter().chain(wanted).collect();
    let value = |settings: &GameSettings, name| {
        settings
            .get(name)
            .map_or_else(|| "unset".to_owned(), String::clone)
    };
    let different = names
        .into_keys()
        .filter(|&name| found.get(name) != wanted.get(name))
        .map(|name| format!("{name} {}, not {}", value(found, name), value(wanted, name)));
    different.collect::<Vec<_>>().join("; ")
}

/// Reads the games of a file one after the other, without those that are damaged.
///
/// # Errors
/// [`GameFileError`] when it is no game file of `size`; later, for each game, when it cannot be read.
pub fn read_games(path: &Path, size: Size) -> Result<Games<File>, GameFileError> {
    Games::new(open_regular(path)?, size)
}

/// The games of a file.
///
/// ```
/// use tak_engine::board::Size;
/// use tak_engine::training::{GameFile, GameSettings, read_games};
///
/// let path = std::env::temp_dir().join(format!("count-{}.games", std::process::id()));
/// GameFile::open(&path, Size::ALL[2], &GameSettings::new())?;
/// let mut games = 0;
/// for game in read_games(&path, Size::ALL[2])? {
///     games += u32::from(!game?.plies.is_empty());
/// }
/// assert_eq!(games, 0);
/// # std::fs::remove_file(path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Games<R> {
    bytes: Bytes<R>,
    /// How they were played.
    settings: GameSettings,
    /// What each player's first turn does, by the settings.
    opening: OpeningRule,
    /// What was skipped so far: places that are damaged, and how many bytes they have.
    damage: (u64, u64),
    /// Bytes of a last game that was not written to its end.
    torn: u64,
}

impl<R: Read> Games<R> {
    fn new(input: R, size: Size) -> Result<Self, GameFileError> {
        let mut bytes = Bytes::new(input);
        let start = bytes.look(12)?;
        let format = start.strip_prefix(MAGIC).and_then(<[u8]>::first);
        match format {
            None => return Err(GameFileError::NoHeader),
            Some(&FORMAT) => {}
            Some(&other) => return Err(GameFileError::OtherFormat(other)),
        }
        let Some(&[width, low, high]) = start.get(9..12) else {
            return Err(GameFileError::DamagedHeader);
        };
        if usize::from(width) != size.width() {
            return Err(GameFileError::WrongSize {
                found: width,
                expected: size,
            });
        }
        let end = 12 + usize::from(u16::from_le_bytes([low, high]));
        let head = bytes.look(end + 4)?;
        let settings: GameSettings = head
            .get(..end + 4)
            .filter(|head| head[end..] == crc32fast::hash(&head[..end]).to_le_bytes())
            .and_then(|head| serde_json::from_slice(&head[12..end]).ok())
            .ok_or(GameFileError::DamagedHeader)?;
        bytes.skip(end + 4);
        let opening = settings
            .get(OPENING)
            .map(|name| name.parse::<OpeningRule>());
        Ok(Self {
            bytes,
            opening: opening.transpose()?.unwrap_or_default(),
            settings,
            damage: (0, 0),
            torn: 0,
        })
    }

    /// Moves on to the next whole game, or to the beginning of one that goes on after the end.
    fn skip_damage(&mut self) -> io::Result<()> {
        self.damage.0 += 1;
        let mut skipped = 1;
        loop {
            self.bytes.skip(skipped);
            self.damage.1 += skipped as u64;
            let bytes = self.bytes.look(MOST_BYTES)?;
            if bytes.is_empty() {
                return Ok(());
            }
            let is_game = match TrainingGame::parse(bytes) {
                Parsed::Game(..) => true,
                // A damaged length may reach beyond the end too, but then there are games after it.
                Parsed::Cut => !holds_game(&bytes[1..]),
                Parsed::Damaged => false,
            };
            if is_game {
                return Ok(());
            }
            // To the next mark, or to where one may begin that is not complete yet.
            let next = bytes[1..].windows(MARK.len()).position(|word| word == MARK);
            let clean = bytes.len().saturating_sub(MARK.len() - 1).max(1);
            skipped = next.map_or(clean, |next| next + 1);
        }
    }

    /// Logs what was damaged in the games read so far.
    pub(crate) fn tell_damage(&self, path: &Path) {
        let (places, bytes) = self.damage;
        if places > 0 {
            log::warn!(
                "{}: skipped {bytes} damaged bytes in {places} {}, every game there is lost",
                path.display(),
                if places == 1 { "place" } else { "places" }
            );
        }
    }

    /// Logs that the file ends in the middle of a game, if that has been seen.
    pub(crate) fn tell_torn(&self, path: &Path) {
        if self.torn > 0 {
            log::warn!("{}: its last game is torn and left out", path.display());
        }
    }
}

impl<R: Read> Iterator for Games<R> {
    type Item = io::Result<TrainingGame>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let bytes = match self.bytes.look(MOST_BYTES) {
                Ok([]) => return None,
                Ok(bytes) => bytes,
                Err(error) => return Some(Err(error)),
            };
            match TrainingGame::parse(bytes) {
                Parsed::Game(game, length) => {
                    self.bytes.skip(length);
                    return Some(Ok(TrainingGame {
                        opening_rule: self.opening,
                        ..game
                    }));
                }
                Parsed::Cut if !holds_game(&bytes[1..]) => {
                    self.torn = bytes.len() as u64;
                    return None;
                }
                Parsed::Cut | Parsed::Damaged => {
                    if let Err(error) = self.skip_damage() {
                        return Some(Err(error));
                    }
                }
            }
        }
    }
}

/// Whether there is a whole game anywhere in `bytes`.
fn holds_game(bytes: &[u8]) -> bool {
    bytes
        .windows(MARK.len())
        .enumerate()
        .filter(|(_, word)| word == MARK)
        .any(|(place, _)| matches!(TrainingGame::parse(&bytes[place..]), Parsed::Game(..)))
}

/// Bytes of a stream that can be looked at before they are taken.
#[derive(Debug)]
struct Bytes<R> {
    input: R,
    buffer: Vec<u8>,
    /// Taken bytes of the buffer.
    taken: usize,
    /// Taken bytes of the stream.
    offset: u64,
}

impl<R: Read> Bytes<R> {
    /// So many bytes are read at once.
    const CHUNK: usize = 1 << 16;

    fn new(input: R) -> Self {
        Self {
            input,
            buffer: Vec::new(),
            taken: 0,
            offset: 0,
        }
    }

    /// The next bytes, at least so many unless the stream ends before.
    fn look(&mut self, wanted: usize) -> io::Result<&[u8]> {
        if self.buffer.len() - self.taken < wanted {
            self.buffer.drain(..self.taken);
            self.taken = 0;
            let missing = (wanted - self.buffer.len()).max(Self::CHUNK);
            (&mut self.input)
                .take(missing as u64)
                .read_to_end(&mut self.buffer)?;
        }
        Ok(&self.buffer[self.taken..])
    }

    /// Takes bytes that were looked at.
    fn skip(&mut self, bytes: usize) {
        self.taken += bytes;
        self.offset += bytes as u64;
    }
}

#[cfg(test)]
mod tests {
    #[cfg(unix)]
    use std::os::unix::fs::symlink;
    use std::path::PathBuf;

    use super::*;
    use crate::training::games::tests::toy_game;

    fn size() -> Size {
        Size::new(5).unwrap()
    }

    fn settings(nodes: u32) -> GameSettings {
        [("nodes", nodes), ("seed", 1)]
            .map(|(name, value)| (name.to_owned(), value.to_string()))
            .into()
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
            assert_eq!(
                numbers(&path),
                (0..kept).chain([9]).collect::<Vec<_>>(),
                "cut at {cut}"
            );
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
            let begin = if hit == 0 {
                start
            } else {
                ends[hit as usize - 1]
            };
            let clean = [
                &whole[..begin],
                &whole[ends[hit as usize]..],
                &toy_game(hit, 1).to_bytes(),
            ];
            assert!(fs::read(&path).unwrap() == clean.concat(), "byte {place}");
        }
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn long_files_and_long_damage_are_read_in_pieces() {
        let (path, _) = written("long", 200);
        let whole = fs::read(&path).unwrap();
        let junk: Vec<u8> = (0..300_000_u32)
            .map(|i| (i.wrapping_mul(i) >> 7) as u8)
            .collect();
        fs::write(
            &path,
            [&whole[..], &junk, &toy_game(700, 5).to_bytes(), &junk].concat(),
        )
        .unwrap();
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
        let temporary = std::env::temp_dir().join(format!(
            "{}.mending",
            path.file_name().unwrap().to_str().unwrap()
        ));

        // The place of the file without the damage is taken: nothing is changed.
        fs::create_dir(&temporary).unwrap();
        let error = open(&link).unwrap_err().to_string();
        assert!(
            error.starts_with("parts of it are damaged, and it cannot"),
            "{error}"
        );
        assert_eq!(fs::read(&path).unwrap(), bytes);
        fs::remove_dir(&temporary).unwrap();

        // What a crash has left there is of no use.
        fs::write(&temporary, [7; 10_000]).unwrap();
        let before = File::open(&path).unwrap();
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
            let error =
                GameFile::open(&path, Size::new(size).unwrap(), &settings(nodes)).unwrap_err();
            error.to_string()
        };
        assert_eq!(
            refused(5, 200),
            "its games were made with other settings: nodes 100, not 200"
        );
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
        assert_eq!(
            refused(5, 100),
            "the file has format 1, expected 2: make it anew with datagen"
        );
        fs::write(&path, "nonsense that is long enough").unwrap();
        assert_eq!(refused(5, 100), "not a file of self-play games");
        fs::remove_file(&path).unwrap();
    }
}
