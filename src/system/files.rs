//! Opening files with care: text of any encoding and of bounded length, regular files only, one writer at a time.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read};
use std::path::Path;

/// Longer texts are refused: a device that never ends must not fill the memory.
const LONGEST_TEXT: u64 = 1 << 30;

/// All of a text file. Names in old files are not always UTF-8, and nothing else needs more than ASCII, so what cannot
/// be read is replaced.
///
/// # Errors
/// When it cannot be read or is longer than 1 GiB.
pub(crate) fn read_text(file: impl Read) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.take(LONGEST_TEXT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LONGEST_TEXT {
        return Err(io::Error::other("it is longer than 1 GiB"));
    }
    Ok(String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

/// Why a file cannot be opened.
#[derive(Debug)]
pub(crate) enum OpenError {
    /// The system refuses, or it is no regular file.
    Io(io::Error),
    /// Another process writes it.
    InUse,
}

impl From<io::Error> for OpenError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Opens a regular file to read it. Devices have no end, and pipes cannot be read twice.
///
/// # Errors
/// When the system refuses, or it is no regular file.
pub(crate) fn open_regular(path: &Path) -> io::Result<File> {
    check_regular(path)?;
    File::open(path)
}

/// Opens a regular file to read and write it, creating it if need be. No other process can open it in this way until it
/// is closed.
///
/// # Errors
/// [`OpenError`]; what is in the file is unchanged.
pub(crate) fn open_alone(path: &Path) -> Result<File, OpenError> {
    check_regular(path)?;
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    let file = options.open(path)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(OpenError::InUse),
        // Some network file systems have no locks. The lock only guards against a mistake, so the file can be used.
        Err(TryLockError::Error(error)) => log::warn!("{}: not locked: {error}", path.display()),
    }
    Ok(file)
}

/// Asked before opening, since opening a pipe waits for its other end.
fn check_regular(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(found) if !found.is_file() => Err(io::Error::other("it is not a regular file")),
        _ => Ok(()),
    }
}
