//! Journals: files to which every finished piece of work is appended, and synced, before it counts.
//!
//! One JSON object a line. The first line holds the settings of the work, every other line a record of what is done. Where
//! the work is extended, a later line holds its new settings. The last field of each is the CRC-32 of the line up to there, so that no line is changed unnoticed. A crash can leave an
//! incomplete last line; it is dropped. Anything else that does not fit is an error.

mod merge;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

pub use merge::{MergeError, Part, add_up, missing};

use crate::system::files::{LockedFile, OpenError, open_alone, open_regular};

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
    #[error("cannot {doing} {}: {reason}", path.display())]
    Io {
        path: PathBuf,
        /// What was tried.
        doing: &'static str,
        reason: io::Error,
    },
    /// There are records in it already, or it is another file.
    #[error("{} exists already; continue it with --resume or name another journal", .0.display())]
    Exists(PathBuf),
    /// Another process writes it.
    #[error("{} is in use by another process", .0.display())]
    InUse(PathBuf),
    /// Not a journal.
    #[error("{}: the first line does not hold the settings of {what}: {reason}", path.display())]
    NoHeader {
        path: PathBuf,
        /// The kind of work.
        what: &'static str,
        reason: String,
    },
    /// Not a record, though the line is complete.
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
    /// Settings that leave out what is done already.
    #[error("{}: {reason}", path.display())]
    TooFew { path: PathBuf, reason: String },
    /// Records of work with other settings.
    #[error("{} belongs to {what} with other settings, different: {}", path.display(), fields.join(", "))]
    OtherSettings {
        path: PathBuf,
        /// The kind of work.
        what: &'static str,
        /// What is different, in words.
        fields: Vec<&'static str>,
    },
}

/// A kind of work that journals are kept of.
pub trait Work {
    /// What it depends on. Journals with equal settings are of the same work.
    type Settings: Serialize + DeserializeOwned + Clone + PartialEq;
    /// A finished piece of it, as plain data.
    type Record: Serialize + DeserializeOwned;
    /// The name of the settings in the first line.
    const KEY: &'static str;
    /// The kind of work with its article, for messages.
    const WHAT: &'static str;

    /// The names of the settings that differ. Settings without a difference may still say how much of the same work is to
    /// be done; the last ones in a journal count.
    fn differences(one: &Self::Settings, other: &Self::Settings) -> Vec<&'static str>;

    /// Whether `other`, which has no differences to `one`, asks for more.
    fn extends(_one: &Self::Settings, _other: &Self::Settings) -> bool {
        false
    }
}

/// Who is shown what a journal holds.
pub trait Visitor<W: Work> {
    /// The settings come first, and again when the work is extended. An error says why they are invalid.
    fn begin(&mut self, settings: &W::Settings) -> Result<(), String>;
    /// Then each record, with its place in the file. An error says why it does not belong there.
    fn record(&mut self, record: W::Record, span: Span) -> Result<(), String>;
}

/// The place of a line in a file, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// Where it begins.
    pub start: u64,
    /// How long it is.
    pub length: u64,
}

/// What a file holds besides its records.
#[derive(Debug)]
pub struct Held<S> {
    /// `None` if there is no complete line.
    pub settings: Option<S>,
    complete_bytes: u64,
    /// Bytes of an incomplete last line, 0 if the file ends as it should.
    pub torn_bytes: u64,
}

impl<S> Held<S> {
    const fn nothing(torn_bytes: u64) -> Self {
        Self { settings: None, complete_bytes: 0, torn_bytes }
    }
}

/// A journal open for writing. Nobody else can open it so until this value is dropped.
#[derive(Debug)]
pub struct Journal<W> {
    file: LockedFile,
    path: PathBuf,
    /// Bytes known to be complete lines.
    length: u64,
    work: PhantomData<fn() -> W>,
}

impl<W: Work> Journal<W> {
    /// Starts a journal.
    ///
    /// # Errors
    /// [`JournalError::Exists`] if there is something in the file already, other than the first line of a journal.
    pub fn create(path: &Path, settings: &W::Settings) -> Result<Self, JournalError> {
        let mut journal = Self::open(path)?;
        if !journal.is_unused()? {
            return Err(JournalError::Exists(path.to_owned()));
        }
        journal.start(settings)?;
        Ok(journal)
    }

    /// Continues a journal, or starts it if there is none or no record in it. Shows what it holds already to `visitor`. An
    /// incomplete last line, the length of which is returned, is cut off the file. Settings that extend the work are added.
    ///
    /// # Errors
    /// [`JournalError`] if it is not a journal of this work, or holds more than `settings` ask for.
    pub fn resume(
        path: &Path,
        settings: &W::Settings,
        visitor: &mut impl Visitor<W>,
    ) -> Result<(Self, u64), JournalError> {
        let mut journal = Self::open(path)?;
        if journal.is_unused()? {
            journal.start(settings)?;
            return Ok((journal, 0));
        }
        let held = scan::<W>(&mut BufReader::new(&*journal.file), path, visitor)?;
        if let Some(found) = &held.settings {
            let fields = W::differences(found, settings);
            if !fields.is_empty() {
                return Err(JournalError::OtherSettings { path: path.to_owned(), what: W::WHAT, fields });
            }
            if found != settings {
                visitor.begin(settings).map_err(|reason| JournalError::TooFew { path: path.to_owned(), reason })?;
            }
        }
        journal.length = held.complete_bytes;
        if held.torn_bytes > 0 {
            journal.cut().map_err(|e| journal.error("drop the incomplete last line of", e))?;
        }
        match held.settings {
            None => journal.start(settings)?,
            Some(found) if found != *settings => drop(journal.append_line(header_line::<W>(settings))?),
            Some(_) => {}
        }
        Ok((journal, held.torn_bytes))
    }

    /// Appends a record. When this returns without an error, it is on the disk.
    ///
    /// # Errors
    /// [`JournalError::Io`]; the file then ends with the last record before.
    ///
    /// # Panics
    /// Never: a record is plain data that always has a JSON form.
    pub fn append(&mut self, record: &W::Record) -> Result<Span, JournalError> {
        self.append_line(serde_json::to_string(record).expect("a record is plain data"))
    }

    fn open(path: &Path) -> Result<Self, JournalError> {
        let error = |doing, reason| JournalError::Io { path: path.to_owned(), doing, reason };
        let file = open_alone(path).map_err(|refused| match refused {
            OpenError::InUse => JournalError::InUse(path.to_owned()),
            OpenError::Io(e) => error("open", e),
        })?;
        let length = file.metadata().map_err(|e| error("read the length of", e))?.len();
        Ok(Self { file, path: path.to_owned(), length, work: PhantomData })
    }

    /// Whether there is no work in it: it is empty, or has a first line and nothing else. That is what a run leaves that was
    /// refused after all, or ended before it had done anything. It must not be in the way of a run with other settings.
    fn is_unused(&mut self) -> Result<bool, JournalError> {
        if self.length > MOST_UNUSED {
            return Ok(false);
        }
        let mut reader = BufReader::new(&*self.file);
        let mut lines = Lines::new(&mut reader, &self.path);
        let first = lines.next()?;
        let is_all = lines.bytes == self.length;
        // What reads the file next begins at its start.
        self.file.rewind().map_err(|e| self.error("read", e))?;
        Ok(first.is_none_or(|first| is_all && header::<W>(&first).is_ok() && check_seal(&first, &self.path, 1).is_ok()))
    }

    /// Writes the first line, in the place of one that may be there.
    fn start(&mut self, settings: &W::Settings) -> Result<(), JournalError> {
        self.length = 0;
        self.cut().map_err(|e| self.error("rewrite the first line of", e))?;
        self.append_line(header_line::<W>(settings))?;
        // The file's name is data of its folder. Where a folder cannot be synced, the system has to do it by itself.
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) {
            let _ = folder.sync_all();
        }
        Ok(())
    }

    /// Appends a JSON object.
    fn append_line(&mut self, object: String) -> Result<Span, JournalError> {
        let line = sealed(object);
        if let Err(error) = self.write_synced(line.as_bytes()) {
            // Half a line in the middle of the file would spoil it. If this fails too, no line is written after it.
            let _ = self.cut();
            return Err(self.error("append to", error));
        }
        let span = Span { start: self.length, length: line.len() as u64 };
        self.length += span.length;
        Ok(span)
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
        JournalError::Io { path: self.path.clone(), doing, reason }
    }
}

/// Reads a journal without changing it; another process may be writing it meanwhile. Shows what it holds to `visitor`.
///
/// # Errors
/// [`JournalError`] if it cannot be read or is not a journal.
pub fn read<W: Work>(path: &Path, visitor: &mut impl Visitor<W>) -> Result<(W::Settings, u64), JournalError> {
    let file = open(path)?;
    let held = scan::<W>(&mut BufReader::new(file), path, visitor)?;
    let settings = held.settings.ok_or_else(|| JournalError::NoHeader {
        path: path.to_owned(),
        what: W::WHAT,
        reason: "there is no complete line".to_owned(),
    })?;
    Ok((settings, held.torn_bytes))
}

fn open(path: &Path) -> Result<File, JournalError> {
    open_regular(path).map_err(|reason| JournalError::Io { path: path.to_owned(), doing: "read", reason })
}

/// Records of a journal that are looked up by their places, while another part of the program may be writing it.
#[derive(Debug)]
pub struct Records {
    file: File,
    path: PathBuf,
}

impl Records {
    /// Opens a journal.
    ///
    /// # Errors
    /// [`JournalError::Io`].
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        Ok(Self { file: open(path)?, path: path.to_owned() })
    }

    /// The record in a place where one has been before.
    ///
    /// # Errors
    /// [`JournalError`] if it is there no more.
    pub fn get<W: Work>(&mut self, span: Span) -> Result<W::Record, JournalError> {
        let error = |reason| JournalError::Io { path: self.path.clone(), doing: "read", reason };
        self.file.seek(SeekFrom::Start(span.start)).map_err(error)?;
        let mut line = Vec::new();
        (&self.file).take(span.length).read_to_end(&mut line).map_err(error)?;
        serde_json::from_slice(&line).map_err(|reason| error(reason.into()))
    }
}

fn scan<W: Work>(
    reader: &mut impl BufRead,
    path: &Path,
    visitor: &mut impl Visitor<W>,
) -> Result<Held<W::Settings>, JournalError> {
    let mut lines = Lines::new(reader, path);
    let Some(first) = lines.next()? else {
        return Ok(Held::nothing(0));
    };
    if is_torn_header(&first, header_start::<W>().as_bytes()) {
        return Ok(Held::nothing(lines.bytes));
    }
    let no_header = |reason| JournalError::NoHeader { path: path.to_owned(), what: W::WHAT, reason };
    let mut settings = header::<W>(&first).map_err(|e| no_header(e.to_string()))?;
    check_seal(&first, path, 1)?;
    visitor.begin(&settings).map_err(no_header)?;
    let mut complete_bytes = lines.bytes;
    while let Some(line) = lines.next()? {
        let number = lines.number;
        let no_game = |reason| JournalError::NoGame { path: path.to_owned(), line: number, reason };
        // A crash can have torn the last line only, and its line feed is the last that is written of a line.
        if !line.ends_with(b"\n") {
            break;
        }
        if line.starts_with(header_start::<W>().as_bytes()) {
            let next = header::<W>(&line).map_err(|error| no_game(error.to_string()))?;
            check_seal(&line, path, number)?;
            let fields = W::differences(&settings, &next);
            if !fields.is_empty() {
                return Err(no_game(format!("settings that differ from those above: {}", fields.join(", "))));
            }
            visitor.begin(&next).map_err(no_game)?;
            settings = next;
            complete_bytes = lines.bytes;
            continue;
        }
        let record = serde_json::from_slice::<W::Record>(&line);
        let record = record.map_err(|error| no_game(error.to_string()))?;
        check_seal(&line, path, number)?;
        let span = Span { start: complete_bytes, length: line.len() as u64 };
        visitor.record(record, span).map_err(no_game)?;
        complete_bytes = lines.bytes;
    }
    Ok(Held { settings: Some(settings), complete_bytes, torn_bytes: lines.bytes - complete_bytes })
}

/// What every first line begins with.
fn header_start<W: Work>() -> String {
    format!("{{\"{}\":", W::KEY)
}

fn header_line<W: Work>(settings: &W::Settings) -> String {
    let settings = serde_json::to_string(settings).expect("settings are plain data");
    format!("{}{settings}}}", header_start::<W>())
}

fn header<W: Work>(line: &[u8]) -> serde_json::Result<W::Settings> {
    let mut header: Map<String, Value> = serde_json::from_slice(line)?;
    serde_json::from_value(header.remove(W::KEY).unwrap_or_default())
}

/// A first line is shorter than this, in bytes; more need not be read to know that there is something else.
const MOST_UNUSED: u64 = 1 << 20;

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
        Some((object, sum)) if format!("{:0DIGITS$x}", crc32fast::hash(object)).as_bytes() == sum => Ok(()),
        Some(_) => Err(JournalError::Changed { path, line: number }),
    }
}

/// Whether this is the beginning of a first line, which begins with `start`, whose writing was interrupted.
fn is_torn_header(line: &[u8], start: &[u8]) -> bool {
    let compared = line.len().min(start.len());
    !line.ends_with(b"\n") && line[..compared] == start[..compared]
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

impl<'a, R: BufRead> Lines<'a, R> {
    fn new(reader: &'a mut R, path: &'a Path) -> Self {
        Self { reader, path, number: 0, bytes: 0 }
    }

    fn next(&mut self) -> Result<Option<Vec<u8>>, JournalError> {
        let mut line = Vec::new();
        let read = self.reader.read_until(b'\n', &mut line);
        let read = read.map_err(|reason| JournalError::Io { path: self.path.to_owned(), doing: "read", reason })?;
        self.number += 1;
        self.bytes += read as u64;
        Ok((read > 0).then_some(line))
    }
}

/// The 64-bit FNV-1a hash. Unlike the standard library's hashes it is the same for every version and machine.
#[must_use]
pub fn fnv1a(bytes: &[u8]) -> u64 {
    fnv1a_more(0xcbf2_9ce4_8422_2325, bytes)
}

/// The hash of what had this hash so far, with more bytes after it.
#[must_use]
pub fn fnv1a_more(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// A short text that is equal for equal settings and, but for one chance in 2^64, for no others. Records carry it, so
/// that none gets into a journal of other work.
///
/// # Panics
/// Never: settings are plain data that always has a JSON form.
#[must_use]
pub fn fingerprint(settings: &impl Serialize) -> String {
    let text = serde_json::to_string(settings).expect("settings are plain data");
    format!("{:016x}", fnv1a(text.as_bytes()))
}
