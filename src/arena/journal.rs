//! The journal: a file to which every finished game is appended, and synced, before it counts.
//!
//! One JSON object a line. The first line holds the settings of the tournament, every other line a game. The last field
//! of each is the CRC-32 of the line up to there, so that no line is changed unnoticed. A crash can leave an incomplete
//! last line; it is dropped. Anything else that does not fit is an error.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::record::GameRecord;
use super::schedule::Pairing;
use super::settings::TournamentSettings;
use crate::system::files::{OpenError, open_alone, open_regular};

/// Why a journal cannot be used.
///
/// ```
/// use std::path::Path;
/// use tak_engine::arena::journal::{JournalError, read};
///
/// let error = read(Path::new("Cargo.toml")).unwrap_err();
/// assert!(matches!(error, JournalError::NoHeader { .. }));
/// assert!(error.to_string().starts_with("Cargo.toml: the first line does not hold the settings"));
/// ```
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum JournalError {
    /// The system refused.
    #[error("{}: cannot {doing}: {reason}", path.display())]
    Io {
        path: PathBuf,
        /// What was tried.
        doing: &'static str,
        reason: io::Error,
    },
    /// There are games in it already.
    #[error("{} exists already; continue it with --resume or name another journal", .0.display())]
    Exists(PathBuf),
    /// Another process writes it.
    #[error("{} is in use by another process", .0.display())]
    InUse(PathBuf),
    /// Not a journal.
    #[error("{}: the first line does not hold the settings of a tournament: {reason}", path.display())]
    NoHeader { path: PathBuf, reason: String },
    /// Not a game, and not the last line.
    #[error("{}, line {line}: not a game: {reason}", path.display())]
    NoGame {
        path: PathBuf,
        /// From 1.
        line: usize,
        reason: String,
    },
    /// A line without a check sum.
    #[error(
        "{}, line {line}: it has no check sum, so it was written by an older version or by hand",
        path.display()
    )]
    NoSum {
        path: PathBuf,
        /// From 1.
        line: usize,
    },
    /// A line that does not fit its check sum.
    #[error("{}, line {line}: it was changed after it was written, its check sum is wrong", path.display())]
    Changed {
        path: PathBuf,
        /// From 1.
        line: usize,
    },
    /// Games of a tournament with other settings.
    #[error("{} belongs to a tournament with other settings, different: {}", path.display(), fields.join(", "))]
    OtherSettings {
        path: PathBuf,
        /// What is different, in words.
        fields: Vec<&'static str>,
    },
}

/// The first line.
#[derive(Serialize, Deserialize)]
struct Header {
    tournament: TournamentSettings,
}

/// What a journal holds.
///
/// ```
/// use tak_engine::arena::journal::{Journal, read};
/// use tak_engine::arena::settings::TournamentSettings;
///
/// # let settings: TournamentSettings = serde_json::from_str(
/// #     r#"{"engines": [{"name": "mine", "time": "tc=10+0.1", "settings": ""},
/// #                     {"name": "other", "time": "tc=10+0.1", "settings": ""}],
/// #         "format": "sprt", "games": 2, "size": 6, "half_komi": 4,
/// #         "order": "sequential", "seed": 1, "openings": 1, "openings_hash": "77"}"#,
/// # )?;
/// let path = std::env::temp_dir().join(format!("contents-{}.jsonl", std::process::id()));
/// let journal = Journal::create(&path, &settings)?;
/// let contents = read(&path)?;
/// assert_eq!(contents.settings, settings);
/// assert_eq!((contents.games.len(), contents.torn_bytes), (0, 0));
/// # std::fs::remove_file(path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Contents {
    /// The settings of the tournament.
    pub settings: TournamentSettings,
    /// Each game once, in the order of the file. All are games of the tournament's list of pairings.
    pub games: Vec<GameRecord>,
    /// Further records of games that were there already.
    pub duplicates: usize,
    /// Bytes of an incomplete last line, 0 if the file ends as it should.
    pub torn_bytes: u64,
}

/// A journal open for writing. No other process can open it until this value is dropped.
///
/// ```
/// use tak_engine::arena::journal::Journal;
/// use tak_engine::arena::record::GameRecord;
/// use tak_engine::arena::settings::TournamentSettings;
///
/// # let settings: TournamentSettings = serde_json::from_str(
/// #     r#"{"engines": [{"name": "mine", "time": "tc=10+0.1", "settings": ""},
/// #                     {"name": "other", "time": "tc=10+0.1", "settings": ""}],
/// #         "format": "sprt", "games": 2, "size": 6, "half_komi": 4,
/// #         "order": "sequential", "seed": 1, "openings": 1, "openings_hash": "77"}"#,
/// # )?;
/// # let game: GameRecord = serde_json::from_str(
/// #     r#"{"settings": "", "game": 0, "round": 0, "pair": 0, "white": 0, "black": 1, "opening": 0,
/// #         "start_tps": "x6/x6/x6/x6/x6/x6 1 1", "opening_plies": 2, "result": "1-0", "termination": "road",
/// #         "moves": [{"mv": "a1"}, {"mv": "f6"}, {"mv": "c3", "depth": 9, "nodes": 500, "us": 2000}],
/// #         "started": "2026-03-01T12:00:00Z", "wall_ms": 100}"#,
/// # )?;
/// let path = std::env::temp_dir().join(format!("journal-{}.jsonl", std::process::id()));
/// let mut journal = Journal::create(&path, &settings)?;
/// journal.append(&GameRecord { settings: settings.fingerprint(), ..game })?;
/// drop(journal);
/// let (_journal, contents) = Journal::resume(&path, &settings)?;
/// assert_eq!(contents.games.len(), 1);
/// # std::fs::remove_file(path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
    /// Bytes known to be complete lines.
    length: u64,
}

impl Journal {
    /// Starts a journal.
    ///
    /// # Errors
    /// [`JournalError::Exists`] if there is something in the file already.
    pub fn create(path: &Path, settings: &TournamentSettings) -> Result<Self, JournalError> {
        let mut journal = Self::open(path)?;
        if journal.length > 0 {
            return Err(JournalError::Exists(path.to_owned()));
        }
        journal.start(settings)?;
        Ok(journal)
    }

    /// Continues a journal, or starts it if there is none. Returns what it holds already. An incomplete last line is
    /// cut off the file.
    ///
    /// # Errors
    /// [`JournalError`] if it is not a journal of this tournament.
    pub fn resume(
        path: &Path,
        settings: &TournamentSettings,
    ) -> Result<(Self, Contents), JournalError> {
        let mut journal = Self::open(path)?;
        let held = scan(&mut BufReader::new(&journal.file), path)?;
        let contents = held.contents.unwrap_or_else(|| Contents {
            settings: settings.clone(),
            games: Vec::new(),
            duplicates: 0,
            torn_bytes: held.torn_bytes,
        });
        let fields = contents.settings.differences(settings);
        if !fields.is_empty() {
            let path = path.to_owned();
            return Err(JournalError::OtherSettings { path, fields });
        }
        journal.length = held.complete_bytes;
        if contents.torn_bytes > 0 {
            journal
                .cut()
                .map_err(|e| journal.error("drop the incomplete last line", e))?;
        }
        if journal.length == 0 {
            journal.start(settings)?;
        }
        Ok((journal, contents))
    }

    /// Appends a game. When this returns without an error, the game is on the disk.
    ///
    /// # Errors
    /// [`JournalError::Io`]; the file then ends with the last game before.
    ///
    /// # Panics
    /// Never: a record is plain data that always has a JSON form.
    pub fn append(&mut self, game: &GameRecord) -> Result<(), JournalError> {
        let line = serde_json::to_string(game).expect("a record is plain data");
        self.append_line(line)
    }

    fn open(path: &Path) -> Result<Self, JournalError> {
        let error = |doing, reason| JournalError::Io {
            path: path.to_owned(),
            doing,
            reason,
        };
        let file = open_alone(path).map_err(|refused| match refused {
            OpenError::InUse => JournalError::InUse(path.to_owned()),
            OpenError::Io(e) => error("open it", e),
        })?;
        let length = file
            .metadata()
            .map_err(|e| error("read its length", e))?
            .len();
        Ok(Self {
            file,
            path: path.to_owned(),
            length,
        })
    }

    /// Writes the first line.
    fn start(&mut self, settings: &TournamentSettings) -> Result<(), JournalError> {
        let header = Header {
            tournament: settings.clone(),
        };
        self.append_line(serde_json::to_string(&header).expect("settings are plain data"))?;
        // The file's name is data of its folder. Where a folder cannot be synced, the system has to do it by itself.
        let folder = self
            .path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        if let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) {
            let _ = folder.sync_all();
        }
        Ok(())
    }

    /// Appends a JSON object.
    fn append_line(&mut self, object: String) -> Result<(), JournalError> {
        let line = sealed(object);
        if let Err(error) = self.write_synced(line.as_bytes()) {
            // Half a line in the middle of the file would spoil it. If this fails too, no line is written after it.
            let _ = self.cut();
            return Err(self.error("append to it", error));
        }
        self.length += line.len() as u64;
        Ok(())
    }

    fn write_synced(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(self.length))?;
        self.file.write_all(bytes)?;
        self.file.sync_data()
    }

    /// Cuts off what follows the last complete line.
    fn cut(&mut self) -> io::Result<()> {
        self.file.set_len(self.length)?;
        self.file.sync_data()
    }

    fn error(&self, doing: &'static str, reason: io::Error) -> JournalError {
        JournalError::Io {
            path: self.path.clone(),
            doing,
            reason,
        }
    }
}

/// Reads a journal without changing it; another process may be writing it meanwhile.
///
/// # Errors
/// [`JournalError`] if it cannot be read or is not a journal.
pub fn read(path: &Path) -> Result<Contents, JournalError> {
    let file = open_regular(path).map_err(|reason| JournalError::Io {
        path: path.to_owned(),
        doing: "open it",
        reason,
    })?;
    let held = scan(&mut BufReader::new(file), path)?;
    held.contents.ok_or_else(|| JournalError::NoHeader {
        path: path.to_owned(),
        reason: "there is no complete line".to_owned(),
    })
}

/// What was found in a file.
#[derive(Default)]
struct Held {
    /// `None` if there is no complete line.
    contents: Option<Contents>,
    complete_bytes: u64,
    torn_bytes: u64,
}

fn scan(reader: &mut impl BufRead, path: &Path) -> Result<Held, JournalError> {
    let mut lines = Lines {
        reader,
        path,
        number: 0,
        bytes: 0,
    };
    let Some(first) = lines.next()? else {
        return Ok(Held::default());
    };
    if is_torn_header(&first) {
        return Ok(Held {
            torn_bytes: lines.bytes,
            ..Held::default()
        });
    }
    let no_header = |reason| JournalError::NoHeader {
        path: path.to_owned(),
        reason,
    };
    let Header { tournament } =
        serde_json::from_slice(&first).map_err(|e| no_header(e.to_string()))?;
    check_seal(&first, path, 1)?;
    let fingerprint = tournament.fingerprint();
    let pairings = tournament.schedule().pairings();
    let pairings = pairings.map_err(|e| no_header(e.to_string()))?;
    let mut games = Vec::new();
    let mut seen = HashSet::new();
    let mut duplicates = 0;
    let mut complete_bytes = lines.bytes;
    while let Some(line) = lines.next()? {
        let number = lines.number;
        let no_game = |reason| JournalError::NoGame {
            path: path.to_owned(),
            line: number,
            reason,
        };
        match serde_json::from_slice::<GameRecord>(&line) {
            Ok(game) if line.ends_with(b"\n") => {
                check_seal(&line, path, number)?;
                check(&game, &pairings, &fingerprint).map_err(no_game)?;
                complete_bytes = lines.bytes;
                if seen.insert(game.game) {
                    games.push(game);
                } else {
                    duplicates += 1;
                }
            }
            result => {
                // Only the last line can have been torn by a crash, and such a line is no JSON.
                let is_json = serde_json::from_slice::<IgnoredAny>(&line).is_ok();
                if lines.next()?.is_some() || (is_json && line.ends_with(b"\n")) {
                    let reason = result.err().map_or_else(String::new, |e| e.to_string());
                    return Err(no_game(reason));
                }
            }
        }
    }
    let torn_bytes = lines.bytes - complete_bytes;
    Ok(Held {
        contents: Some(Contents {
            settings: tournament,
            games,
            duplicates,
            torn_bytes,
        }),
        complete_bytes,
        torn_bytes,
    })
}

/// The text before the check sum and after it.
const SUM: [&str; 2] = [",\"crc\":\"", "\"}\n"];
/// Digits of the check sum.
const DIGITS: usize = 8;

/// A JSON object as a line, with the check sum as its last field.
fn sealed(mut object: String) -> String {
    object.pop();
    let sum = crc32fast::hash(object.as_bytes());
    let [before, after] = SUM;
    object + &format!("{before}{sum:0DIGITS$x}{after}")
}

/// Whether a line is as it was written.
fn check_seal(line: &[u8], path: &Path, number: usize) -> Result<(), JournalError> {
    let [before, after] = SUM.map(str::as_bytes);
    let parts = line.strip_suffix(after).and_then(|rest| {
        let (rest, digits) = rest.split_at_checked(rest.len().checked_sub(DIGITS)?)?;
        Some((rest.strip_suffix(before)?, digits))
    });
    let path = path.to_owned();
    match parts {
        None => Err(JournalError::NoSum { path, line: number }),
        Some((object, sum))
            if format!("{:0DIGITS$x}", crc32fast::hash(object)).as_bytes() == sum =>
        {
            Ok(())
        }
        Some(_) => Err(JournalError::Changed { path, line: number }),
    }
}

/// Whether this is the beginning of a first line whose writing was interrupted.
fn is_torn_header(line: &[u8]) -> bool {
    const BEGINNING: &[u8] = br#"{"tournament":"#;
    let compared = line.len().min(BEGINNING.len());
    !line.ends_with(b"\n") && line[..compared] == BEGINNING[..compared]
}

/// Whether the game is the one that the tournament has under this number.
fn check(game: &GameRecord, pairings: &[Pairing], fingerprint: &str) -> Result<(), String> {
    if game.settings != fingerprint {
        return Err(format!(
            "it is of a tournament with other settings ({}, not {fingerprint})",
            game.settings
        ));
    }
    let planned = usize::try_from(game.game)
        .ok()
        .and_then(|index| pairings.get(index));
    if planned == Some(&game.pairing()) {
        Ok(())
    } else {
        Err(format!("game {} of this tournament is another", game.game))
    }
}

/// The lines of a file, with their line ends.
struct Lines<'a, R> {
    reader: &'a mut R,
    path: &'a Path,
    /// Lines read so far.
    number: usize,
    /// Bytes read so far.
    bytes: u64,
}

impl<R: BufRead> Lines<'_, R> {
    fn next(&mut self) -> Result<Option<Vec<u8>>, JournalError> {
        let mut line = Vec::new();
        let read = self.reader.read_until(b'\n', &mut line);
        let read = read.map_err(|reason| JournalError::Io {
            path: self.path.to_owned(),
            doing: "read it",
            reason,
        })?;
        self.number += 1;
        self.bytes += read as u64;
        Ok((read > 0).then_some(line))
    }
}
