//! Journals: files to which every finished piece of work is appended, and synced, before it counts.
//!
//! One JSON object a line. The first line holds the settings of the work, every other line a record or a note about the
//! work as a whole. If the work is extended, or journals of the same work are joined, later lines hold settings too. A
//! crash can leave an incomplete last line, which is cut off. Any other line that cannot be read is an error.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::files::text::{LockedFile, open_alone, open_regular};
use crate::files::wording::own_words;

/// Longer lines are refused, since no game has them: one of 10,000 plies with long lines takes 2 MiB.
const MAX_LINE_BYTES: u64 = 16 << 20;

#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum JournalError {
    /// The system refused.
    #[error("cannot {doing} {}: {reason}", path.display())]
    Io { path: PathBuf, doing: &'static str, reason: io::Error },
    /// There are records in it already, or it is another file.
    #[error("{} already exists; continue it with --resume or name another journal", .0.display())]
    Exists(PathBuf),
    /// Another process writes it.
    #[error("{} is in use by another process", .0.display())]
    InUse(PathBuf),
    #[error("{}: the first line does not hold the settings of {what}: {reason}", path.display())]
    NoHeader { path: PathBuf, what: &'static str, reason: String },
    /// Not a record, though the line is complete. Lines count from 1.
    #[error("{}, line {line}: not a game: {reason}", path.display())]
    NoGame { path: PathBuf, line: usize, reason: String },
    /// Settings that omit finished work.
    #[error("{}: {reason}", path.display())]
    TooFew { path: PathBuf, reason: String },
    /// Records of work with other settings.
    #[error("{} was written by {what} with different settings: {}", path.display(), fields.join(", "))]
    OtherSettings { path: PathBuf, what: &'static str, fields: Vec<&'static str> },
}

/// A kind of work that journals are kept of.
pub trait Work {
    /// The settings. Journals with equal settings are of the same work.
    type Settings: Serialize + DeserializeOwned + Clone + PartialEq;
    /// A finished piece, as plain data.
    type Record: Serialize + DeserializeOwned;
    /// What can be said about the work as a whole, as plain data.
    type Note: Serialize + DeserializeOwned;
    /// The name of the settings in the first line.
    const KEY: &'static str;
    /// The name of a note in its line.
    const NOTE_KEY: &'static str = "note";
    /// The kind of work with its article, for messages.
    const WHAT: &'static str;

    /// Names of settings, with those that differ marked. Settings without a difference may still ask for more or less of
    /// the same work; the last ones in a journal count.
    fn compare(one: &Self::Settings, other: &Self::Settings) -> Vec<(&'static str, bool)>;

    /// The names of the settings that differ.
    fn differences(one: &Self::Settings, other: &Self::Settings) -> Vec<&'static str> {
        let different = Self::compare(one, other).into_iter().filter(|&(_, differs)| differs);
        different.map(|(name, _)| name).collect()
    }
}

/// A receiver of the contents of a journal.
pub trait Visitor<W: Work> {
    /// Receives the settings, and again when the work is extended. An error gives the reason why they are invalid.
    fn begin(&mut self, settings: &W::Settings) -> Result<(), String>;
    /// Receives a record and its place in the file. An error gives the reason why it does not belong there.
    fn record(&mut self, record: W::Record, span: Span) -> Result<(), String>;
    /// Receives a note. An error gives the reason why it does not belong there.
    fn note(&mut self, _note: W::Note) -> Result<(), String> {
        Err(format!("there are no notes about {}", W::WHAT))
    }
}

/// The place of a line in a file, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// The offset of its first byte.
    pub start: u64,
    pub length: u64,
}

/// A journal open for writing, exclusively until this value is dropped.
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
    /// [`JournalError::Exists`] if the file holds anything other than the settings of a journal without records.
    pub fn create(path: &Path, settings: &W::Settings) -> Result<Self, JournalError> {
        let mut journal = Self::open(path)?;
        let mut lines = BufReader::new((&*journal.file).take(MAX_LINE_BYTES + 2)).split(b'\n');
        let [first, second] = [lines.next(), lines.next()].map(Option::transpose);
        let [first, second] = [first.map_err(io_error(path, "read"))?, second.map_err(io_error(path, "read"))?];
        // A run that was refused after all, or ended before it had done anything, leaves settings alone. They must not
        // be in the way of a run with others.
        if second.is_some() || first.is_some_and(|line| named::<W::Settings>(&line, W::KEY).is_err()) {
            return Err(JournalError::Exists(path.to_owned()));
        }
        journal.start(settings)?;
        Ok(journal)
    }

    /// Continues a journal, or starts it if there is none or it has no records. Shows its contents to `visitor`. An
    /// incomplete last line is cut off the file; its length is returned. Settings that extend the work are added.
    ///
    /// # Errors
    /// [`JournalError`] if it is not a journal of this work, or holds more than `settings` ask for.
    pub fn resume(
        path: &Path,
        settings: &W::Settings,
        visitor: &mut impl Visitor<W>,
    ) -> Result<(Self, u64), JournalError> {
        let mut journal = Self::open(path)?;
        let mut held = Contents::default();
        held.read_on::<W>(&journal.file, path, visitor)?;
        let old = held.settings.filter(|_| held.records > 0);
        if let Some(found) = &old {
            let fields = W::differences(found, settings);
            if !fields.is_empty() {
                return Err(JournalError::OtherSettings { path: path.to_owned(), what: W::WHAT, fields });
            }
        }
        if old.as_ref() != Some(settings) {
            visitor.begin(settings).map_err(|reason| JournalError::TooFew { path: path.to_owned(), reason })?;
        }
        journal.length = held.complete_bytes;
        if held.incomplete_bytes > 0 {
            journal.cut().map_err(|e| journal.error("drop the incomplete last line of", e))?;
        }
        match old {
            None => journal.start(settings)?,
            Some(found) if found != *settings => drop(journal.append_line(line(W::KEY, settings))?),
            Some(_) => {}
        }
        Ok((journal, held.incomplete_bytes))
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

    /// Appends a note; see [`Journal::append`].
    ///
    /// # Errors
    /// [`JournalError::Io`]; the file then ends with the line before.
    pub fn note(&mut self, note: &W::Note) -> Result<(), JournalError> {
        self.append_line(line(W::NOTE_KEY, note)).map(drop)
    }

    fn open(path: &Path) -> Result<Self, JournalError> {
        let file = open_alone(path).map_err(|error| match error.kind() {
            io::ErrorKind::ResourceBusy => JournalError::InUse(path.to_owned()),
            _ => io_error(path, "open")(error),
        })?;
        Ok(Self { file, path: path.to_owned(), length: 0, work: PhantomData })
    }

    /// Writes the first line in place of all that is there.
    fn start(&mut self, settings: &W::Settings) -> Result<(), JournalError> {
        self.length = 0;
        self.cut().map_err(|e| self.error("rewrite the first line of", e))?;
        self.append_line(line(W::KEY, settings))?;
        // The file's name is data of its folder. If a folder cannot be synced, the system has to do it by itself.
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) {
            let _ = folder.sync_all();
        }
        Ok(())
    }

    fn append_line(&mut self, line: String) -> Result<Span, JournalError> {
        let line = line + "\n";
        if let Err(error) = self.write_synced(line.as_bytes()) {
            // Half a line in the middle of the file would damage it. If this fails too, no line is written after it.
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

    /// Cuts off everything after the last complete line.
    fn cut(&mut self) -> io::Result<()> {
        self.file.set_len(self.length)?;
        self.file.sync_data()
    }

    fn error(&self, doing: &'static str, reason: io::Error) -> JournalError {
        io_error(&self.path, doing)(reason)
    }
}

fn io_error(path: &Path, doing: &'static str) -> impl Fn(io::Error) -> JournalError {
    move |reason| JournalError::Io { path: path.to_owned(), doing, reason }
}

/// Reads a journal without changing it; another process may be writing it meanwhile. Shows its contents to `visitor`.
/// Returns the last settings and the length of an incomplete last line.
///
/// # Errors
/// [`JournalError`] if it cannot be read or is not a journal.
pub fn read<W: Work>(path: &Path, visitor: &mut impl Visitor<W>) -> Result<(W::Settings, u64), JournalError> {
    let mut held = Contents::default();
    held.read_on::<W>(&open(path)?, path, visitor)?;
    let settings = held.settings.ok_or_else(|| JournalError::NoHeader {
        path: path.to_owned(),
        what: W::WHAT,
        reason: "there is no complete line".to_owned(),
    })?;
    Ok((settings, held.incomplete_bytes))
}

fn open(path: &Path) -> Result<File, JournalError> {
    open_regular(path).map_err(io_error(path, "read"))
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

    /// The record at a place that held one before.
    ///
    /// # Errors
    /// [`JournalError`] if the file has changed since.
    pub fn get<W: Work>(&mut self, span: Span) -> Result<W::Record, JournalError> {
        let error = io_error(&self.path, "read");
        self.file.seek(SeekFrom::Start(span.start)).map_err(&error)?;
        let mut line = Vec::new();
        (&self.file).take(span.length).read_to_end(&mut line).map_err(&error)?;
        serde_json::from_slice(&line).map_err(|reason| error(reason.into()))
    }
}

/// A journal that another process is writing, on this machine or on another.
#[derive(Debug)]
pub struct Follower<W: Work> {
    path: PathBuf,
    held: Contents<W::Settings>,
}

impl<W: Work> Follower<W> {
    pub fn new(path: PathBuf) -> Self {
        Self { path, held: Contents::default() }
    }

    /// Shows `visitor` the lines that were completed since the last call. If the journal was begun again, it starts from
    /// the first line.
    ///
    /// # Errors
    /// [`JournalError`] if it cannot be read or is not a journal.
    pub fn read(&mut self, visitor: &mut impl Visitor<W>) -> Result<(), JournalError> {
        // A shared folder shows what other machines have written when the file is opened.
        let mut file = open(&self.path)?;
        let error = io_error(&self.path, "read");
        if file.metadata().map_err(&error)?.len() < self.held.complete_bytes {
            self.held = Contents::default();
        }
        file.seek(SeekFrom::Start(self.held.complete_bytes)).map_err(error)?;
        self.held.read_on::<W>(&file, &self.path, visitor)
    }
}

/// The contents of a file besides its records, as far as it was read.
#[derive(Debug)]
struct Contents<S> {
    /// The last ones; `None` if there is no complete line.
    settings: Option<S>,
    records: usize,
    /// Complete lines and their length.
    lines: usize,
    complete_bytes: u64,
    /// The length of an incomplete last line, 0 if the file ends with a line feed.
    incomplete_bytes: u64,
}

impl<S> Default for Contents<S> {
    fn default() -> Self {
        Self { settings: None, records: 0, lines: 0, complete_bytes: 0, incomplete_bytes: 0 }
    }
}

impl<S: DeserializeOwned> Contents<S> {
    /// Reads the rest of the file, which is open at the end of the lines known.
    fn read_on<W: Work<Settings = S>>(
        &mut self,
        file: &File,
        path: &Path,
        visitor: &mut impl Visitor<W>,
    ) -> Result<(), JournalError> {
        let [start, note_start] = [W::KEY, W::NOTE_KEY].map(|key| line_start(key).into_bytes());
        let mut reader = BufReader::new(file);
        let mut text = Vec::new();
        self.incomplete_bytes = 0;
        loop {
            text.clear();
            (&mut reader).take(MAX_LINE_BYTES + 1).read_until(b'\n', &mut text).map_err(io_error(path, "read"))?;
            let length = text.len() as u64;
            let no_header = |reason| JournalError::NoHeader { path: path.to_owned(), what: W::WHAT, reason };
            let no_game = |reason| JournalError::NoGame { path: path.to_owned(), line: self.lines + 1, reason };
            if length > MAX_LINE_BYTES {
                return Err(no_game(format!("it is longer than {} MiB", MAX_LINE_BYTES >> 20)));
            }
            // A crash can have truncated the last line only, and its line feed is written last.
            let is_incomplete = !text.ends_with(b"\n");
            let compared = text.len().min(start.len());
            if is_incomplete && (self.settings.is_some() || text[..compared] == start[..compared]) {
                self.incomplete_bytes = length;
                return Ok(());
            }
            if let Some(settings) = &self.settings
                && text.starts_with(&start)
            {
                let next = named::<W::Settings>(&text, W::KEY).map_err(no_game)?;
                let fields = W::differences(settings, &next);
                if !fields.is_empty() {
                    return Err(no_game(format!("settings that differ from those above: {}", fields.join(", "))));
                }
                visitor.begin(&next).map_err(no_game)?;
                self.settings = Some(next);
            } else if self.settings.is_none() {
                let settings = named(&text, W::KEY).map_err(no_header)?;
                visitor.begin(&settings).map_err(no_header)?;
                self.settings = Some(settings);
            } else if text.starts_with(&note_start) {
                let note = named(&text, W::NOTE_KEY).map_err(no_game)?;
                visitor.note(note).map_err(no_game)?;
            } else {
                let record = serde_json::from_slice(&text).map_err(|error| no_game(fault(&error)))?;
                visitor.record(record, Span { start: self.complete_bytes, length }).map_err(no_game)?;
                self.records += 1;
            }
            self.lines += 1;
            self.complete_bytes += length;
        }
    }
}

/// The beginning of a line that holds nothing but this value.
pub(crate) fn line_start(key: &str) -> String {
    format!("{{\"{key}\":")
}

fn line(key: &str, value: &impl Serialize) -> String {
    let value = serde_json::to_string(value).expect("settings and notes are plain data");
    format!("{}{value}}}", line_start(key))
}

/// The value of this name in a line.
fn named<T: DeserializeOwned>(line: &[u8], key: &str) -> Result<T, String> {
    let object = serde_json::from_slice::<Map<String, Value>>(line);
    let mut object = object.map_err(|_| NO_OBJECT.to_owned())?;
    let value = object.remove(key).ok_or_else(|| format!("{key:?} is missing"))?;
    serde_json::from_value(value).map_err(|error| fault(&error))
}

const NO_OBJECT: &str = "it is not a JSON object";

/// Without the place in the line.
fn fault(error: &serde_json::Error) -> String {
    if !error.is_data() {
        return NO_OBJECT.to_owned();
    }
    own_words(error.to_string().split(" at line ").next().unwrap_or_default())
}
