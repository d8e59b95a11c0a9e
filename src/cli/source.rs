//! Sources of positions and games that a command line names: files, stdin, and positions in words. Also what they
//! contain, by their first line.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, IsTerminal, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::errors::usage;
use super::escape::escaped_line;
use super::streams::await_input;
use crate::board::Size;
use crate::files::text::{is_utf16, stdin, text_lines};
use crate::notation::{Deviations, begins_ptn, excerpt, parse_move, read_setup};
use crate::openings::book::entry;

/// A place to read positions or games from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Source {
    File(PathBuf),
    Stdin,
    Position(String),
}

impl Source {
    /// The sources that arguments name. A TPS may come as one argument or as three.
    ///
    /// # Errors
    /// An empty argument, or stdin twice.
    pub fn all(arguments: &[OsString]) -> anyhow::Result<Vec<Self>> {
        let mut sources = Vec::new();
        let mut rest = arguments;
        while let [argument, after @ ..] = rest {
            rest = after;
            let source = Self::of(argument)?;
            let source = match source {
                Self::Position(board) if !board.contains(char::is_whitespace) => {
                    let numbers = after.iter().take(2).take_while(|word| is_number(word)).count();
                    rest = &after[numbers..];
                    let words = after[..numbers].iter().filter_map(|word| word.to_str());
                    Self::Position(std::iter::once(board.as_str()).chain(words).collect::<Vec<_>>().join(" "))
                }
                Self::Stdin if sources.contains(&Self::Stdin) => {
                    return Err(usage("- is given twice, and stdin can be read only once"));
                }
                source => source,
            };
            sources.push(source);
        }
        Ok(sources)
    }

    fn of(argument: &OsStr) -> anyhow::Result<Self> {
        match argument.to_str() {
            Some("-") => Ok(Self::Stdin),
            Some(text) if text.trim().is_empty() => {
                Err(usage(format!("{text:?} is given: expected a TPS, a PTN file, or - for stdin")))
            }
            Some(text) if !is_file_name(text) => Ok(Self::Position(text.to_owned())),
            _ => Ok(Self::File(argument.into())),
        }
    }

    /// Returns whether it is a regular file, which can be read again.
    pub fn is_regular(&self) -> bool {
        matches!(self, Self::File(path) if path.is_file())
    }

    /// Opens a file or stdin and finds out what it holds.
    ///
    /// # Errors
    /// If it cannot be read, is empty, or is not text.
    pub fn open(&self) -> anyhow::Result<Opened> {
        let cannot = || format!("cannot read {self}");
        match self {
            Self::Stdin => stdin().map_err(Into::into).and_then(|stdin| Opened::new(Watched(stdin))),
            Self::File(path) => File::open(path).map_err(Into::into).and_then(Opened::new),
            Self::Position(text) => Opened::new(Cursor::new(text.clone().into_bytes())),
        }
        .with_context(cannot)
    }
}

/// As messages name it.
impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => f.write_str(&escaped_line(&path.to_string_lossy())),
            Self::Stdin => f.write_str("stdin"),
            Self::Position(text) => write!(f, "{:?}", excerpt(text)),
        }
    }
}

/// Returns whether something waits on stdin: a pipe or a file, not a terminal or a device such as `/dev/null`.
pub(super) fn is_stdin_piped() -> bool {
    #[cfg(unix)]
    fn is_stream(kind: std::fs::FileType) -> bool {
        use std::os::unix::fs::FileTypeExt;

        kind.is_file() || kind.is_fifo() || kind.is_socket()
    }
    #[cfg(not(unix))]
    fn is_stream(_: std::fs::FileType) -> bool {
        true
    }
    !io::stdin().is_terminal() && stdin().and_then(|file| file.metadata()).is_ok_and(|file| is_stream(file.file_type()))
}

/// Returns whether an argument names a file, and is not the text of a position, even of a wrong one.
fn is_file_name(argument: &str) -> bool {
    let path = Path::new(argument);
    let suffix = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    let is_suffix = suffix.starts_with(|c: char| c.is_ascii_alphabetic()) && suffix.chars().all(char::is_alphanumeric);
    path.exists() || is_suffix || !resembles_position(argument)
}

/// Returns whether a word is a position or a file of games.
pub(super) fn is_analysed(word: &str) -> bool {
    let path = Path::new(word);
    path.is_file() || path.extension().is_some_and(|suffix| suffix == "ptn") || !is_file_name(word)
}

/// Returns whether a text is a position or may be meant to be one: rows between slashes, or words the last of which is a
/// number.
fn resembles_position(text: &str) -> bool {
    let is_square = |c: char| "xX12345678,SCFscf".contains(c);
    let text = text.trim();
    let bare = text.trim_matches(|c: char| "[]\"'`.,;".contains(c));
    let board = bare.split_whitespace().next().unwrap_or_default();
    let rows: Vec<&str> = board.split(['/', '|', '\\']).collect();
    let good = rows.iter().filter(|row| !row.is_empty() && row.chars().all(is_square)).count();
    let is_board = if rows.len() < 3 {
        good == rows.len() && board.starts_with(|c: char| "xX12".contains(c))
    } else {
        2 * good >= rows.len()
    };
    let last = bare.split_whitespace().next_back().unwrap_or_default();
    let has_number = bare.contains(char::is_whitespace) && last.parse::<u64>().is_ok();
    text.starts_with('[') || is_board || has_number || read_setup(text, &mut Deviations::default()).is_ok()
}

pub(super) fn is_number(word: &OsStr) -> bool {
    word.to_str().is_some_and(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit()))
        && !Path::new(word).exists()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Contents {
    /// PTN games
    Ptn,
    /// A list of positions, one TPS a line
    Tps,
}

/// An input whose first lines are known.
pub(super) struct Opened {
    pub input: Box<dyn BufRead + Send>,
    /// Its first lines that are not blank or comments, with their numbers: one, or two if the first is a TPS tag.
    first: Vec<(usize, String)>,
}

/// Bytes at the beginning in which the first line has to be.
const MAX_HEAD: usize = 1 << 18;

impl Opened {
    /// Reads up to the first line that counts.
    fn new(input: impl Read + Send + 'static) -> anyhow::Result<Self> {
        let mut head = Head { input: BufReader::with_capacity(1 << 16, input), read: Vec::new(), is_utf16: false };
        let mut first: Vec<(usize, String)> = Vec::new();
        for (number, line) in (1..).zip(text_lines(&mut head, MAX_HEAD)) {
            let text = line?.text;
            if entry(&text).is_some() {
                first.push((number, text.trim_start_matches('\u{feff}').to_owned()));
            }
            let wanted = if first.first().is_some_and(|(_, line)| is_tps_tag(line)) { 2 } else { 1 };
            if first.len() >= wanted {
                break;
            }
        }
        Ok(Self { input: Box::new(Cursor::new(head.read).chain(head.input)), first })
    }

    pub fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    /// Returns whether its first line is a position, and not a tag.
    pub fn is_list(&self) -> bool {
        self.first.first().is_some_and(|(_, line)| {
            let position = entry(line).filter(|entry| !entry.starts_with('['));
            position.is_some_and(|position| read_setup(position, &mut Deviations::default()).is_ok())
        })
    }

    /// The kind of contents. `name` is that of the file: one for PTN is read as such.
    ///
    /// # Errors
    /// If the first line fits neither.
    pub fn contents(&self, name: &Path) -> anyhow::Result<Contents> {
        let Some((number, line)) = self.first.first() else { bail!("it holds no game and no position") };
        let is_ptn_file = name.extension().is_some_and(|suffix| suffix.eq_ignore_ascii_case("ptn"));
        let begins_with_move = line.split_whitespace().next().is_some_and(|word| parse_move(word, Size::EIGHT).is_ok());
        if begins_ptn(line) || line.trim_start().starts_with('{') {
            Ok(Contents::Ptn)
        } else if is_tps_tag(line) {
            // The position of a game is a tag too.
            Ok(match self.first.get(1) {
                Some((_, next)) if !is_ptn_file && resembles_position(next) && !begins_ptn(next) => Contents::Tps,
                None if !is_ptn_file => Contents::Tps,
                _ => Contents::Ptn,
            })
        } else if resembles_position(line) {
            Ok(Contents::Tps)
        } else if is_ptn_file || begins_with_move {
            Ok(Contents::Ptn)
        } else {
            bail!("it holds neither PTN games nor one TPS a line: line {number} is {:?}", excerpt(line))
        }
    }
}

/// The beginning of an input, which keeps what has been read of it, and is text.
struct Head<R> {
    input: BufReader<R>,
    read: Vec<u8>,
    is_utf16: bool,
}

impl<R: Read> BufRead for Head<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.read.len() >= MAX_HEAD {
            return Ok(&[]);
        }
        if self.input.buffer().is_empty() {
            let bytes = self.input.fill_buf()?;
            self.is_utf16 |= self.read.is_empty() && is_utf16(bytes);
            if !self.is_utf16 && is_binary(bytes) {
                return Err(io::Error::other("it is not text"));
            }
        }
        Ok(self.input.buffer())
    }

    fn consume(&mut self, count: usize) {
        self.read.extend_from_slice(&self.input.buffer()[..count]);
        self.input.consume(count);
    }
}

impl<R: Read> Read for Head<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

/// Returns whether a line is a TPS tag alone: that of a game, or a position.
fn is_tps_tag(line: &str) -> bool {
    line.trim_start().starts_with('[') && !begins_ptn(line)
}

/// Stdin, which may never come: reading ends if the reader of stdout goes away before.
struct Watched(File);

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        await_input(&io::stdin())?;
        self.0.read(buffer)
    }
}

/// Returns whether bytes are not text in UTF-8 or Windows-1252: they have a zero byte, or many control characters.
fn is_binary(bytes: &[u8]) -> bool {
    let is_control = |byte: &&u8| matches!(byte, 1..=8 | 14..=25 | 28..=31 | 127);
    bytes.contains(&0) || 10 * bytes.iter().filter(is_control).count() > bytes.len()
}
