//! The beginning of a game file: the games it holds and their settings; and the possible faults of the file.

use std::collections::BTreeMap;
use std::io;

use crate::board::Size;
use crate::files::hash::crc32;
use crate::files::text::OpenError;
use crate::notation::OpeningTextError;

/// The settings that decide how the games of a file were played, besides the board: names and values.
pub type GameSettings = BTreeMap<String, String>;

/// The setting for each player's first turn; swap if it is missing.
pub(super) const OPENING: &str = "opening";

/// An error of a game file.
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
    #[error("unsupported file format {0}, expected 2: regenerate the file with datagen")]
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
    /// Games played in another way.
    #[error("its games were played with different settings: {0}")]
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

pub(crate) const MAGIC: &[u8; 8] = b"takgames";
pub(super) const FORMAT: u8 = 2;

/// The bytes of a header.
pub(super) fn header(size: Size, settings: &GameSettings) -> io::Result<Vec<u8>> {
    let text = serde_json::to_string(settings)?;
    let length = u16::try_from(text.len()).map_err(io::Error::other)?;
    let mut bytes = MAGIC.to_vec();
    bytes.extend([FORMAT, size.width() as u8]);
    bytes.extend(length.to_le_bytes());
    bytes.extend(text.as_bytes());
    let sum = crc32(&bytes);
    bytes.extend(sum.to_le_bytes());
    Ok(bytes)
}

/// `nodes 500, not 1000`, for every setting that is not the same.
pub(super) fn differences(found: &GameSettings, wanted: &GameSettings) -> String {
    let names: BTreeMap<_, _> = found.iter().chain(wanted).collect();
    let value = |settings: &GameSettings, name| settings.get(name).map_or_else(|| "unset".to_owned(), String::clone);
    let different = names
        .into_keys()
        .filter(|&name| found.get(name) != wanted.get(name))
        .map(|name| format!("{name} {}, not {}", value(found, name), value(wanted, name)));
    different.collect::<Vec<_>>().join("; ")
}
