//! Texts of any encoding and of bounded length; regular files only, one writer at a time, written whole.

use std::fs::{self, File, FileType, OpenOptions, TryLockError};
use std::io::{self, BufRead, Read, Write};
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};

use super::encoding::decode_line;
pub use super::encoding::{Recoded, decode, is_utf16};
use crate::lines::Lines;

/// Longer texts are refused, in MiB: endless input must not fill the memory.
const MAX_TEXT_MIB: u64 = 1 << 10;

/// The same for devices. Most of them never end, and a person at a terminal does not write more.
const MAX_DEVICE_MIB: u64 = 1;

/// All of a text: a file, a pipe, or stdin opened by [`stdin`], of any encoding.
///
/// # Errors
/// If it cannot be read or is longer than 1 GiB, or 1 MiB from a device.
pub fn read_text(file: File) -> io::Result<String> {
    Ok(decode(read_bytes(file)?))
}

/// The bytes of such a text.
pub fn read_bytes(file: File) -> io::Result<Vec<u8>> {
    let kind = file.metadata()?.file_type();
    let may_end = kind.is_file() || is_pipe(kind);
    let mib = if may_end { MAX_TEXT_MIB } else { MAX_DEVICE_MIB };
    let mut bytes = Vec::new();
    file.take((mib << 20) + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > mib << 20 {
        return Err(io::Error::other(format!("it is longer than {mib} MiB")));
    }
    Ok(bytes)
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextLine {
    /// Without its end.
    pub text: String,
    /// Set if it was not UTF-8.
    pub is_recoded: bool,
}

/// The lines of a text, see [`Lines`]. The text may be UTF-16, and each line that is not UTF-8 is read as Windows-1252,
/// in which old files are mostly written. Of a line longer than `longest` bytes the rest is skipped.
pub fn text_lines(input: impl BufRead, longest: usize) -> impl Iterator<Item = io::Result<TextLine>> {
    let mut lines = Lines::new(Recoded::new(input), longest);
    std::iter::from_fn(move || {
        let line = lines.read().transpose()?;
        let is_utf16 = lines.input().is_utf16();
        Some(line.map(|line| {
            let (text, is_recoded) = decode_line(line.bytes);
            TextLine { is_recoded: (is_recoded || is_utf16) && !text.trim().is_empty(), text }
        }))
    })
}

/// Pipes and sockets end when their writer does.
#[cfg(unix)]
fn is_pipe(kind: FileType) -> bool {
    use std::os::unix::fs::FileTypeExt;

    kind.is_fifo() || kind.is_socket()
}

/// Elsewhere the kind is unknown.
#[cfg(not(unix))]
fn is_pipe(_: FileType) -> bool {
    true
}

/// Stdin, without the part that has been read already.
#[cfg(feature = "cli")]
pub fn stdin() -> io::Result<File> {
    #[cfg(unix)]
    let handle = std::os::fd::AsFd::as_fd(&io::stdin()).try_clone_to_owned()?;
    #[cfg(windows)]
    let handle = std::os::windows::io::AsHandle::as_handle(&io::stdin()).try_clone_to_owned()?;
    Ok(File::from(handle))
}

/// Opens a regular file to read it. Devices have no end, and pipes cannot be read twice.
pub fn open_regular(path: &Path) -> io::Result<File> {
    check_regular(path)?;
    File::open(path)
}

/// A file opened exclusively by [`open_alone`] until this value is dropped.
#[derive(Debug)]
pub struct LockedFile(File);

impl Deref for LockedFile {
    type Target = File;

    fn deref(&self) -> &File {
        &self.0
    }
}

impl DerefMut for LockedFile {
    fn deref_mut(&mut self) -> &mut File {
        &mut self.0
    }
}

impl Write for LockedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Drop for LockedFile {
    /// Closing alone would not do: a process that another thread is just starting has a copy of every open file until
    /// its program begins, and the lock would last as long.
    fn drop(&mut self) {
        // Without locks there is nothing to give back.
        let _ = self.0.unlock();
    }
}

/// Opens a regular file to read and write it, creating it if need be. It cannot be opened again in this way until it is
/// dropped.
///
/// # Errors
/// [`ResourceBusy`](io::ErrorKind::ResourceBusy) if another process writes it. The contents of the file are unchanged.
pub fn open_alone(path: &Path) -> io::Result<LockedFile> {
    check_regular(path)?;
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    let file = LockedFile(options.open(path)?);
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            return Err(io::Error::new(io::ErrorKind::ResourceBusy, "it is in use by another process"));
        }
        // Some network file systems have no locks. The lock only guards against a mistake, so the file can be used.
        Err(TryLockError::Error(error)) => log::warn!("{}: not locked: {error}", path.display()),
    }
    Ok(file)
}

/// The one rule for files that exist already: data is only overwritten if the user asks for it. A run that wrote nothing
/// leaves an empty file, which must not be in the way of the next one.
fn protect(file: &fs::Metadata, overwrite: bool) -> io::Result<()> {
    if !overwrite && file.is_file() && file.len() > 0 {
        let exists = "it already exists; use --force to overwrite it";
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, exists));
    }
    Ok(())
}

/// Creates a file as [`open_alone`] does, or empties one that may be overwritten. A device or a pipe is written to.
///
/// # Errors
/// Also if the file holds something and `overwrite` is false; it is unchanged then.
pub fn create_alone(path: &Path, overwrite: bool) -> io::Result<LockedFile> {
    if check_regular(path).is_err() {
        return Ok(LockedFile(OpenOptions::new().write(true).open(path)?));
    }
    let file = open_alone(path)?;
    protect(&file.metadata()?, overwrite)?;
    file.set_len(0)?;
    Ok(file)
}

/// Returns whether both are names of one regular file, or would be if it existed.
pub fn are_same(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other && one.is_file(),
        _ => place(&followed(one)) == place(&followed(other)),
    }
}

/// The path of a file, existing or not: links of its folder are followed, but not its own.
fn place(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).canonicalize();
    match (folder, path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

/// Writes a file whole. It is replaced at once: a reader sees the old contents or all of `bytes`. A link to it
/// stays a link, and a device or a pipe is written to.
///
/// # Errors
/// If it cannot be written; a file is then unchanged.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let path = &followed(path);
    if check_regular(path).is_err() {
        return OpenOptions::new().write(true).open(path)?.write_all(bytes);
    }
    let temporary = temporary(path);
    let write = || {
        let mut file = File::create(&temporary)?;
        // The mode of the replaced file stays. Some file systems have none.
        if let Ok(found) = fs::metadata(path)
            && let Err(error) = file.set_permissions(found.permissions())
        {
            log::warn!("{}: the new file has other permissions: {error}", path.display());
        }
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    };
    write().inspect_err(|_| {
        // Half a file is of no use. If it cannot be removed either, the first error is the one to report.
        let _ = fs::remove_file(&temporary);
    })
}

/// Checks that [`replace`] may and will be able to write this file. The error is better reported before hours of work
/// than after them.
///
/// # Errors
/// If it is not empty and `overwrite` is false, or if it cannot be written, as far as can be found out without changing
/// it.
pub fn check_replaceable(path: &Path, overwrite: bool) -> io::Result<()> {
    let path = &followed(path);
    let is_there = path.exists();
    if is_there && check_regular(path).is_err() {
        if path.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        return Ok(());
    }
    if is_there {
        protect(&fs::metadata(path)?, overwrite)?;
        OpenOptions::new().append(true).open(path)?;
    } else if names_folder(path) {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let temporary = temporary(path);
    File::create(&temporary)?;
    fs::remove_file(&temporary)
}

/// The target of a path through all links, even if it does not exist.
fn followed(path: &Path) -> PathBuf {
    // The links of open pipes, such as /dev/stdout, lead to no path.
    if check_regular(path).is_err() {
        return path.to_owned();
    }
    match (path.canonicalize(), fs::read_link(path)) {
        (Ok(found), _) => found,
        // Links that go round are another error, so this comes to an end.
        (Err(error), Ok(target)) if error.kind() == io::ErrorKind::NotFound => followed(&path.with_file_name(target)),
        _ => path.to_owned(),
    }
}

/// Returns whether a path ends as only that of a folder does, for example in `/` or `/.`.
fn names_folder(path: &Path) -> bool {
    let text = path.as_os_str().as_encoded_bytes();
    let name = path.file_name();
    name.is_none_or(|name| !text.ends_with(name.as_encoded_bytes()))
}

/// The name under which a file is written before it is complete.
fn temporary(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    path.with_file_name(name)
}

/// Asked before opening, since opening a pipe waits for its other end.
fn check_regular(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(found) if !found.is_file() => Err(io::Error::other("it is not a regular file")),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_ends_with_its_value_despite_copies() {
        let path = std::env::temp_dir().join(format!("tak-engine-lock-{}", std::process::id()));
        let held = open_alone(&path).unwrap();
        assert_eq!(open_alone(&path).unwrap_err().kind(), io::ErrorKind::ResourceBusy);
        // As a process has that is just being started.
        let copy = held.try_clone().unwrap();
        drop(held);
        drop(open_alone(&path).unwrap());
        drop(copy);
        fs::remove_file(&path).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn only_regular_files_are_replaced() {
        let folder = std::env::temp_dir().join(format!("tak-engine-replace-{}", std::process::id()));
        fs::create_dir(&folder).unwrap();
        let [file, link, missing] = ["file", "link", "missing"].map(|name| folder.join(name));
        fs::write(&file, "before").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        let secret = std::os::unix::fs::PermissionsExt::from_mode(0o600);
        fs::set_permissions(&file, secret).unwrap();
        check_replaceable(&link, true).unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"before");
        replace(&link, b"after").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"after");
        let mode = std::os::unix::fs::PermissionsExt::mode(&fs::metadata(&file).unwrap().permissions());
        assert_eq!(mode & 0o777, 0o600);
        check_replaceable(&missing, false).unwrap();
        assert!(!missing.exists());
        let leading = folder.join("leading");
        std::os::unix::fs::symlink("missing", &leading).unwrap();
        check_replaceable(&leading, false).unwrap();
        replace(&leading, b"found").unwrap();
        assert_eq!(fs::read(&missing).unwrap(), b"found");
        fs::remove_file(&missing).unwrap();
        for name in ["none/", "none/."] {
            assert!(check_replaceable(&folder.join(name), true).is_err());
        }
        std::os::unix::fs::symlink("unmade", folder.join("to unmade")).unwrap();
        assert!(are_same(&folder.join("to unmade"), &folder.join("unmade")));
        assert!(check_replaceable(&folder, true).is_err());
        assert!(check_replaceable(&missing.join("file"), true).is_err());
        assert!(are_same(&file, &link) && are_same(&missing, &missing) && !are_same(&file, &missing));
        // A link, so that no device is lost should this fail.
        let null = folder.join("null");
        std::os::unix::fs::symlink("/dev/null", &null).unwrap();
        replace(&null, b"nothing").unwrap();
        assert!(!are_same(&null, &null));
        assert!(!fs::metadata(&null).unwrap().is_file());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn lines_of_any_encoding_are_read() {
        let lines = text_lines(&b"caf\xe9\n\xc3\xa9\r123456789"[..], 8).map(|line| line.unwrap());
        let lines: Vec<_> = lines.map(|line| (line.text, line.is_recoded)).collect();
        assert_eq!(lines, [("café".to_owned(), true), ("é".to_owned(), false), ("12345678".to_owned(), false)]);
    }
}
