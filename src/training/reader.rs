//! Reading the games of a file, without those that are damaged.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::games::{MARK, MOST_BYTES, Parsed, TrainingGame};
use super::header::{FORMAT, GameFileError, GameSettings, MAGIC, OPENING};
use crate::board::{OpeningRule, Size};
use crate::system::files::open_regular;

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
    pub(super) settings: GameSettings,
    /// What each player's first turn does, by the settings.
    opening: OpeningRule,
    /// What was skipped so far: places that are damaged, and how many bytes they have.
    pub(super) damage: (u64, u64),
    /// Bytes of a last game that was not written to its end.
    pub(super) torn: u64,
}

impl<R: Read> Games<R> {
    pub(super) fn new(input: R, size: Size) -> Result<Self, GameFileError> {
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
            return Err(GameFileError::WrongSize { found: width, expected: size });
        }
        let end = 12 + usize::from(u16::from_le_bytes([low, high]));
        let head = bytes.look(end + 4)?;
        let settings: GameSettings = head
            .get(..end + 4)
            .filter(|head| head[end..] == crc32fast::hash(&head[..end]).to_le_bytes())
            .and_then(|head| serde_json::from_slice(&head[12..end]).ok())
            .ok_or(GameFileError::DamagedHeader)?;
        bytes.skip(end + 4);
        let opening = settings.get(OPENING).map(|name| name.parse::<OpeningRule>());
        Ok(Self { bytes, opening: opening.transpose()?.unwrap_or_default(), settings, damage: (0, 0), torn: 0 })
    }

    /// The end of the last game that was read, in bytes of the file.
    pub(super) fn end(&self) -> u64 {
        self.bytes.offset
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
                    return Some(Ok(TrainingGame { opening_rule: self.opening, ..game }));
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
        Self { input, buffer: Vec::new(), taken: 0, offset: 0 }
    }

    /// The next bytes, at least so many unless the stream ends before.
    fn look(&mut self, wanted: usize) -> io::Result<&[u8]> {
        if self.buffer.len() - self.taken < wanted {
            self.buffer.drain(..self.taken);
            self.taken = 0;
            let missing = (wanted - self.buffer.len()).max(Self::CHUNK);
            (&mut self.input).take(missing as u64).read_to_end(&mut self.buffer)?;
        }
        Ok(&self.buffer[self.taken..])
    }

    /// Takes bytes that were looked at.
    fn skip(&mut self, bytes: usize) {
        self.taken += bytes;
        self.offset += bytes as u64;
    }
}
