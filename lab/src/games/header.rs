//! The beginning of a game file: the games it holds and their settings.

use std::collections::BTreeMap;
use std::io;

use tak_engine::board::Size;
use tak_engine::journals::hash::crc32;

/// The settings that decide how the games of a file were played, besides the board: names and values.
pub type GameSettings = BTreeMap<String, String>;

/// The setting for each player's first turn; swap if it is missing.
pub(super) const OPENING: &str = "opening";

pub(super) const MAGIC: &[u8; 8] = b"takgames";
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
