//! Reading the games of a file.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use anyhow::{Context, anyhow, bail, ensure};
use tak_engine::board::{OpeningRule, Size};
use tak_engine::files::text::open_regular;
use tak_engine::journals::hash::crc32;

use super::game::{HEAD, TrainingGame};
use super::header::{FORMAT, GameSettings, MAGIC, OPENING};

const DAMAGED: &str = "the settings at its beginning are damaged";

/// Reads the games of a file one after the other.
///
/// # Errors
/// The file is not a game file of `size`; later, a game cannot be read.
pub fn read_games(path: &Path, size: Size) -> anyhow::Result<Games<File>> {
    let games = open_games(path)?;
    games.check_size(size)?;
    Ok(games)
}

/// The same for games of any size.
///
/// # Errors
/// The file is not a game file; later, a game cannot be read.
pub fn open_games(path: &Path) -> anyhow::Result<Games<File>> {
    Games::new(open_regular(path)?)
}

/// The games of a file, one after the other.
#[derive(Debug)]
pub struct Games<R> {
    input: BufReader<R>,
    /// The size of their boards.
    pub size: Size,
    /// The settings they were played with.
    pub(super) settings: GameSettings,
    /// The rule of each player's first turn, from the settings.
    opening: OpeningRule,
    /// The end of the last game that was read, in bytes of the file.
    pub(super) end: u64,
    /// Bytes of an incomplete last game.
    pub(super) incomplete: u64,
}

impl<R: Read> Games<R> {
    pub(super) fn new(input: R) -> anyhow::Result<Self> {
        let mut input = BufReader::new(input);
        let mut head = Vec::new();
        read_up_to(&mut input, 12, &mut head)?;
        match head.strip_prefix(MAGIC).and_then(<[u8]>::first) {
            None => bail!("not a file of self-play games"),
            Some(&FORMAT) => {}
            Some(&other) => {
                bail!("unsupported file format {other}, expected {FORMAT}: regenerate the file with datagen")
            }
        }
        let Some(&[width, low, high]) = head.get(9..12) else {
            bail!(DAMAGED);
        };
        read_up_to(&mut input, usize::from(u16::from_le_bytes([low, high])) + 4, &mut head)?;
        let settings: GameSettings =
            unsealed(&head).and_then(|head| serde_json::from_slice(head.get(12..)?).ok()).context(DAMAGED)?;
        let size = Size::new(width.into()).context(DAMAGED)?;
        let opening = settings.get(OPENING).map(|name| name.parse::<OpeningRule>());
        let opening =
            opening.transpose().map_err(|error| anyhow!("its setting {OPENING}: {error}"))?.unwrap_or_default();
        Ok(Self { input, size, opening, settings, end: head.len() as u64, incomplete: 0 })
    }

    pub(super) fn check_size(&self, wanted: Size) -> anyhow::Result<()> {
        let size = self.size;
        ensure!(size == wanted, "the file holds {size}x{size} games, expected {wanted}x{wanted}");
        Ok(())
    }

    /// Warns that the file ends in the middle of a game, if that was found.
    pub(crate) fn warn_of_incomplete_end(&self, path: &Path) {
        if self.incomplete > 0 {
            log::warn!("{}: skipped its incomplete last game", path.display());
        }
    }

    /// The next game, `None` at the end.
    fn read(&mut self) -> io::Result<Option<TrainingGame>> {
        let mut bytes = Vec::new();
        read_up_to(&mut self.input, HEAD, &mut bytes)?;
        let damaged = || {
            let reason = format!("damaged game at byte {}; cut the file there to keep the games before it", self.end);
            io::Error::new(io::ErrorKind::InvalidData, reason)
        };
        let rest = TrainingGame::bytes_after(&bytes).ok_or_else(damaged)?;
        if rest == 0 || read_up_to(&mut self.input, rest, &mut bytes)? < rest {
            // A damaged length may reach beyond the end too, but then there are games after it.
            if holds_game(&bytes) {
                return Err(damaged());
            }
            if !bytes.is_empty() {
                self.incomplete = bytes.len() as u64;
            }
            return Ok(None);
        }
        let game = unsealed(&bytes).and_then(TrainingGame::parse).ok_or_else(damaged)?;
        self.end += bytes.len() as u64;
        Ok(Some(TrainingGame { opening_rule: self.opening, ..game }))
    }
}

impl<R: Read> Iterator for Games<R> {
    type Item = io::Result<TrainingGame>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

/// Appends up to `count` bytes of `input` to `bytes`. Returns how many there were.
fn read_up_to(input: &mut impl Read, count: usize, bytes: &mut Vec<u8>) -> io::Result<usize> {
    input.take(count as u64).read_to_end(bytes)
}

/// Bytes without the check sum at their end, if that is right.
fn unsealed(bytes: &[u8]) -> Option<&[u8]> {
    let (bytes, sum) = bytes.split_last_chunk::<4>()?;
    (crc32(bytes).to_le_bytes() == *sum).then_some(bytes)
}

/// Returns whether there is a whole game after the first of these bytes.
fn holds_game(bytes: &[u8]) -> bool {
    (1..bytes.len()).any(|start| {
        let bytes = &bytes[start..];
        let after = bytes.get(..HEAD).and_then(TrainingGame::bytes_after);
        after.and_then(|after| bytes.get(..HEAD + after)).and_then(unsealed).is_some()
    })
}
